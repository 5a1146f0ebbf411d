import FeedServers
import GRDB

/// Creation and removal of accounts.
extension ChangeWriter {
    func addAccount(_ account: NewAccount) throws -> Receipt {
        try db.execute(
            sql: """
                INSERT INTO account (name, kind, address, user, secret, position)
                VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM account))
                ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, address = excluded.address,
                    user = excluded.user, secret = excluded.secret, error = NULL, failures = 0, next_try = NULL
                """, arguments: [account.name, account.kind, account.address, account.user, account.secret])
        return Receipt(id, count: db.changesCount)
    }

    /// Removes an account.
    ///
    /// - Parameter keepsFeeds: Whether its feeds become local feeds, with their entries and marks. Otherwise they are
    ///   deleted, and only a new account can bring them back.
    func removeAccount(_ account: Int64, keepsFeeds: Bool) throws -> Receipt {
        let feeds = try Int64.fetchAll(
            db, sql: "SELECT id FROM subscription WHERE account_id = ?", arguments: [account])
        for feed in feeds {
            if keepsFeeds {
                try takeBack(feed)
            } else {
                try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [feed])
            }
        }
        // Feeds that were unfollowed in the account can no longer be restored to it.
        try db.execute(
            sql: "UPDATE trash_subscription SET account_id = NULL, remote_id = NULL WHERE account_id = ?",
            arguments: [account])
        try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [account])
        return Receipt(id, count: db.changesCount > 0 ? max(1, feeds.count) : 0)
    }

    /// Turns a feed into a local feed. If the feed already exists locally, it receives the entries with their marks.
    private func takeBack(_ feed: Int64) throws {
        let present = try Int64.fetchOne(
            db,
            sql: """
                SELECT own.id FROM subscription own JOIN subscription s ON s.url = own.url
                WHERE s.id = ? AND own.account_id IS NULL
                """, arguments: [feed])
        guard let present else {
            try db.execute(
                sql: "UPDATE subscription SET account_id = NULL, remote_id = NULL WHERE id = ?", arguments: [feed])
            let url = try String.fetchOne(db, sql: "SELECT url FROM subscription WHERE id = ?", arguments: [feed])
            // The server supplied the address, so it must not refer to files on this computer.
            if url?.lowercased().hasPrefix("http") != true { try note(isFromOutside: true, of: feed) }
            return
        }
        try merge(feed, into: present)
    }

    /// Moves the entries of a feed with their marks to another feed that contains at least the same entries, and
    /// deletes the first.
    func merge(_ feed: Int64, into present: Int64) throws {
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
        try db.execute(
            sql: """
                UPDATE subscription SET
                    total_count = (SELECT count(*) FROM entry WHERE subscription_id = subscription.id),
                    unread_count = (SELECT count(*) FROM entry
                        WHERE subscription_id = subscription.id AND is_read = 0 AND is_folded = 0)
                WHERE id = ?
                """, arguments: [present])
    }

    /// Moves local feeds to an account. The server fetches them from now on, and receives their marks once it reports
    /// their entries.
    func handOver(_ feeds: [Int64], to account: Int64) throws -> Receipt {
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
            try queue(.subscribe, of: feed, value: url)
        }
        return Receipt(id, count: count)
    }

    /// Turns feeds of an account into local feeds with their entries and marks. The server unfollows them.
    func takeBack(_ feeds: [Int64]) throws -> Receipt {
        var count = 0
        for feed in feeds {
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT url FROM subscription WHERE id = ? AND account_id IS NOT NULL", arguments: [feed])
            else { continue }
            try queue(.unsubscribe, of: feed, value: row.at(0))
            for table in ["remote_entry", "pending_mark"] {
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE entry_id IN (SELECT id FROM entry WHERE subscription_id = ?)
                        """, arguments: [feed])
            }
            try takeBack(feed)
            count += 1
        }
        return Receipt(id, count: count)
    }
}
