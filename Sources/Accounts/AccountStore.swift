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

    /// Returns an account by its identifier.
    package func account(_ id: AccountID, now: Instant) throws(LibraryError) -> Account? {
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
}
