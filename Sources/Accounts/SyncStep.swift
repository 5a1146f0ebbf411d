import Feeds
import GRDB
import LibraryKernel

/// A step of a sync that changes the library, each in its own transaction.
enum SyncStep: Sendable {
    /// Acquires the sync lock until an instant. The receipt counts 1, or 0 if another program holds it.
    case lock(owner: String, now: Instant, until: Instant)
    /// Releases the sync lock and records the outcome.
    case finish(owner: String, SyncEnd)
    /// Returns marks to send and records that they are about to be sent, at most a number for each kind.
    case claimMarks(maximum: @Sendable (RemoteMark) -> Int)
    /// Records that marks were sent, unless they changed in the meantime.
    case markSent([PendingMarkID], now: Instant)
    /// Returns the next change of subscriptions to send.
    case claimOperation
    /// Records the outcome of a subscription change: the identifier that the server assigned to a new feed, or the
    /// reason for a rejection.
    case noteOperation(PendingOperationID, remote: String?, error: String?)
    /// Stores the server's feeds.
    case storeSubscriptions([RemoteSubscription], now: Instant)
    /// Clears the lists of an earlier sync.
    case beginLists
    /// Adds to the server's list of unread or starred entries.
    case addToList(RemoteList, [String])
    /// Applies the marks in the lists to all known entries, except those that wait to be sent.
    case applyLists(hasLater: Bool, now: Instant)
    /// Applies the tags in the lists of labels to all known entries, except those that wait to be sent. Also stores the
    /// labels and the time of the request.
    case applyLabels(RemoteLabels, now: Instant)
    /// Records the time of a request for labels that had no usable answer.
    case noteLabelsAsked(now: Instant)
    /// Records which entries in the lists were never fetched. The receipt counts them.
    case noteMissing
    /// Returns the next entries in the lists that were never fetched, newest first.
    case nextMissing(maximum: Int)
    /// Returns marks that were accepted and then contradicted by the lists.
    case contradictedMarks(maximum: Int)
    /// Records marks that the server rejected. Several are retried one by one; a single one waits for the user.
    case markRefused([PendingMarkID])
    /// Records marks that the server confirmed, so that its lists need not confirm them.
    case markConfirmed([PendingMarkID])
    /// Applies changes: marks of known entries, except those that wait to be sent, and contents of all that are unread
    /// or starred.
    case applyChanges([ChangedEntry], [PreparedRemoteFeed], now: Instant)
    /// Stores the time up to which changes are known, and whether everything was fetched.
    case noteChangedSince(Instant, isWhole: Bool, now: Instant)
    /// Stores fetched contents, and records which requested entries don't exist.
    case storeEntries([PreparedRemoteFeed], asked: [String], now: Instant)
}

struct SyncEnd: Sendable {
    var now: Instant
    /// The reason for a failure, as a sentence, or `nil` on success.
    var error: String?
    /// A warning after a success.
    var note: String?
    var nextTry: Instant?
    /// Whether everything was synced, and not only sent.
    var isWhole: Bool
}

/// The result of a sync step for the next one.
struct SyncAnswer: Sendable {
    /// Marks to send that have the same kind and value.
    struct Marks: Sendable {
        var mark: RemoteMark
        var value: Bool
        var numbers: [PendingMarkID]
        var ids: [String]
    }

    /// The number of entries that the step has added and updated.
    var stored = StoredChanges()
    var marks: Marks?
    /// A change of subscriptions, with its number in the outbox.
    var operation: (number: PendingOperationID, RemoteOperation)?
    /// The identifiers of entries to fetch.
    var missing: [String] = []
    /// The number of the server's marks that were not applied because others wait to be sent. If those are reverted,
    /// the server's must be fetched again.
    var blocked = 0
    /// The number of feeds that the server no longer has, if it is so large that nothing was removed.
    var vanished = 0
}

/// The entries of one feed of a server, ready to be stored.
struct PreparedRemoteFeed: Sendable {
    var subscription: String
    var feed: PreparedFeed
    /// The server's identifiers of the entries, in order.
    var ids: [String]
    var prepared = PreparedEntries()

    /// Returns the feed with everything that storing its entries needs.
    func prepared(of account: AccountID, indexesAll: Bool, now: Instant, reading store: Store) -> PreparedRemoteFeed {
        let known = try? store.read { db in
            try SyncWriter.feed(subscription, of: account, db)
        }
        guard let id = known ?? nil else { return self }
        var other = self
        other.prepared = PreparedEntries(feed.entries, in: id, indexesAll: indexesAll, now: now, reading: store)
        return other
    }
}

/// Applies a step of an account's sync, and applies rules to the new entries.
struct ApplySyncStep: MaintenanceStep {
    let step: SyncStep
    let account: AccountID
    let rules: [Rule]

    func prepared(reading store: Store) -> ApplySyncStep {
        func prepared(_ feeds: [PreparedRemoteFeed], _ now: Instant) -> [PreparedRemoteFeed] {
            feeds.map { $0.prepared(of: account, indexesAll: rules.needsIndex, now: now, reading: store) }
        }
        return switch step {
        case .applyChanges(let entries, let feeds, let now):
            ApplySyncStep(
                step: .applyChanges(entries, prepared(feeds, now), now: now), account: account, rules: rules)
        case .storeEntries(let feeds, let asked, let now):
            ApplySyncStep(
                step: .storeEntries(prepared(feeds, now), asked: asked, now: now), account: account, rules: rules)
        default: self
        }
    }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try SyncWriter(transaction: transaction).apply(step, account, rules)
    }
}

extension Receipt {
    /// The data that a sync step returns for the next step.
    var sync: SyncAnswer { answer as? SyncAnswer ?? SyncAnswer() }
}
