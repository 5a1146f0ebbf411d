import DashboardFrame
import Feeds
import TerminalUI

/// The status of a feed: last fetch, frequency of entries, and complete errors.
@MainActor
final class FeedHealthViewController: ViewController {
    private let textView = TextView()
    /// The facts, a line each.
    let facts: [(name: DisplayText, value: DisplayText)]
    private let actions: [Command]

    /// - Parameters:
    ///   - reloadMinutes: The number of minutes between automatic reloads, or 0 for none.
    ///   - commands: What can be done about the feed. The sheet closes first.
    init(
        _ subscription: SubscriptionRow, _ health: SubscriptionHealth, dates: DateText, reloadMinutes: Int = 0,
        commands: [Command] = []
    ) {
        actions = commands
        var facts: [(name: DisplayText, value: DisplayText)] = [("Address", DisplayText(health.url))]
        if let address = health.newAddress { facts.append(("New address", DisplayText(address))) }
        if let previous = health.previousURL { facts.append(("Previous address", DisplayText(previous))) }
        func add(_ name: DisplayText, _ instant: Instant?, _ missing: DisplayText) {
            let value = instant.map { DateText.dayAndTime($0) + " · " + dates.distance($0) }
            facts.append((name, value ?? missing))
        }
        add("Last success", health.lastSuccess, "never")
        add("Newest entry", health.lastEntry, "none has a date")
        if let rhythm = health.rhythm { facts.append(("Frequency", "one entry every " + DateText.duration(rhythm))) }
        facts.append(("Entries", DisplayText("\(subscription.total), \(subscription.unread) unread")))
        if !health.tags.isEmpty { facts.append(("Tags", DisplayText(health.tags.joined(separator: " ")))) }
        if let error = health.errorWithAttempts {
            add("Last attempt", health.lastFetched, "never")
            facts.append(("Error", DisplayText(error)))
        }
        for (index, problem) in health.problems.enumerated() {
            facts.append((index == 0 ? "Problems" : .empty, DisplayText(problem)))
        }
        if health.isGone {
            facts.append(("Next attempt", "only on request: the server says that the feed is gone (410)"))
        } else if let next = health.nextReload(refresh: reloadMinutes, now: dates.now) {
            add("Next attempt", next, "")
        }
        self.facts = facts
        super.init()
        title = DisplayText(subscription.title)
        modalPresentationStyle = .sheet
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        textView.setParagraphs(TextParagraph.facts(facts, maximumName: 14))
    }

    override var commands: [Command] {
        [Command(FeedCommands.closeHealth) { [weak self] in self?.dismiss() }]
            + actions.map { command in
                Command(command.definition) { [weak self] in
                    self?.dismiss()
                    command.perform()
                }
            }
    }
}
