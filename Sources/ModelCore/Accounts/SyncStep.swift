import FeedServers

/// A step of a sync that changes the library, each in a transaction of its own.
package enum SyncStep: Sendable {
    /// Takes the right to sync, which lasts until an instant; refused where another program has it. The receipt counts 1 or 0.
    case lock(owner: String, now: Int64, until: Int64)
    /// Gives it back, and notes how it ended.
    case finish(owner: String, SyncEnd)
    /// Notes that marks are about to be sent, and names them: so many of a kind at most.
    case claimMarks(most: @Sendable (RemoteMark) -> Int)
    /// Notes that marks were sent: those that are the same still.
    case markSent([Int64], now: Int64)
    /// Names the next change of the subscriptions.
    case claimOperation
    /// Notes what became of a change of the subscriptions: the server's name of a new feed, or why it refuses.
    case noteOperation(Int64, remote: String?, error: String?)
    /// Takes over the server's feeds.
    case storeSubscriptions([RemoteSubscription], now: Int64)
    /// Forgets the lists of an earlier sync.
    case beginLists
    /// Adds to the server's list of unread or starred entries.
    case addToList(RemoteList, [String])
    /// Gives all known entries the marks that the lists have, but those that wait to be sent.
    case applyLists(hasLater: Bool, now: Int64)
    /// Gives all known entries the tags that the lists of labels have, but those that wait to be sent; notes which labels there are,
    /// and when that was asked.
    case applyLabels(RemoteLabels, now: Int64)
    /// Notes when the server was asked for its labels, and gave no answer that says anything of them.
    case noteLabelsAsked(now: Int64)
    /// Notes which entries of the lists were never asked for; the receipt counts them.
    case noteMissing
    /// Names the next entries that are in a list and were never asked for, the newest first.
    case nextMissing(most: Int)
    /// Notes that the server has understood marks and refuses them: of several it is asked alone, one is its user's to look at.
    case markRefused([Int64])
    /// Notes that the server has said yes to marks in a way that needs no look at its lists.
    case markConfirmed([Int64])
    /// Takes over changes: marks of known entries, but those that wait to be sent, and contents of all that are unread or starred.
    case applyChanges([ChangedEntry], [PreparedRemoteFeed], now: Int64)
    /// Notes up to when changes are known, and whether all was asked for.
    case noteChangedSince(Int64, isWhole: Bool, now: Int64)
    /// Stores contents that were asked for; of what did not come it is noted that it is not there.
    case storeEntries([PreparedRemoteFeed], asked: [String], now: Int64)
}

/// How a sync ended.
package struct SyncEnd: Sendable {
    var now: Int64
    /// Why it failed, in a sentence; `nil`: it did not.
    var error: String?
    /// What is to be known though it did not.
    var note: String?
    var nextTry: Int64?
    /// Whether all was synced, not only sent.
    var isWhole: Bool
}

/// What a step of a sync gives for the next one.
package struct SyncAnswer: Sendable {
    /// Marks to send, of one kind.
    package struct Marks: Sendable {
        var mark: RemoteMark
        var value: Bool
        var numbers: [Int64]
        var ids: [String]
    }

    var marks: Marks?
    /// A change of the subscriptions, with its number.
    var operation: (number: Int64, RemoteOperation)?
    /// Entries to ask for.
    var missing: [String] = []
    /// Marks of the server that were not taken over, since others wait to be sent: should these be taken back, its own have to be told
    /// again.
    var blocked = 0
    /// Feeds that the server does not have any more, when these are so many that they are left alone.
    var vanished = 0
}

/// The entries of one feed of a server, ready to be stored.
package struct PreparedRemoteFeed: Sendable {
    var subscription: String
    var feed: PreparedFeed
    /// The server's names of its entries, in their order.
    var ids: [String]
}
