import GRDB
import LibraryKernel

/// Deletes entries for good, and remembers them so that they don't return while their feed still contains them.
package struct DeletedEntries {
    let db: Database

    /// Deletes an entry and records its ID.
    ///
    /// - Returns: 1, or 0 if there is no such entry.
    package func delete(_ entry: EntryID, now: Instant) throws -> Int {
        try db.executeCached(
            """
            INSERT OR REPLACE INTO deleted_entry
            SELECT subscription_id, guid, ?, duplicate_key, title FROM entry WHERE id = ?
            """, [now, entry])
        try db.executeCached("DELETE FROM entry WHERE id = ?", [entry])
        return db.changesCount
    }

    /// Returns the IDs of the deleted entries of a feed.
    func guids(of subscription: FeedID) throws -> Set<String> {
        try Set(
            String.fetchAll(
                db.cachedStatement(sql: "SELECT guid FROM deleted_entry WHERE subscription_id = ?"),
                arguments: [subscription]))
    }

    /// A page with its title, by which an entry is known after its feed has changed all identifiers.
    struct Page: Hashable {
        var key: Int64
        var title: String

        init(key: Int64, title: String) { (self.key, self.title) = (key, title) }

        /// - Returns: `nil` if the entry has no page of its own.
        init?(_ entry: StoredEntry, home: String?) {
            guard let key = entry.duplicateKey, let link = entry.link, EntryFacts.page(of: link) != home else {
                return nil
            }
            self.init(key: key, title: entry.title)
        }
    }

    /// Returns the IDs of the deleted entries of a feed by page.
    func guidsByPage(of subscription: FeedID) throws -> [Page: String] {
        let rows = try Row.fetchAll(
            db,
            sql:
                "SELECT duplicate_key, title, guid FROM deleted_entry WHERE subscription_id = ? AND duplicate_key NOTNULL",
            arguments: [subscription])
        let guids = try rows.map { (Page(key: try $0.at(0), title: try $0.at(1)), try $0.at(2) as String) }
        return Dictionary(guids) { first, _ in first }
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
