import FeedParsing
import GRDB
import LibraryKernel

/// Stores a parsed feed and applies rules to its new entries. Does nothing if the feed is no longer followed.
package struct StoreFeed: MaintenanceStep {
    let feed: PreparedFeed
    let subscription: FeedID
    let rules: [Rule]
    private var prepared = PreparedEntries()

    package init(_ feed: PreparedFeed, in subscription: FeedID, rules: [Rule] = []) {
        self.feed = feed
        self.subscription = subscription
        self.rules = rules
    }

    package var sharesCommit: Bool { true }

    package func prepared(reading store: Store) -> StoreFeed {
        var step = self
        step.prepared = PreparedEntries(
            feed.entries, in: subscription, indexesAll: rules.needsIndex, now: feed.record.date,
            reading: store)
        return step
    }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let last = rules.isEmpty ? 0 : try NewEntries(db: db).lastID()
        let hadEntries = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT total_count > 0 FROM subscription WHERE id = ?"), arguments: [subscription])
        let record = feed.record
        let (failures, nextFetch) = try pause(db)
        let note = try db.cachedStatement(
            sql: """
                UPDATE subscription SET title = coalesce(?, title), home_page = coalesce(?, home_page), etag = ?,
                    last_modified = ?, last_fetched = ?, last_success = ?, error = ?, failures = ?,
                    next_fetch = ?, not_before = NULL, is_gone = 0, problems = ?, ttl = ?, skipped_times = ?,
                    claimed = NULL WHERE id = ?
                """)
        try note.execute(arguments: [
            feed.title, feed.homePage, record.etag, record.lastModified, record.date, record.date, record.failure,
            failures, nextFetch, record.keptProblems, record.timeToLive, record.skippedTimes.rawValue, subscription,
        ])
        guard db.changesCount > 0 else { return Outcome() }
        let stored = try EntryWriter(transaction).store(
            feed.entries, prepared, in: subscription, isCut: record.isCut, now: record.date)
        if stored.added > 0 {
            try rules.apply(after: last, hasTasks: hadEntries == 1, now: record.date, in: transaction)
            try SubscriptionHealth.noteRhythm(of: subscription, db)
        }
        let writer = FeedWriter(db: db)
        try writer.note(announcedAddress: record.announcedAddress, of: subscription)
        if let address = record.permanentURL { try writer.move(subscription, to: address) }
        return Outcome(count: stored.added + stored.updated, answer: stored)
    }

    /// Returns the number of failures in a row, and when the feed is fetched again at the earliest.
    private func pause(_ db: Database) throws -> (failures: Int, nextFetch: Instant?) {
        let record = feed.record
        guard record.failure != nil else { return (0, record.nextFetch) }
        let failures = try StoreFeed.failures(of: subscription, db) + 1
        // The rest is missing, so it doesn't matter for how long the document is valid.
        return (failures, FetchSchedule.retry(failures: failures, now: record.date))
    }

    /// Returns the number of failures of a feed in a row.
    static func failures(of subscription: FeedID, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT failures FROM subscription WHERE id = ?", arguments: [subscription]) ?? 0
    }
}

extension Receipt {
    /// The number of entries that storing a feed has added and updated.
    var stored: StoredChanges { answer as? StoredChanges ?? StoredChanges() }
}

/// Records that a feed has not changed since the last fetch. This clears earlier errors, including 410 Gone.
struct NoteUnchanged: MaintenanceStep {
    let subscription: FeedID
    /// The validators of the response, which replace the earlier ones (RFC 9111, section 3.2).
    let etag, lastModified: String?
    /// The address to which the server has moved the feed permanently, if any.
    let permanentURL: String?
    let nextFetch: Instant?
    let date: Instant

    init(
        _ subscription: FeedID, etag: String? = nil, lastModified: String? = nil, permanentURL: String? = nil,
        nextFetch: Instant?, date: Instant
    ) {
        self.subscription = subscription
        self.etag = etag
        self.lastModified = lastModified
        self.permanentURL = permanentURL
        self.nextFetch = nextFetch
        self.date = date
    }

    var sharesCommit: Bool { true }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.executeCached(
            """
            UPDATE subscription SET last_fetched = ?, last_success = ?, error = NULL, failures = 0,
                next_fetch = ?, not_before = NULL, is_gone = 0, etag = coalesce(?, etag),
                last_modified = coalesce(?, last_modified), claimed = NULL WHERE id = ?
            """, [date, date, nextFetch, etag, lastModified, subscription])
        if let permanentURL { try FeedWriter(db: transaction.db).move(subscription, to: permanentURL) }
        return Outcome()
    }
}

/// Records why a feed could not be fetched. Its entries remain.
struct NoteFailure: MaintenanceStep {
    let subscription: FeedID
    let reason: String
    /// The earliest time that the server allows for a retry.
    let notBefore: Instant?
    /// Whether the server answered 410 Gone.
    let isGone: Bool
    let date: Instant

    init(_ subscription: FeedID, _ reason: String, notBefore: Instant?, isGone: Bool, date: Instant) {
        self.subscription = subscription
        self.reason = reason
        self.notBefore = notBefore
        self.isGone = isGone
        self.date = date
    }

    var sharesCommit: Bool { true }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let failures = try StoreFeed.failures(of: subscription, db)
        try db.execute(
            sql: """
                UPDATE subscription SET last_fetched = ?, error = ?, failures = failures + 1, next_fetch = ?,
                    not_before = ?, is_gone = ?, claimed = NULL WHERE id = ?
                """,
            arguments: [
                date, reason, FetchSchedule.retry(failures: failures + 1, now: date), notBefore, isGone, subscription,
            ])
        return Outcome()
    }
}
