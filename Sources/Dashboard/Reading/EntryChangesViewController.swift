import ArticleRendering
import ModelCore
import TerminalUI

/// What the last change of an entry by its feed has brought and taken, word by word.
@MainActor
final class EntryChangesViewController: ViewController {
    private let entry: EntryDetail
    private let former: FormerText
    private let context: DashboardContext
    private let textView = TextView()

    init(_ entry: EntryDetail, _ former: FormerText, _ context: DashboardContext) {
        self.entry = entry
        self.former = former
        self.context = context
        super.init()
        title = "Changes"
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(ToolkitCommands.textPageDown, title: "page", priority: 0), .flexibleSpace(),
            BarButtonItem(.help, title: "help", priority: 1),
        ]
        textView.prepareForReading(context)
        let (entry, former) = (entry, former)
        let head = [
            TextParagraph(DisplayText(entry.title), .heading),
            TextParagraph(EntryChangesViewController.summary(former, context.dates), .secondary), .blank,
        ]
        textView.setParagraphs(head)
        Task { [weak self] in
            let lines = await Task.detached {
                WordChanges.paragraphs(
                    from: EntryArticle.text(former.html, former.text, link: entry.link),
                    to: EntryArticle.text(entry.html, entry.text, link: entry.link))
            }.value
            let title =
                former.title == entry.title
                ? [] : [TextParagraph(DisplayText("~~\(former.title)~~"), .failure), .blank]
            self?.textView.setParagraphs(head + title + lines, keepsPlace: true)
        }
    }

    /// `9 May 2010, 12:00 · 12 words came, 4 went`.
    static func summary(_ former: FormerText, _ dates: DateText) -> DisplayText {
        let came = former.came == 1 ? "1 word came" : "\(former.came) words came"
        return DateText.dayAndTime(former.replaced) + DisplayText(" · \(came), \(former.went) went")
    }
}
