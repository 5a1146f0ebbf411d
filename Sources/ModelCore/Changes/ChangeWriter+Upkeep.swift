import FeedParsing
import GRDB

/// What the engine stores by itself.
extension ChangeWriter {
    func apply(_ upkeep: Upkeep) throws -> Receipt {
        var receipt = Receipt(id)
        switch upkeep {
        case .storeFeed(let feed, let subscription): return try store(feed, in: subscription)
        case .noteUnchanged(let subscription, let nextFetch, let date):
            try noteUnchanged(subscription, nextFetch: nextFetch, date: date)
        case .noteFailure(let subscription, let reason, let notBefore, let isGone, let date):
            try noteFailure(subscription, reason, notBefore: notBefore, isGone: isGone, date: date)
        case .storeFullText(let fullText, let entry): try store(fullText, of: entry)
        case .noteDownload(let download): receipt.count = try note(download)
        case .sync(let step, let account): return try apply(step, account)
        case .indexSome: receipt.count = try indexSome()
        case .retain(let retention, let now): receipt.count = try retain(retention, now: now)
        case .emptyTrash(let age): receipt.count = try emptyTrash(age: age)
        case .markPrepared:
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES ('library.prepared', 'yes')")
        }
        return receipt
    }

    /// Forgets steps that are older than so many seconds; those from a time that has not come yet were written by a wrong clock.
    private func emptyTrash(age: Int64) throws -> Int {
        let old = try Int64.fetchAll(
            db, sql: "SELECT id FROM undo_step WHERE created <= unixepoch() - ? OR created > unixepoch() + 86400",
            arguments: [age])
        for step in old { try ChangeWriter.forget(step: step, db) }
        try db.execute(sql: "DELETE FROM taken_journal WHERE taken <= unixepoch() - ?", arguments: [age])
        return old.count
    }

    // MARK: Retention

    /// Deletes what is older, or more, than is to be kept; it does not come back while the feed still has it.
    ///
    /// - Returns: How many entries were deleted.
    private func retain(_ retention: Retention, now: Int64) throws -> Int {
        var doomed: [Int64] = []
        if retention.days > 0 {
            doomed += try Int64.fetchAll(
                db, sql: "SELECT id FROM entry WHERE sort_date < ? AND is_starred = 0 AND is_later = 0",
                arguments: [now - Int64(retention.days) * 86_400])
        }
        if retention.entries > 0 {
            let large = try Int64.fetchAll(
                db, sql: "SELECT id FROM subscription WHERE total_count > ?", arguments: [retention.entries])
            for subscription in large {
                doomed += try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT id FROM (SELECT id, is_starred, is_later FROM entry WHERE subscription_id = ?
                            ORDER BY sort_date DESC, id DESC LIMIT -1 OFFSET ?)
                        WHERE is_starred = 0 AND is_later = 0
                        """, arguments: [subscription, retention.entries])
            }
        }
        // One that is too old and too many is there once.
        return try doomed.reduce(0) { try $0 + ChangeWriter.deleteForGood($1, now: now, db) }
    }

    // MARK: The index

    /// How an entry's text gets into the index: as plain text, and no more of it than this many bytes.
    private static let indexedBytes = 64 << 10

    private func indexSome() throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT u.entry_id, e.title, c.author, coalesce(nullif(c.full_html, ''), c.html), c.text FROM unindexed u
                LEFT JOIN entry e ON e.id = u.entry_id LEFT JOIN entry_content c ON c.entry_id = u.entry_id
                ORDER BY u.entry_id DESC LIMIT 300
                """)
        guard !rows.isEmpty else { return 0 }
        let remove = try db.cachedStatement(sql: "DELETE FROM entry_search WHERE rowid = ?")
        let insert = try db.cachedStatement(
            sql: "INSERT INTO entry_search (rowid, title, author, body) VALUES (?, ?, ?, ?)")
        let done = try db.cachedStatement(sql: "DELETE FROM unindexed WHERE entry_id = ?")
        let limit = ChangeWriter.indexedBytes
        for row in rows {
            let entry: Int64 = try row.at(0)
            try remove.execute(arguments: [entry])
            if let title: String = try row.at(1) {
                let (author, html, text): (String?, String?, String?) = (try row.at(2), try row.at(3), try row.at(4))
                let body = html.map { Markup.plainText(StoredEntry.limited($0, to: limit * 4)) } ?? text ?? ""
                try insert.execute(arguments: [entry, title, author, StoredEntry.limited(body, to: limit)])
            }
            try done.execute(arguments: [entry])
        }
        return rows.count
    }
}
