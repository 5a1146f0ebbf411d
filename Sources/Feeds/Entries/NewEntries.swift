import GRDB

/// Records new entries: updates the counters and queues the texts for the index.
///
/// With triggers, SQLite would write each row several times. ``LibraryCheck`` verifies the
/// counters, and that every text is in the index or in its queue.
package struct NewEntries {
    let db: Database

    package init(db: Database) { self.db = db }

    /// Returns the greatest identifier of an entry so far. Entries that arrive later have greater ones.
    package func lastID() throws -> EntryID {
        try EntryID.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'entry'") ?? 0
    }

    /// Counts a new entry and queues its text for the index.
    func add(_ entry: EntryID) throws {
        try db.executeCached(
            """
            UPDATE subscription SET total_count = total_count + 1,
                unread_count = unread_count + (e.is_read = 0 AND e.is_archived = 0)
            FROM entry e WHERE e.id = ? AND subscription.id = e.subscription_id
            """, [entry])
        try db.executeCached(
            """
            UPDATE counter SET value = value + CASE name WHEN 'starred' THEN e.is_starred ELSE e.is_later END
            FROM entry e WHERE e.id = ? AND name IN ('starred', 'later')
            """, [entry])
        try waitForIndex(from: entry, to: entry)
    }

    /// Counts new unread entries of a feed and queues their texts for the index.
    ///
    /// - Parameter first: The first of them. No other entries have been added since.
    func add(_ count: Int, from first: EntryID, in subscription: FeedID) throws {
        try db.executeCached(
            """
            UPDATE subscription SET total_count = total_count + ?1, unread_count = unread_count + ?1 WHERE id = ?2
            """, [count, subscription])
        try waitForIndex(from: first, to: EntryID(rawValue: .max))
    }

    private func waitForIndex(from first: EntryID, to last: EntryID) throws {
        try db.executeCached(
            "INSERT OR IGNORE INTO unindexed SELECT id FROM entry WHERE id BETWEEN ? AND ?", [first, last])
    }
}
