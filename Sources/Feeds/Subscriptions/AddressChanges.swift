import GRDB
import LibraryKernel
import WebAddresses

/// Moves a feed to another address, or merges it with the feed that has the address already.
package struct MoveFeedAddress: FeedChange {
    package static let kind = "feeds.moveAddress"
    var feed: FeedID
    var address: String
    /// The header lines of an address that the user entered, or `nil` if somebody else named it.
    var typed: [String]?

    package init(_ feed: FeedID, to address: String, typed: [String]? = nil) {
        self.feed = feed
        self.address = address
        self.typed = typed
    }

    package var summary: String { "a new address" }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let feeds = FeedWriter(db: db)
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT url, former_url, options, headers, account_id, etag, last_modified FROM subscription WHERE id = ?
                """, arguments: [feed])
        guard let row else { return Outcome() }
        let (url, options): (String, SubscriptionOptions) = (try row.at(0), SubscriptionOptions(stored: try row.at(2)))
        let address = FeedAddress.normal(UserInfo.split(address).address)
        guard address != url else { return Outcome() }
        if let present = try feeds.feed(at: address, in: row.at(4)), present != feed {
            return try MergeFeeds(feed: feed, present: present).apply(in: transaction)
        }
        let before = try StoredFeedAddress(
            url: url, formerURL: row.at(1), isFromOutside: options.isFromOutside,
            announcedAddress: options.announcedAddress, headers: row.at(3), etag: row.at(5),
            lastModified: row.at(6))
        var next = before
        (next.url, next.formerURL, next.announcedAddress) = (address, url, nil)
        // The validators are those of the other address.
        (next.etag, next.lastModified) = (nil, nil)
        // The user only trusted the host of the address that they entered, and another server gets no secrets.
        if !TypedAddress(url).isOnSameHost(address) { next.isFromOutside = true }
        if Origin(url)?.trusts(address) != true { next.headers = nil }
        if let typed {
            next.isFromOutside = false
            if !typed.isEmpty { next.headers = typed.joined(separator: "\n") }
        }
        let name = try feeds.name(of: feed)
        guard try next.store(in: feed, db) else { return Outcome() }
        return Outcome(
            count: 1, undo: "moving \(name) to its new address",
            Change(RestoreFeedAddress(feed: feed, address: before)))
    }
}

/// The address of a feed, and what belongs to it.
struct StoredFeedAddress: Codable, Hashable {
    var url: String
    var formerURL: String?
    var isFromOutside: Bool
    var announcedAddress: String?
    var headers: String?
    var etag: String?
    var lastModified: String?

    /// Writes the address.
    ///
    /// - Returns: Whether the feed exists and no other has the address.
    func store(in feed: FeedID, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE OR IGNORE subscription SET url = ?, former_url = ?, headers = ?, etag = ?, last_modified = ?
                WHERE id = ?
                """, arguments: [url, formerURL, headers, etag, lastModified, feed])
        guard db.changesCount > 0 else { return false }
        try FeedWriter(db: db).change(feed) { options in
            (options.isFromOutside, options.announcedAddress) = (isFromOutside, announcedAddress)
        }
        return true
    }
}

/// Restores the previous address of a feed.
struct RestoreFeedAddress: FeedChange {
    static let kind = "feeds.restoreAddress"
    var feed: FeedID
    var address: StoredFeedAddress

    var summary: String { "the previous address" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try Outcome(count: address.store(in: feed, transaction.db) ? 1 : 0, of: 1)
    }
}

/// Records that the server redirects a feed permanently to an address that another feed has, or that it no longer does.
struct NoteRedirect: MaintenanceStep {
    let feed: FeedID
    let address: String?

    /// What a redirect leads to.
    struct Answer: Sendable {
        /// The feed that has the address.
        var present: FeedID
        /// How many times in a row the server has sent the redirect.
        var times: Int
    }

    var sharesCommit: Bool { true }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let feeds = FeedWriter(db: transaction.db)
        guard let address, let present = try feeds.feed(at: address), present != feed else {
            _ = try feeds.note(redirectTo: nil, of: feed)
            return Outcome()
        }
        let times = try feeds.note(redirectTo: address, of: feed)
        return Outcome(count: 1, answer: Answer(present: present, times: times))
    }
}
