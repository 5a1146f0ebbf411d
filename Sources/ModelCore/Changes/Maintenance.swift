import FeedParsing

/// A change that tappa makes by itself.
///
/// Like a ``Change`` it goes through the queue, but changes of the user go first. It is created again if it is lost, so
/// it is neither written to a journal nor undone.
package enum Maintenance: Sendable {
    /// Stores a feed that was read, and applies rules to its new entries.
    case storeFeed(PreparedFeed, in: Int64, rules: [Rule] = [])
    /// Adopts entries and marks that another program stored for a feed.
    case adopt(ForeignEntries, in: Int64, now: Int64)
    /// Returns the pending tasks of rules, such as notifications.
    case takeRuleTasks
    /// Records that a feed has not changed since it was last read.
    case noteUnchanged(Int64, nextFetch: Int64?, date: Int64)
    /// Records why a feed could not be read; its entries stay.
    ///
    /// `notBefore` is the instant until which the server asks clients to wait. `isGone` means that the server reported
    /// the feed as gone for good.
    case noteFailure(Int64, String, notBefore: Int64?, isGone: Bool, date: Int64)
    /// Stores the full text of an entry's page.
    case storeFullText(FullText, of: Int64)
    /// Stores the progress of a download.
    case noteDownload(Download)
    /// Applies a step of an account's sync, and rules to the new entries.
    case sync(SyncStep, account: Int64, rules: [Rule] = [])
    /// Stores the state of a followed race. Without a race, only the outcome of the request.
    case updateRace(Race?, RaceSubscription)
    /// Stores the state of a directory of races. Without races, only the outcome of the request.
    case updateDirectory([ListedRace]?, DirectorySubscription)
    /// Stores the track that was found at an address, or `nil` if there is none that can be read.
    case storeFetchedTrack(Track?, address: String, now: Int64)
    /// Adds some hundred entries to the full-text index. The receipt counts them.
    case indexSome
    /// Deletes entries beyond the retention limits.
    case retain(Retention, now: Int64)
    /// Deletes undo steps that are older than `age` seconds.
    case emptyTrash(age: Int64)
    /// Records that a new library received its initial content, so that what the user removes doesn't return.
    case markPrepared(Library.Beginning)

    /// Whether the step belongs to a single feed of a reload.
    var isOfOneFeed: Bool {
        switch self {
        case .storeFeed, .noteUnchanged, .noteFailure, .storeFullText: true
        default: false
        }
    }
}

/// The retention limits of feeds. Starred and read-later entries always stay.
package struct Retention: Hashable, Sendable {
    /// The maximum age of an entry in days; 0 for no limit.
    package var days: Int
    /// The maximum number of entries of a feed; 0 for no limit.
    package var entries: Int

    package init(days: Int, entries: Int) {
        self.days = days
        self.entries = entries
    }
}
