import FeedParsing

/// What the engine stores by itself: it takes the same way as a ``Change``, gives way to changes, and is made again when it is
/// lost, so that it is neither kept in a journal nor undone.
package enum Maintenance: Sendable {
    /// Stores what was read of a feed, and carries rules out on what is new of it.
    case storeFeed(PreparedFeed, in: Int64, rules: [Rule] = [])
    /// Takes over entries and marks that another program has kept of a feed.
    case adopt(ForeignEntries, in: Int64, now: Int64)
    /// Hands out what rules have left to be done.
    case takeRuleTasks
    /// Notes that a feed has not changed since it was read.
    case noteUnchanged(Int64, nextFetch: Int64?, date: Int64)
    /// Notes why a feed could not be read; its entries stay.
    ///
    /// `notBefore` is the instant that the server asks to wait for, `isGone` whether it has said that the feed is gone for good.
    case noteFailure(Int64, String, notBefore: Int64?, isGone: Bool, date: Int64)
    /// Keeps the full text of an entry's page.
    case storeFullText(FullText, of: Int64)
    /// Notes how far a download is.
    case noteDownload(Download)
    /// Takes a step of an account's sync, and carries rules out on what is new.
    case sync(SyncStep, account: Int64, rules: [Rule] = [])
    /// Takes the state of a followed race over; without a race only how the question for it has ended.
    case updateRace(Race?, RaceSubscription)
    /// Takes the state of a directory of races over; without races only how the question for it has ended.
    case updateDirectory([ListedRace]?, DirectorySubscription)
    /// Keeps the track that was found at an address; `nil`: there is none that can be read.
    case storeFetchedTrack(Track?, address: String, now: Int64)
    /// Adds some hundred entries to the full-text index; the receipt counts them.
    case indexSome
    /// Deletes what is older, or more, than is to be kept.
    case retain(Retention, now: Int64)
    /// Forgets how to undo what is older than so many seconds.
    case emptyTrash(age: Int64)
    /// Notes that a new library was given something, so that what is removed of it does not come back.
    case markPrepared(Library.Beginning)

    /// Whether it is about one of the many feeds that a reload asks for.
    var isOfOneFeed: Bool {
        switch self {
        case .storeFeed, .noteUnchanged, .noteFailure, .storeFullText: true
        default: false
        }
    }
}

/// How much is kept of a feed; starred entries and those for later are always kept.
package struct Retention: Hashable, Sendable {
    /// The most days since an entry's date; 0: all.
    package var days: Int
    /// The most entries of a feed; 0: all.
    package var entries: Int

    package init(days: Int, entries: Int) {
        self.days = days
        self.entries = entries
    }
}
