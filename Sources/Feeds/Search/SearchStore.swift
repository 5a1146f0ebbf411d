import GRDB
import LibraryKernel

/// A search that the user saved as a list.
package struct SavedSearch: Hashable, Sendable, Identifiable {
    package var id: SearchID
    package var name: String
    package var query: String
    package var order = EntryOrder.newest
}

/// A search result.
package struct SearchHit: Hashable, Sendable {
    package var entry: EntryRow
    package var feedTitle: String
    package var link: String?
    /// The text around the first match, as plain text.
    package var context: String
}

/// Searches entries, and reads saved searches and the state of the index.
package struct SearchStore: Sendable {
    let entryStore: EntryStore

    var store: Store { entryStore.store }

    /// Returns the number of entries that are not in the full-text index yet.
    package func unindexedCount() throws(LibraryError) -> Int {
        try store.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM unindexed") ?? 0 }
    }

    /// Returns the first results of a search, by relevance or newest first, with the text around the match.
    ///
    /// - Parameters:
    ///   - query: The query, or `nil` for all entries.
    ///   - date: The earliest arrival.
    package func hits(for query: SearchQuery?, since date: Instant? = nil, byRelevance: Bool, limit: Int)
        throws(LibraryError) -> [SearchHit]
    {
        let match = query?.match ?? ""
        return try store.read { db in
            let areFew = try date.map { try SearchStore.areFewArrivals(since: $0, db) } ?? true
            let condition = SearchStore.condition(query, since: date, areFew: areFew)
            // The context is only computed for the results that are shown.
            let ranked = !match.isEmpty && byRelevance
            let sql =
                ranked
                ? """
                SELECT \(EntryStore.columns(of: "e", sources: "1"))
                FROM entry_search JOIN entry e ON e.id = entry_search.rowid
                WHERE entry_search MATCH ? AND \(SearchStore.isNewMatch)
                    AND e.id IN (SELECT id FROM entry WHERE \(condition.sql)) ORDER BY rank LIMIT ?
                """ : "\(EntryStore.columns) WHERE \(condition.sql) ORDER BY sort_date DESC, id DESC LIMIT ?"
            let whole = ranked ? [match, match] + condition.arguments : condition.arguments
            let rows = try Row.fetchAll(db, sql: sql, arguments: whole + [limit]).map(entryStore.rows(db))
            let details = try db.cachedStatement(
                sql: """
                    SELECT coalesce(s.custom_title, s.title, s.url), c.link FROM entry e
                    JOIN subscription s ON s.id = e.subscription_id JOIN entry_content c ON c.entry_id = e.id
                    WHERE e.id = ?
                    """)
            let filter = try entryStore.spoilers.read(db)
            return try rows.map { row in
                let detail = try Row.fetchOne(details, arguments: [row.id])
                let isSpoiler = try EntryStore.isSpoiler(row.id, by: filter, db)
                let context = try query.flatMap {
                    isSpoiler || $0.words.isEmpty ? nil : try SearchStore.context($0, row.id, db)
                }
                return SearchHit(
                    entry: row, feedTitle: try detail?.at(0) ?? "", link: isSpoiler ? nil : try detail?.at(1),
                    context: context ?? "")
            }
        }
    }

    /// The condition on rows of the index that leaves only the newest matches, which alone can be results.
    ///
    /// Ranking takes several times as long as finding: in an index of a million entries, two seconds for a common word.
    private static let isNewMatch = """
        entry_search.rowid >= (SELECT min(rowid) FROM (SELECT rowid FROM entry_search
            WHERE entry_search MATCH ? ORDER BY rowid DESC LIMIT \(SearchQuery.maximumHits)))
        """

    /// The number of arrivals up to which they are collected before the search.
    private static let fewArrivals = 50_000

    private static func areFewArrivals(since date: Instant, _ db: Database) throws -> Bool {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM entry_content WHERE first_seen >= ? LIMIT \(fewArrivals))"
        return try Int.fetchOne(db, sql: sql, arguments: [date]) ?? 0 < fewArrivals
    }

    /// Returns the condition on entries that match a query and arrived since an instant.
    ///
    /// - Parameter areFew: Whether to collect the arrivals first. Otherwise each entry is checked, and the newest are
    ///   usually among the arrivals.
    private static func condition(_ query: SearchQuery?, since date: Instant?, areFew: Bool = true) -> (
        sql: String, arguments: StatementArguments
    ) {
        var condition: (sql: String, arguments: StatementArguments) = query?.condition() ?? ("1", [])
        if let date {
            condition.sql +=
                areFew
                ? " AND id IN (SELECT entry_id FROM entry_content WHERE first_seen >= ?)"
                : " AND (SELECT first_seen FROM entry_content WHERE entry_id = id) >= ?"
            condition.arguments += [date]
        }
        return condition
    }

    /// Returns the number of entries that match a query and arrived since an instant, and the newest of them.
    ///
    /// - Parameter date: The instant, or `nil` for no limit.
    package func entries(matching query: SearchQuery, since date: Instant? = nil, limit: Int) throws(LibraryError)
        -> (count: Int, first: [EntryRow])
    {
        let condition = SearchStore.condition(query, since: date)
        return try store.read { db in
            (
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM entry WHERE \(condition.sql)", arguments: condition.arguments) ?? 0,
                try Row.fetchAll(
                    db, sql: "\(EntryStore.columns) WHERE \(condition.sql) ORDER BY sort_date DESC, id DESC LIMIT ?",
                    arguments: condition.arguments + [limit]
                ).map(entryStore.rows(db))
            )
        }
    }

    /// Returns the feed of an entry, and the text around the first match of a search in it for a narrow list.
    package func context(
        of query: SearchQuery, in entry: EntryID
    ) throws(LibraryError) -> (feed: String, text: String) {
        try store.read { db in
            let feed = try String.fetchOne(
                db,
                sql: """
                    SELECT coalesce(s.custom_title, s.title, s.url) FROM entry e
                    JOIN subscription s ON s.id = e.subscription_id WHERE e.id = ?
                    """, arguments: [entry])
            let isSpoiler = try EntryStore.isSpoiler(entry, by: entryStore.spoilers.read(db), db)
            let words =
                isSpoiler || query.words.isEmpty
                ? nil : try SearchStore.context(query, entry, before: TextContext.short, db)
            return (feed ?? "", words ?? "")
        }
    }

    /// Returns the indexed text around the first match.
    private static func context(
        _ query: SearchQuery, _ entry: EntryID, before: Int = TextContext.usual, _ db: Database
    ) throws -> String? {
        let find = try db.cachedStatement(sql: "SELECT body FROM entry_search WHERE rowid = ?")
        // A damaged text has no context.
        let row = try Row.fetchOne(find, arguments: [entry])
        let body = try? row?.text(0)
        return body.map { TextContext($0).around(query.words, before: before) }
    }

    // MARK: Saved searches

    /// Returns the number of unread entries that match a query.
    package func unreadCount(of query: SearchQuery) throws(LibraryError) -> Int {
        let condition = query.condition()
        return try store.read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM entry WHERE is_read = 0 AND is_archived = 0 AND \(condition.sql)",
                arguments: condition.arguments) ?? 0
        }
    }

    /// Returns the saved searches in the user's order.
    package func saved() throws(LibraryError) -> [SavedSearch] {
        try store.read { db in
            try Row.fetchAll(db, sql: "SELECT id, name, query, sort FROM saved_search ORDER BY position, id").map {
                try SavedSearch(
                    id: $0.at(0), name: $0.at(1), query: $0.at(2), order: EntryOrder(rawValue: $0.at(3)) ?? .newest)
            }
        }
    }
}
