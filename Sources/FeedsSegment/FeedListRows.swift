import Accounts
import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

/// The rows of the list of feeds: reads them in the background, and supplies lists, groups, feeds, accounts and saved
/// searches to the table.
@MainActor
final class FeedListRows: TableViewDataSource {
    private let services: FeedServices
    private let access: LibraryAccess
    private weak var table: TableView?
    private(set) var model = FeedListModel()
    /// Whether the rows are being read for the first time.
    var isUnread: Bool { !wasRead && reading.isReading }
    private var wasRead = false
    /// Called when the rows were read again.
    var changed: () -> Void = {}
    /// The actions to run once the rows were read.
    private var afterLoading: [() -> Void] = []
    private lazy var searchCounts = SearchCounts(access: access) { [weak self] in self?.table?.reloadData() }

    /// Reads the rows in the background. With few feeds they appear at once, with thousands a moment later.
    private lazy var reading = RepeatedRead<FeedListModel>(
        access: access,
        { [weak self] in
            guard let self else { return nil }
            let (now, settings, known) = (self.access.clock(), self.access.settings, self.model.contents)
            let (hidesRead, mergesDuplicates) = (settings[.hideRead], settings[.mergeDuplicates])
            let order = settings.feedSorting
            // A read that fails leaves its part to the next one.
            self.beingRead.formUnion(self.outdated)
            self.outdated = FeedListChanges()
            return { [changes = self.beingRead] library, _ in
                let contents =
                    try changes.renew(known, in: library, now: now)
                    ?? FeedListContents(library, now: now, mergesDuplicates: mergesDuplicates)
                return FeedListModel(contents, hidesRead: hidesRead, order: order)
            }
        },
        then: { [weak self] model, _ in self?.use(model) })

    /// What has changed since the rows were read, and what is being read.
    private var (outdated, beingRead) = (FeedListChanges.all, FeedListChanges())

    init(services: FeedServices, table: TableView) {
        self.services = services
        access = services.access
        self.table = table
    }

    /// Reads the rows, then runs an action.
    func load(then: @escaping () -> Void = {}) {
        afterLoading.append(then)
        outdated = .all
        reading.start()
    }

    /// Notes a part of the rows that has to be read again.
    func note(_ part: (inout FeedListChanges) -> Void) { part(&outdated) }

    /// Reads again what was noted.
    func renew() { reading.start() }

    private func use(_ model: FeedListModel) {
        self.model = model
        wasRead = true
        beingRead = FeedListChanges()
        searchCounts.count(model.contents.searches)
        table?.reloadData()
        changed()
        // A read that began before the last change doesn't contain it.
        guard !reading.isReading else { return }
        let actions = afterLoading
        afterLoading = []
        for action in actions { action() }
    }

    // MARK: The table

    func numberOfSections(in table: TableView) -> Int { model.sections.count }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { model.sections[section].rows.count }

    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        model.sections[section].title
    }

    /// Below the last row, how to add a feed if there is none.
    func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText? {
        let hasFeeds = !model.contents.subscriptions.isEmpty || !model.contents.accounts.isEmpty
        guard !hasFeeds, section == model.sections.count - 1 else { return nil }
        return DisplayText("No feeds yet. \(access.status.key(FeedCommands.addFeed)) adds one.")
    }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        model.row(at: path)?.identifier
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        model.path { $0.identifier == identifier }
    }

    func tableView(
        _ table: TableView, findRowMatching text: String, from path: RowPath, step: Int,
        found: @escaping (RowPath?) -> Void
    ) {
        let next = RowPath.next(in: model.paths, from: path, step: step) { path in
            switch model.row(at: path) {
            case .subscription(let subscription, _): return DisplayText(subscription.title).contains(text)
            case .group(let group): return DisplayText(group.group.name).contains(text)
            default: return false
            }
        }
        found(next)
    }

    /// Returns the height of a row.
    func height(at path: RowPath, isSelected: Bool) -> Int {
        // A sign shows that something is wrong; the reason appears when the feed is selected.
        guard isSelected else { return 1 }
        if case .account(let account) = model.row(at: path) {
            return account.error == nil || account.details(now: access.clock()).isEmpty ? 1 : 2
        }
        guard let subscription = model.row(at: path)?.subscription else { return 1 }
        return subscription.error ?? subscription.problem != nil ? 2 : 1
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        switch model.row(at: path) {
        case .subscription(let subscription, let group):
            return cell(of: subscription, isInGroup: group != nil, in: table)
        case .group(let group): return cell(of: group, in: table)
        case .account(let account): return cell(of: account, in: table)
        case .search(let search):
            let cell = table.dequeueCell()
            cell.title = RowSign.search.before(DisplayText(search.name), isLinear: table.symbols.isLinear)
            if let unread = searchCounts.unread(of: search.id), unread > 0 { cell.value = count(unread, in: table) }
            return cell
        case .list(let list): return cell(of: list, in: table)
        case nil: return table.dequeueCell()
        }
    }

    private func cell(of group: FeedListModel.Group, in table: TableView) -> TableViewCell {
        let cell = table.dequeueCell()
        var name = DisplayText(group.group.name)
        if case .tag = group.group { name = "#" + name }
        cell.title = (group.isClosed ? RowSign.closed : .open).before(name, isLinear: table.symbols.isLinear)
        cell.titleRole = group.unread > 0 ? .unread : .text
        if group.unread > 0 { cell.value = count(group.unread, in: table) }
        return cell
    }

    private func cell(of list: FeedListModel.BuiltInList, in table: TableView) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = list.title
        let count =
            switch list {
            case .unread: model.contents.unread
            case .later: model.contents.later
            case .folded: model.contents.folded
            case .broken: model.broken.count
            case .quiet: model.quiet.count
            case .all, .starred: 0
            }
        if count > 0 { cell.value = DisplayText(String(count)) }
        if list == .broken { cell.titleRole = .failure }
        return cell
    }

    /// Returns an account's row with its status. An error has a second line, which appears when it is selected.
    private func cell(of account: Account, in table: TableView) -> TableViewCell {
        let now = access.clock()
        guard account.error != nil else {
            let cell = table.dequeueCell()
            cell.title = DisplayText(account.state(now: now))
            cell.titleRole = .secondary
            return cell
        }
        let cell = table.dequeueCell(style: .subtitle)
        cell.title = RowSign.failure.before(
            DisplayText(account.headline(now: now)), isLinear: table.symbols.isLinear)
        cell.titleRole = .failure
        cell.detail = DisplayText(account.details(now: now).joined(separator: " · "))
        return cell
    }

    /// Returns the number of unread entries at the end of a row. In screen-reader mode it includes the noun.
    private func count(_ unread: Int, in table: TableView) -> DisplayText {
        DisplayText(table.symbols.isLinear ? "\(unread) unread" : String(unread))
    }

    private func cell(of subscription: SubscriptionRow, isInGroup: Bool, in table: TableView) -> TableViewCell {
        let problem = subscription.error ?? subscription.problem
        let isLinear = table.symbols.isLinear
        let cell = table.dequeueCell(style: problem == nil ? .basic : .subtitle)
        cell.title = (isInGroup ? "  " : "") + DisplayText(subscription.title)
        cell.titleRole = subscription.unread > 0 ? .unread : .text
        let isPending = access.changes.isPending(subscription: subscription.id)
        let isRead = services.reloads.isReading(subscription.id)
        cell.value =
            isRead
            ? (isLinear ? "reading" : RowSign.reloading)
            : isPending ? "…" : subscription.unread > 0 ? count(subscription.unread, in: table) : .empty
        let sign = subscription.error == nil ? RowSign.problem : .failure
        if problem != nil { cell.value = sign.behind(cell.value, isLinear: isLinear) }
        if let error = subscription.error {
            cell.detail = (isInGroup ? "  " : "") + sign.before(DisplayText(error), isLinear: isLinear)
            cell.detailRole = .failure
        } else if let problem = subscription.problem {
            // The feed could be read nevertheless.
            cell.detail = sign.before(DisplayText(problem), isLinear: isLinear)
        }
        return cell
    }
}
