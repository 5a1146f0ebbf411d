import Foundation
import GRDB
import LibraryKernel

/// The entries above the retention limits.
///
/// Starred and "read later" entries are never among them.
struct OldEntries {
    /// The maximum age of entries in days, or 0 for no limit.
    let days: Int
    /// The maximum number of entries in a feed, or 0 for no limit.
    let entries: Int
    let now: Instant

    /// The entries above the limits of a feed or of the library, beside all that it has.
    struct Tally {
        var old: [EntryID] = []
        var total = 0
        var newest: Instant?

        /// Whether the user must be asked: more than half of the entries would go at once, or even the newest is too
        /// old. A wrong clock or a changed setting is then more likely than old entries.
        func isSuspicious(_ oldest: Instant?) -> Bool {
            if old.isEmpty { return false }
            if let oldest, let newest, newest < oldest { return true }
            return old.count > total - old.count
        }
    }

    /// The date before which entries are too old, or `nil` for no limit.
    private var oldest: Instant? { days > 0 ? now - Int64(days).multipliedClamped(by: 86_400) : nil }

    /// Returns the entries to delete, and those that wait until the user confirms.
    ///
    /// - Parameter isConfirmed: Whether the user has confirmed, so that none waits.
    func find(isConfirmed: Bool, _ db: Database) throws -> (due: [EntryID], waiting: HeldEntries) {
        let tallies = try tallies(db)
        var library = Tally(old: tallies.values.flatMap(\.old))
        if library.old.isEmpty || isConfirmed { return (library.old, HeldEntries()) }
        library.total = try Int.fetchOne(db, sql: "SELECT sum(total_count) FROM subscription") ?? 0
        library.newest = try Instant.fetchOne(db, sql: "SELECT max(sort_date) FROM entry")
        let holdsAll = library.isSuspicious(oldest)
        let held = tallies.values.filter { holdsAll || $0.isSuspicious(oldest) }
        let due = tallies.values.filter { !holdsAll && !$0.isSuspicious(oldest) }
        return (
            due.flatMap(\.old),
            HeldEntries(entries: held.reduce(0) { $0 + $1.old.count }, feeds: held.count)
        )
    }

    private func tallies(_ db: Database) throws -> [FeedID: Tally] {
        var tallies: [FeedID: Tally] = [:]
        if let oldest {
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: "SELECT subscription_id, id FROM entry WHERE sort_date < ? AND is_starred = 0 AND is_later = 0"
                ), arguments: [oldest])
            while let row = try rows.next() { tallies[try row.at(0), default: Tally()].old.append(try row.at(1)) }
        }
        if entries > 0 {
            for feed in try FeedID.fetchAll(
                db, sql: "SELECT id FROM subscription WHERE total_count > ?", arguments: [entries])
            {
                // An entry above both limits counts only once.
                let known = Set(tallies[feed]?.old ?? [])
                let above = try surplus(of: feed, db).filter { !known.contains($0) }
                if !above.isEmpty { tallies[feed, default: Tally()].old += above }
            }
        }
        for feed in tallies.keys {
            let total = try db.cachedStatement(sql: "SELECT total_count FROM subscription WHERE id = ?")
            tallies[feed]?.total = try Int.fetchOne(total, arguments: [feed]) ?? 0
            let newest = try db.cachedStatement(sql: "SELECT max(sort_date) FROM entry WHERE subscription_id = ?")
            tallies[feed]?.newest = try Instant.fetchOne(newest, arguments: [feed])
        }
        return tallies
    }

    /// Returns the entries of a feed beyond the maximum number.
    private func surplus(of feed: FeedID, _ db: Database) throws -> [EntryID] {
        try EntryID.fetchAll(
            db,
            sql: """
                SELECT id FROM (SELECT id, is_starred, is_later FROM entry WHERE subscription_id = ?
                    ORDER BY sort_date DESC, id DESC LIMIT -1 OFFSET ?)
                WHERE is_starred = 0 AND is_later = 0
                """, arguments: [feed, entries])
    }
}

/// The entries above the retention limits that wait until the user confirms their deletion.
package struct HeldEntries: Hashable, Sendable {
    package var entries = 0
    package var feeds = 0

    package init(entries: Int = 0, feeds: Int = 0) {
        self.entries = entries
        self.feeds = feeds
    }

    /// The sentence for the user, without what to do, or `nil` if none waits.
    package var sentence: String? {
        guard entries > 0 else { return nil }
        let words = "\(entries.counted("old entry", "old entries")) of \(feeds.counted("feed"))"
        return "Kept \(words): too many to delete unasked."
    }
}

/// Deletes the entries above the retention limits. They don't return while the feed still contains them.
///
/// Where most entries of a feed or of the library would go at once, they wait until the user confirms.
package struct RetainEntries: LibraryChange {
    package static let kind = "entries.retain"
    /// The maximum age of entries in days, or 0 for no limit.
    var days: Int
    /// The maximum number of entries in a feed, or 0 for no limit.
    var entries: Int
    /// Whether the user has confirmed that most entries of a feed may go at once.
    var isConfirmed: Bool
    var now: Instant

    package init(days: Int, entries: Int, isConfirmed: Bool = false, now: Instant) {
        self.days = days
        self.entries = entries
        self.isConfirmed = isConfirmed
        self.now = now
    }

    package var summary: String { "a deletion of old entries" }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let (due, waiting) = try OldEntries(days: days, entries: entries, now: now).find(
            isConfirmed: isConfirmed, transaction.db)
        guard !due.isEmpty else { return Outcome(answer: waiting) }
        let step = try transaction.trash().step
        let count = try DeleteEntries(entries: due, now: now).apply(in: transaction).count
        var outcome = Outcome(
            count: count, undo: "deleting \(count.counted("old entry", "old entries"))",
            Change(RestoreOldEntries(step: step)))
        outcome.answer = waiting
        return outcome
    }
}

/// Restores entries that the retention limits have deleted.
struct RestoreOldEntries: LibraryChange {
    static let kind = "entries.restoreOld"
    /// The ID of the undo step whose rows are in the trash.
    var step: UndoStepID

    var summary: String { "old entries" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try RestoreTrash(step: step).apply(in: transaction)
    }
}

/// The undo steps of deletions of old entries.
package enum RetentionSteps {
    /// A query for the IDs of their changes.
    package static let changes = """
        SELECT change FROM undo_step WHERE inverse LIKE '%"kind":"\(RestoreOldEntries.kind)"%'
        """
}

extension Receipt {
    /// The entries that wait after a ``RetainEntries``.
    package var heldEntries: HeldEntries { answer as? HeldEntries ?? HeldEntries() }
}

extension Library {
    /// Returns the last deletion of old entries that can be undone, or `nil` if there is none.
    package func lastRetention() throws(LibraryError) -> UUID? {
        try read { db in
            try String.fetchOne(db, sql: RetentionSteps.changes + " ORDER BY id DESC LIMIT 1")
                .flatMap(UUID.init(uuidString:))
        }
    }
}
