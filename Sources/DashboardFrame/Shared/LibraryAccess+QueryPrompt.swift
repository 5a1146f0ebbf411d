import Feeds
import TerminalUI

extension LibraryAccess {
    /// Returns a prompt for a query that completes fields, feeds and tags.
    package func queryPrompt(title: DisplayText, text: String = "", onSubmit: @escaping (String) -> Void)
        -> TextPromptViewController
    {
        let completion = read(nil) { try $0.search.completion() }
        return TextPromptViewController(
            title: title, message: "words \"a phrase\" begin* -not (a or b) title:x feed:x is:unread age:<7d",
            text: text,
            validate: { text in
                do throws(SearchQuery.Problem) {
                    _ = try SearchQuery(text)
                    return nil
                } catch { return DisplayText(error.description) }
            },
            complete: { text in
                (completion?.candidates(for: text) ?? []).map { ($0.text, DisplayText($0.word)) }
            }, onSubmit: onSubmit)
    }
}
