import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

/// The lists of entries that rows of the list of feeds open. They reappear as they were left.
@MainActor
final class EntryLists {
    private let services: FeedServices
    private let openNextList: (_ step: Int) -> Void
    private let openFeed: OpenFeed
    private var lists: [EntryScope: EntryListViewController] = [:]

    /// - Parameters:
    ///   - openNextList: Continues in the next or previous list with unread entries, or says that there is none.
    ///   - openFeed: Opens the next or previous feed.
    init(services: FeedServices, openNextList: @escaping (_ step: Int) -> Void, openFeed: @escaping OpenFeed) {
        self.services = services
        self.openNextList = openNextList
        self.openFeed = openFeed
    }

    /// Returns the list of a row's entries, or `nil` for rows that aren't lists of entries.
    func list(of row: FeedListModel.Row) -> EntryListViewController? {
        guard let scope = row.scope(now: services.access.clock()) else { return nil }
        if case .unread = scope {
            // Created each time, because it keeps entries that are read while it is open.
            return EntryListViewController(scope: scope, title: row.title, services: services)
        }
        if let known = lists[scope] { return known }
        let list = EntryListViewController(
            scope: scope, title: row.title, services: services, openNextList: openNextList, openFeed: openFeed)
        lists[scope] = list
        return list
    }

    /// Opens the first unread entry of a list or, if all are read, the first one.
    func openForReading(_ list: EntryListViewController) {
        let query = services.access.settings.query(list.scope)
        let row = services.access.read(nil) { library in
            try library.entries.nextUnread(after: nil, in: query) ?? library.entries.rows(in: query, limit: 1).first
        }
        if let row { list.openEntry(row.id) }
    }

    /// Reloads the lists, such as after a change of settings.
    func refresh() { for list in lists.values { list.refresh() } }

    func releaseMemory() { lists = lists.filter { $0.value.window != nil } }
}
