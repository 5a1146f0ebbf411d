import GRDB
import LibraryKernel
import Platform

/// The entries of lists, their counts, and the neighbours of an entry.
extension EntryStore {
    /// Returns the number of entries in a list.
    ///
    /// Single feeds and the lists of all, unread, starred and "read later" entries use stored counters. Other scopes,
    /// and lists with merged duplicates, are counted by a query.
    package func count(in query: EntryQuery) throws(LibraryError) -> Int {
        if query.mergesScope {
            let condition = query.condition
            return try store.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM entry WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
            }
        }
        let condition = query.scope.condition
        return try store.read { db in
            switch query.scope {
            case .subscription(let id):
                try Int.fetchOne(db, sql: "SELECT total_count FROM subscription WHERE id = ?", arguments: [id]) ?? 0
            case .all:
                try Int.fetchOne(db, sql: "SELECT sum(total_count) FROM subscription") ?? 0
            case .starred:
                try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE name = 'starred'") ?? 0
            case .later:
                try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE name = 'later'") ?? 0
            case .archived, .recentlyRead, .folder, .accountFolder, .tag, .hidden, .search, .sorted:
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM entry WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
            case .unread(let since):
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT (SELECT coalesce(sum(unread_count), 0) FROM subscription WHERE is_uncounted = 0)
                            + (SELECT count(*) FROM entry WHERE read_at BETWEEN ? AND ? AND is_read = 1
                                AND \(EntryScope.canBeUnread))
                        """, arguments: [since, EntryScope.end(ofReading: since)]) ?? 0
            }
        }
    }

    /// Returns the first entries of a list in list order.
    ///
    /// - Parameter limit: The maximum number of entries.
    package func rows(in query: EntryQuery, limit: Int) throws(LibraryError) -> [EntryRow] {
        let identifiers = query.identifiers
        let ids = try store.read { db in
            try EntryID.fetchAll(
                db, sql: "\(identifiers.sql) LIMIT ?", arguments: identifiers.arguments + [limit])
        }
        return try rows(ids)
    }

    /// Returns the identifiers of all entries of a list in list order.
    ///
    /// - Parameter part: Called with the identifiers that were read so far: with the first, after two pages of rows and
    ///   ever more, and if finding the next one has taken long.
    package func list(_ query: EntryQuery, part: ([EntryID]) -> Void = { _ in }) throws(LibraryError) -> [EntryID] {
        let identifiers = query.identifiers
        return try store.read { db in
            let cursor = try EntryID.fetchCursor(db, sql: identifiers.sql, arguments: identifiers.arguments)
            var ids: [EntryID] = []
            var next = EntryStore.firstPart
            var last: ContinuousClock.Instant?
            while let id = try cursor.next() {
                ids.append(id)
                let isLate = last.map { $0.duration(to: Stopwatch.now) > EntryStore.pauseBetweenParts } ?? true
                guard ids.count == next || isLate else { continue }
                if ids.count == next { next *= EntryStore.growthOfParts }
                last = Stopwatch.now
                part(ids)
            }
            return ids
        }
    }

    /// The number of identifiers after which a list is passed on for the first time, and the factor to the next time.
    private static var firstPart: Int { 128 }
    private static var growthOfParts: Int { 8 }
    /// The time after which a further identifier is passed on at once.
    private static var pauseBetweenParts: Duration { .milliseconds(50) }

    /// Returns the rows of entries in the given order, without entries that no longer exist.
    package func rows(_ ids: some Sequence<EntryID>) throws(LibraryError) -> [EntryRow] {
        try rows(of: ids).compactMap(\.self)
    }

    /// Returns those of some entries that are in a list, without reading the list.
    package func members(_ entries: Set<EntryID>, of query: EntryQuery) throws(LibraryError) -> Set<EntryID> {
        let condition = query.condition
        return try store.read { db in
            let find = try db.cachedStatement(sql: "SELECT id FROM entry WHERE id = ? AND (\(condition.sql))")
            return try entries.filter { try EntryID.fetchOne(find, arguments: [$0] + condition.arguments) != nil }
        }
    }

    /// Returns the next or previous unread entry of a list. The search wraps around at the end of the list.
    package func nextUnread(after row: EntryRow?, isForward: Bool = true, in query: EntryQuery)
        throws(LibraryError) -> EntryRow?
    {
        try neighbour(of: row, where: "is_read = 0", [], isForward, in: query)
    }

    /// Returns the next or previous entry whose title contains a text. The search wraps around at the end of the list.
    package func row(titled text: String, from row: EntryRow, isForward: Bool, in query: EntryQuery)
        throws(LibraryError) -> EntryRow?
    {
        try neighbour(of: row, where: "title LIKE ? ESCAPE '\\'", [text.likePattern], isForward, in: query)
    }

    /// Returns the nearest entry after or before a row that meets a condition, otherwise the one nearest to the other
    /// end of the list.
    private func neighbour(
        of row: EntryRow?, where wanted: String, _ values: StatementArguments, _ isForward: Bool, in query: EntryQuery
    ) throws(LibraryError) -> EntryRow? {
        let condition = query.condition
        let order = query.listOrder(reversed: !isForward)
        return try store.read { db in
            func first(_ extra: String, _ arguments: StatementArguments) throws -> EntryRow? {
                let find = try db.cachedStatement(
                    sql: """
                        \(EntryStore.columns) WHERE \(wanted) AND \(condition.sql) \(extra)
                        \(order.sql) LIMIT 1
                        """)
                return try Row.fetchOne(find, arguments: values + condition.arguments + arguments).map(rows(db))
            }
            if let row, let found = try first("AND \(order.isLater)", order.key(row.sortDate, row.id)) {
                return found
            }
            return try first("", [])
        }
    }
}
