import ModelCore
import TerminalUI

/// The publish-date popover: the date in full, how long ago, as the feed wrote it, and what else is known (row POP-04).
@MainActor
final class PublishDateViewController: ViewController {
    private let textView = TextView()
    private let lines: [TextParagraph]

    /// The dates of an entry.
    convenience init(_ dates: EntryDates, text: DateText) {
        var lines: [TextParagraph] = []
        if let published = dates.published {
            lines += PublishDateViewController.instant(published, text)
        } else if dates.publishedText != nil {
            lines.append(TextParagraph("The date cannot be read.", .strong))
        } else {
            lines.append(TextParagraph("The feed gives no date.", .strong))
        }
        var facts: [(DisplayText, DisplayText)] = []
        if let written = dates.publishedText { facts.append(("In the feed", DisplayText(written))) }
        if let updated = dates.updated, updated != dates.published {
            facts.append(("Updated", DateText.dayAndTime(updated)))
        } else if dates.updated == nil, let written = dates.updatedText {
            facts.append(("Updated", DisplayText(written)))
        }
        facts.append(("First seen", text.distance(dates.firstSeen)))
        self.init(lines: lines, facts: facts)
    }

    /// The date that a page gives for its article.
    convenience init(article date: WrittenDate?, text: DateText) {
        guard let date else {
            self.init(lines: [TextParagraph("The page gives no date.", .strong)], facts: [])
            return
        }
        self.init(
            lines: date.instant.map { PublishDateViewController.instant($0, text) }
                ?? [TextParagraph("The date cannot be read.", .strong)],
            facts: [("On the page", DisplayText(date.text))])
    }

    /// The day and the time of an instant, and how long ago it is.
    private static func instant(_ instant: Int64, _ text: DateText) -> [TextParagraph] {
        [
            TextParagraph(DateText.longDay(instant), .strong),
            TextParagraph(DateText.time(instant) + " · " + text.distance(instant)),
        ]
    }

    /// The date of a stage, and that of its article where the page was read and gives one.
    convenience init(_ stage: Stage, article: WrittenDate?, text: DateText) {
        let published = article.map { date in
            ("Article" as DisplayText, date.instant.map { DateText.dayAndTime($0) } ?? DisplayText(date.text))
        }
        guard let day = stage.day else {
            self.init(
                lines: [TextParagraph("The race file gives no date.", .strong)], facts: published.map { [$0] } ?? [])
            return
        }
        let lines = [
            TextParagraph(DateText.longDay(day), .strong),
            TextParagraph(text.distance(day)),
        ]
        self.init(
            lines: lines,
            facts: [
                ("Stage", DisplayText(String(stage.number))), ("Start", DisplayText(stage.start)),
                ("In the file", DisplayText(stage.date ?? "")),
            ] + (published.map { [$0] } ?? []))
    }

    private init(lines: [TextParagraph], facts: [(DisplayText, DisplayText)]) {
        let rows = TextParagraph.facts(facts.map { (name: $0.0, value: $0.1) })
        self.lines = lines + (rows.isEmpty ? [] : [.blank]) + rows
        super.init()
        title = "Publish Date"
        modalPresentationStyle = .popover
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        textView.maximumColumns = 44
        textView.setParagraphs(lines)
    }

    override var commands: [Command] {
        [
            Command(.closePopover) { [weak self] in
                self?.dismiss()
            }
        ]
    }
}

extension ViewController {
    /// Shows dates in a popover at a bar item, or at a view where no bar shows the item.
    func presentDates(_ dates: PublishDateViewController, from item: BarButtonItem, or view: View) {
        let popover = dates.popoverPresentationController
        popover.barButtonItem = item
        popover.sourceView = view
        popover.sourceRect = Rect(x: view.bounds.width / 2, y: 0, width: 1, height: 1)
        present(dates)
    }

    /// Shows dates in a popover at a row.
    func presentDates(_ dates: PublishDateViewController, atRow row: AnyHashable, of table: TableView) {
        let popover = dates.popoverPresentationController
        popover.sourceView = table
        popover.sourceRow = row
        present(dates)
    }
}
