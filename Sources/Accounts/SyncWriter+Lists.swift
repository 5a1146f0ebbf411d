import Feeds
import GRDB
import LibraryKernel

/// The receiving half of a sync for lists of marks. Marks that wait to be sent stay.
extension SyncWriter {
    func add(_ ids: [String], to list: RemoteList, _ account: AccountID) throws -> Int {
        let column: String
        switch list {
        case .unread: column = "is_unread"
        case .starred: column = "is_starred"
        case .later: column = "is_later"
        case .label(let label): return try add(ids, labelled: label, account)
        }
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO remote_list (account_id, remote_id, \(column)) VALUES (?, ?, 1)
                ON CONFLICT DO UPDATE SET \(column) = 1
                """)
        for id in ids { try insert.execute(arguments: [account, id]) }
        return ids.count
    }

    /// Adds entries with a label to the lists, so that missing ones are fetched.
    private func add(_ ids: [String], labelled label: String, _ account: AccountID) throws -> Int {
        let insert = try db.cachedStatement(sql: "INSERT OR IGNORE INTO remote_label VALUES (?, ?, ?)")
        let list = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO remote_list (account_id, remote_id) VALUES (?, ?)")
        for id in ids {
            try insert.execute(arguments: [account, label, id])
            try list.execute(arguments: [account, id])
        }
        return ids.count
    }

    /// The server's value of a mark, for the entry of a row `p`.
    private static let serverValue = """
        coalesce((SELECT CASE p.mark WHEN 'read' THEN NOT max(l.is_unread) WHEN 'later' THEN max(l.is_later)
            ELSE max(l.is_starred) END
            FROM remote_entry r JOIN remote_list l ON l.account_id = r.account_id AND l.remote_id = r.remote_id
            WHERE r.entry_id = p.entry_id AND r.account_id = p.account_id), p.mark = 'read')
        """

    /// Removes sent marks from the outbox that the lists confirm. Others are sent once more, then reported as rejected.
    ///
    /// - Parameter hasLater: Whether the server has a list for reading later, without which nothing is known about it.
    func confirm(_ account: AccountID, hasLater: Bool) throws {
        let isKnown = hasLater ? "mark IN ('read', 'starred', 'later')" : "mark IN ('read', 'starred')"
        try db.execute(
            sql: """
                DELETE FROM pending_mark AS p WHERE p.account_id = ? AND p.sent IS NOT NULL AND \(isKnown)
                    AND p.value = \(SyncWriter.serverValue)
                """, arguments: [account])
        try noteContradicted(account, where: isKnown)
    }

    /// Makes sent marks that the lists contradict pending once more, and the second time rejected.
    func noteContradicted(_ account: AccountID, where condition: String, _ arguments: StatementArguments = []) throws {
        try db.execute(
            sql: """
                UPDATE pending_mark SET is_refused = tries >= 2, sent = CASE WHEN tries >= 2 THEN sent END
                WHERE account_id = ? AND sent IS NOT NULL AND \(condition)
                """, arguments: [account] + arguments)
    }

    /// Returns the number of rows in the outbox that differ from the lists.
    func blockedMarks(_ account: AccountID) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM pending_mark AS p WHERE p.account_id = ? AND p.value <> \(SyncWriter.serverValue)
                """, arguments: [account]) ?? 0
    }

    /// Returns the number of rows in the outbox that differ from one changed entry.
    func blockedMarks(_ item: ChangedEntry, _ account: AccountID) throws -> Int {
        let find = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM remote_entry r JOIN pending_mark p ON p.entry_id = r.entry_id
                WHERE r.account_id = ? AND r.remote_id = ?
                    AND p.value <> CASE p.mark WHEN 'read' THEN NOT ? WHEN 'later' THEN p.value ELSE ? END
                """)
        return try Int.fetchOne(find, arguments: [account, item.entry.id, item.isUnread, item.isStarred]) ?? 0
    }

    /// Applies the server's marks to all known entries without a row in the outbox.
    func applyLists(_ account: AccountID, hasLater: Bool, now: Instant) throws -> Int {
        var count = 0
        func run(_ sql: String, _ arguments: StatementArguments) throws {
            try db.execute(sql: sql, arguments: arguments)
            count += db.changesCount
        }
        func isFree(_ mark: RemoteMark) -> String {
            "NOT EXISTS (SELECT 1 FROM pending_mark p WHERE p.entry_id = entry.id AND p.mark = '\(mark.name)')"
        }
        func isListed(_ column: String) -> String {
            """
            SELECT r.entry_id FROM remote_list l
            JOIN remote_entry r ON r.account_id = l.account_id AND r.remote_id = l.remote_id
            WHERE l.account_id = ? AND l.\(column) AND r.entry_id IS NOT NULL
            """
        }
        func isOfAccount(_ column: String) -> String {
            """
            EXISTS (SELECT 1 FROM remote_entry r WHERE r.entry_id = entry.id AND r.account_id = ?)
            AND id NOT IN (\(isListed(column)))
            """
        }
        try run(
            """
            UPDATE entry SET is_read = 0, read_at = NULL
            WHERE is_read = 1 AND id IN (\(isListed("is_unread"))) AND \(isFree(.read))
            """, [account])
        try run(
            """
            UPDATE entry SET is_read = 1, read_at = ?
            WHERE is_read = 0 AND \(isOfAccount("is_unread")) AND \(isFree(.read))
            """, [now, account, account])
        for (column, mark) in [("is_starred", RemoteMark.starred), ("is_later", .later)] {
            if mark == .later, !hasLater { continue }
            try run(
                """
                UPDATE entry SET \(column) = 1
                WHERE \(column) = 0 AND id IN (\(isListed(column))) AND \(isFree(mark))
                """, [account])
            try run(
                """
                UPDATE entry SET \(column) = 0
                WHERE \(column) = 1 AND \(isOfAccount(column)) AND \(isFree(mark))
                """, [account, account])
        }
        return count
    }

    /// Records which entries in the lists were never fetched.
    ///
    /// - Returns: The number of such entries.
    func noteMissing(_ account: AccountID) throws -> Int {
        try db.execute(
            sql: """
                UPDATE remote_list SET is_wanted = 1 WHERE account_id = ?1 AND NOT EXISTS (
                    SELECT 1 FROM remote_entry r WHERE r.account_id = ?1 AND r.remote_id = remote_list.remote_id)
                """, arguments: [account])
        return db.changesCount
    }

    func missing(_ account: AccountID, maximum: Int) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT remote_id FROM remote_list WHERE account_id = ? AND is_wanted = 1
                ORDER BY length(remote_id) DESC, remote_id DESC LIMIT ?
                """, arguments: [account, maximum])
    }
}
