import GRDB
import LibraryKernel
import WebAddresses

/// Writes the rows of feeds, and queues the changes for their servers.
package struct FeedWriter {
    let db: Database

    package init(db: Database) { self.db = db }

    private var outbox: OutboxWriter { OutboxWriter(db: db) }

    func name(of subscription: FeedID) throws -> String {
        try String.fetchOne(
            db, sql: "SELECT coalesce(custom_title, title, url) FROM subscription WHERE id = ?",
            arguments: [subscription]) ?? ""
    }

    func isOnServer(_ subscription: FeedID) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM subscription WHERE id = ? AND account_id IS NOT NULL", arguments: [subscription])
            != nil
    }

    /// Sets a column of a subscription.
    ///
    /// - Returns: The previous value, or `nil` if the value didn't change or there is no such subscription.
    func set(_ column: String, _ value: String?, of subscription: FeedID) throws -> String?? {
        let row = try Row.fetchOne(
            db, sql: "SELECT \(column) FROM subscription WHERE id = ? AND \(column) IS NOT ?",
            arguments: [subscription, value])
        guard let row else { return nil }
        try db.execute(sql: "UPDATE subscription SET \(column) = ? WHERE id = ?", arguments: [value, subscription])
        let before: String? = try row.at(0)
        return .some(before)
    }

    // MARK: Tags

    func tags(of subscription: FeedID) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT tag FROM subscription_tag WHERE subscription_id = ? ORDER BY tag",
            arguments: [subscription])
    }

    /// Replaces the tags of a subscription. Returns false if there is no such subscription.
    func setTags(_ tags: [String], of subscription: FeedID) throws -> Bool {
        guard try subscription.exists(db) else { return false }
        try db.execute(sql: "DELETE FROM subscription_tag WHERE subscription_id = ?", arguments: [subscription])
        for tag in tags where !tag.isEmpty {
            try db.execute(sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)", arguments: [subscription, tag])
        }
        // SQLite doesn't report changes to the tag table, because it is `WITHOUT ROWID`. Updating the feed's row
        // reports them.
        try db.execute(sql: "UPDATE subscription SET position = position WHERE id = ?", arguments: [subscription])
        return true
    }

    // MARK: Options

    /// Restores options from their stored form.
    ///
    /// Whether the address came from outside, and where the feed moves, are facts and not options, so they don't change
    /// back.
    func restoreOptions(before text: String?, of subscription: FeedID) throws -> Int {
        var options = SubscriptionOptions(stored: text)
        let present = try self.options(of: subscription)
        options.isFromOutside = options.isFromOutside || present.isFromOutside
        (options.announcedAddress, options.redirect) = (present.announcedAddress, present.redirect)
        return try write(options, of: subscription)
    }

    /// Records whether the address of a feed came from outside.
    package func note(isFromOutside: Bool, of subscription: FeedID) throws {
        try change(subscription) { $0.isFromOutside = isFromOutside }
    }

    /// Records the address that the document of a feed names as its new one.
    func note(announcedAddress address: String?, of subscription: FeedID) throws {
        try change(subscription) { $0.announcedAddress = address }
    }

    /// Records that the server redirects a feed permanently to an address that another feed has, or that it doesn't.
    ///
    /// - Returns: How many times in a row.
    func note(redirectTo address: String?, of subscription: FeedID) throws -> Int {
        var times = 0
        try change(subscription) { options in
            guard let address else { return options.redirect = nil }
            let isSame = options.redirect?.address == address
            times = isSame ? min(options.redirect?.times ?? 0, 1000) + 1 : 1
            options.redirect = SubscriptionOptions.Redirect(address: address, times: times)
        }
        return times
    }

    /// Changes options of a feed, and writes them if they differ.
    func change(_ subscription: FeedID, _ body: (inout SubscriptionOptions) -> Void) throws {
        let before = try options(of: subscription)
        var options = before
        body(&options)
        if options != before { _ = try write(options, of: subscription) }
    }

    func options(of subscription: FeedID) throws -> SubscriptionOptions {
        let find = try db.cachedStatement(sql: "SELECT options FROM subscription WHERE id = ?")
        return try SubscriptionOptions(stored: String.fetchOne(find, arguments: [subscription]))
    }

    private func write(_ options: SubscriptionOptions, of subscription: FeedID) throws -> Int {
        try db.execute(
            sql: "UPDATE subscription SET options = ?, is_uncounted = ? WHERE id = ?",
            arguments: [options.stored, options.isUncounted, subscription])
        return db.changesCount
    }

    // MARK: Addresses

    /// Changes the address of a feed and remembers the previous one.
    ///
    /// Does nothing if another subscription already has the new address in any spelling.
    func move(_ subscription: FeedID, to address: String) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT url, account_id FROM subscription WHERE id = ?", arguments: [subscription])
        guard let row, try row.at(0) != address else { return }
        let other = try feed(at: address, in: row.at(1))
        guard other == nil || other == subscription else { return }
        try db.execute(
            sql: "UPDATE OR IGNORE subscription SET former_url = url, url = ?1 WHERE id = ?2 AND url <> ?1",
            arguments: [address, subscription])
        guard db.changesCount > 0 else { return }
        let previous = try String.fetchOne(
            db, sql: "SELECT former_url FROM subscription WHERE id = ?", arguments: [subscription])
        // The user only trusted the host of the address that they entered.
        if !TypedAddress(previous ?? "").isOnSameHost(address) { try note(isFromOutside: true, of: subscription) }
    }

    /// Returns the feed with an address in any spelling.
    ///
    /// - Parameters:
    ///   - account: The account of the feed, or `nil` for a feed that tappa fetches itself.
    ///   - includingPrevious: Whether the address may be one that the feed had before a permanent redirect.
    package func feed(
        at address: String, in account: AccountID? = nil, includingPrevious: Bool = false
    ) throws -> FeedID? {
        let identity = WebAddress.identity(of: address)
        var previous: FeedID?
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, url, former_url FROM subscription WHERE account_id IS ?", arguments: [account])
        while let row = try rows.next() {
            if WebAddress.identity(of: try row.at(1)) == identity { return try row.at(0) }
            guard includingPrevious, let former: String = try row.at(2) else { continue }
            if WebAddress.identity(of: former) == identity { previous = try row.at(0) }
        }
        return previous
    }

    /// Moves the entries of a feed with their marks to another feed that contains at least the same entries, and
    /// deletes the first.
    package func merge(_ feed: FeedID, into present: FeedID) throws {
        try db.execute(
            sql: """
                UPDATE entry SET is_read = max(entry.is_read, other.is_read),
                    is_starred = max(entry.is_starred, other.is_starred),
                    is_later = max(entry.is_later, other.is_later)
                FROM entry other JOIN entry_content c ON c.entry_id = other.id
                WHERE other.subscription_id = ?1 AND entry.subscription_id = ?2 AND (entry.guid = other.guid OR
                    entry.title = other.title AND (SELECT link FROM entry_content WHERE entry_id = entry.id) = c.link)
                """, arguments: [feed, present])
        try db.execute(
            sql: """
                UPDATE OR IGNORE entry SET subscription_id = ?2 WHERE subscription_id = ?1 AND NOT EXISTS (
                    SELECT 1 FROM entry own JOIN entry_content c ON c.entry_id = own.id
                    WHERE own.subscription_id = ?2 AND own.title = entry.title
                        AND c.link = (SELECT link FROM entry_content WHERE entry_id = entry.id))
                """, arguments: [feed, present])
        try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [feed])
        try count(present)
    }

    /// Counts the entries of a feed, some of which came from another feed.
    func count(_ subscription: FeedID) throws {
        try db.execute(
            sql: """
                UPDATE subscription SET
                    total_count = (SELECT count(*) FROM entry WHERE subscription_id = subscription.id),
                    unread_count = (SELECT count(*) FROM entry
                        WHERE subscription_id = subscription.id AND is_read = 0 AND is_archived = 0)
                WHERE id = ?
                """, arguments: [subscription])
    }
}
