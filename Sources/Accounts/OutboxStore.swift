import Feeds
import GRDB
import LibraryKernel

/// Reads the changes that are waiting to be sent to servers.
package struct OutboxStore: Sendable {
    let store: Store
    let spoilers: SpoilerReader

    /// Returns the changes in the outbox, oldest first, some thousand at most.
    package func items() throws(LibraryError) -> [OutboxItem] {
        try store.read { db in
            let operations = try Row.fetchAll(
                db,
                sql: """
                    SELECT o.seq, a.name, o.operation, coalesce(s.custom_title, s.title, s.url, o.value, ''), o.value,
                        o.created, o.error, a.error FROM pending_operation o
                    JOIN account a ON a.id = o.account_id LEFT JOIN subscription s ON s.id = o.subscription_id
                    ORDER BY o.seq LIMIT 1000
                    """
            ).map { row in
                let (operation, feed, value): (String, String, String?) = try (row.at(2), row.at(3), row.at(4))
                let own: String? = try row.at(6)
                return try OutboxItem(
                    id: .operation(row.at(0)), account: row.at(1),
                    title: PendingOperation.words(operation, feed, value), created: row.at(5),
                    reason: own ?? row.at(7), isRefused: own != nil)
            }
            let filter = try spoilers.read(db)
            let marks = try Row.fetchAll(
                db,
                sql: """
                    SELECT p.seq, a.name, p.mark, p.value, coalesce(e.title, 'a deleted entry'), p.created,
                        p.is_refused, a.error, coalesce(e.sort_date, 0), coalesce(e.id, 0), p.sent FROM pending_mark p
                    JOIN account a ON a.id = p.account_id LEFT JOIN entry e ON e.id = p.entry_id
                    WHERE p.sent IS NULL OR p.is_refused ORDER BY p.seq LIMIT 4000
                    """
            ).map { row in
                let (mark, value): (String, Bool) = try (row.at(2), row.at(3))
                let title = try filter?.replacement(forTitle: row.at(4), of: row.at(9), at: row.at(8)) ?? row.at(4)
                let isRefused: Bool = try row.at(6)
                let verb =
                    switch RemoteMark(name: mark) {
                    case .starred: value ? "Star" : "Remove star"
                    case .later: value ? "Read later" : "Remove from read later"
                    case .label(let label): value ? "Tag \(label)" : "Remove tag \(label)"
                    case .read, nil: value ? "Read" : "Unread"
                    }
                let wasSent = try (row.at(10) as Instant?) != nil
                let own =
                    isRefused
                    ? wasSent ? "the server accepted it twice but did not keep it" : "the server rejected it" : nil
                return try OutboxItem(
                    id: .mark(row.at(0)), account: row.at(1), title: "\(verb): \(title)",
                    created: row.at(5), reason: own ?? row.at(7), isRefused: isRefused)
            }
            return operations + marks
        }
    }

    /// Returns the number of pending changes of all accounts.
    package func count() throws(LibraryError) -> Int {
        try store.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM pending_mark WHERE sent IS NULL OR is_refused)
                        + (SELECT count(*) FROM pending_operation)
                    """) ?? 0
        }
    }
}
