import Feeds
import GRDB
import LibraryKernel
import WebAddresses

/// Adds an account on a server, or replaces the account with the same name. Its feeds remain.
struct AddAccount: LibraryChange {
    static let kind = "accounts.add"
    var account: NewAccount

    var summary: String { "an account" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        try db.execute(
            sql: """
                INSERT INTO account (name, kind, address, user, secret, position)
                VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM account))
                ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, address = excluded.address,
                    user = excluded.user, secret = excluded.secret, error = NULL, failures = 0, next_try = NULL
                """, arguments: [account.name, account.kind, account.address, account.user, account.secret])
        return Outcome(count: db.changesCount)
    }
}

/// Removes an account. Its feeds are deleted, or become local feeds with their entries and marks.
///
/// Deleted feeds return only with a new account.
struct RemoveAccount: LibraryChange {
    static let kind = "accounts.remove"
    var account: AccountID
    var keepsFeeds: Bool

    var summary: String { "an account" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let feeds = try FeedID.fetchAll(
            db, sql: "SELECT id FROM subscription WHERE account_id = ?", arguments: [account])
        for feed in feeds {
            if keepsFeeds {
                try LocalFeeds(db: db).convert(feed)
            } else {
                try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [feed])
            }
        }
        // Feeds that were unfollowed in the account can no longer be restored to it.
        try db.execute(
            sql: "UPDATE trash_subscription SET account_id = NULL, remote_id = NULL WHERE account_id = ?",
            arguments: [account])
        try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [account])
        return Outcome(count: db.changesCount > 0 ? max(1, feeds.count) : 0)
    }
}

/// Moves local feeds to an account. The server fetches them from now on, and receives their marks once it reports
/// their entries.
struct MoveToAccount: LibraryChange {
    static let kind = "accounts.moveFeeds"
    var feeds: [FeedID]
    var account: AccountID

    var summary: String { feeds.count.summary("a move to an account", "moves to an account") }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        var count = 0
        for feed in feeds {
            try db.execute(
                sql: """
                    UPDATE OR IGNORE subscription SET account_id = ?, remote_id = NULL, error = NULL, etag = NULL,
                        last_modified = NULL, problems = NULL
                    WHERE id = ? AND account_id IS NULL AND url LIKE 'http%'
                    """, arguments: [account, feed])
            guard db.changesCount > 0 else { continue }
            count += 1
            let url = try String.fetchOne(db, sql: "SELECT url FROM subscription WHERE id = ?", arguments: [feed])
            try OutboxWriter(db: db).queue(.subscribe, of: feed, value: url)
        }
        return Outcome(count: count)
    }
}

/// Turns feeds of an account into local feeds with their entries and marks. The server unfollows them.
struct ConvertToLocal: LibraryChange {
    static let kind = "accounts.convertFeeds"
    var feeds: [FeedID]

    var summary: String { feeds.count.summary("a conversion to a local feed", "conversions to local feeds") }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        var count = 0
        for feed in feeds {
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT url FROM subscription WHERE id = ? AND account_id IS NOT NULL", arguments: [feed])
            else { continue }
            try OutboxWriter(db: db).queue(.unsubscribe, of: feed, value: row.at(0))
            for table in ["remote_entry", "pending_mark"] {
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE entry_id IN (SELECT id FROM entry WHERE subscription_id = ?)
                        """, arguments: [feed])
            }
            try LocalFeeds(db: db).convert(feed)
            count += 1
        }
        return Outcome(count: count)
    }
}

private struct LocalFeeds {
    let db: Database

    /// Turns a feed into a local feed. If the feed already exists locally, it receives the entries with their marks.
    func convert(_ feed: FeedID) throws {
        let url = try String.fetchOne(db, sql: "SELECT url FROM subscription WHERE id = ?", arguments: [feed])
        guard let present = try url.flatMap({ try FeedWriter(db: db).feed(at: $0) }) else {
            try db.execute(
                sql: "UPDATE subscription SET account_id = NULL, remote_id = NULL WHERE id = ?", arguments: [feed])
            // The server supplied the address, so it must not refer to files on this computer.
            if url.map(WebAddress.isWeb) != true {
                try FeedWriter(db: db).note(isFromOutside: true, of: feed)
            }
            return
        }
        try FeedWriter(db: db).merge(feed, into: present)
    }
}

extension Change {
    /// Adds an account on a server, or replaces the account with the same name. Its feeds remain.
    static func addAccount(_ account: NewAccount) -> Change { Change(AddAccount(account: account)) }

    /// Moves local feeds to an account, with their marks.
    package static func moveToAccount(_ feeds: [FeedID], _ account: AccountID) -> Change {
        Change(MoveToAccount(feeds: feeds, account: account))
    }

    /// Converts feeds of an account to local feeds, with their marks.
    package static func convertToLocal(_ feeds: [FeedID]) -> Change { Change(ConvertToLocal(feeds: feeds)) }
}
