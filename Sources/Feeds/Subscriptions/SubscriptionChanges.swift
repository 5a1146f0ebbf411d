import Fetching
import GRDB
import LibraryKernel
import WebAddresses

struct Subscribe: LibraryChange {
    static let kind = "feeds.subscribe"
    var feeds: [NewSubscription]
    var now: Instant

    var summary: String { feeds.count.summary("a subscription", "subscriptions") }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let result = try store(transaction.db)
        let new = result.filter(\.isNew).map(\.id)
        let name = new.count == 1 ? feeds[result.firstIndex { $0.isNew } ?? 0].customTitle ?? "the new feed" : ""
        let words = new.count == 1 ? "following \(name)" : "following \(new.count) new feeds"
        var outcome = Outcome(count: new.count, undo: words, Change(RemoveNewFeeds(feeds: new)))
        outcome.answer = result
        return outcome
    }

    /// - Returns: The subscriptions in the order of the feeds, and whether each is new.
    private func store(_ db: Database) throws -> [(id: FeedID, isNew: Bool)] {
        let feedWriter = FeedWriter(db: db)
        let outbox = OutboxWriter(db: db)
        var result: [(id: FeedID, isNew: Bool)] = []
        let account = feeds.first?.account
        var known = try knownAddresses(in: account, db)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO subscription (url, title, custom_title, folder, home_page, headers, added, position, account_id,
                    runs_program) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let addTag = try db.cachedStatement(sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)")
        var position = try Int64.fetchOne(db, sql: "SELECT max(position) FROM subscription") ?? 0
        for feed in feeds where feed.account == account {
            // The gate has already removed user names and passwords. This removes them from addresses that bypass the
            // gate.
            let url = FeedAddress.normal(UserInfo.split(feed.url).address)
            let identity = WebAddress.identity(of: url)
            let isTyped = feed.options?.isFromOutside != true
            if let present = known[identity] {
                if isTyped { try feedWriter.note(isFromOutside: false, of: present) }
                // The same address with and without a password is a single feed, which is requested with the password.
                if !feed.headers.isEmpty, result.contains(where: { $0.id == present && $0.isNew }) {
                    try db.execute(
                        sql: "UPDATE subscription SET headers = ? WHERE id = ? AND headers IS NULL",
                        arguments: [feed.headers.joined(separator: "\n"), present])
                }
                // The user allows a program that was switched off.
                if feed.runsProgram == true, account == nil {
                    try db.execute(
                        sql: """
                            UPDATE subscription SET runs_program = 1, last_fetched = NULL, next_fetch = NULL
                            WHERE id = ? AND runs_program = 0
                            """, arguments: [present])
                }
                result.append((present, false))
                continue
            }
            // Only the user can allow an address to run a program, even if something else provides such an address.
            let runsProgram = feed.runsProgram == true && account == nil
            guard runsProgram || !ProgramFeed.isOne(url) else { continue }
            position += 1
            let headers = feed.headers.isEmpty ? nil : feed.headers.joined(separator: "\n")
            try insert.execute(arguments: [
                url, feed.title, feed.customTitle, feed.folder, feed.homePage, headers, now, position,
                account, runsProgram,
            ])
            let new = FeedID(rawValue: db.lastInsertedRowID)
            if let options = feed.options { _ = try feedWriter.restoreOptions(before: options.stored, of: new) }
            try outbox.queue(.subscribe, of: new, value: url)
            if let folder = feed.folder { try outbox.queue(.move, of: new, value: folder) }
            known[identity] = new
            for tag in feed.tags where !tag.isEmpty { try addTag.execute(arguments: [new, tag]) }
            result.append((new, true))
        }
        return result
    }

    /// Returns the subscriptions by address in any spelling, including previous addresses. A feed of an account isn't
    /// followed a second time beside it.
    private func knownAddresses(in account: AccountID?, _ db: Database) throws -> [String: FeedID] {
        var known: [String: FeedID] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, url, former_url FROM subscription WHERE account_id IS ? OR ? IS NULL
                ORDER BY account_id IS NULL, id DESC
                """, arguments: [account, account])
        var previous: [(String, FeedID)] = []
        while let row = try rows.next() {
            known[WebAddress.identity(of: try row.at(1))] = try row.at(0)
            if let address: String = try row.at(2) {
                previous.append((WebAddress.identity(of: address), try row.at(0)))
            }
        }
        for (address, id) in previous where known[address] == nil { known[address] = id }
        return known
    }
}

extension Receipt {
    /// The subscriptions of a ``Change/subscribe(_:now:)`` in the same order, and whether each is new.
    package var subscriptions: [(id: FeedID, isNew: Bool)] { answer as? [(id: FeedID, isNew: Bool)] ?? [] }
}

/// Stops following feeds that were just added.
struct RemoveNewFeeds: LibraryChange {
    static let kind = "feeds.removeNew"
    var feeds: [FeedID]

    var summary: String { feeds.count.summary("an unsubscription", "unsubscriptions") }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        var done = 0
        for id in feeds {
            let url = try String.fetchOne(db, sql: "SELECT url FROM subscription WHERE id = ?", arguments: [id])
            try OutboxWriter(db: db).queue(.unsubscribe, of: id, value: url)
            try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [id])
            done += db.changesCount
        }
        return Outcome(count: done, of: feeds.count)
    }
}

struct Unsubscribe: FeedChange, EntryChange {
    static let kind = "feeds.unsubscribe"
    var feed: FeedID
    var notifiesServer: Bool

    var summary: String { "an unsubscription" }

    func concerns(_ row: EntryRow) -> Bool { row.subscriptionID == feed }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT coalesce(custom_title, title, url), total_count FROM subscription WHERE id = ?",
                arguments: [feed])
        else { return Outcome() }
        if notifiesServer { try OutboxWriter(db: db).queue(.unsubscribe, of: feed, value: row.at(0)) }
        let trash = try transaction.trash()
        try trash.add(feed, of: "subscription")
        try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [feed])
        let name: String = try row.at(0)
        let total: Int = try row.at(1)
        let words = "unfollowing \(name)" + (total == 0 ? "" : " with \(total.countedEntries)")
        return Outcome(count: 1, undo: words, Change(RestoreTrash(step: trash.step)))
    }
}

extension Change {
    /// Follows feeds. Feeds that are already followed don't change.
    package static func subscribe(_ feeds: [NewSubscription], now: Instant) -> Change {
        Change(Subscribe(feeds: feeds, now: now))
    }

    /// Stops following a feed and deletes its entries.
    ///
    /// - Parameter notifiesServer: Whether the server of the feed, if any, has to be notified.
    package static func unsubscribe(_ feed: FeedID, notifiesServer: Bool = true) -> Change {
        Change(Unsubscribe(feed: feed, notifiesServer: notifiesServer))
    }
}
