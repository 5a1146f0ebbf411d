import GRDB

extension Library {
    /// Selects the rows of entry lists; a condition and an order follow.
    static let entryColumns =
        "SELECT "
        + entryColumns(
            of: "entry",
            sources:
                "CASE WHEN story IS NULL THEN 1 ELSE (SELECT count(DISTINCT subscription_id) FROM entry d WHERE d.story = entry.story) END"
        ) + " FROM entry"

    /// Returns the columns of a list row, which ``rows(_:)`` reads in this order.
    ///
    /// - Parameters:
    ///   - table: The name of the entry table in the query.
    ///   - sources: The expression for the number of feeds with an entry about the same page.
    static func entryColumns(of table: String, sources: String) -> String {
        let names = ["id", "subscription_id", "title", "is_read", "is_starred", "sort_date", "has_date", "is_later"]
        return names.map { "\(table).\($0), " }.joined() + sources
    }

    /// Returns a function that converts a row of ``entryColumns(of:sources:)`` into a list row.
    ///
    /// Titles that would reveal a hidden result are replaced.
    static func rows(_ db: Database) throws -> (Row) throws -> EntryRow {
        let filter = try SpoilerFilter.read(db)
        return { row in
            var entry = try EntryRow(
                id: row.at(0), subscriptionID: row.at(1), title: row.at(2), isRead: row.at(3), isStarred: row.at(4),
                sortDate: row.at(5), hasDate: row.at(6), isLater: row.at(7), sources: row.at(8))
            try filter?.hide(&entry)
            return entry
        }
    }

    /// Returns the SQL condition that selects a scope's entries, with its arguments.
    ///
    /// If duplicates are merged, only the first of the scope's entries about the same page remains.
    func condition(_ scope: EntryScope) -> (sql: String, arguments: StatementArguments) {
        var condition = Library.wholeCondition(scope)
        if folds(scope) {
            // Repeats the scope's condition, because the earliest duplicate of all may belong to another list.
            condition.sql =
                "(\(condition.sql)) AND NOT EXISTS (SELECT 1 FROM entry d WHERE d.story = entry.story AND d.id < entry.id "
                + "AND (\(condition.sql)))"
            condition.arguments += condition.arguments
        }
        return condition
    }

    /// Whether duplicates are merged in a scope. The list of a single feed always shows all of its entries.
    private func folds(_ scope: EntryScope) -> Bool {
        if case .subscription = scope { return false }
        return mergesDuplicates
    }

    /// The feeds that are excluded from unread counts.
    private static let quietFeeds = "SELECT id FROM subscription WHERE is_quiet = 1"

    static func wholeCondition(_ scope: EntryScope) -> (sql: String, arguments: StatementArguments) {
        switch scope {
        case .subscription(let id): ("subscription_id = ?", [id])
        case .all: ("1", [])
        case .unread(let since):
            // The upper limit excludes entries that a wrong clock marked as read years ahead. They would otherwise
            // never disappear from the list.
            (
                "(is_read = 0 OR read_at BETWEEN ? AND ?) AND is_folded = 0 AND subscription_id NOT IN (\(quietFeeds))",
                [since, since + 366 * 86_400]
            )
        case .starred: ("is_starred = 1", [])
        case .later: ("is_later = 1", [])
        case .folded: ("is_folded = 1", [])
        case .folder(let name):
            ("subscription_id IN (SELECT id FROM subscription WHERE folder = ? AND account_id IS NULL)", [name])
        case .accountFolder(let name, let account):
            ("subscription_id IN (SELECT id FROM subscription WHERE folder = ? AND account_id = ?)", [name, account])
        case .tag(let name):
            (
                """
                (subscription_id IN (SELECT subscription_id FROM subscription_tag WHERE tag = ?)
                    OR id IN (SELECT entry_id FROM entry_tag WHERE tag = ?))
                """, [name, name]
            )
        case .hidden:
            ("subscription_id IN (SELECT id FROM subscription WHERE options LIKE '%\"isHidden\":true%')", [])
        case .search(let query), .sorted(let query, _): query.condition
        }
    }

    /// Returns the number of entries in a scope.
    ///
    /// Single feeds and the lists of all, unread, starred and "read later" entries use stored counters. Other scopes,
    /// and lists with merged duplicates, are counted by a query.
    package func entryCount(in scope: EntryScope) throws(LibraryError) -> Int {
        if folds(scope) {
            let condition = condition(scope)
            return try read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM entry WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
            }
        }
        let condition = Library.wholeCondition(scope)
        return try read { db in
            switch scope {
            case .subscription(let id):
                try Int.fetchOne(db, sql: "SELECT total_count FROM subscription WHERE id = ?", arguments: [id]) ?? 0
            case .all:
                try Int.fetchOne(db, sql: "SELECT sum(total_count) FROM subscription") ?? 0
            case .starred:
                try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE name = 'starred'") ?? 0
            case .later:
                try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE name = 'later'") ?? 0
            case .folded, .folder, .accountFolder, .tag, .hidden:
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM entry WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
            case .search(let query), .sorted(let query, _):
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM entry WHERE \(query.condition.sql)",
                    arguments: query.condition.arguments) ?? 0
            case .unread(let since):
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT (SELECT coalesce(sum(unread_count), 0) FROM subscription WHERE is_quiet = 0)
                            + (SELECT count(*) FROM entry WHERE read_at BETWEEN ? AND ? AND is_read = 1 AND is_folded = 0
                                AND subscription_id NOT IN (\(Library.quietFeeds)))
                        """, arguments: [since, since + 366 * 86_400]) ?? 0
            }
        }
    }

    /// The sort order of an entry list: its `ORDER BY` clause and the condition for the entries after a given entry.
    private struct ListOrder {
        var sql: String
        /// The SQL condition for the entries that sort after a given entry. Its arguments are those of ``key(_:_:)``.
        var isLater: String
        private var isByDate: Bool

        /// Creates an order by date, or by a value of the feed (name or posting interval) and then newest first.
        init(_ order: EntryOrder, reversed: Bool) {
            let first: String
            switch order {
            case .newest, .oldest:
                let isUp = (order == .oldest) != reversed
                sql = isUp ? "ORDER BY sort_date, id" : "ORDER BY sort_date DESC, id DESC"
                isLater = "(sort_date, id) \(isUp ? ">" : "<") (?, ?)"
                isByDate = true
                return
            case .feed: first = "lower(coalesce(custom_title, title, url)) || char(31) || id"
            case .rhythm: first = "-coalesce(rhythm, 1000000000)"
            }
            func key(_ table: String) -> String {
                "(SELECT \(first) FROM subscription WHERE id = \(table).subscription_id), -\(table).sort_date, -\(table).id"
            }
            sql = "ORDER BY " + key("entry").replacing(", -entry", with: (reversed ? " DESC" : "") + ", -entry")
            if reversed { sql += " DESC" }
            isLater = "(\(key("entry"))) \(reversed ? "<" : ">") (SELECT \(key("k")) FROM entry k WHERE k.id = ?)"
            isByDate = false
        }

        /// Returns the arguments of ``isLater`` for an entry.
        func key(_ date: Int64, _ id: Int64) -> StatementArguments { isByDate ? [date, id] : [id] }
    }

    /// Returns the sort order of a scope's list, or the reverse order for searching backwards.
    private func order(_ scope: EntryScope, reversed: Bool = false) -> ListOrder {
        if case .sorted(_, let order) = scope { return ListOrder(order, reversed: reversed) }
        return ListOrder(listsOldestFirst ? .oldest : .newest, reversed: reversed)
    }

    /// Returns a window of a scope's entries in list order.
    ///
    /// - Parameters:
    ///   - key: The entry before the window, or `nil` to start at the first entry.
    ///   - skip: The number of entries to skip after `key`.
    ///   - limit: The maximum number of entries.
    package func entries(
        in scope: EntryScope, after key: EntryRow? = nil, skip: Int = 0, limit: Int
    ) throws(LibraryError) -> [EntryRow] {
        let condition = condition(scope)
        let order = order(scope)
        return try read { db in
            if let key {
                let arguments: StatementArguments = order.key(key.sortDate, key.id) + [limit, skip]
                return try Row.fetchAll(
                    db,
                    sql: """
                        \(Library.entryColumns) WHERE \(condition.sql) AND \(order.isLater)
                        \(order.sql) LIMIT ? OFFSET ?
                        """, arguments: condition.arguments + arguments
                ).map(Library.rows(db))
            }
            let arguments: StatementArguments = [limit, skip]
            return try Row.fetchAll(
                db,
                sql: """
                    \(Library.entryColumns) WHERE \(condition.sql) \(order.sql) LIMIT ? OFFSET ?
                    """, arguments: condition.arguments + arguments
            ).map(Library.rows(db))
        }
    }

    /// Returns a window counted from the end of a scope's list, in list order.
    ///
    /// This is the fast way to the last of a million rows.
    ///
    /// - Parameter skip: The number of entries to skip, counted from the last.
    package func entries(in scope: EntryScope, fromEnd skip: Int, limit: Int) throws(LibraryError) -> [EntryRow] {
        let condition = condition(scope)
        let arguments: StatementArguments = [limit, skip]
        let order = order(scope, reversed: true)
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(Library.entryColumns) WHERE \(condition.sql) \(order.sql) LIMIT ? OFFSET ?
                    """, arguments: condition.arguments + arguments
            ).map(Library.rows(db)).reversed()
        }
    }

    /// Returns the zero-based index of an entry in a scope's list, or `nil` if the list doesn't contain it.
    package func index(of id: Int64, in scope: EntryScope) throws(LibraryError) -> Int? {
        let condition = condition(scope)
        let earlier = order(scope, reversed: true)
        return try read { db in
            guard
                let key = try Row.fetchOne(
                    db, sql: "SELECT sort_date FROM entry WHERE id = ? AND \(condition.sql)",
                    arguments: [id] + condition.arguments)
            else { return nil }
            let date: Int64 = try key.at(0)
            return try Int.fetchOne(
                db, sql: "SELECT count(*) FROM entry WHERE \(condition.sql) AND \(earlier.isLater)",
                arguments: condition.arguments + earlier.key(date, id))
        }
    }

    /// Returns the next unread entry after a row, or the first unread entry of the list if there is none after it.
    package func nextUnread(after row: EntryRow?, in scope: EntryScope) throws(LibraryError) -> EntryRow? {
        let condition = condition(scope)
        let order = order(scope)
        return try read { db in
            func first(_ extra: String, _ arguments: StatementArguments) throws -> EntryRow? {
                try Row.fetchOne(
                    db,
                    sql: """
                        \(Library.entryColumns) WHERE is_read = 0 AND \(condition.sql) \(extra)
                        \(order.sql) LIMIT 1
                        """, arguments: condition.arguments + arguments
                ).map(Library.rows(db))
            }
            if let row, let found = try first("AND \(order.isLater)", order.key(row.sortDate, row.id)) {
                return found
            }
            return try first("", [])
        }
    }

    /// Returns the next or previous entry whose title contains a text. The search wraps around at the end of the list.
    package func entry(titled text: String, from row: EntryRow, isForward: Bool, in scope: EntryScope)
        throws(LibraryError) -> EntryRow?
    {
        let condition = condition(scope)
        let pattern = Library.pattern(containing: text)
        let order = order(scope, reversed: !isForward)
        return try read { db in
            func first(_ extra: String, _ arguments: StatementArguments) throws -> EntryRow? {
                try Row.fetchOne(
                    db,
                    sql: """
                        \(Library.entryColumns) WHERE \(condition.sql) AND title LIKE ? ESCAPE '\\' \(extra)
                        \(order.sql) LIMIT 1
                        """, arguments: condition.arguments + [pattern] + arguments
                ).map(Library.rows(db))
            }
            let ahead = try first("AND \(order.isLater)", order.key(row.sortDate, row.id))
            return try ahead ?? first("", [])
        }
    }

    /// Returns the highest entry ID. New entries always get higher IDs.
    package func lastEntry() throws(LibraryError) -> Int64 {
        try read { db in try Int64.fetchOne(db, sql: "SELECT max(id) FROM entry") ?? 0 }
    }

    /// Returns the list row of an entry.
    package func entryRow(_ id: Int64) throws(LibraryError) -> EntryRow? {
        try read { db in
            try Row.fetchOne(db, sql: "\(Library.entryColumns) WHERE id = ?", arguments: [id]).map(Library.rows(db))
        }
    }

    /// Returns the names of at most 20 feeds that have an entry about the same page, in order of arrival.
    package func sources(of entry: Int64) throws(LibraryError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT coalesce(s.custom_title, s.title, s.url) FROM entry e
                    JOIN entry d ON d.story = e.story OR d.id = e.id JOIN subscription s ON s.id = d.subscription_id
                    WHERE e.id = ? ORDER BY d.id LIMIT 20
                    """, arguments: [entry])
        }
    }

    /// Returns an entry with its content, with spoilers hidden.
    package func entry(_ id: Int64) throws(LibraryError) -> EntryDetail? {
        try read { db in
            guard var entry = try Library.entryWithSpoilers(id, db) else { return nil }
            entry.played = try Library.played(entry.extras.enclosures?.map(\.url) ?? [], db)
            try SpoilerFilter.read(db)?.hide(&entry)
            return entry
        }
    }

    static func entryWithSpoilers(_ id: Int64, _ db: Database) throws -> EntryDetail? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT e.id, e.subscription_id, coalesce(s.custom_title, s.title, s.url), e.title, c.link, c.author,
                    c.html, c.text, e.is_read, e.is_starred, c.published, c.published_text, c.updated,
                    c.updated_text, c.first_seen, c.extras, c.page_date, c.former, c.full_html, c.place, s.options
                FROM entry e JOIN subscription s ON s.id = e.subscription_id
                JOIN entry_content c ON c.entry_id = e.id WHERE e.id = ?
                """, arguments: [id]
        ).map { row in
            try EntryDetail(
                id: row.at(0), subscriptionID: row.at(1), feedTitle: row.at(2), title: row.at(3), link: row.at(4),
                author: row.at(5), html: row.at(6), text: row.at(7), isRead: row.at(8), isStarred: row.at(9),
                dates: EntryDates(
                    published: row.at(10), publishedText: row.at(11), updated: row.at(12), updatedText: row.at(13),
                    firstSeen: row.at(14), pageText: row.at(16), previous: PreviousText(stored: row.at(17))),
                extras: EntryExtras(stored: row.at(15)), fullHTML: row.at(18), place: row.at(19),
                options: SubscriptionOptions(stored: row.at(20)))
        }
    }

    /// Whether the spoiler filter hides the content of an entry.
    ///
    /// - Parameter cover: The filter, read once for all entries of a list, or `nil` if nothing is hidden.
    static func isSpoiler(_ id: Int64, by filter: SpoilerFilter?, _ db: Database) throws -> Bool {
        guard let filter, let entry = try entryWithSpoilers(id, db) else { return false }
        return try filter.hides(entry) != nil
    }
}
