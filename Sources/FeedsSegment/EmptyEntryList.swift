import DashboardFrame
import Feeds
import TerminalUI

/// What a list without entries shows.
@MainActor
enum EmptyEntryList {
    /// Returns why a list is empty, and which key helps (row TAB-06).
    static func text(_ scope: EntryScope, _ access: LibraryAccess) -> DisplayText {
        let status = access.status
        let (reload, reloadAll) = (status.key(FeedCommands.reloadFeed), status.key(FeedCommands.reloadAll))
        switch scope {
        case .subscription(let id):
            guard let feed = access.read(nil, { try $0.feeds.feed(id) }) else {
                return "You no longer follow this feed."
            }
            if let error = feed.error {
                return DisplayText("Reload failed: \(error). \(reload) retries.")
            }
            guard feed.lastFetched != nil else {
                return DisplayText("Not fetched yet. \(reloadAll) fetches all feeds.")
            }
            return DisplayText("No entries yet. \(reload) reloads the feed.")
        case .all, .folder, .accountFolder, .tag, .hidden, .unread:
            let feeds = access.read([]) { try $0.feeds.all() }
            if feeds.isEmpty {
                return DisplayText("No feeds yet. \(status.key(FeedCommands.addFeed)) in the list of feeds adds one.")
            }
            if feeds.allSatisfy({ $0.lastFetched == nil }) {
                return DisplayText("Not fetched yet. \(reloadAll) fetches all feeds.")
            }
            let what = if case .unread = scope { "No unread entries." } else { "No entries yet." }
            return DisplayText("\(what) \(reloadAll) reloads all feeds.")
        case .starred:
            return DisplayText("No starred entries. \(status.key(EntryCommands.toggleStar)) stars the selected entry.")
        case .later:
            return DisplayText(
                "Nothing to read later. \(status.key(EntryCommands.toggleLater)) adds the selected entry.")
        case .archived: return "No archived entries."
        case .recentlyRead: return "You haven't read any entries yet."
        case .search, .sorted:
            let waiting = waitingCount(scope, access)
            guard waiting > 0 else { return "No results." }
            let entries = waiting.counted("entry is", "entries are")
            return DisplayText("No results yet. \(entries) still being indexed.")
        }
    }

    /// Returns the number of entries that a search will look at only once they are indexed.
    static func waitingCount(_ scope: EntryScope, _ access: LibraryAccess) -> Int {
        scope.searchQuery?.needsIndex == true ? access.read(0) { try $0.search.unindexedCount() } : 0
    }
}

extension EntryScope {
    /// The search whose results a list of the scope shows.
    var searchQuery: SearchQuery? {
        switch self {
        case .search(let query), .sorted(let query, _): query
        default: nil
        }
    }
}
