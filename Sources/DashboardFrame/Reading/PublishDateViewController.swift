import Feeds
import LibraryKernel
import RaceModel
import TerminalUI

/// The publish-date popover: the date in full, the time since then, the date as the feed wrote it, and other dates (row
/// POP-04).
@MainActor
package final class PublishDateViewController: ViewController {
    private let textView = TextView()
    private let services: EntryServices
    private let content: @MainActor () -> [TextParagraph]?
    private var shown: [TextParagraph] = []
    private var observations: [Observation] = []

    /// Creates a popover that updates its dates after each change, and closes when there are none.
    package init(_ services: EntryServices, _ content: @escaping @MainActor () -> [TextParagraph]?) {
        self.services = services
        self.content = content
        super.init()
        title = "Publish Date"
        modalPresentationStyle = .popover
    }

    /// Creates a popover with the dates of an entry.
    package convenience init(entry id: EntryID, _ services: EntryServices) {
        self.init(services) {
            services.access.read(nil) { try $0.entries.detail(of: id)?.dates }.map {
                PublishDateViewController.lines($0, services.appearance.dates)
            }
        }
    }

    /// Creates a popover with the date of a stage and that of its article.
    package convenience init(stage number: Int, ofRace id: String, _ services: EntryServices) {
        self.init(services) {
            services.access.read(nil) { try $0.races.race(id)?.stages.first { $0.number == number } }.map { stage in
                PublishDateViewController.lines(
                    stage, article: services.web.articleDate(of: stage), services.appearance.dates)
            }
        }
        title = "Date"
    }

    /// Creates a popover with the date of a page's article.
    package convenience init(articleAt url: String, _ services: EntryServices) {
        self.init(services) {
            PublishDateViewController.lines(article: services.web.articleDates[url], services.appearance.dates)
        }
    }

    /// Returns the dates of an entry in words.
    package static func lines(_ dates: EntryDates, _ text: DateText) -> [TextParagraph] {
        var lines: [TextParagraph] = []
        if let published = dates.published {
            lines += instant(published, text)
        } else if dates.publishedText != nil {
            lines.append(TextParagraph("Unreadable date.", .strong))
        } else {
            lines.append(TextParagraph("No publish date.", .strong))
        }
        var facts: [(name: DisplayText, value: DisplayText)] = []
        if let written = dates.publishedText { facts.append(("In the feed", DisplayText(written))) }
        if let updated = dates.updated, updated != dates.published {
            facts.append(("Updated", DateText.dayAndTime(updated)))
        } else if dates.updated == nil, let written = dates.updatedText {
            facts.append(("Updated", DisplayText(written)))
        }
        if let page = dates.pageText { facts.append(("On the page", DisplayText(page))) }
        facts.append(("First seen", text.distance(dates.firstSeen)))
        if let previous = dates.previous { facts.append(("Edited", EntryChangesViewController.summary(previous))) }
        return join(lines, facts)
    }

    /// Returns the date of a page in words.
    package static func lines(article date: WrittenDate?, _ text: DateText) -> [TextParagraph] {
        guard let date else { return [TextParagraph("The page has no date.", .strong)] }
        let lines = date.instant.map { instant($0, text) } ?? [TextParagraph("Unreadable date.", .strong)]
        return join(lines, [("On the page", DisplayText(date.text))])
    }

    /// Returns the dates of a stage and its article in words.
    package static func lines(_ stage: Stage, article: WrittenDate?, _ text: DateText) -> [TextParagraph] {
        let published: [(name: DisplayText, value: DisplayText)] = [article].compactMap { $0 }.map { date in
            ("Article", date.instant.map { DateText.dayAndTime($0) } ?? DisplayText(date.text))
        }
        guard let day = stage.day else {
            return join([TextParagraph("The race file has no date.", .strong)], published)
        }
        return join(
            [TextParagraph(DateText.longDay(day), .strong), TextParagraph(text.distance(day))],
            [
                ("Stage", DisplayText(stage.name)), ("Start", DisplayText(stage.start)),
                ("In the file", DisplayText(stage.date ?? "")),
            ] + published)
    }

    /// Returns the day and time of an instant, and the time since then.
    private static func instant(_ instant: Instant, _ text: DateText) -> [TextParagraph] {
        [
            TextParagraph(DateText.longDay(instant), .strong),
            TextParagraph(DateText.time(instant) + " · " + text.distance(instant)),
        ]
    }

    private static func join(
        _ lines: [TextParagraph], _ facts: [(name: DisplayText, value: DisplayText)]
    ) -> [TextParagraph] {
        let rows = TextParagraph.facts(facts)
        return lines + (rows.isEmpty ? [] : [.blank]) + rows
    }

    private func renew() {
        guard let lines = content() else { return dismiss() }
        guard lines != shown else { return }
        shown = lines
        textView.setParagraphs(lines, keepsPlace: true)
    }

    package override func makeView() -> View { textView }

    package override func viewDidLoad() {
        textView.maximumColumns = 44
        toolbarItems = [BarButtonItem(ProgramCommands.closePopover, title: "close")]
        renew()
        observations = [.entries, .races].map { part in
            services.access.library.observe(part) { [weak self] in self?.renew() }
        }
    }

    package override var commands: [Command] {
        [Command(ProgramCommands.closePopover) { [weak self] in self?.dismiss() }]
    }
}

extension PublishDateViewController {
    /// Appears over a controller in a popover at a bar item, or at a view if no bar shows the item.
    package func present(over controller: ViewController, from item: BarButtonItem, or view: View) {
        popoverPresentationController.barButtonItem = item
        popoverPresentationController.sourceView = view
        controller.present(self)
    }

    /// Appears over a controller in a popover at a row.
    package func present(over controller: ViewController, atRow row: AnyHashable, of table: TableView) {
        popoverPresentationController.sourceView = table
        popoverPresentationController.sourceRow = row
        controller.present(self)
    }
}
