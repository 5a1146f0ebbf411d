import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The options of a feed. Enter changes the selected option to its next value.
@MainActor
final class FeedOptionsViewController: ViewController {
    private let subscription: SubscriptionRow
    private let access: LibraryAccess
    private let table = TableView()
    private var options: SubscriptionOptions
    private var observation: Observation?

    init(_ subscription: SubscriptionRow, _ access: LibraryAccess) {
        self.subscription = subscription
        self.access = access
        options = access.read(SubscriptionOptions()) { try $0.feeds.options(of: subscription.id) }
        super.init()
        title = DisplayText(subscription.title)
    }

    /// An option with its value, and all options with its next value.
    private struct Row {
        var title: DisplayText
        var value: DisplayText
        var next: (SubscriptionOptions) -> SubscriptionOptions
    }

    private static func following<Value: Equatable>(_ value: Value, in values: [Value]) -> Value {
        let index = values.firstIndex(of: value) ?? values.count - 1
        return values[(index + 1) % values.count]
    }

    private func row<Value: Equatable>(
        _ title: DisplayText, _ path: WritableKeyPath<SubscriptionOptions, Value>, _ values: [Value],
        _ name: (Value) -> DisplayText
    ) -> Row {
        Row(title: title, value: name(options[keyPath: path])) { options in
            var options = options
            options[keyPath: path] = FeedOptionsViewController.following(options[keyPath: path], in: values)
            return options
        }
    }

    private var rows: [Row] {
        [
            row("Full text", \.fullText, [false, true]) { $0 ? "always" : "on request" },
            row("Counts as unread", \.isUncounted, [false, true]) { $0 ? "never" : "yes" },
            row("Entries a day", \.dailyLimit, [nil, 1, 3, 5, 10, 20]) { limit in
                limit.map { DisplayText("\($0), the rest archived") } ?? "all"
            },
            row("Automatic reload", \.interval, [nil, 60, 360, 1440]) { minutes in
                minutes.map { $0 < 1440 ? DisplayText("every \($0 / 60) h") : "once a day" } ?? "as the feed suggests"
            },
            row("Pictures in articles", \.showsPictures, [nil, true, false]) { shows in
                shows.map { $0 ? "shown" : "on request" } ?? "as in settings"
            },
            row("Changed entries", \.marksChangedUnread, [false, true]) { $0 ? "become unread" : "stay read" },
            row("Mark as read after", \.readAfterDays, [nil, 1, 3, 7, 30]) { days in
                days.map { DisplayText($0.counted("day")) } ?? "never"
            },
            row("Notifications", \.notifies, [false, true]) { $0 ? "yes" : "no" },
            row("In the list", \.isHidden, [false, true]) { $0 ? "hidden" : "yes" },
        ]
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        toolbarItems = [BarButtonItem(ListCommands.open, title: "change", priority: 2)]
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
        access.changes.listen(self) { [weak self] in self?.renew() }
        observation = access.library.observe(.subscriptions) { [weak self] in self?.renew() }
    }

    /// Shows the stored options, such as after an undo. A value just chosen is shown before it is stored.
    private func renew() {
        guard !access.changes.isChanging(subscription: subscription.id) else { return }
        let stored = access.read(options) { try $0.feeds.options(of: subscription.id) }
        guard stored != options else { return }
        options = stored
        table.reloadData()
    }
}

extension FeedOptionsViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = rows[path.row].title
        cell.value = rows[path.row].value
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        options = rows[path.row].next(options)
        table.reloadData()
        access.changes.submit(.setOptions(subscription.id, options)) { [weak self] _ in self?.renew() }
    }
}
