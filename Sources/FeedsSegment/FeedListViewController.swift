import Accounts
import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The subscriptions with unread counts and errors, below the built-in lists (row FEE-01).
@MainActor
package final class FeedListViewController: ViewController {
    package let services: FeedServices
    package var access: LibraryAccess { services.access }
    package let table = TableView()
    private(set) lazy var rows = FeedListRows(services: services, table: table)
    private var observations: [Observation] = []
    private var ticking: Task<Void, Never>?
    private var refresh = Coalescer()
    private lazy var actions = FeedActions(services: services, presenter: self) { [weak self] in
        self?.table.clearMarks()
    }
    private lazy var adder = FeedAdder(services: services, presenter: self) { [weak self] in self?.didAdd($0, $1) }
    /// The search for the next list with unread entries.
    private var finding: BackgroundRead?
    private(set) lazy var lists = EntryLists(services: services) { [weak self] in
        self?.openNextList($0)
    } openFeed: { [weak self] in
        if let self { FeedListPlaces(list: self).openFeed($0, opensEntry: $1) }
    }
    /// The row whose entries the second list shows, or `nil` if it shows none or another list, such as search results.
    private(set) var rowOfEntries: AnyHashable?
    /// Whether another row was selected since the second list was opened.
    private(set) var hasNewSelection = true
    weak var card: FeedCardViewController?
    let follower = IdleTimer()

    package init(services: FeedServices) {
        self.services = services
        super.init()
        title = "Feeds"
    }

    /// The rows are on their way.
    package override var awaitsContent: Bool { rows.isUnread }

    package override func makeView() -> View { table }

    package override func viewDidLoad() {
        toolbarItems = FeedListPlaces.toolbarItems(hasFeeds: hasFeeds)
        table.emptyText = DisplayText("No feeds. \(access.status.key(FeedCommands.addFeed)) adds one.")
        table.allowsMarking = true
        table.dataSource = rows
        table.delegate = self
        rows.changed = { [weak self] in self?.rowsDidChange() }
        rows.load()
        access.changes.listen(self) { [weak self] in self?.table.reloadData() }
        access.changes.listenToUndo(self) { [weak self] in self?.table.lostRows.isReturning = true }
        services.reloads.listen(self) { [weak self] in self?.table.setNeedsLayout() }
        observe()
    }

    private func observe() {
        let library = access.library
        observations = [
            library.observe(.feedList) { [weak self] in self?.renew { $0 = .all } },
            library.observe(.accounts) { [weak self] in self?.renew { $0.accounts = true } },
            library.observeRows(of: .readMarks) { [weak self] (entries: Set<EntryID>?) in
                self?.renew { $0.add(marked: entries) }
            },
        ]
    }

    /// Reads a part of the list again. What is scheduled already reads all parts that are noted by then.
    private func renew(_ part: (inout FeedListChanges) -> Void) {
        rows.note(part)
        refresh.schedule { [weak self] in self?.rows.renew() }
    }

    var model: FeedListModel { rows.model }

    private func rowsDidChange() {
        if table.selectedPath == nil { selectFirst() }
        if toolbarItems.count != FeedListPlaces.toolbarItems(hasFeeds: hasFeeds).count {
            toolbarItems = FeedListPlaces.toolbarItems(hasFeeds: hasFeeds)
        }
        showCard(afterRest: false)
    }

    /// Selects the row to start with, otherwise the first feed that could be read.
    private func selectFirst() {
        guard !model.sections.isEmpty else { return }
        let start = access.settings[.startList].lowercased()
        let wanted = start == "automatic" && model.contents.unread > 0 ? "unread" : start
        table.select(
            model.path { $0.name.lowercased() == wanted } ?? model.path {
                $0.subscription.map { $0.error == nil } == true
            } ?? RowPath(row: 0))
    }

    /// Selects a row as the user does, but opens nothing.
    package func select(_ path: RowPath) {
        table.select(path)
        hasNewSelection = true
    }

    var selectedRow: FeedListModel.Row? { table.selectedPath.flatMap { model.row(at: $0) } }

    private var selectedSubscription: SubscriptionRow? { selectedRow?.subscription }

    func openSelection() {
        switch selectedRow {
        case .list(.broken): select(among: model.broken, title: "Broken feeds")
        case .list(.inactive): select(among: model.inactive, title: "Inactive feeds")
        case .account(let account):
            AccountActions(access: access, syncs: services.syncs, presenter: self)
                .open(account, services.entries.appearance)
        case let row?:
            if showsEntriesOfSelection, let list = splitViewController?.supplementaryViewController {
                show(list)
            } else if let list = lists.list(of: row) {
                open(list, of: row.identifier)
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

    /// Opens a list of entries as the second list.
    ///
    /// - Parameter row: The row that it belongs to, or `nil` for another list, such as search results.
    func open(_ list: EntryListViewController, of row: AnyHashable?) {
        rowOfEntries = row
        hasNewSelection = false
        show(list)
    }

    /// Shows the entries of a newly selected row in the second of three columns. Otherwise the list stays that is open
    /// there, whatever the pane's sizes were (row SPL-12).
    func showEntriesOfSelection() {
        guard hasRoomForEntries, let split = splitViewController,
            hasNewSelection || split.supplementaryViewController == nil,
            !showsEntriesOfSelection, let row = selectedRow, let list = lists.list(of: row)
        else { return }
        rowOfEntries = row.identifier
        hasNewSelection = false
        split.show(list, in: .supplementary, takesFocus: false)
    }

    package override func viewWillAppear() {
        showEntriesOfSelection()
        // Updates the time since an account was synced.
        ticking = Task { [weak self] in
            while !Task.isCancelled {
                try? await Clock.sleep(for: .seconds(60))
                guard !Task.isCancelled, let self else { return }
                if !self.model.contents.accounts.isEmpty { self.table.reloadData() }
            }
        }
    }

    package override func viewDidDisappear() {
        ticking?.cancel()
        follower.stop()
    }

    /// Shows a menu of subscriptions, to go to one of them.
    private func select(among subscriptions: [SubscriptionRow], title: DisplayText) {
        let choices = subscriptions.prefix(200).map { subscription in
            Choice(DisplayText(subscription.title)) { [weak self] in self?.goTo(subscription.id) }
        }
        present(
            CommandPaletteViewController(
                title: title, choices: choices, hasField: true, placeholder: "Type to find a feed"))
    }

    private func goTo(_ id: FeedID) {
        guard let path = model.path(where: { $0.identifier == AnyHashable(id) }) else { return }
        select(path)
        if let selectedSubscription { actions.presentHealth(selectedSubscription) }
    }

    /// Opens an unread entry of the selected row or, if it has none, of the next or previous feed that has some.
    private func openUnread(_ step: Int) {
        guard let path = table.selectedPath else { return }
        openUnread(step, in: [path] + model.unreadFeeds(after: path, step))
    }

    /// Continues in the next or previous feed with unread entries.
    private func openNextList(_ step: Int) {
        openUnread(step, in: table.selectedPath.map { model.unreadFeeds(after: $0, step) } ?? [])
    }

    /// Opens the first of some rows that has unread entries, and the first or last of these, or says that there are
    /// none. The counters may be older than the last marks.
    private func openUnread(_ step: Int, in paths: [RowPath]) {
        let now = access.clock()
        let candidates = paths.compactMap { path in
            model.row(at: path).flatMap { row in row.scope(now: now).map { (row, access.settings.query($0)) } }
        }
        let queries = candidates.map(\.1)
        finding = access.readForScreen({ library in
            try queries.firstIndex { try library.entries.nextUnread(after: nil, in: $0) != nil }
        }) { [weak self] index in
            guard let self else { return }
            guard let index, let list = self.lists.list(of: candidates[index].0) else {
                return self.access.status.show("No unread entries.")
            }
            let row = candidates[index].0.identifier
            if let path = self.model.path(where: { $0.identifier == row }) { self.table.select(path) }
            self.open(list, of: row)
            list.openUnread(step, after: nil)
        }
    }

    /// Shows the entries that were read last.
    package func showRecentlyRead() { open(.named(.recent)) }

    /// Opens a list that has no row.
    func open(_ place: Place.List) {
        _ = view
        if let list = services.makeList(place) { open(list, of: nil) }
    }

    /// Reloads the lists of entries, such as after a change of settings.
    func reloadEntryLists() {
        if viewIfLoaded != nil { rows.load() }
        lists.refresh()
        (splitViewController?.supplementaryViewController as? EntryListViewController)?.refresh()
    }

    package override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        lists.releaseMemory()
    }

    private func reloadSelection() {
        if case .account(let account) = selectedRow { return services.syncs.start([account.id], .whole) }
        switch selectedRow {
        case .subscription, .group: services.reload(selectedRow.map(model.feeds) ?? [], reason: .insisting)
        default: services.reload()
        }
    }

    /// Selects the first of some added feeds, shows its card, and stores what was read of the new ones or fetches them
    /// for the first time.
    private func didAdd(_ added: [(id: FeedID, isNew: Bool)], _ answer: FirstAnswer?) {
        let new = Set(added.filter(\.isNew).map(\.id))
        guard let first = added.first(where: \.isNew) ?? added.first else { return }
        rows.load { [weak self] in
            guard let self else { return }
            let contents = self.model.contents
            let feed = contents.subscriptions.first { $0.id == first.id }
            let account = contents.accounts.first { $0.id == feed?.account }
            let words = account.map { "\($0.name) already follows" } ?? "You already follow"
            if new.isEmpty { self.access.status.show(DisplayText(words + " this feed.")) }
            guard let path = self.model.path(where: { $0.identifier == AnyHashable(first.id) }) else {
                // Its folder is collapsed, or the list omits it.
                if let feed { self.open(.feed(feed.url)) }
                return
            }
            if let split = self.splitViewController, !split.isCollapsed, split.hasDetail { split.clearDetail() }
            self.table.select(path)
            self.tableView(self.table, didSelectRowAt: path)
            let feeds = contents.subscriptions.filter { new.contains($0.id) }
            if !feeds.isEmpty { self.services.reload(feeds, reason: .insisting, answer: answer) }
        }
    }

    // MARK: Searching

    /// Shows the results of a search.
    package func show(_ query: SearchQuery, named name: String) {
        _ = view
        open(EntryListViewController(scope: .search(query), title: DisplayText(name), services: services), of: nil)
    }

    package override var commands: [Command] {
        [
            Command(
                FeedCommands.reloadFeed, title: selectedSubscription == nil ? "Reload these feeds" : nil,
                isEnabled: selectedAccount == nil
            ) { [weak self] in self?.reloadSelection() },
            Command(FeedCommands.addFeed) { [weak self] in self?.addFeed() },
            Command(FeedCommands.openFeed) { [weak self] in self?.openSelection() },
            Command(EntryCommands.nextUnread) { [weak self] in self?.openUnread(1) },
            Command(EntryCommands.previousUnread) { [weak self] in self?.openUnread(-1) },
            Command(AccountCommands.addAccount) { [weak self] in
                guard let self else { return }
                AccountActions(access: self.access, syncs: self.services.syncs, presenter: self).askToAdd()
            },
        ]
            + SubscriptionPrompts(access: access, presenter: self).commands
            + FeedRowCommands(
                services: services, feeds: actions, model: model, selected: table.selectedPath,
                marked: markedSubscriptions, presenter: self, rows: rows
            ).all
    }

    /// The marked feeds from top to bottom without duplicates, since a feed appears under each of its tags.
    private var markedSubscriptions: [SubscriptionRow] {
        var seen: Set<FeedID> = []
        return table.markedPaths.compactMap { model.row(at: $0)?.subscription }.filter { seen.insert($0.id).inserted }
    }

    /// Asks for an address, beginning with the site of a feed that can't be read.
    private func addFeed() {
        let broken = selectedSubscription.flatMap { $0.error == nil ? nil : $0 }
        adder.ask(for: accountOfSelection, text: broken.map { $0.homePage ?? $0.url } ?? "")
    }

    private var selectedAccount: Account? { if case .account(let account) = selectedRow { account } else { nil } }

    /// The account that the selected row belongs to.
    private var accountOfSelection: Account? {
        selectedAccount ?? model.contents.accounts.first { $0.id == selectedSubscription?.account }
    }
}

extension FeedListViewController: TableViewDelegate {
    package func tableView(_ table: TableView, didSelectRowAt path: RowPath) {
        hasNewSelection = true
        showEntriesOfSelection()
        showCard(afterRest: true)
    }

    package func tableView(_ table: TableView, didActivateRowAt path: RowPath) { openSelection() }

    package func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool {
        (access.settings.feedSorting == .own || model.row(at: path)?.subscription == nil)
            && FeedListOrder(model).canDrag(path)
    }

    package func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath) {
        let change = FeedListOrder(model).dropping(path, on: target) { feed in
            access.read([]) { try $0.feeds.health(of: feed)?.tags ?? [] }
        }
        if let change { rows.arrange(by: change) }
    }
}
