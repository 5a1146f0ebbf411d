import Accounts
import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The rows of the list of feeds: reads them in the background, and supplies lists, groups, feeds, accounts and saved
/// searches to the table.
@MainActor
final class FeedListRows: TableViewDataSource {
    private let services: FeedServices
    private var access: LibraryAccess { services.access }
    private weak var table: TableView?
    private(set) var model = FeedListModel()
    /// Whether the rows are being read for the first time.
    var isUnread: Bool { !wasRead && reading.isReading }
    private var wasRead = false
    var changed: () -> Void = {}
    /// The actions to run once the rows were read, and what keys wait for until then: an action that came after them
    /// would replace what they have opened.
    private var (afterLoading, awaited): ([() -> Void], AwaitedScreens.Ticket?) = ([], nil)
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
        self.table = table
    }

    /// Reads the rows, then runs an action. Further keys wait for it.
    func load(then action: (() -> Void)? = nil) {
        if let action {
            afterLoading.append(action)
            awaited = awaited ?? access.awaitedScreens.add()
        }
        outdated = .all
        reading.start()
    }

    /// Moves or collapses a row by a change. Further keys wait for the new rows, from which they continue.
    func arrange(by change: Change, isOwnStep: Bool = true) {
        access.submitStep(change, isOwnStep: isOwnStep) { [weak self] in self?.load {} }
    }

    /// Notes a part of the rows that has to be read again.
    func note(_ part: (inout FeedListChanges) -> Void) { part(&outdated) }

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
        (afterLoading, awaited) = ([], nil)
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
        found(
            RowPath.next(in: model.paths, from: path, step: step) { model.row(at: $0)?.title.contains(text) == true })
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        switch model.row(at: path) {
        case .subscription(let subscription, let group):
            fill(cell, with: subscription, isInGroup: group != nil, in: table)
        case .group(let group): fill(cell, with: group, in: table)
        case .account(let account): fill(cell, with: account, in: table)
        case .search(let search):
            cell.title = RowSign.search.before(DisplayText(search.name), isLinear: table.symbols.isLinear)
            show(searchCounts.unread(of: search.id) ?? 0, in: cell, of: table)
        case .list(let list): fill(cell, with: list, in: table)
        case nil: break
        }
        return cell
    }

    private func fill(_ cell: TableViewCell, with group: FeedListModel.Group, in table: TableView) {
        var name = DisplayText(group.group.name)
        if case .tag = group.group { name = "#" + name }
        cell.title = (group.isClosed ? RowSign.closed : .open).before(name, isLinear: table.symbols.isLinear)
        cell.titleRole = .secondary
        cell.hasRule = true
        show(group.unread, in: cell, of: table)
    }

    private func fill(_ cell: TableViewCell, with list: FeedListModel.BuiltInList, in table: TableView) {
        cell.title = list.title
        switch list {
        case .unread: show(model.contents.unread, in: cell, of: table)
        case .archived: show(model.contents.archived, in: cell, of: table)
        case .starred: cell.value = number(model.contents.starred)
        case .later: cell.value = number(model.contents.later)
        case .broken: cell.value = number(model.broken.count)
        case .inactive: cell.value = number(model.inactive.count)
        case .all: break
        }
        if list == .broken { cell.titleRole = .failure }
    }

    /// Shows an account with its status. Its card explains an error.
    private func fill(_ cell: TableViewCell, with account: Account, in table: TableView) {
        let now = access.clock()
        let name = DisplayText(account.error == nil ? account.state(now: now) : account.headline(now: now))
        cell.title = account.error == nil ? name : RowSign.failure.before(name, isLinear: table.symbols.isLinear)
        cell.titleRole = account.error == nil ? .secondary : .failure
    }

    /// Returns a number that isn't of unread entries, unless counts are set to dots or off.
    private func number(_ count: Int) -> DisplayText {
        count > 0 && access.settings.countStyle == .number ? DisplayText(String(count)) : .empty
    }

    /// Shows a number of unread entries at the end of a row, as set. In screen-reader mode it includes the noun.
    ///
    /// - Parameter mark: A sign before the number.
    private func show(_ count: Int, after mark: DisplayText = .empty, in cell: TableViewCell, of table: TableView) {
        guard count > 0, access.settings.countStyle != .none else { return }
        if table.symbols.isLinear {
            cell.value = access.settings.countStyle == .dot ? "unread" : DisplayText("\(count) unread")
        } else if access.settings.countStyle == .dot {
            cell.value = DisplayText(table.symbols.dot)
            cell.valueRole = .accent
        } else {
            cell.value = mark.isEmpty ? DisplayText(String(count)) : mark + DisplayText(" \(count)")
        }
    }

    /// The maximum width of a reason at the end of a row.
    private static let reasonColumns = 18

    /// Shows a feed. A sign shows that something is wrong, with the beginning of the reason where there is space; the
    /// card has all of it.
    private func fill(
        _ cell: TableViewCell, with subscription: SubscriptionRow, isInGroup: Bool, in table: TableView
    ) {
        let isLinear = table.symbols.isLinear
        let title = DisplayText(subscription.title)
        cell.title = (isInGroup ? "  " : "") + title
        cell.titleRole = subscription.unread > 0 ? .text : .secondary
        show(subscription.unread, after: isLinear ? .empty : DisplayText(table.symbols.dot), in: cell, of: table)
        if subscription.unread > 0 { cell.valueRole = .accent }
        if let error = subscription.error {
            cell.title = RowSign.failure.before(title, isLinear: isLinear)
            cell.titleRole = .failure
            // Hosts and details are on the card.
            let reason = error.prefix { $0 != ":" }
            if cell.value.isEmpty {
                cell.value = DisplayText(String(reason)).truncated(to: FeedListRows.reasonColumns)
            }
        } else if subscription.problem != nil {
            cell.value = RowSign.problem.behind(cell.value, isLinear: isLinear)
        }
        if access.changes.isPending(subscription: subscription.id) { cell.value = "…" }
        if services.reloads.isReading(subscription.id) { cell.value = isLinear ? "reading" : RowSign.reloading }
    }
}
