import GRDB
import LibraryKernel

/// Reads the subscriptions, their options and addresses.
package struct FeedStore: Sendable {
    let store: Store

    static let columns = """
        SELECT id, url, coalesce(custom_title, title, url) AS name, folder,
            CASE is_uncounted WHEN 0 THEN unread_count ELSE 0 END, total_count, error, last_fetched, home_page, problems,
            account_id, coalesce(options LIKE '%"isHidden":true%', 0),
            coalesce(options LIKE '%"announcedAddress":%' OR options LIKE '%"redirect":%', 0)
        FROM subscription
        """

    static func row(_ row: Row) throws -> SubscriptionRow {
        try SubscriptionRow(
            id: row.at(0), url: row.at(1), title: row.at(2), folder: row.at(3), unread: row.at(4), total: row.at(5),
            error: row.at(6), lastFetched: row.at(7), homePage: row.at(8),
            problem: (row.at(9) as String?)?.split(separator: "\n").first.map(String.init), isHidden: row.at(11),
            hasNewAddress: row.at(12), account: row.at(10))
    }

    /// Returns all subscriptions in the user's order.
    package func all() throws(LibraryError) -> [SubscriptionRow] {
        try store.read { db in
            try Row.fetchAll(db.cachedStatement(sql: FeedStore.columns + " ORDER BY position, id")).map(FeedStore.row)
        }
    }

    /// Returns a subscription by ID.
    package func feed(_ id: FeedID) throws(LibraryError) -> SubscriptionRow? {
        try store.read { db in
            let find = try db.cachedStatement(sql: FeedStore.columns + " WHERE id = ?")
            return try Row.fetchOne(find, arguments: [id]).map(FeedStore.row)
        }
    }

    /// Returns the number of unread entries in all subscriptions, except quiet ones.
    package func unreadCount() throws(LibraryError) -> Int {
        try store.read { db in
            try Int.fetchOne(db, sql: "SELECT sum(unread_count) FROM subscription WHERE is_uncounted = 0") ?? 0
        }
    }

    /// Returns the options of a feed.
    package func options(of subscription: FeedID) throws(LibraryError) -> SubscriptionOptions {
        try store.read { db in try FeedWriter(db: db).options(of: subscription) }
    }

    /// Returns the host and port of a feed. Addresses from this feed may use the host even if it is private.
    ///
    /// `nil` for a feed whose own address came from outside, such as from a page or a redirect.
    package func trustedHost(of subscription: FeedID) throws(LibraryError) -> String? {
        try store.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT url, options FROM subscription WHERE id = ?", arguments: [subscription])
            return try row.flatMap { try FeedStore.trustedHost(url: $0.at(0), options: $0.at(1)) }
        }
    }

    /// Returns the host of a feed if the user entered its address, so that it may be private.
    package static func trustedHost(url: String, options: String?) -> String? {
        SubscriptionOptions(stored: options).isFromOutside ? nil : TrustedHost.of(url)
    }

    /// Whether an enclosure may be on a private network. It may only be on the host of its own feed.
    ///
    /// - Parameter subscription: The feed of the enclosure, or `nil` if it is unknown.
    package func mayBePrivate(media url: String, of subscription: FeedID?) throws(LibraryError) -> Bool {
        guard let subscription else { return false }
        return TrustedHost.mayBePrivate(url, ownHost: try trustedHost(of: subscription))
    }

    /// Returns the subscription with an address, or `nil` if there is none.
    package func feed(url: String) throws(LibraryError) -> SubscriptionRow? {
        try store.read { db in
            try Row.fetchOne(
                db, sql: FeedStore.columns + " WHERE url = ? ORDER BY account_id IS NOT NULL LIMIT 1",
                arguments: [url]
            ).map(FeedStore.row)
        }
    }

    /// Returns all folders and tags in use, sorted by name.
    package func foldersAndTags() throws(LibraryError) -> (folders: [String], tags: [String]) {
        try store.read { db in
            (
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT folder FROM subscription WHERE folder IS NOT NULL ORDER BY folder"),
                try String.fetchAll(db, sql: "SELECT DISTINCT tag FROM subscription_tag ORDER BY tag")
            )
        }
    }
}
