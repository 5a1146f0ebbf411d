import GRDB

/// How a feed is doing.
package struct SubscriptionHealth: Hashable, Sendable {
    package var url: String
    /// The address before a permanent redirect.
    package var formerURL: String?
    package var lastFetched: Int64?
    package var lastSuccess: Int64?
    /// The date of its newest entry.
    package var lastEntry: Int64?
    /// The usual seconds between entries: the middle of the last twenty pauses.
    package var rhythm: Int64?
    /// Why it could not be read, in full.
    package var error: String?
    package var failures: Int
    /// From when on it is asked for again.
    package var nextFetch: Int64?
    /// Whether the server has said that it is gone for good (410).
    package var isGone: Bool
    package var tags: [String]

    /// Whether it has been silent for much longer than it usually is, and at least a month.
    package func isQuiet(now: Int64) -> Bool {
        guard let lastEntry else { return false }
        return now - lastEntry > max(30 * 86_400, (rhythm ?? 30 * 86_400) * 5)
    }
}

extension Library {
    /// How a feed is doing; `nil` when there is no such subscription.
    package func health(of subscription: Int64) throws(LibraryError) -> SubscriptionHealth? {
        try read { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT url, former_url, last_fetched, last_success, error, failures,
                            max(coalesce(next_fetch, 0), coalesce(not_before, 0)), is_gone
                        FROM subscription WHERE id = ?
                        """, arguments: [subscription])
            else { return nil }
            let dates = try Int64.fetchAll(
                db,
                sql: """
                    SELECT sort_date FROM entry WHERE subscription_id = ? AND has_date ORDER BY sort_date DESC, id DESC
                    LIMIT 21
                    """, arguments: [subscription])
            let pauses = zip(dates, dates.dropFirst()).map { $0 - $1 }.sorted()
            let tags = try String.fetchAll(
                db, sql: "SELECT tag FROM subscription_tag WHERE subscription_id = ? ORDER BY tag",
                arguments: [subscription])
            let next: Int64 = row[6]
            return SubscriptionHealth(
                url: row[0], formerURL: row[1], lastFetched: row[2], lastSuccess: row[3], lastEntry: dates.first,
                rhythm: pauses.isEmpty ? nil : pauses[pauses.count / 2], error: row[4], failures: row[5],
                nextFetch: next == 0 ? nil : next, isGone: row[7], tags: tags)
        }
    }

    /// The subscriptions that have been silent for longer than is usual for them.
    package func quietSubscriptions(now: Int64) throws(LibraryError) -> Set<Int64> {
        let candidates = try read { db in
            try Int64.fetchAll(
                db, sql: "SELECT id FROM subscription WHERE error IS NULL AND last_entry < ?",
                arguments: [now - 30 * 86_400])
        }
        var quiet: Set<Int64> = []
        for id in candidates where try health(of: id)?.isQuiet(now: now) == true { quiet.insert(id) }
        return quiet
    }
}
