import GRDB

extension Library {
    private static let subscriptionColumns = """
        SELECT id, url, coalesce(custom_title, title, url) AS name, folder, unread_count, total_count, error,
            last_fetched, home_page
        FROM subscription
        """

    private static func row(_ row: Row) -> SubscriptionRow {
        SubscriptionRow(
            id: row[0], url: row[1], title: row[2], folder: row[3], unread: row[4], total: row[5], error: row[6],
            lastFetched: row[7], homePage: row[8])
    }

    /// All subscriptions in the user's order.
    package func subscriptions() throws(LibraryError) -> [SubscriptionRow] {
        try read { db in
            try Row.fetchAll(db, sql: Library.subscriptionColumns + " ORDER BY position, id").map(Library.row)
        }
    }

    /// One subscription.
    package func subscription(_ id: Int64) throws(LibraryError) -> SubscriptionRow? {
        try read { db in
            try Row.fetchOne(db, sql: Library.subscriptionColumns + " WHERE id = ?", arguments: [id]).map(Library.row)
        }
    }

    /// The number of unread entries of all subscriptions.
    package func unreadCount() throws(LibraryError) -> Int {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT sum(unread_count) FROM subscription") ?? 0
        }
    }

    /// Follows a feed; one that is followed already stays as it is.
    ///
    /// - Returns: The subscription's id and whether it is new.
    package func addSubscription(url: String, title: String? = nil, folder: String? = nil) throws(LibraryError)
        -> (id: Int64, isNew: Bool)
    {
        try writeNow { db in
            if let id = try Int64.fetchOne(db, sql: "SELECT id FROM subscription WHERE url = ?", arguments: [url]) {
                return (id, false)
            }
            try db.execute(
                sql: """
                    INSERT INTO subscription (url, title, folder, position)
                    VALUES (?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM subscription))
                    """, arguments: [url, title, folder])
            return (db.lastInsertedRowID, true)
        }
    }

    /// Stops following a feed and deletes its entries.
    ///
    /// - Returns: Whether there was such a subscription.
    package func removeSubscription(url: String) throws(LibraryError) -> Bool {
        try writeNow { db in
            try db.execute(sql: "DELETE FROM subscription WHERE url = ?", arguments: [url])
            return db.changesCount > 0
        }
    }

    /// Whether nothing was ever stored here: then it is a first start.
    package func isFresh() throws(LibraryError) -> Bool {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name = 'library.prepared'") == 0
        }
    }

    /// Notes that the first start's subscriptions were made, so that removed ones do not come back.
    package func markPrepared() throws(LibraryError) {
        try writeNow { db in
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES ('library.prepared', 'yes')")
        }
    }
}
