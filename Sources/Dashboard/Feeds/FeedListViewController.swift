import ModelCore
import TerminalUI

/// The subscriptions with their unread entries and errors, under the built-in lists (row FEE-01).
@MainActor
final class FeedListViewController: ViewController {
    private let context: DashboardContext
    private let table = TableView()
    private var subscriptions: [SubscriptionRow] = []
    private var unread = 0
    private var observation: Observation?
    private var refresh = Coalescer()
    private var entryLists: [EntryScope: EntryListViewController] = [:]

    private static let builtInLists: [(title: DisplayText, key: String)] = [
        ("Unread", "unread"), ("All", "all"), ("Starred", "starred"),
    ]

    init(context: DashboardContext) {
        self.context = context
        super.init()
        title = "Feeds"
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem("open", key: "⏎", priority: 2) { [weak self] in self?.openSelection() },
            BarButtonItem("reload", key: "r", priority: 1) { [weak self] in self?.reloadSelection() },
            BarButtonItem("all", key: "R", priority: 1) { [weak self] in self?.reloadAll() },
            BarButtonItem("add", key: "a", priority: 1) { [weak self] in self?.askForAddress() }, .flexibleSpace(),
            helpItem(priority: 2),
        ]
        table.emptyText = "No feeds. a adds one."
        table.isFindEnabled = true
        load()
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(section: subscriptions.isEmpty ? 0 : 1, row: 0))
        observation = context.library.observe(.subscriptions) { [weak self] in
            self?.refresh.schedule { [weak self] in
                self?.load()
                self?.table.reloadData()
            }
        }
    }

    private func load() {
        subscriptions = context.read(subscriptions) { try $0.subscriptions() }
        unread = context.read(unread) { try $0.unreadCount() }
    }

    private var selectedSubscription: SubscriptionRow? {
        guard let path = table.selectedPath, path.section == 1 else { return nil }
        return subscriptions[path.row]
    }

    /// The open list and entry, for the next start.
    var state: DashboardState.FeedState? {
        guard let split = splitViewController,
            let list = split.supplementaryViewController as? EntryListViewController
        else { return nil }
        var name = ""
        switch list.scope {
        case .subscription(let id): name = subscriptions.first { $0.id == id }?.url ?? ""
        case .unread: name = "unread"
        case .all: name = "all"
        case .starred: name = "starred"
        case .later: name = "later"
        case .folder(let folder): name = "folder:\(folder)"
        case .tag(let tag): name = "tag:\(tag)"
        case .search(let query): name = "search:\(query.text)"
        }
        let detail = split.detailViewController as? EntryViewController
        let place = detail?.place ?? TextView.Place(paragraph: 0, offset: 0)
        return DashboardState.FeedState(
            list: name, selectedEntry: list.selectedEntryID, openEntry: detail?.entryID, paragraph: place.paragraph,
            offset: place.offset, isDetailFocused: split.focusedColumn == .secondary)
    }

    /// Opens the list and entry of an earlier run, if they are still there.
    func restore(_ state: DashboardState.FeedState) {
        _ = view
        let path: RowPath?
        if let row = subscriptions.firstIndex(where: { $0.url == state.list }) {
            path = RowPath(section: 1, row: row)
        } else {
            path = FeedListViewController.builtInLists.firstIndex { $0.key == state.list }.map {
                RowPath(section: 0, row: $0)
            }
        }
        guard let path else { return }
        table.select(path)
        openSelection()
        let list = splitViewController?.supplementaryViewController as? EntryListViewController
        list?.restore(state)
    }

    private func openSelection() {
        guard let path = table.selectedPath else { return }
        let list: EntryListViewController
        if path.section == 1 {
            let subscription = subscriptions[path.row]
            list = entryList(.subscription(subscription.id), title: DisplayText(subscription.title))
        } else {
            let builtIn = FeedListViewController.builtInLists[path.row]
            switch builtIn.key {
            case "unread":
                // Made anew each time: it keeps what is read while it is open.
                list = EntryListViewController(
                    scope: .unread(keepingReadSince: context.clock()), title: builtIn.title, context: context)
            case "starred": list = entryList(.starred, title: builtIn.title)
            default: list = entryList(.all, title: builtIn.title)
            }
        }
        show(list)
    }

    /// The list of a scope as it was left, or a new one.
    private func entryList(_ scope: EntryScope, title: DisplayText) -> EntryListViewController {
        if let known = entryLists[scope] { return known }
        let list = EntryListViewController(scope: scope, title: title, context: context)
        entryLists[scope] = list
        return list
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        entryLists = entryLists.filter { $0.value.window != nil }
    }

    private func reloadSelection() {
        guard let subscription = selectedSubscription else { return reloadAll() }
        context.reloads.start([subscription])
    }

    private func reloadAll() { context.reloads.start(subscriptions) }

    private func askForAddress() {
        present(
            TextPromptViewController(
                title: "Add a feed", message: "The feed's address (http, https, or a file's path)", text: "https://"
            ) { [weak self] in self?.add($0) })
    }

    private func add(_ text: String) {
        switch FeedAddress.read(text) {
        case .failure(let problem): context.status.show(failure: problem.description)
        case .success(let url):
            let result = context.read((id: Int64(-1), isNew: false)) { try $0.addSubscription(url: url) }
            guard result.id >= 0 else { return }
            load()
            table.reloadData()
            if let row = subscriptions.firstIndex(where: { $0.id == result.id }) {
                table.select(RowPath(section: 1, row: row))
                if result.isNew { context.reloads.start([subscriptions[row]]) }
            }
            if !result.isNew { context.status.show("This feed is in the list already.") }
        }
    }

    override var commands: [Command] {
        [
            Command("feed.reload", "Reload this feed", keys: ["r"]) { [weak self] in self?.reloadSelection() },
            Command("feed.add", "Add a feed", keys: ["a"]) { [weak self] in self?.askForAddress() },
            Command("feed.open", "Open the list", keys: ["l", "right"], isListed: false) { [weak self] in
                self?.openSelection()
            },
            Command(
                "feed.browser", "Open the home page in the browser", keys: ["o"], isEnabled: selectedSubscription != nil
            ) {
                [weak self] in self?.context.openLink(self?.selectedSubscription?.homePage)
            },
        ]
    }
}

extension FeedListViewController: TableViewDataSource, TableViewDelegate {
    func numberOfSections(in table: TableView) -> Int { 2 }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
        section == 0 ? FeedListViewController.builtInLists.count : subscriptions.count
    }

    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        section == 1 && !subscriptions.isEmpty ? "Subscriptions" : nil
    }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        path.section == 0
            ? AnyHashable(FeedListViewController.builtInLists[path.row].key) : AnyHashable(subscriptions[path.row].id)
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        if let key = identifier.base as? String {
            return FeedListViewController.builtInLists.firstIndex { $0.key == key }.map { RowPath(section: 0, row: $0) }
        }
        guard let id = identifier.base as? Int64 else { return nil }
        return subscriptions.firstIndex { $0.id == id }.map { RowPath(section: 1, row: $0) }
    }

    func tableView(_ table: TableView, rowMatching text: String, from path: RowPath, step: Int) -> RowPath? {
        let all = subscriptions.indices.map { RowPath(section: 1, row: $0) }
        return RowSearch.next(in: all, from: path, step: step) {
            DisplayText(subscriptions[$0.row].title).contains(text)
        }
    }

    func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int {
        path.section == 1 && subscriptions[path.row].error != nil ? 2 : 1
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        guard path.section == 1 else {
            let cell = table.dequeueCell()
            cell.title = FeedListViewController.builtInLists[path.row].title
            if path.row == 0, unread > 0 { cell.value = DisplayText(String(unread)) }
            return cell
        }
        let subscription = subscriptions[path.row]
        let cell = table.dequeueCell(style: subscription.error == nil ? .basic : .subtitle)
        cell.title = DisplayText(subscription.title)
        cell.titleRole = subscription.unread > 0 ? .unread : .text
        cell.value = subscription.unread > 0 ? DisplayText(String(subscription.unread)) : .empty
        if let error = subscription.error {
            cell.detail = DisplayText("! \(error)")
            cell.detailRole = .failure
        }
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { openSelection() }
}
