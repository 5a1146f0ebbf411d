import ModelCore
import TerminalUI

/// The subscriptions with unread counts and errors, below the built-in lists (row FEE-01).
@MainActor
final class FeedListViewController: ViewController {
    let services: FeedServices
    let access: LibraryAccess
    let table = TableView()
    private(set) var model = FeedListModel()
    private var observations: [Observation] = []
    private var ticking: Task<Void, Never>?
    private var refresh = Coalescer()
    private lazy var actions = FeedActions(services: services, presenter: self) { [weak self] in
        self?.table.clearMarks()
    }
    private lazy var adder = FeedAdder(services: services, presenter: self) { [weak self] in self?.didAdd($0, isNew: $1)
    }
    private(set) lazy var searchCounts = SearchCounts(access: access) { [weak self] in
        self?.table.reloadData()
    }
    /// What to do once the list was read.
    private var afterLoading: [() -> Void] = []
    /// The search for the next list with unread entries.
    private var finding: BackgroundRead?
    private var entryLists: [EntryScope: EntryListViewController] = [:]
    /// The card in the detail, if there is one.
    weak var card: FeedCardViewController?
    let follower = IdleTimer()

    init(services: FeedServices) {
        self.services = services
        access = services.access
        super.init()
        title = "Feeds"
    }

    /// The row whose entries the second list shows.
    private var rowOfEntries: AnyHashable?

    override func makeView() -> View { table }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(ToolkitCommands.listOpen, title: "open", priority: 2),
            BarButtonItem(FeedCommands.reloadFeed, title: "reload", priority: 1),
            BarButtonItem(FeedCommands.reloadAll, title: "all", priority: 1),
            BarButtonItem(FeedCommands.addFeed, title: "add", priority: 1), .flexibleSpace(),
            BarButtonItem(ProgramCommands.help, title: "help", priority: 2),
        ]
        table.emptyText = DisplayText("No feeds. \(access.status.key(FeedCommands.addFeed)) adds one.")
        table.allowsMarking = true
        table.dataSource = self
        table.delegate = self
        load()
        access.changes.listen(self) { [weak self] in self?.table.reloadData() }
        services.reloads.listen(self) { [weak self] in self?.table.setNeedsLayout() }
        observations = [LibraryPart.subscriptions, .accounts].map { part in
            access.library.observe(part) { [weak self] in
                self?.refresh.schedule { [weak self] in self?.load() }
            }
        }
    }

    /// Reads the list in the background. With few feeds it appears at once, with thousands a moment later.
    private lazy var reading = RepeatedRead<FeedListModel>(
        access: access,
        { [weak self] in
            guard let access = self?.access else { return nil }
            let (now, settings) = (access.clock(), access.settings)
            let (hidesRead, mergesDuplicates) = (settings[.hideRead], settings[.mergeDuplicates])
            return { library, _ in
                try FeedListModel(library, now: now, hidesRead: hidesRead, mergesDuplicates: mergesDuplicates)
            }
        },
        then: { [weak self] model, _ in self?.use(model) })

    /// Reads the list of feeds, and does something when it is there.
    private func load(then: @escaping () -> Void = {}) {
        afterLoading.append(then)
        reading.start()
    }

    private func use(_ model: FeedListModel) {
        self.model = model
        searchCounts.count(model.searches)
        table.reloadData()
        if table.selectedPath == nil { selectFirst() }
        showCard(afterRest: false)
        // A read that began before the last change doesn't contain it.
        guard !reading.isReading else { return }
        let actions = afterLoading
        afterLoading = []
        for action in actions { action() }
    }

    /// Selects the list to start with, otherwise the first feed.
    private func selectFirst() {
        guard !model.sections.isEmpty else { return }
        let start = access.settings[.startList].lowercased()
        table.select(
            model.path { $0.name.lowercased() == start } ?? model.path { $0.subscription != nil } ?? RowPath(row: 0))
    }

    var selectedRow: FeedListModel.Row? { table.selectedPath.flatMap { model.row(at: $0) } }

    private var selectedSubscription: SubscriptionRow? {
        selectedRow?.subscription
    }

    /// The open list and entry, or the selected row, for the next start.
    var state: DashboardState.FeedState? {
        guard let split = splitViewController,
            let list = split.supplementaryViewController as? EntryListViewController,
            split.focusedColumn != .primary || selectedRow?.identifier == rowOfEntries
        else {
            return selectedRow?.stateName.map {
                DashboardState.FeedState(list: $0, paragraph: 0, offset: 0, isDetailFocused: false, isListOpen: false)
            }
        }
        var name = ""
        switch list.scope {
        case .subscription(let id): name = model.subscriptions.first { $0.id == id }?.url ?? ""
        case .unread: name = "unread"
        case .all: name = "all"
        case .starred: name = "starred"
        case .later: name = "later"
        case .folded: name = "folded"
        case .recentlyRead: name = FeedListViewController.recentlyRead
        case .hidden: name = FeedGroup.hidden.key
        case .folder(let folder): name = FeedGroup.folder(folder, account: nil).key
        case .accountFolder(let folder, let account): name = FeedGroup.folder(folder, account: account).key
        case .tag(let tag): name = FeedGroup.tag(tag).key
        case .search(let query), .sorted(let query, _): name = "search:\(query.text)"
        }
        let detail = split.detailViewController as? EntryViewController
        detail?.keepPlace()
        let place = detail?.place ?? .start
        return DashboardState.FeedState(
            list: name, selectedEntry: list.selectedEntryID, openEntry: detail?.entryID, paragraph: place.paragraph,
            offset: place.offset, isDetailFocused: split.focusedColumn == .secondary,
            isFeedListFocused: split.focusedColumn == .primary)
    }

    /// Opens the list and entry of an earlier run if they still exist.
    func restore(_ state: DashboardState.FeedState) {
        _ = view
        guard !model.sections.isEmpty else { return load { [weak self] in self?.restore(state) } }
        if state.list == FeedListViewController.recentlyRead {
            showRecentlyRead()
            (splitViewController?.supplementaryViewController as? EntryListViewController)?.restore(state)
            return
        }
        guard let path = model.path(where: { $0.stateName == state.list }) else { return }
        table.select(path)
        guard state.isListOpen != false else {
            showEntriesOfSelection()
            return showCard(afterRest: false)
        }
        openSelection()
        let list = splitViewController?.supplementaryViewController as? EntryListViewController
        list?.restore(state)
        guard state.isFeedListFocused == true else { return }
        splitViewController?.focus(.primary)
        showCard(afterRest: false)
    }

    /// Shows the first article of the bundled guide beside its list.
    func showGuide() {
        guard
            let guide = access.read([], { try $0.feeds.all() }).first(where: { $0.url.hasSuffix("/welcome.atom") }
            ),
            let first = access.read(
                [], { try $0.entries.rows(in: access.settings.query(.subscription(guide.id)), limit: 1) }
            ).first
        else { return }
        var state = DashboardState.FeedState(list: guide.url, paragraph: 0, offset: 0, isDetailFocused: false)
        (state.selectedEntry, state.openEntry) = (first.id, first.id)
        restore(state)
    }

    func openSelection() {
        switch selectedRow {
        case .list(.broken): select(among: model.broken, title: "Broken feeds")
        case .list(.quiet): select(among: model.quiet, title: "Inactive feeds")
        case .account:
            present(
                OutboxViewController(
                    access: access, appearance: services.entries.appearance, syncs: services.syncs))
        case let row?:
            if showsEntriesOfSelection, let list = splitViewController?.supplementaryViewController {
                show(list)
            } else if let list = entries(of: row) {
                rowOfEntries = row.identifier
                show(list)
            }
        case nil: break
        }
    }

    /// Whether the second list already shows the selected row's entries.
    private var showsEntriesOfSelection: Bool {
        hasRoomForEntries && selectedRow?.identifier == rowOfEntries
            && splitViewController?.supplementaryViewController is EntryListViewController
    }

    private var hasRoomForEntries: Bool { splitViewController?.traits.horizontal == .wide }

    /// Shows the entries of the selected row in the second of three columns.
    func showEntriesOfSelection() {
        guard hasRoomForEntries, !showsEntriesOfSelection, let row = selectedRow, let list = entries(of: row) else {
            return
        }
        rowOfEntries = row.identifier
        splitViewController?.show(list, in: .supplementary, takesFocus: false)
    }

    /// Returns the list of a row's entries, or `nil` for rows that aren't lists of entries.
    private func entries(of row: FeedListModel.Row) -> EntryListViewController? {
        guard let scope = row.scope(now: access.clock()) else { return nil }
        if case .unread = scope {
            // Created each time, because it keeps entries that are read while it is open.
            return EntryListViewController(scope: scope, title: row.title, services: services)
        }
        return entryList(scope, title: row.title)
    }

    override func viewWillAppear() {
        showEntriesOfSelection()
        // Updates the time since an account was synced.
        ticking = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(60))
                guard !Task.isCancelled, let self else { return }
                if !self.model.accounts.isEmpty { self.table.reloadData() }
            }
        }
    }

    override func viewDidDisappear() {
        ticking?.cancel()
        follower.stop()
    }

    /// Shows a menu of subscriptions, to go to one of them.
    private func select(among subscriptions: [SubscriptionRow], title: DisplayText) {
        let choices = subscriptions.prefix(200).map { subscription in
            Choice(DisplayText(subscription.title)) { [weak self] in self?.goTo(subscription.id) }
        }
        present(CommandPaletteViewController(title: title, choices: choices, hasField: true))
    }

    private func goTo(_ id: FeedID) {
        guard let path = model.path(where: { $0.identifier == AnyHashable(id) }) else { return }
        table.select(path)
        if let selectedSubscription { actions.presentHealth(selectedSubscription) }
    }

    /// Returns the list of a scope as it was left, or a new one.
    private func entryList(_ scope: EntryScope, title: DisplayText) -> EntryListViewController {
        if let known = entryLists[scope] { return known }
        let list = EntryListViewController(scope: scope, title: title, services: services) { [weak self] in
            self?.openNextList(orSay: "No unread entries.")
        }
        entryLists[scope] = list
        return list
    }

    /// Opens the next unread entry of the selected row or, if it has none, of the next feed that has some.
    private func openNextUnread() {
        guard let path = table.selectedPath else { return }
        open(firstUnreadOf: [path] + model.unreadFeeds(after: path), orSay: "No unread entries.")
    }

    /// Continues in the next feed with unread entries in list order, or shows a message.
    private func openNextList(orSay message: DisplayText) {
        guard let path = table.selectedPath else { return access.status.show(message) }
        open(firstUnreadOf: model.unreadFeeds(after: path), orSay: message)
    }

    /// Opens the first of some rows that has unread entries. The counters may be older than the last marks.
    private func open(firstUnreadOf paths: [RowPath], orSay message: DisplayText) {
        let now = access.clock()
        let lists = paths.compactMap { path in
            model.row(at: path).flatMap { row in row.scope(now: now).map { (row, access.settings.query($0)) } }
        }
        let queries = lists.map(\.1)
        finding = access.read({ library in
            try queries.firstIndex { try library.entries.nextUnread(after: nil, in: $0) != nil }
        }) { [weak self] index in
            guard let self else { return }
            guard let index, let list = self.entries(of: lists[index].0) else {
                return self.access.status.show(message)
            }
            let row = lists[index].0.identifier
            if let path = self.model.path(where: { $0.identifier == row }) { self.table.select(path) }
            self.rowOfEntries = row
            self.show(list)
            list.openFirstUnread()
        }
    }

    /// The name of the list of recently read entries in the stored state.
    private static let recentlyRead = "recently read"

    /// Shows the entries that were read last.
    func showRecentlyRead() {
        _ = view
        rowOfEntries = nil
        show(EntryListViewController(scope: .recentlyRead, title: "Recently read", services: services))
    }

    /// Reloads the lists of entries, such as after a change of settings.
    func reloadEntryLists() {
        if viewIfLoaded != nil { load() }
        for list in entryLists.values { list.libraryDidChange() }
        (splitViewController?.supplementaryViewController as? EntryListViewController)?.libraryDidChange()
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        entryLists = entryLists.filter { $0.value.window != nil }
    }

    private func reloadSelection() {
        if case .account(let account) = selectedRow { return services.syncs.start([account.id], .whole) }
        guard let subscription = selectedSubscription else { return services.reload() }
        services.reload([subscription], reason: .insisting)
    }

    /// Selects a new feed and fetches it for the first time.
    private func didAdd(_ id: FeedID, isNew: Bool) {
        if !isNew { access.status.show("You already follow this feed.") }
        load { [weak self] in
            guard let self, let path = self.model.path(where: { $0.identifier == AnyHashable(id) }) else { return }
            self.table.select(path)
            self.tableView(self.table, didSelectRowAt: path)
            if isNew, let subscription = self.selectedSubscription {
                self.services.reload([subscription], reason: .insisting)
            }
        }
    }

    // MARK: Searching

    /// Shows the results of a search.
    func show(_ query: SearchQuery, named name: String) {
        _ = view
        show(EntryListViewController(scope: .search(query), title: DisplayText(name), services: services))
    }

    override var commands: [Command] {
        [
            Command(
                FeedCommands.reloadFeed, title: selectedSubscription == nil ? "Reload all feeds" : nil,
                isEnabled: selectedAccount == nil
            ) { [weak self] in
                self?.reloadSelection()
            },
            Command(FeedCommands.addFeed) { [weak self] in self?.adder.ask(for: self?.accountOfSelection) },
            Command(FeedCommands.openFeed) { [weak self] in
                self?.openSelection()
            },
            Command(EntryCommands.nextUnread) { [weak self] in self?.openNextUnread() },
        ] + feedCommands + groupCommands + movingCommands + rowCommands
    }

    /// The marked feeds from top to bottom without duplicates, since a feed appears under each of its tags.
    private var markedSubscriptions: [SubscriptionRow] {
        var seen: Set<FeedID> = []
        return table.markedPaths.compactMap { model.row(at: $0)?.subscription }.filter { seen.insert($0.id).inserted }
    }

    private var feedCommands: [Command] {
        let marked = markedSubscriptions
        if !marked.isEmpty { return actions.commands(for: marked) }
        return selectedSubscription.map { actions.commands(for: $0) } ?? []
    }

    private var groupCommands: [Command] {
        // While feeds are marked, commands don't apply to a selected folder.
        if !markedSubscriptions.isEmpty { return [] }
        switch selectedRow {
        case .group(let group): return GroupActions(access: access, presenter: self).commands(for: group)
        case .list(.broken), .list(.quiet): return []
        case .list, .search:
            guard let row = selectedRow, let list = entries(of: row) else { return [] }
            let scope = list.scope
            return [Command(FeedCommands.markFeedRead) { [access] in access.markAllRead(in: scope) }]
        default: return []
        }
    }

    private var movingCommands: [Command] {
        let order = FeedListOrder(model)
        let (up, down) = (order.moving(table.selectedPath, -1), order.moving(table.selectedPath, 1))
        return [
            Command(FeedCommands.moveUp, isEnabled: up != nil) { [access] in
                if let up { access.changes.submit(up) }
            },
            Command(FeedCommands.moveDown, isEnabled: down != nil) { [access] in
                if let down { access.changes.submit(down) }
            },
        ]
    }

    private var selectedAccount: Account? { if case .account(let account) = selectedRow { account } else { nil } }

    /// The account that the selected row belongs to.
    private var accountOfSelection: Account? {
        selectedAccount ?? model.accounts.first { $0.id == selectedSubscription?.account }
    }

    /// The commands for a saved search or an account.
    private var rowCommands: [Command] {
        switch selectedRow {
        case .search(let search): SearchActions(access: access, presenter: self).commands(for: search)
        case .account(let account):
            AccountActions(access: access, syncs: services.syncs, presenter: self).commands(for: account)
        default: []
        }
    }
}
