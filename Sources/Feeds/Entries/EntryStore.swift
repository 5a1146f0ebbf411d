import GRDB
import LibraryKernel

/// Reads entries, with spoilers hidden.
package struct EntryStore: Sendable {
    package let store: Store
    package let spoilers: SpoilerReader

    /// Selects the rows of entry lists; a condition and an order follow.
    package static let columns =
        "SELECT "
        + columns(
            of: "entry",
            sources:
                "CASE WHEN duplicate_key IS NULL THEN 1 ELSE (SELECT count(DISTINCT subscription_id) FROM entry d WHERE d.duplicate_key = entry.duplicate_key) END"
        ) + " FROM entry"

    /// Returns the SQL for the columns of a list row, in the order of ``Column``.
    ///
    /// - Parameters:
    ///   - table: The name of the entry table in the query.
    ///   - sources: The expression for the number of feeds with an entry about the same page.
    package static func columns(of table: String, sources: String) -> String {
        names.map { "\(table).\($0), " }.joined() + sources
    }

    /// A column of the entry table in a list row. Queries select them in this order, and lists observe them.
    enum Column: Int, CaseIterable {
        case id, feed, title, isRead, isStarred, sortDate, hasDate, isLater

        /// The name in the table.
        var name: String {
            switch self {
            case .id: "id"
            case .feed: "subscription_id"
            case .title: "title"
            case .isRead: "is_read"
            case .isStarred: "is_starred"
            case .sortDate: "sort_date"
            case .hasDate: "has_date"
            case .isLater: "is_later"
            }
        }
    }

    /// The names of the columns in the order of ``Column``.
    static let names = Column.allCases.map(\.name)

    /// Returns a function that converts a row of ``columns(of:sources:)`` into a list row.
    ///
    /// Titles that would reveal a hidden result are replaced.
    package func rows(_ db: Database) throws -> (Row) throws -> EntryRow {
        let filter = try spoilers.read(db)
        return { row in
            var entry = try EntryRow(
                id: row.at(.id), subscriptionID: row.at(.feed), title: row.at(.title), isRead: row.at(.isRead),
                isStarred: row.at(.isStarred), sortDate: row.at(.sortDate), hasDate: row.at(.hasDate),
                isLater: row.at(.isLater), sources: row.at(EntryStore.names.count))
            try filter?.hide(&entry)
            return entry
        }
    }

    /// Returns the highest entry ID. New entries always get higher IDs.
    package func lastID() throws(LibraryError) -> EntryID {
        try store.read { db in try EntryID.fetchOne(db, sql: "SELECT max(id) FROM entry") ?? 0 }
    }

    /// Returns the list row of an entry.
    package func row(_ id: EntryID) throws(LibraryError) -> EntryRow? { try rows(of: [id])[0] }

    /// Returns the list rows of entries, or `nil` for one that doesn't exist.
    package func rows(of ids: some Sequence<EntryID>) throws(LibraryError) -> [EntryRow?] {
        try store.read { db in
            let find = try db.cachedStatement(sql: "\(EntryStore.columns) WHERE id = ?")
            let row = try rows(db)
            return try ids.map { try Row.fetchOne(find, arguments: [$0]).map(row) }
        }
    }

    /// Returns the first entry about the page at an address.
    ///
    /// Compares normalized addresses (``StoredEntry/storyAddress(_:)``), so the spelling of the address doesn't matter.
    package func id(ofPageAt address: String) throws(LibraryError) -> EntryID? {
        guard let duplicateKey = StoredEntry.duplicateKey(of: address) else { return nil }
        return try store.read { db in
            try EntryID.fetchOne(
                db, sql: "SELECT min(id) FROM entry WHERE duplicate_key = ?", arguments: [duplicateKey])
        }
    }

    /// Returns the number of unread archived entries.
    package func archivedUnreadCount() throws(LibraryError) -> Int {
        try store.read { try EntryStore.archivedUnreadCount($0) }
    }

    static func archivedUnreadCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE is_archived = 1 AND is_read = 0") ?? 0
    }

    /// Returns the entry of the saved page with an address.
    package func id(ofSavedPage url: String) throws(LibraryError) -> EntryID? {
        try store.read { db in
            try EntryID.fetchOne(
                db,
                sql: """
                    SELECT e.id FROM entry e JOIN subscription s ON s.id = e.subscription_id
                    WHERE s.url = '\(SavedPage.subscription)' AND e.guid = ?
                    """, arguments: [url])
        }
    }

    /// Returns the names of at most 20 feeds that have an entry about the same page, in order of arrival.
    package func sources(of entry: EntryID) throws(LibraryError) -> [String] {
        try store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT coalesce(s.custom_title, s.title, s.url) FROM entry e
                    JOIN entry d ON d.duplicate_key = e.duplicate_key OR d.id = e.id JOIN subscription s ON s.id = d.subscription_id
                    WHERE e.id = ? ORDER BY d.id LIMIT 20
                    """, arguments: [entry])
        }
    }

    /// Returns an entry with its content, with spoilers hidden.
    package func detail(of id: EntryID) throws(LibraryError) -> EntryDetail? {
        try details(of: [id], id: { $0 }, { _, entry in entry }).first
    }

    /// Converts entries with their content, with spoilers hidden, in one read. Omits those that no longer exist.
    package func details<Item, Value>(
        of items: [Item], id: (Item) -> EntryID, _ convert: (Item, EntryDetail) throws -> Value
    ) throws(LibraryError) -> [Value] {
        try store.read { db in
            let filter = try spoilers.read(db)
            return try items.compactMap { item in
                guard var entry = try EntryStore.entryWithSpoilers(id(item), db) else { return nil }
                entry.played = try PlayedEnclosure.fetch(entry.extras.enclosures?.map(\.url) ?? [], db)
                entry.tags = try EntryStore.tags(of: entry.id, db)
                try filter?.hide(&entry)
                return try convert(item, entry)
            }
        }
    }

    /// Returns what an entry links to, or `nil` if it no longer exists or would reveal a stage result.
    package func links(of entry: EntryID) throws(LibraryError) -> EntryLinks? {
        try store.read { db in
            if try EntryStore.isSpoiler(entry, by: spoilers.read(db), db) { return nil }
            let find = try db.cachedStatement(sql: "SELECT link, extras FROM entry_content WHERE entry_id = ?")
            return try Row.fetchOne(find, arguments: [entry]).map { row in
                try EntryLinks(link: row.at(0), extras: EntryExtras(stored: row.at(1)))
            }
        }
    }

    /// Returns the tags of an entry, sorted by name.
    package func tags(of entry: EntryID) throws(LibraryError) -> [String] {
        try store.read { try EntryStore.tags(of: entry, $0) }
    }

    private static func tags(of entry: EntryID, _ db: Database) throws -> [String] {
        let find = try db.cachedStatement(sql: "SELECT tag FROM entry_tag WHERE entry_id = ? ORDER BY tag")
        return try String.fetchAll(find, arguments: [entry])
    }

    static func entryWithSpoilers(_ id: EntryID, _ db: Database) throws -> EntryDetail? {
        let find = try db.cachedStatement(
            sql: """
                SELECT e.id, e.subscription_id, coalesce(s.custom_title, s.title, s.url), e.title, c.link, c.author,
                    c.html, c.text, e.is_read, e.is_starred, c.published, c.published_text, c.updated,
                    c.updated_text, c.first_seen, c.extras, c.page_date, c.former, c.full_html, c.place, s.options, s.url,
                    s.folder, s.account_id
                FROM entry e JOIN subscription s ON s.id = e.subscription_id
                JOIN entry_content c ON c.entry_id = e.id WHERE e.id = ?
                """)
        return try Row.fetchOne(find, arguments: [id]).map { row in
            var isDamaged = false
            // A damaged part is left out, so that the rest can be read.
            func readable<Value>(_ read: @autoclosure () throws -> Value?) -> Value? {
                do { return try read() } catch {
                    isDamaged = true
                    return nil
                }
            }
            var entry = try EntryDetail(
                id: row.at(0), subscriptionID: row.at(1), feedTitle: row.at(2), title: row.at(3),
                link: readable(row.at(4)), author: readable(row.at(5)), html: readable(row.text(6)),
                text: readable(row.text(7)), isRead: row.at(8), isStarred: row.at(9),
                dates: EntryDates(
                    published: readable(row.at(10)), publishedText: readable(row.at(11)),
                    updated: readable(row.at(12)), updatedText: readable(row.at(13)), firstSeen: row.at(14),
                    pageText: readable(row.at(16)), previous: PreviousText(stored: readable(row.text(17)))),
                extras: EntryExtras(stored: readable(row.at(15))), fullHTML: readable(row.text(18)),
                place: readable(row.at(19)), options: SubscriptionOptions(stored: readable(row.at(20))))
            entry.isDamaged = isDamaged
            (entry.feedAddress, entry.folder, entry.account) = try (row.at(21), row.at(22), row.at(23))
            return entry
        }
    }

    /// Whether the spoiler filter hides the content of an entry.
    ///
    /// - Parameter filter: The filter, read once for all entries of a list, or `nil` if nothing is hidden.
    package static func isSpoiler(_ id: EntryID, by filter: (any SpoilerHiding)?, _ db: Database) throws -> Bool {
        guard let filter, let entry = try entryWithSpoilers(id, db) else { return false }
        return try filter.replacement(for: entry) != nil
    }
}

extension Row {
    /// Reads a column of a list row.
    fileprivate func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: EntryStore.Column
    ) throws -> Value { try at(column.rawValue) }
}
