import FeedParsing
import GRDB
import LibraryKernel

/// The fetch status and the activity of a feed.
package struct SubscriptionHealth: Hashable, Sendable {
    package var url: String
    /// The address before a permanent redirect.
    package var previousURL: String?
    package var lastFetched: Instant?
    package var lastSuccess: Instant?
    /// The date of the newest entry.
    package var lastEntry: Instant?
    /// The usual number of seconds between entries: the median of the last 20 intervals.
    package var rhythm: Int64?
    /// The full reason why the feed could not be fetched.
    package var error: String?
    package var failures: Int
    /// The problems of a feed that tappa could still parse, as sentences with line numbers if known.
    package var problems: [String]
    /// Until then the last response is valid, a pause after failures lasts, or the server asks clients to wait.
    package var nextFetch: Instant?
    /// The minimum number of minutes between automatic reloads that the user chose for the feed.
    var interval: Int?
    /// When the feed asks not to be fetched.
    var skippedTimes = SkippedTimes()
    /// Whether the server reported that the feed no longer exists (410 Gone).
    package var isGone: Bool
    package var tags: [String]
    /// The address to which the feed's document or its server asks readers to move.
    package var newAddress: String?

    /// The error, with the number of failed attempts if there are several.
    package var errorWithAttempts: String? {
        error.map { failures > 1 ? "\($0) (\(failures) times in a row)" : $0 }
    }
}

extension SubscriptionHealth {
    /// Returns the instant of the next automatic reload, or `nil` if it is due.
    ///
    /// - Parameter refresh: The number of minutes between automatic reloads.
    package func nextReload(refresh: Int, now: Instant) -> Instant? {
        let timing = FetchTiming(
            lastFetched: lastFetched, nextFetch: nextFetch, interval: interval, skippedTimes: skippedTimes)
        let due = FetchSchedule.due(timing, refresh: Int64(refresh).multipliedClamped(by: 60), now: now)
        return due > now ? due : nil
    }
}

extension FeedStore {
    /// Returns the status of a feed, or `nil` if there is no such subscription.
    package func health(of subscription: FeedID) throws(LibraryError) -> SubscriptionHealth? {
        try store.read { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT url, former_url, last_fetched, last_success, error, failures,
                            max(coalesce(next_fetch, 0), coalesce(not_before, 0)), is_gone,
                            last_entry, rhythm, problems, options, skipped_times
                        FROM subscription WHERE id = ?
                        """, arguments: [subscription])
            else { return nil }
            let next: Instant = try row.at(6)
            let options = SubscriptionOptions(stored: try row.at(11))
            return try SubscriptionHealth(
                url: row.at(0), previousURL: row.at(1), lastFetched: row.at(2), lastSuccess: row.at(3),
                lastEntry: row.at(8), rhythm: row.at(9), error: row.at(4), failures: row.at(5),
                problems: (row.at(10) as String?)?.split(separator: "\n").map(String.init) ?? [],
                nextFetch: next == 0 ? nil : next, interval: options.interval,
                skippedTimes: SkippedTimes(rawValue: row.at(12) ?? 0), isGone: row.at(7),
                tags: FeedWriter(db: db).tags(of: subscription),
                newAddress: options.announcedAddress ?? options.redirect?.address)
        }
    }

    /// Returns the subscriptions whose last entry is more than five times their usual interval old, and at least 30
    /// days.
    package func inactive(now: Instant) throws(LibraryError) -> Set<FeedID> {
        try store.read { db in
            try Set(
                FeedID.fetchAll(
                    db,
                    sql: """
                        SELECT id FROM subscription WHERE error IS NULL
                            AND last_entry < ? - max(2592000, 5 * coalesce(rhythm, 2592000))
                        """, arguments: [now]))
        }
    }
}

extension SubscriptionHealth {
    /// Stores the usual interval between a feed's entries and the date of its newest entry, so that lists can read them
    /// quickly.
    package static func noteRhythm(of subscription: FeedID, _ db: Database) throws {
        let find = try db.cachedStatement(
            sql: """
                SELECT sort_date FROM entry WHERE subscription_id = ? AND has_date ORDER BY sort_date DESC, id DESC
                LIMIT 21
                """)
        let dates = try Instant.fetchAll(find, arguments: [subscription])
        let pauses = zip(dates, dates.dropFirst()).map { $0.seconds(since: $1) }.sorted()
        let note = try db.cachedStatement(sql: "UPDATE subscription SET last_entry = ?, rhythm = ? WHERE id = ?")
        try note.execute(arguments: [dates.first, pauses.isEmpty ? nil : pauses[pauses.count / 2], subscription])
    }
}
