import Feeds
import GRDB
import LibraryKernel

/// The number of feeds, entries and marks, to report before and after feeds are moved.
package struct FeedCounts: Hashable, Sendable, CustomStringConvertible {
    var feeds = 0
    var entries = 0
    var unread = 0
    var starred = 0

    package var description: String {
        "\(feeds.counted("feed")), \(entries.countedEntries), \(unread) unread, \(starred) starred"
    }
}

extension AccountStore {
    /// Counts local feeds, or those of an account.
    package func feedCounts(of account: AccountID?) throws(LibraryError) -> FeedCounts {
        try store.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(DISTINCT s.id), count(e.id), coalesce(sum(e.is_read = 0), 0), coalesce(sum(e.is_starred), 0)
                    FROM subscription s LEFT JOIN entry e ON e.subscription_id = s.id
                    WHERE s.account_id IS ? AND s.url <> ?
                    """, arguments: [account, SavedPage.subscription])
            guard let row else { return FeedCounts() }
            return try FeedCounts(feeds: row.at(0), entries: row.at(1), unread: row.at(2), starred: row.at(3))
        }
    }
}
