import GRDB

/// What is noted of every entry that is new in its table: the counters, and that its text is to go into the index.
///
/// Triggers do not, since each row would be written several times for them (``Schema/sixteenth(_:)``); whether the counters are right,
/// and every text is in the index or on its way there, is looked at by ``LibraryCheck``.
extension ChangeWriter {
    /// Counts an entry that was added with its text.
    func hasAdded(_ entry: Int64) throws {
        let count = try db.cachedStatement(
            sql: """
                UPDATE subscription SET total_count = total_count + 1,
                    unread_count = unread_count + (e.is_read = 0 AND e.is_folded = 0)
                FROM entry e WHERE e.id = ? AND subscription.id = e.subscription_id
                """)
        try count.execute(arguments: [entry])
        let countMarks = try db.cachedStatement(
            sql: """
                UPDATE counter SET value = value + CASE name WHEN 'starred' THEN e.is_starred ELSE e.is_later END
                FROM entry e WHERE e.id = ? AND name IN ('starred', 'later')
                """)
        try countMarks.execute(arguments: [entry])
        try waitsForIndex(entry)
    }

    /// Counts unread entries of a feed that were added, each of which ``waitsForIndex(_:)``.
    func hasAdded(_ count: Int, in subscription: Int64) throws {
        guard count > 0 else { return }
        let note = try db.cachedStatement(
            sql: """
                UPDATE subscription SET total_count = total_count + ?1, unread_count = unread_count + ?1 WHERE id = ?2
                """)
        try note.execute(arguments: [count, subscription])
    }

    /// Notes that the text of an entry is to go into the index.
    func waitsForIndex(_ entry: Int64) throws {
        let note = try db.cachedStatement(sql: "INSERT OR IGNORE INTO unindexed VALUES (?)")
        try note.execute(arguments: [entry])
    }
}
