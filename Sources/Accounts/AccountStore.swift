import Feeds
import GRDB
import LibraryKernel

/// Reads accounts and the state of their feeds and marks.
package struct AccountStore: Sendable {
    let store: Store

    /// Returns all accounts in order.
    package func all(now: Instant) throws(LibraryError) -> [Account] {
        try store.read { db in
            try Row.fetchAll(db, sql: Account.columns + " ORDER BY position, id").map { try Account($0, now: now) }
        }
    }

    func account(_ id: AccountID, now: Instant) throws(LibraryError) -> Account? {
        try store.read { db in
            try Row.fetchOne(db, sql: Account.columns + " WHERE a.id = ?", arguments: [id]).map {
                try Account($0, now: now)
            }
        }
    }

    /// Whether any account exists.
    package func hasAny() throws(LibraryError) -> Bool {
        try store.read { db in try Int.fetchOne(db, sql: "SELECT 1 FROM account LIMIT 1") != nil }
    }

    /// Returns an account of entries whose server stores no tags, or `nil` if there is none.
    package func withoutTags(of entries: [EntryID], now: Instant) throws(LibraryError) -> Account? {
        let list = "[" + entries.prefix(1000).map { String($0.rawValue) }.joined(separator: ",") + "]"
        return try store.read { db in
            try Row.fetchOne(
                db,
                sql: Account.columns + """
                     WHERE a.kind NOT IN (\(ServerKind.labelled)) AND a.id IN (
                        SELECT account_id FROM remote_entry WHERE entry_id IN (SELECT value FROM json_each(?))) LIMIT 1
                    """, arguments: [list]
            ).map { try Account($0, now: now) }
        }
    }
}
