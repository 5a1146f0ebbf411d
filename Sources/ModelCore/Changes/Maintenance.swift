import FeedParsing

/// A change that the engine makes by itself.
///
/// It goes through the same queue as a ``Change``, but with lower priority. The engine repeats lost maintenance, so it
/// is neither written to a journal nor undone.
package enum Maintenance: Sendable {
    /// Stores a parsed feed and applies rules to its new entries.
    case storeFeed(PreparedFeed, in: Int64, rules: [Rule] = [])
    /// Adopts the entries and marks of a feed from another program.
    case adopt(ForeignEntries, in: Int64, now: Int64)
    /// Returns the pending tasks of rules and removes them from the library.
    case takeRuleTasks
    /// Records that a feed has not changed since the last fetch.
    case noteUnchanged(Int64, nextFetch: Int64?, date: Int64)
    /// Records why a feed could not be fetched. Its entries remain.
    ///
    /// `notBefore` is the earliest time that the server allows for a retry. `isGone` shows whether the server answered
    /// 410 Gone.
    case noteFailure(Int64, String, notBefore: Int64?, isGone: Bool, date: Int64)
    /// Stores the full text of an entry's page.
    case storeFullText(FullText, of: Int64)
    /// Stores the progress of a download.
    case noteDownload(Download)
    /// Applies a step of an account's sync, and applies rules to the new entries.
    case sync(SyncStep, account: Int64, rules: [Rule] = [])
    /// Stores the new version of a followed race. Without a race, stores only the result of the request.
    case updateRace(Race?, RaceSubscription)
    /// Stores the new contents of a race directory. Without races, stores only the result of the request.
    case updateDirectory([ListedRace]?, DirectorySubscription)
    /// Stores the track at an address, or `nil` if there is no readable track.
    case storeFetchedTrack(Track?, address: String, now: Int64)
    /// Adds a few hundred entries to the full-text index. The receipt has their number.
    case indexSome
    /// Deletes the entries above the retention limits.
    case retain(Retention, now: Int64)
    /// Deletes undo steps that are older than a number of seconds.
    case emptyTrash(age: Int64)
    /// Records that a new library received initial content, so that it doesn't return after the user deletes it.
    case markPrepared(Library.Beginning)

    /// Whether the step is about one of the many feeds of a reload.
    var isOfOneFeed: Bool {
        switch self {
        case .storeFeed, .noteUnchanged, .noteFailure, .storeFullText: true
        default: false
        }
    }
}

/// The retention limits for the entries of a feed. Starred and "read later" entries always remain.
package struct Retention: Hashable, Sendable {
    /// The maximum age of entries in days, or 0 for no limit.
    package var days: Int
    /// The maximum number of entries in a feed, or 0 for no limit.
    package var entries: Int

    package init(days: Int, entries: Int) {
        self.days = days
        self.entries = entries
    }
}
