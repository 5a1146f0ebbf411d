import GRDB

extension Library {
    private static let subscriptionColumns = """
        SELECT id, url, coalesce(custom_title, title, url) AS name, folder,
            CASE is_quiet WHEN 0 THEN unread_count ELSE 0 END, total_count, error, last_fetched, home_page, problems,
            account_id, coalesce(options LIKE '%"isHidden":true%', 0)
        FROM subscription
        """

    private static func row(_ row: Row) throws -> SubscriptionRow {
        try SubscriptionRow(
            id: row.at(0), url: row.at(1), title: row.at(2), folder: row.at(3), unread: row.at(4), total: row.at(5),
            error: row.at(6), lastFetched: row.at(7), homePage: row.at(8),
            problem: (row.at(9) as String?)?.split(separator: "\n").first.map(String.init), isHidden: row.at(11),
            account: row.at(10))
    }

    /// Returns all subscriptions in the user's order.
    package func subscriptions() throws(LibraryError) -> [SubscriptionRow] {
        try read { db in
            try Row.fetchAll(db, sql: Library.subscriptionColumns + " ORDER BY position, id").map(Library.row)
        }
    }

    /// Returns a subscription by ID.
    package func subscription(_ id: Int64) throws(LibraryError) -> SubscriptionRow? {
        try read { db in
            try Row.fetchOne(db, sql: Library.subscriptionColumns + " WHERE id = ?", arguments: [id]).map(Library.row)
        }
    }

    /// Returns the number of unread entries in all subscriptions, except quiet ones.
    package func unreadCount() throws(LibraryError) -> Int {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT sum(unread_count) FROM subscription WHERE is_quiet = 0") ?? 0
        }
    }

    /// Returns the number of unread archived entries.
    package func mergedUnreadCount() throws(LibraryError) -> Int {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE is_folded = 1 AND is_read = 0") ?? 0
        }
    }

    /// Returns the options of a feed.
    package func options(of subscription: Int64) throws(LibraryError) -> SubscriptionOptions {
        try read { db in
            try SubscriptionOptions(
                stored: String.fetchOne(
                    db, sql: "SELECT options FROM subscription WHERE id = ?", arguments: [subscription]))
        }
    }

    /// Returns the host and port of a feed. Addresses from this feed may use the host even if it is private.
    ///
    /// `nil` for a feed whose own address came from outside, such as from a page or a redirect.
    package func trustedHost(of subscription: Int64) throws(LibraryError) -> String? {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT url, options FROM subscription WHERE id = ?", arguments: [subscription])
            guard let row, try !SubscriptionOptions(stored: row.at(1)).isFromOutside else { return nil }
            return try PageService.host(row.at(0))
        }
    }

    /// Whether an enclosure may be on a private network. It may only be on the host of its own feed.
    ///
    /// - Parameter subscription: The feed of the enclosure, or `nil` if it is unknown.
    package func mayBePrivate(recording url: String, of subscription: Int64?) throws(LibraryError) -> Bool {
        guard let subscription else { return false }
        return PageService.mayBePrivate(url, ownHost: try trustedHost(of: subscription))
    }

    /// Returns entries of a feed whose full text was never requested, newest first, with the links to their pages.
    func entriesWithoutFullText(of subscription: Int64, most: Int) throws(LibraryError) -> [(id: Int64, link: String)] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT e.id, c.link FROM entry e JOIN entry_content c ON c.entry_id = e.id
                    WHERE e.subscription_id = ? AND c.full_html IS NULL AND c.link LIKE 'http%'
                    ORDER BY e.sort_date DESC, e.id DESC LIMIT ?
                    """, arguments: [subscription, most]
            ).map { try ($0.at(0), $0.at(1)) }
        }
    }

    /// Returns the subscription with an address, or `nil` if there is none.
    package func subscription(url: String) throws(LibraryError) -> SubscriptionRow? {
        try read { db in
            try Row.fetchOne(
                db, sql: Library.subscriptionColumns + " WHERE url = ? ORDER BY account_id IS NOT NULL LIMIT 1",
                arguments: [url]
            ).map(Library.row)
        }
    }

    /// The initial content that a new library receives once.
    package enum Beginning: String, Hashable, Sendable {
        /// The bundled races.
        case races = "library.races"
        /// The guide and the starter feeds.
        case feeds = "library.prepared"
    }

    /// Whether the library never received this initial content.
    package func isWithout(_ beginning: Beginning) throws(LibraryError) -> Bool {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name = ?", arguments: [beginning.rawValue])
                == 0
        }
    }
}
