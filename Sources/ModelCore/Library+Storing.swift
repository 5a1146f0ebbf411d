import FeedParsing
import GRDB

/// What storing a feed has changed.
package struct StoredChanges: Hashable, Sendable {
    /// Entries that were not there before.
    package var added = 0
    /// Entries whose title or content is another now; they stay read or unread.
    package var updated = 0
}

/// The validators and the home of a document that was fetched.
package struct FetchRecord: Hashable, Sendable {
    package var etag: String?
    package var lastModified: String?
    /// When, in seconds since 1970.
    package var date: Int64

    package init(etag: String? = nil, lastModified: String? = nil, date: Int64) {
        self.etag = etag
        self.lastModified = lastModified
        self.date = date
    }
}

extension Library {
    /// Stores what was read of a feed, in one transaction.
    package func store(_ feed: ParsedFeed, in subscription: Int64, record: FetchRecord) async throws(LibraryError)
        -> StoredChanges
    {
        try await write { db in
            let changes = try Library.storeEntries(feed, in: subscription, now: record.date, db)
            try db.execute(
                sql: """
                    UPDATE subscription SET title = coalesce(?, title), home_page = coalesce(?, home_page), etag = ?,
                        last_modified = ?, last_fetched = ?, last_success = ?, error = NULL, failures = 0 WHERE id = ?
                    """,
                arguments: [
                    feed.title.map(limitedTitle), feed.homePage, record.etag, record.lastModified, record.date,
                    record.date, subscription,
                ])
            return changes
        }
    }

    /// Notes that a feed has not changed since it was read.
    package func noteUnchanged(_ subscription: Int64, date: Int64) async throws(LibraryError) {
        try await write { db in
            try db.execute(
                sql:
                    "UPDATE subscription SET last_fetched = ?, last_success = ?, error = NULL, failures = 0 WHERE id = ?",
                arguments: [date, date, subscription])
        }
    }

    /// Notes why a feed could not be read; its entries stay.
    package func noteFailure(_ reason: String, in subscription: Int64, date: Int64) async throws(LibraryError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE subscription SET last_fetched = ?, error = ?, failures = failures + 1 WHERE id = ?",
                arguments: [date, reason, subscription])
        }
    }

    private static func storeEntries(_ feed: ParsedFeed, in subscription: Int64, now: Int64, _ db: Database) throws
        -> StoredChanges
    {
        var changes = StoredChanges()
        let find = try db.cachedStatement(
            sql: "SELECT id, fingerprint FROM entry WHERE subscription_id = ? AND guid = ?")
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, fingerprint)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        let insertContent = try db.cachedStatement(
            sql: """
                INSERT INTO entry_content (entry_id, link, author, html, text, published, published_text, updated,
                    updated_text, first_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let update = try db.cachedStatement(
            sql: "UPDATE entry SET title = ?, sort_date = ?, has_date = ?, fingerprint = ? WHERE id = ?")
        let updateContent = try db.cachedStatement(
            sql: """
                UPDATE entry_content SET link = ?, author = ?, html = ?, text = ?, published = ?, published_text = ?,
                    updated = ?, updated_text = ? WHERE entry_id = ?
                """)
        var seen: Set<String> = []
        // The newest comes first in a feed: stored from the end, so that entries without dates keep the feed's order.
        for entry in feed.entries.reversed() where !entry.isStump {
            let stored = StoredEntry(entry, of: feed, now: now)
            guard seen.insert(stored.guid).inserted else { continue }
            let content: [(any DatabaseValueConvertible)?] = [
                entry.link ?? entry.externalLink, stored.author, stored.html, stored.text, entry.published?.instant,
                entry.published?.text, entry.updated?.instant, entry.updated?.text,
            ]
            if let known = try Row.fetchOne(find, arguments: [subscription, stored.guid]) {
                let id: Int64 = known[0]
                guard known[1] != stored.fingerprint else { continue }
                changes.updated += 1
                if stored.hasDate {
                    try update.execute(
                        arguments: [stored.title, stored.sortDate, stored.hasDate, stored.fingerprint, id])
                } else {
                    try db.execute(
                        sql: "UPDATE entry SET title = ?, fingerprint = ? WHERE id = ?",
                        arguments: [stored.title, stored.fingerprint, id])
                }
                try updateContent.execute(arguments: StatementArguments(content) + [id])
            } else {
                changes.added += 1
                try insert.execute(arguments: [
                    subscription, stored.guid, stored.title, stored.sortDate, stored.hasDate, stored.fingerprint,
                ])
                let id = db.lastInsertedRowID
                try insertContent.execute(arguments: [id] + StatementArguments(content) + [now])
            }
        }
        return changes
    }
}

private func limitedTitle(_ title: String) -> String { StoredEntry.limited(title, to: 4 << 10) }

extension Library {
    /// What an earlier answer gave to ask whether a document has changed.
    func validators(of subscription: Int64) throws(LibraryError) -> (etag: String?, lastModified: String?) {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT etag, last_modified FROM subscription WHERE id = ?", arguments: [subscription])
            return (row?[0], row?[1])
        }
    }
}
