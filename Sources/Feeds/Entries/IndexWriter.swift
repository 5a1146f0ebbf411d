import FeedParsing
import GRDB
import LibraryKernel

/// Updates of the full-text index and the other data for searches.
package struct IndexWriter {
    let transaction: LibraryTransaction

    package init(_ transaction: LibraryTransaction) { self.transaction = transaction }

    private var db: Database { transaction.db }

    /// The number of entries to index in one transaction, during which the user's changes wait.
    static let indexedAtOnce = 300

    /// Returns the newest entries that are not in the index.
    fileprivate static func waiting(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: toIndex + " ORDER BY u.entry_id DESC LIMIT ?", arguments: [indexedAtOnce])
    }

    /// Indexes the newest entries that are not in the index.
    ///
    /// - Parameter prepared: What was derived from entries before the transaction.
    /// - Returns: The number of entries, which is 0 only if none is left.
    /// - Throws: ``LibraryError/unreadable(_:)`` if a row can't be removed from the queue. In a damaged library a row
    ///   may be found by one index and not by another, and would be added forever.
    func indexSome(_ prepared: [EntryID: IndexedRow] = [:]) throws -> Int {
        let waiting = try IndexWriter.waiting(db)
        let count = try index(waiting, prepared)
        guard count == waiting.count else {
            throw LibraryError.unreadable("the list of entries to index")
        }
        return count
    }

    /// Indexes all entries after an identifier.
    package func index(after last: EntryID) throws {
        try transaction.parts.part(GatheredTexts.self).finish(db)
        _ = try index(Row.fetchAll(db, sql: IndexWriter.toIndex + " WHERE u.entry_id > ?", arguments: [last]))
    }

    /// The columns of an entry for the index, and the data beside its text (``IndexedPart``).
    private static let toIndex = """
        SELECT u.entry_id, e.title, c.author, c.html, c.full_html, c.text, c.link,
            \(IndexedPart.author.bit) * (coalesce(c.author, '') <> '')
            + \(IndexedPart.changes.bit) * (c.former IS NOT NULL)
            + \(IndexedPart.comments.bit) * (coalesce(c.extras, '') LIKE '%"comments":%')
            + \(IndexedPart.date.bit) * (e.has_date = 1)
            + \(IndexedPart.fulltext.bit) * (coalesce(c.full_html, '') <> '')
            + \(IndexedPart.link.bit) * (coalesce(c.link, '') <> '')
            + \(IndexedPart.picture.bit) * (coalesce(c.extras, '') LIKE '%"image":%')
            + \(IndexedPart.media.bit)
                * (coalesce(c.extras, '') LIKE '%"audio%' OR coalesce(c.extras, '') LIKE '%"video%')
        FROM unindexed u
        LEFT JOIN entry e ON e.id = u.entry_id LEFT JOIN entry_content c ON c.entry_id = u.entry_id
        """

    /// Indexes entries, always in ascending order.
    ///
    /// When a row number is smaller than the last one, FTS5 writes out the words it has gathered. In descending order
    /// each entry would become a segment of its own.
    ///
    /// - Returns: The number of entries removed from the queue.
    private func index(_ rows: [Row], _ prepared: [EntryID: IndexedRow] = [:]) throws -> Int {
        guard !rows.isEmpty else { return 0 }
        let rows = try rows.map { (try $0.at(0) as EntryID, $0) }.sorted { $0.0 < $1.0 }
        let remove = try db.cachedStatement(sql: "DELETE FROM entry_search WHERE rowid = ?")
        // New entries are stored with both values, and each index that contains them would be written again.
        let note = try db.cachedStatement(
            sql: """
                UPDATE entry SET characters = ?1, parts = ?2
                WHERE id = ?3 AND (characters IS NOT ?1 OR parts IS NOT ?2)
                """)
        let done = try db.cachedStatement(sql: "DELETE FROM unindexed WHERE entry_id = ?")
        var count = 0
        for (entry, row) in rows {
            try remove.execute(arguments: [entry])
            if let title: String = try row.at(1) {
                let (author, link): (String?, String?) = (try row.at(2), try row.at(6))
                let known = prepared[entry].flatMap { $0.isOf(row) ? $0 : nil }
                let indexed = try known ?? IndexedRow(row)
                try GatheredTexts.insert(indexed.data, of: entry, title: title, author: author, link: link, db)
                try note.execute(arguments: [indexed.data.characters, indexed.data.parts, entry])
            }
            try done.execute(arguments: [entry])
            count += db.changesCount
        }
        return count
    }
}

/// What is derived for the index from an entry in the library, which may happen before the transaction that stores it.
struct IndexedRow: Sendable {
    let data: IndexedEntry
    private let digest: UInt64

    /// - Parameter row: A row of ``IndexWriter/waiting(_:)``.
    init(_ row: Row) throws {
        // A damaged text has no words. Otherwise no entry after it would be indexed.
        let (html, fullHTML, text) = (try? row.text(3), try? row.text(4), try? row.text(5))
        let parts: Int? = try row.at(7)
        data = IndexedEntry(html: html, fullHTML: fullHTML, text: text, parts: parts ?? 0)
        digest = IndexedRow.digest(row)
    }

    /// Whether it was derived from a row with the same values.
    func isOf(_ row: Row) -> Bool { digest == IndexedRow.digest(row) }

    private static func digest(_ row: Row) -> UInt64 {
        var hash = FNVHash()
        for index in 3..<row.count {
            let value: DatabaseValue = row[index]
            switch value.storage {
            case .null: hash.combine(0)
            case .int64(let number): hash.combine(UInt64(bitPattern: number))
            case .double(let number): hash.combine(number.bitPattern)
            case .string(var text): text.withUTF8 { hash.combineWords(UnsafeRawBufferPointer($0)) }
            case .blob(let bytes): bytes.withUnsafeBytes { hash.combineWords($0) }
            }
        }
        return hash.value
    }
}

/// Collects texts of new entries for the index until the end of their transaction.
///
/// Indexing them one by one would be slow: a new entry fires triggers, and then FTS5 writes out the words it has
/// gathered. Texts that are not indexed here wait in the table `unindexed`, like the text of every entry.
final class GatheredTexts: TransactionPart {
    private struct Text {
        let indexed: IndexedEntry
        let title: String
        let author: String?
        let link: String?
    }
    private var texts: [EntryID: Text] = [:]

    init() {}

    /// Adds the text of an entry that is not in the index.
    func add(_ indexed: IndexedEntry, of entry: EntryID, title: String, author: String?, link: String?) {
        texts[entry] = Text(indexed: indexed, title: title, author: author, link: link)
    }

    /// Drops the text of an entry, because it has changed.
    func drop(_ entry: EntryID) { texts[entry] = nil }

    /// Indexes the collected texts that still wait for it. Deleted entries don't.
    func finish(_ db: Database) throws {
        guard !texts.isEmpty else { return }
        defer { texts = [:] }
        let done = try db.cachedStatement(sql: "DELETE FROM unindexed WHERE entry_id = ?")
        for (entry, text) in texts.sorted(by: { $0.key < $1.key }) {
            try done.execute(arguments: [entry])
            guard db.changesCount == 1 else { continue }
            try GatheredTexts.insert(
                text.indexed, of: entry, title: text.title, author: text.author, link: text.link, db)
        }
    }

    fileprivate static func insert(
        _ indexed: IndexedEntry, of entry: EntryID, title: String, author: String?, link: String?, _ db: Database
    ) throws {
        try db.executeCached(
            "INSERT INTO entry_search (rowid, title, author, body, link) VALUES (?, ?, ?, ?, ?)",
            [entry, title, author, indexed.text, link])
    }
}

/// Adds a few hundred entries to the full-text index. The receipt has their number.
package struct IndexSome: MaintenanceStep {
    private var rows: [EntryID: IndexedRow] = [:]

    package init() {}

    package func prepared(reading store: Store) -> IndexSome {
        var step = self
        for row in (try? store.read { db in try IndexWriter.waiting(db) }) ?? [] {
            guard let entry: EntryID = try? row.at(0), let indexed = try? IndexedRow(row) else { continue }
            step.rows[entry] = indexed
        }
        return step
    }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        Outcome(count: try IndexWriter(transaction).indexSome(rows))
    }
}
