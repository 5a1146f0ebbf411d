import Accounts
import Feeds
import GRDB
import LibraryKernel
import Races

/// Checks a library for damage.
package enum LibraryCheck {
    /// The maximum number of reported findings.
    private static let maximum = 100

    /// Checks all pages, indexes, counters and values.
    ///
    /// - Returns: A sentence for each problem.
    package static func run(_ library: Library) throws(LibraryError) -> [String] { try library.read(findings) }

    static func findings(_ db: Database) throws -> [String] {
        let checks = [triggers, pages, references, counters, texts, values, storedTexts]
        return Array(try checks.flatMap { try $0(db) }.prefix(maximum))
    }

    /// Checks the pages without the contents of indexes, which is fast enough to run in the background.
    ///
    /// Throws if the pages can't be read for another reason than damage, such as a lock or a deleted file.
    package static func pagesAreIntact(_ library: Library) throws(LibraryError) -> Bool {
        do throws(LibraryError) {
            return try library.read { db in try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" }
        } catch {
            switch error {
            case .damaged, .unreadable: return false
            default: throw error
            }
        }
    }

    private static func pages(_ db: Database) throws -> [String] {
        do {
            return try String.fetchAll(db, sql: "PRAGMA integrity_check(\(maximum))").filter { $0 != "ok" }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return ["can't check the pages: \(error.message ?? "damaged")"]
        }
    }

    /// Returns triggers and views that tappa did not create.
    private static func triggers(_ db: Database) throws -> [String] {
        try LibrarySchema.current.version(of: db) == .foreign
            ? ["there are triggers or views that tappa did not create"] : []
    }

    private static func references(_ db: Database) throws -> [String] {
        let rows = try Row.fetchAll(db, sql: "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1")
        return try rows.map { row in
            let (table, count): (String, Int) = (try row.at(0), try row.at(1))
            return "references to nothing in \(count.counted("row")) of \(table)"
        }
    }

    private static func counters(_ db: Database) throws -> [String] {
        var findings: [String] = []
        let feeds = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM subscription s
                WHERE total_count <> (SELECT count(*) FROM entry WHERE subscription_id = s.id)
                OR unread_count <> (SELECT count(*) FROM entry WHERE subscription_id = s.id
                    AND is_read = 0 AND is_archived = 0)
                """)
        if let feeds, feeds > 0 { findings.append("the counters of \(feeds.counted("feed")) are wrong") }
        for (name, mark) in [("starred", EntryMark.starred), ("later", .later)] {
            let difference = try Int.fetchOne(
                db,
                sql: """
                    SELECT value - (SELECT count(*) FROM entry WHERE \(mark.rawValue) = 1) FROM counter WHERE name = ?
                    """, arguments: [name])
            if difference != 0 { findings.append("the counter of \(name) entries is wrong") }
        }
        return findings
    }

    /// Returns texts missing in the index, and indexed texts of deleted entries.
    private static func texts(_ db: Database) throws -> [String] {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT (SELECT count(*) FROM entry_content c WHERE c.entry_id NOT IN (SELECT entry_id FROM unindexed)
                        AND NOT EXISTS (SELECT 1 FROM entry_search_docsize d WHERE d.id = c.entry_id)),
                    (SELECT count(*) FROM entry_search_docsize d WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = d.id))
                """)
        guard let row else { return [] }
        let (missing, left): (Int, Int) = try (row.at(0), row.at(1))
        var findings: [String] = []
        if missing > 0 {
            findings.append("the texts of \(missing.countedEntries) are neither in the index nor queued for it")
        }
        if left > 0 { findings.append("the index contains texts of \(left.countedEntries) that no longer exist") }
        return findings
    }

    /// Returns a sentence for each table with compressed texts that can't be read.
    package static func damagedTexts(_ library: Library) throws(LibraryError) -> [String] {
        try library.read(storedTexts)
    }

    /// Returns compressed texts that can't be read.
    private static func storedTexts(_ db: Database) throws -> [String] {
        var places = LibraryTable.all.flatMap { table in
            LibraryTable.storedTexts[table.name, default: []].sorted().map { (table.name, $0) }
        }
        // The texts in the index, in FTS5's own table.
        places.append(("entry_search_content", "c2"))
        return try places.compactMap { table, column in
            let values = try DatabaseValue.fetchCursor(
                db, sql: "SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'blob'")
            let damaged = try values.reduce(0) { $0 + (LibraryTable.isReadable($1) ? 0 : 1) }
            return damaged > 0 ? "\(damaged.counted("compressed text")) in \(table) can't be read" : nil
        }
    }

    /// Returns values of the wrong type, since SQLite stores any value in any column.
    private static func values(_ db: Database) throws -> [String] {
        var findings: [String] = []
        for table in LibraryTable.all {
            let columns = try db.columns(in: table.name)
            let wrong = columns.compactMap { column -> String? in
                let kinds = LibraryTable.kinds(of: column, in: table.name)
                return kinds.isEmpty ? nil : "typeof(\"\(column.name)\") NOT IN (\(kinds))"
            }
            guard !wrong.isEmpty else { continue }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM \(table.name) WHERE \(wrong.joined(separator: " OR "))")
            if let count, count > 0 {
                findings.append("values of the wrong type in \(count.counted("row")) of \(table.name)")
            }
        }
        return findings
    }
}

/// A table with content that a user could miss. All other tables can be derived from these.
struct LibraryTable {
    var name: String

    /// The tables of all features, ordered so that rows refer only to earlier tables.
    static let all = LibrarySchema.current.features.flatMap(\.contents).map(LibraryTable.init)

    /// The columns of each table that may contain compressed texts.
    static let storedTexts = LibrarySchema.current.features.reduce(into: [String: Set<String>]()) { columns, feature in
        columns.merge(feature.storedTexts) { $0.union($1) }
    }

    /// Whether a value of a column with compressed texts can be read.
    static func isReadable(_ value: DatabaseValue) -> Bool { (try? StoredText.text(of: value)) != nil }

    /// Returns the allowed types of a column as SQLite names them, or an empty text for any.
    static func kinds(of column: ColumnInfo, in table: String) -> String {
        let table = table.hasPrefix("trash_") ? String(table.dropFirst("trash_".count)) : table
        let own =
            switch column.type.uppercased() {
            case "TEXT" where storedTexts[table]?.contains(column.name) == true: "'text', 'blob'"
            case "INTEGER": "'integer'"
            case "TEXT": "'text'"
            case "REAL": "'real', 'integer'"
            case "BLOB": "'blob', 'text'"
            default: ""
            }
        guard !own.isEmpty else { return "" }
        return column.isNotNull || column.primaryKeyIndex > 0 ? own : own + ", 'null'"
    }
}
