import GRDB
import LibraryKernel

/// Deletes entries for good, and remembers them so that they don't return while their feed still contains them.
package struct DeletedEntries {
    let db: Database

    package init(db: Database) {
        self.db = db
    }

    /// Deletes an entry and records its ID.
    ///
    /// - Returns: 1, or 0 if there is no such entry.
    package func delete(_ entry: EntryID, now: Instant) throws -> Int {
        let remember = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO deleted_entry SELECT subscription_id, guid, ? FROM entry WHERE id = ?")
        try remember.execute(arguments: [now, entry])
        let delete = try db.cachedStatement(sql: "DELETE FROM entry WHERE id = ?")
        try delete.execute(arguments: [entry])
        return db.changesCount
    }

    /// Returns the IDs of the deleted entries of a feed.
    func guids(of subscription: FeedID) throws -> Set<String> {
        try Set(
            String.fetchAll(
                db.cachedStatement(sql: "SELECT guid FROM deleted_entry WHERE subscription_id = ?"),
                arguments: [subscription]))
    }

    /// Gives the record of a deleted entry another ID, because the feed has changed it.
    func rename(_ guid: String, to next: String, of subscription: FeedID) throws {
        try db.execute(
            sql: "UPDATE OR IGNORE deleted_entry SET guid = ? WHERE subscription_id = ? AND guid = ?",
            arguments: [next, subscription, guid])
    }

    /// Deletes the records of deleted entries that are no longer in the feed, after 30 days.
    func forget(_ guids: Set<String>, of subscription: FeedID, now: Instant) throws {
        for guid in guids {
            try db.execute(
                sql: """
                    DELETE FROM deleted_entry
                    WHERE subscription_id = ? AND guid = ? AND (deleted_at < ? OR deleted_at > ?)
                    """, arguments: [subscription, guid, now - 30 * 86_400, now + 86_400])
        }
    }
}

/// Deletes the entries above the retention limits. They don't return while the feed still contains them.
///
/// Starred and "read later" entries always remain.
package struct ApplyRetention: MaintenanceStep {
    /// The maximum age of entries in days, or 0 for no limit.
    let days: Int
    /// The maximum number of entries in a feed, or 0 for no limit.
    let entries: Int
    let now: Instant

    package init(days: Int, entries: Int, now: Instant) {
        self.days = days
        self.entries = entries
        self.now = now
    }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        // An entry above both limits is in the list twice but counts only once.
        return Outcome(
            count: try (tooOld(db) + tooMany(db)).reduce(0) {
                try $0 + DeletedEntries(db: db).delete($1, now: now)
            })
    }

    private func tooOld(_ db: Database) throws -> [EntryID] {
        guard days > 0 else { return [] }
        return try EntryID.fetchAll(
            db, sql: "SELECT id FROM entry WHERE sort_date < ? AND is_starred = 0 AND is_later = 0",
            arguments: [now - Int64(days) * 86_400])
    }

    private func tooMany(_ db: Database) throws -> [EntryID] {
        guard entries > 0 else { return [] }
        let large = try FeedID.fetchAll(
            db, sql: "SELECT id FROM subscription WHERE total_count > ?", arguments: [entries])
        return try large.flatMap { subscription in
            try EntryID.fetchAll(
                db,
                sql: """
                    SELECT id FROM (SELECT id, is_starred, is_later FROM entry WHERE subscription_id = ?
                        ORDER BY sort_date DESC, id DESC LIMIT -1 OFFSET ?)
                    WHERE is_starred = 0 AND is_later = 0
                    """, arguments: [subscription, entries])
        }
    }
}
