import Articles
import Feeds
import ModelCore
import TerminalUI

/// Shows the last change of an entry's text by its feed, word by word.
@MainActor
final class EntryChangesViewController: ViewController {
    private let entry: EntryDetail
    private let previous: PreviousText
    private let settings: Settings
    private let textView = TextView()
    private var isComparing = true

    init(_ entry: EntryDetail, _ previous: PreviousText, settings: Settings) {
        self.entry = entry
        self.previous = previous
        self.settings = settings
        super.init()
        title = "Changes"
    }

    override var awaitsContent: Bool { isComparing }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        toolbarItems = [BarButtonItem(TextCommands.pageDown, title: "page", priority: 0)]
        textView.prepareForReading(settings)
        let (entry, previous) = (entry, previous)
        let head = [
            TextParagraph(DisplayText(entry.title), .heading),
            TextParagraph(EntryChangesViewController.summary(previous), .secondary), .blank,
        ]
        textView.setParagraphs(head)
        Task { [weak self] in
            let lines = await Task.detached {
                WordChanges.paragraphs(
                    from: EntryArticle.text(previous.html, previous.text, base: entry.base),
                    to: EntryArticle.text(entry.html, entry.text, base: entry.base))
            }.value
            let title =
                previous.title == entry.title
                ? [] : [TextParagraph(DisplayText("~~\(previous.title)~~"), .failure), .blank]
            self?.isComparing = false
            self?.textView.setParagraphs(head + title + lines, keepsPlace: true)
        }
    }

    /// Returns a summary such as "9 May 2010, 12:00 · 12 words added, 4 removed".
    static func summary(_ previous: PreviousText) -> DisplayText {
        let came = previous.came.counted("word") + " added"
        return DateText.dayAndTime(previous.replaced) + DisplayText(" · \(came), \(previous.went) removed")
    }
}
