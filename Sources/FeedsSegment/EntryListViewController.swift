import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The entries of a subscription or built-in list, newest first (row FEE-01).
@MainActor
final class EntryListViewController: ViewController {
    let services: EntryServices
    private let feeds: FeedServices
    private let access: LibraryAccess
    let scope: EntryScope
    let table = TableView()
    private let entries: EntryWindow
    private let rows: EntryListRows
    private var observations: [Observation] = []
    private let coalescer = Coalescer()
    private(set) lazy var details = EntryDetails(of: self, hits: rows.hits, services: services)
    private var passedRows = PassedRows()
    private let openNextList: (_ step: Int) -> Void
    let openFeed: OpenFeed?
    private(set) lazy var nextUnread = NextUnread(scope: scope, access: access)
    /// The entry to select, and what to do then, once the list contains it.
    private var awaited: (id: EntryID, then: () -> Void)?
    /// Whether the library has changed while nobody could see the list.
    private var isOutdated = false
    /// What keys wait for until the list without deleted entries was read.
    private var awaitedRows: AwaitedScreens.Ticket?
    /// Until when a list that nobody has used yet shows new entries at its beginning. Later, somebody may be reading the
    /// entry that it has shown first.
    private lazy var beginning = access.clock() + 5
    private lazy var follower = EntryFollower(self, services: services)

    /// - Parameters:
    ///   - openNextList: Continues in the next or previous list with unread entries, or says that there is none.
    ///   - openFeed: Opens another feed, if the list belongs to one.
    init(
        scope: EntryScope, title: DisplayText, services: FeedServices, openNextList: ((Int) -> Void)? = nil,
        openFeed: OpenFeed? = nil
    ) {
        self.scope = scope
        self.openFeed = if case .subscription = scope { openFeed } else { nil }
        self.services = services.entries
        feeds = services
        access = services.access
        self.openNextList =
            openNextList ?? { [status = services.access.status] _ in status.show(EntryListViewController.noUnread) }
        entries = EntryWindow(scope: scope, access: access)
        rows = EntryListRows(entries, services: services.entries)
        super.init()
        self.title = title
    }

    /// The first entries are on their way, or the first results may be among the entries that are being indexed.
    override var awaitsContent: Bool { entries.isUnread || rows.mayComeFromIndex }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(ListCommands.open, title: "open", priority: 2),
            BarButtonItem(EntryCommands.nextUnread, title: "next unread", priority: 1),
            BarButtonItem(EntryCommands.toggleStar, title: "star", priority: 1),
            BarButtonItem(FeedCommands.reloadFeed, title: "reload", priority: 0),
            BarButtonItem(EntryCommands.publishDate, title: "date", priority: 1),
        ]
        table.hasMarks = true
        // Search results sorted by relevance have no headings by day.
        table.hasHeadings = scope.searchQuery == nil
        table.allowsMarking = true
        table.allowsPeeking = true
        rows.shownEntry = { [weak self] in self?.shownEntry }
        table.dataSource = rows
        table.delegate = self
        entries.changed = { [weak self] in self?.entriesDidChange() }
        entries.reload()
        access.changes.listen(self) { [weak self] in self?.table.setNeedsLayout() }
        access.changes.listenToUndo(self) { [weak self] in self?.table.lostRows.isReturning = true }
        // Spoilers change titles and excerpts.
        let parts: [LibraryPart] = [.listedEntries, .spoilers] + (scope.searchQuery == nil ? [] : [.search])
        observations = parts.map { part in access.library.observe(part) { [weak self] in self?.refresh() } }
        observations.append(
            access.library.observeRows(of: .marks) { [weak self] (marked: Set<EntryID>?) in
                self?.refresh(marked: marked)
            })
    }

    /// Reads the list again, soon after a change of the library or its settings.
    ///
    /// - Parameter marked: The entries if only their marks have changed. They are read again alone unless that makes the
    ///   list another one.
    func refresh(marked: Set<EntryID>? = nil) {
        if let marked, isVisible, !isOutdated, entries.renew(marked) { return table.setNeedsLayout() }
        coalescer.schedule { [weak self] in self?.reload() }
    }

    /// Whether anybody can see the list. One that is kept for later is read when it appears again.
    private var isVisible: Bool { parent != nil || table.window != nil }

    private func reload() {
        guard viewIfLoaded != nil else { return }
        isOutdated = !isVisible
        if isOutdated { awaitedRows = nil } else { entries.reload() }
    }

    /// Shows the rows of the window, after they were reloaded or when more of them arrive.
    private func entriesDidChange() {
        if !entries.isReading { awaitedRows = nil }
        let before = table.numberOfRows
        if entries.count != before { passedRows.reset() }
        rows.entriesDidChange()
        if entries.count == 0 {
            table.emptyText = entries.isComplete ? EmptyEntryList.text(scope, access) : "Reading …"
        }
        table.reloadData(staysAtBeginning: access.clock() < beginning)
        if before == 0, entries.count > 0 { table.select(RowPath(row: 0)) }
        selectAwaited()
        follower.follow()
        shownDetail?.showPosition()
    }

    /// Selects an entry, now or when the list has been read as far as it, and does something then.
    private func select(_ id: EntryID, then: @escaping () -> Void = {}) {
        awaited = (id, then)
        selectAwaited()
    }

    private func selectAwaited() {
        guard let wanted = awaited else { return }
        let index = entries.index(of: wanted.id)
        if index != nil || entries.isComplete { awaited = nil }
        guard let index else { return }
        beginning = access.clock()
        table.select(RowPath(row: index))
        wanted.then()
    }

    var selectedEntryID: EntryID? { actionEntry?.id }

    /// Selects and opens the entries of an earlier run if they still exist.
    func restore(_ state: DashboardState.FeedState) {
        _ = view
        if let id = state.selectedEntry { select(id) }
        guard let id = state.openEntry, let detail = details.detail(of: id) else { return }
        detail.restore(TextView.Place(paragraph: state.paragraph, offset: state.offset))
        splitViewController?.show(detail, in: .secondary, takesFocus: state.isDetailFocused)
    }

    // MARK: The detail beside it

    override func viewWillAppear() {
        if isOutdated { reload() }
        follower.follow()
    }

    override func viewDidDisappear() { follower.stop() }

    /// A height shows or hides no detail beside the list.
    override func traitsDidChange(previous: Traits?) {
        if viewIfLoaded != nil, previous?.horizontal != traits.horizontal { follower.follow() }
    }

    var shownEntry: EntryID? { shownDetail?.entryID }

    private var shownDetail: EntryViewController? {
        let detail = splitViewController?.detailViewController as? EntryViewController
        return detail?.sequence === self ? detail : nil
    }

    // MARK: Actions

    func open(_ row: EntryRow) { open(row, prepared: nil) }

    private func open(_ row: EntryRow, prepared: NextUnread.Entry?) {
        guard let detail = details.detail(of: row.id, prepared) else {
            return access.status.show("This entry no longer exists.")
        }
        // Opening an entry from another entry's preview closes the preview.
        if presentedViewController != nil { dismiss() }
        noteOpened(row)
        beginning = access.clock()
        openedEntry = row.id
        showDetail(detail)
        nextUnread.prepare(after: row)
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        details.releaseMemory()
        nextUnread.discard()
    }

    func openEntry(_ id: EntryID) {
        _ = view
        select(id) { [weak self] in
            if let self, let row = self.actionEntry { self.open(row) }
        }
    }

    /// Opens the selected entry if it is unread and only the list has shown it, otherwise the next or previous unread
    /// one.
    func openUnread(_ step: Int) {
        if let row = actionEntry, row.id != openedEntry, !access.changes.coming(.read, of: row) { return open(row) }
        openUnread(step, after: actionEntry)
    }

    private var openedEntry: EntryID?

    static let noUnread: DisplayText = "No unread entries in this list."

    /// Opens the nearest unread entry after or before a row, or from an end of the list when reading continues from
    /// another list.
    func openUnread(_ step: Int, after current: EntryRow?) {
        if step > 0, let next = nextUnread.take(after: current) {
            rows.stopFinding()
            select(next.row.id)
            return open(next.row, prepared: next)
        }
        rows.findUnread(after: current, isForward: step > 0) { [weak self] next in
            guard let self else { return }
            guard let next else { return self.openNextList(step) }
            self.select(next.id)
            self.open(next)
        }
    }

    func didDeleteOpenEntry() {
        reload()
        if let row = actionEntry { open(row) } else { splitViewController?.clearDetail() }
    }

    private lazy var actions = EntryActions(self, services)

    /// Deletes the marked entries or the selected one. Further keys wait for the list without them.
    func deleteEntries() {
        let ticket = access.awaitedScreens.add()
        delete(
            EntryListRules.rowsToDelete(
                marked: table.markedPaths.compactMap { entries.row(at: $0.row) },
                selected: table.selectedPath?.row, row: entries.row(at:), willDelete: isGoing)
        ) { [weak self] in
            self?.awaitedRows = ticket
            self?.reload()
        }
    }

    /// Whether an entry is being deleted, or is deleted and still in the list.
    private func isGoing(_ row: EntryRow) -> Bool {
        access.changes.willDelete(row) || access.read(row, { try $0.entries.row(row.id) }) == nil
    }

    private func reloadFeeds() {
        let all = access.read([]) { try $0.feeds.all() }
        if case .subscription(let id) = scope {
            feeds.reload(all.filter { $0.id == id }, reason: .insisting)
        } else {
            feeds.reload()
        }
    }

    override var commands: [Command] {
        let isOfOneFeed = if case .subscription = scope { true } else { false }
        let reload = Command(FeedCommands.reloadFeed, title: isOfOneFeed ? nil : "Reload these feeds") { [weak self] in
            self?.reloadFeeds()
        }
        let search = scope.searchQuery.map { SearchActions(access: access, presenter: self).commands(for: $0) }
        return actions.commands + [reload] + (search ?? [])
    }
}

extension EntryListViewController: EntryListing, EntrySequence {
    var rowCount: Int { entries.count }

    func entry(at row: Int) -> EntryRow? { entries.row(at: row) }

    var wholeScope: EntryScope? { entries.count > 0 ? scope : nil }

    func knownRow(of id: EntryID) -> EntryRow? { entries.knownRow(of: id) }

    func position(of id: EntryID) -> (index: Int, count: Int)? { entries.index(of: id).map { ($0, entries.count) } }
}

extension EntryListViewController: TableViewDelegate {
    func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int { rows.height(at: path, in: table) }

    func tableView(_ table: TableView, didSelectRowAt path: RowPath) {
        beginning = access.clock()
        awaited = nil
        follower.follow()
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        if let row = actionEntry { open(row) }
    }

    func tableView(_ table: TableView, didShow rows: Range<Int>) {
        let passed = passedRows.update(rows, selected: table.selectedRow, size: table.bounds.size)
        guard access.settings[.markReadOnScroll] else { return }
        let unread = passed.compactMap { entries.row(at: $0) }.filter { !access.changes.coming(.read, of: $0) }
        if !unread.isEmpty { access.setMark(.read, true, unread.map(\.id), isOwnStep: false) }
    }

    /// If no detail is beside the list, `Space` previews the entry over it, without marking it as read.
    func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController? {
        guard let split = splitViewController, split.isCollapsed || split.displayMode != .allVisible,
            let row = entries.row(at: path.row)
        else { return nil }
        return details.preview(of: row.id)
    }
}
