import GRDB
import LibraryKernel

/// Restores the feeds and entries in the trash of an undo step with their original IDs.
///
/// If the user has followed the feed again meanwhile, its entries are restored there. If the feed has delivered an
/// entry again meanwhile, only its marks are restored. Entries of a feed that no longer exists can't be restored.
struct RestoreTrash: LibraryChange {
    static let kind = "trash.restore"
    /// The ID of the undo step whose rows are in the trash.
    var step: UndoStepID

    var summary: String { "deleted entries" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let trash = try Trash(db, of: step)
        let feeds = try restoreSubscriptions(from: trash, db)
        var done = 0
        var merged = 0
        let entries = try Row.fetchAll(
            db, sql: "SELECT id, subscription_id, guid FROM trash_entry WHERE step_id = ? ORDER BY id",
            arguments: [step])
        for row in entries {
            let (entry, previous, guid): (EntryID, FeedID, String) = (try row.at(0), try row.at(1), try row.at(2))
            let subscription = feeds.places[previous] ?? previous
            if let present = try EntryID.fetchOne(
                db, sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?", arguments: [subscription, guid])
            {
                try mergeMarks(of: entry, to: present, db)
                merged += 1
            } else if try subscription.exists(db) {
                try insert(entry, from: trash, into: subscription, db)
            } else {
                continue
            }
            done += 1
            try db.execute(
                sql: "DELETE FROM deleted_entry WHERE subscription_id = ? AND guid = ?",
                arguments: [subscription, guid])
        }
        if feeds.count > 0 {
            let note = merged > 0 ? "; the feed had already delivered \(merged) again" : ""
            return Outcome(count: feeds.count + done, of: feeds.count + entries.count, note: note)
        }
        return Outcome(count: done, of: entries.count)
    }

    /// Follows the feeds of the undo step again.
    ///
    /// - Returns: The number of feeds, and the current IDs of those that are already followed again.
    private func restoreSubscriptions(
        from trash: Trash, _ db: Database
    ) throws -> (count: Int, places: [FeedID: FeedID]) {
        var places: [FeedID: FeedID] = [:]
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, url, account_id FROM trash_subscription WHERE step_id = ?", arguments: [step])
        for row in rows {
            let (id, url, account): (FeedID, String, AccountID?) = (try row.at(0), try row.at(1), try row.at(2))
            if let present = try FeedID.fetchOne(
                db, sql: "SELECT id FROM subscription WHERE url = ? AND account_id IS ?", arguments: [url, account])
            {
                places[id] = present
                continue
            }
            // Restoring the entries one by one counts them again.
            try trash.restore(id, of: "subscription", except: ["entry"])
            try db.execute(
                sql: "UPDATE subscription SET unread_count = 0, total_count = 0 WHERE id = ?", arguments: [id])
            // Asks the server to follow the feed again, unless the unsubscription was never sent.
            try OutboxWriter(db: db).queue(.subscribe, of: id, value: url)
        }
        return (rows.count, places)
    }

    private func insert(_ entry: EntryID, from trash: Trash, into subscription: FeedID, _ db: Database) throws {
        try db.executeCached(
            "UPDATE trash_entry SET subscription_id = ?1 WHERE step_id = ?2 AND id = ?3 AND subscription_id <> ?1",
            [subscription, step, entry])
        try trash.restore(entry, of: "entry")
        try NewEntries(db: db).add(entry)
    }

    /// Transfers the marks of a deleted entry to the same entry with a new ID.
    private func mergeMarks(of entry: EntryID, to present: EntryID, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE entry SET is_read = max(entry.is_read, t.is_read), read_at = coalesce(entry.read_at, t.read_at),
                    is_starred = max(entry.is_starred, t.is_starred), is_later = max(entry.is_later, t.is_later)
                FROM trash_entry t WHERE t.step_id = ? AND t.id = ? AND entry.id = ?
                """, arguments: [step, entry, present])
    }
}
