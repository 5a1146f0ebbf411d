import GRDB
import LibraryKernel

/// The counts of the list of feeds that read marks of some entries can have changed.
package struct MarkedCounts: Sendable {
    /// The feeds of the entries.
    package var feeds: [SubscriptionRow] = []
    /// The number of unread archived entries, if one of the entries is archived.
    package var archived: Int?
    /// The number of unread entries of each tag, if one of the entries has tags.
    package var tags: [String: Int]?
}

extension FeedStore {
    /// Returns the counts that read marks of some entries can have changed, without reading all feeds.
    package func counts(afterMarking entries: Set<EntryID>) throws(LibraryError) -> MarkedCounts {
        try store.read { db in
            var counts = MarkedCounts()
            var feeds: Set<FeedID> = []
            var (isArchived, isTagged) = (false, false)
            let find = try db.cachedStatement(
                sql: """
                    SELECT subscription_id, is_archived, EXISTS (SELECT 1 FROM entry_tag WHERE entry_id = entry.id)
                    FROM entry WHERE id = ?
                    """)
            for entry in entries {
                guard let row = try Row.fetchOne(find, arguments: [entry]) else { continue }
                feeds.insert(try row.at(0))
                if try row.at(1) { isArchived = true }
                if try row.at(2) { isTagged = true }
            }
            let feed = try db.cachedStatement(sql: FeedStore.columns + " WHERE id = ?")
            counts.feeds = try feeds.compactMap { try Row.fetchOne(feed, arguments: [$0]).map(FeedStore.row) }
            if isArchived { counts.archived = try EntryStore.archivedUnreadCount(db) }
            if isTagged { counts.tags = try FeedStore.unreadOfTags(db) }
            return counts
        }
    }

    /// Returns the number of unread entries that have each tag themselves.
    static func unreadOfTags(_ db: Database) throws -> [String: Int] {
        var entries: [String: Int] = [:]
        let sql = "SELECT t.tag, sum(e.is_read = 0) FROM entry_tag t JOIN entry e ON e.id = t.entry_id GROUP BY t.tag"
        for row in try Row.fetchAll(db, sql: sql) { entries[try row.at(0)] = try row.at(1) }
        return entries
    }
}
