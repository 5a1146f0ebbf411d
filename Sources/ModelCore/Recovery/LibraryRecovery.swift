import Foundation
import GRDB

/// Reads what can be read of a damaged library into a new one.
package enum LibraryRecovery {
    /// What was found in a table.
    package struct Found: Sendable, Hashable {
        package var table: String
        /// Rows that are in the new library.
        package var rows: Int
        /// Whether a part of the table could not be read.
        package var isPartial: Bool
    }

    /// Makes a new library of what can be read of another.
    ///
    /// - Parameters:
    ///   - path: The damaged library; it is only read, its write-ahead log included.
    ///   - target: Where the new one is to be; nothing may be there.
    /// - Throws: ``LibraryError`` when nothing of the kind can be read.
    package static func recover(_ path: String, into target: String) throws(LibraryError) -> [Found] {
        guard let bytes = WriteAheadLog.database(path) else { throw .damaged(path: path) }
        let image = target + ".image"
        guard PrivateFile.write(Data(bytes), to: image) else {
            throw .cannotOpen(path: image, reason: String(cString: strerror(errno)))
        }
        defer { unlink(image) }
        let opened = try OpenedDatabase.open(target, prepare: nil)
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: image, configuration: configuration)
            let found = try opened.writer.writeWithoutTransaction { db in
                // What rows refer to may be lost: they are mended together at the end.
                try db.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM setting")
                // Not in one transaction, which SQLite ends where a page cannot be read.
                return try source.unsafeRead { source in
                    try LibraryTable.all.map { try copy($0.name, from: source, to: db) }
                }
            }
            guard found.contains(where: { $0.rows > 0 }) else { throw LibraryError.damaged(path: path) }
            try opened.writer.writeWithoutTransaction { db in
                try mend(db)
                _ = try? db.checkpoint(.truncate)
            }
            return found
        } catch {
            throw LibraryError(error, path: path)
        }
    }

    /// Copies the rows that can be read, one after another.
    private static func copy(_ table: String, from source: Database, to db: Database) throws -> Found {
        guard let known = try? source.columns(in: table) else { return Found(table: table, rows: 0, isPartial: true) }
        var count = 0
        var leftOut = 0
        var isWhole = true
        let columns = try db.columns(in: table).filter { column in known.contains { $0.name == column.name } }
        let names = columns.map(\.name)
        let hasRowID =
            table != "setting" && ((try? Int.fetchOne(source, sql: "SELECT rowid FROM \(table) LIMIT 1")) != nil)
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", ")))
                VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
                """)
        func take(_ row: Row) throws {
            let values = columns.map { value($0, row) }
            // A row that may not stand there, such as one whose key is damaged, is left out.
            do { try insert.execute(arguments: StatementArguments(values)) } catch { return leftOut += 1 }
            if db.changesCount > 0 { count += 1 }
        }
        try db.inTransaction {
            let list = names.joined(separator: ", ")
            isWhole =
                hasRowID
                ? byRowID(table, list, source, take) : inOrder("SELECT \(list) FROM \(table)", source, take)
            if table == "entry" { try addMissingFeeds(db) }
            return .commit
        }
        return Found(table: table, rows: count, isPartial: !isWhole || leftOut > 0)
    }

    /// A value, or what stands for one of another kind: the column's default, or nothing.
    private static func value(_ column: ColumnInfo, _ row: Row) -> DatabaseValue {
        let value: DatabaseValue = row[column.name]
        // Counters are kept by the rows that come.
        if column.name == "unread_count" || column.name == "total_count" { return 0.databaseValue }
        let kinds = LibraryTable.kinds(of: column)
        let kind =
            switch value.storage {
            case .null: "'null'"
            case .int64: "'integer'"
            case .double: "'real'"
            case .string: "'text'"
            case .blob: "'blob'"
            }
        if kinds.isEmpty || kinds.contains(kind) { return value }
        if case .string(let text) = value.storage, column.type == "INTEGER", let number = Int64(text) {
            return number.databaseValue
        }
        guard column.isNotNull else { return .null }
        return column.type == "INTEGER" ? 0.databaseValue : "".databaseValue
    }

    /// Reads until a page cannot be read; false when there is one.
    private static func inOrder(_ sql: String, _ source: Database, _ take: (Row) throws -> Void) -> Bool {
        do {
            let rows = try Row.fetchCursor(source, sql: sql)
            while let row = try rows.next() { try take(row) }
            return true
        } catch {
            return false
        }
    }

    /// Reads from the first row on; where a page cannot be read, behind it: in wider and wider steps, as tables are trees that
    /// lose a span of rows with a page.
    ///
    /// - Returns: Whether all pages could be read.
    private static func byRowID(
        _ table: String, _ columns: String, _ source: Database, _ take: (Row) throws -> Void
    ) -> Bool {
        var isWhole = true
        var next = Int64.min
        var step: Int64 = 1
        var empty = 0
        while true {
            do {
                let rows = try Row.fetchCursor(
                    source, sql: "SELECT \(columns), rowid AS \"?row\" FROM \(table) WHERE rowid >= ? ORDER BY rowid",
                    arguments: [next])
                while let row = try rows.next() {
                    try take(row)
                    next = (row["?row"] as Int64) + 1
                    (step, empty) = (1, 0)
                }
                return isWhole
            } catch {
                isWhole = false
                // From the least number there is no way by steps: the rows begin at 1.
                next = max(next, 0) + step
                step = min(step * 2, 1 << 20)
                empty += 1
                if empty > 400 { return false }
            }
        }
    }

    /// Entries whose feeds could not be read keep a place.
    private static func addMissingFeeds(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO subscription (id, url, custom_title, position, total_count, unread_count)
                SELECT subscription_id, 'about:recovered-' || subscription_id, 'Recovered feed ' || subscription_id,
                    1000000 + subscription_id, count(*), sum(is_read = 0 AND is_folded = 0)
                FROM entry WHERE subscription_id NOT IN (SELECT id FROM subscription) GROUP BY subscription_id
                """)
    }

    /// What the rest of the program takes for granted.
    private static func mend(_ db: Database) throws {
        try db.inTransaction {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO entry_content (entry_id, first_seen)
                        SELECT id, sort_date FROM entry WHERE id NOT IN (SELECT entry_id FROM entry_content);
                    INSERT OR IGNORE INTO subscription (url, custom_title, position)
                        SELECT 'about:recovered', 'Recovered entries', 2000000 WHERE EXISTS
                            (SELECT 1 FROM entry_content WHERE entry_id NOT IN (SELECT id FROM entry));
                    INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
                        SELECT entry_id, (SELECT id FROM subscription WHERE url = 'about:recovered'),
                            'recovered:' || entry_id, coalesce(link, 'Recovered entry ' || entry_id),
                            coalesce(published, first_seen), published IS NOT NULL, 0
                        FROM entry_content WHERE entry_id NOT IN (SELECT id FROM entry);
                    INSERT OR IGNORE INTO unindexed SELECT entry_id FROM entry_content;
                    DELETE FROM deleted_entry WHERE subscription_id NOT IN (SELECT id FROM subscription)
                        OR EXISTS (SELECT 1 FROM entry e WHERE e.subscription_id = deleted_entry.subscription_id
                            AND e.guid = deleted_entry.guid);
                    DELETE FROM subscription_tag WHERE subscription_id NOT IN (SELECT id FROM subscription);
                    DELETE FROM entry_tag WHERE entry_id NOT IN (SELECT id FROM entry);
                    DELETE FROM stage WHERE race_id NOT IN (SELECT id FROM race);
                    UPDATE subscription SET
                        total_count = (SELECT count(*) FROM entry WHERE subscription_id = subscription.id),
                        unread_count = (SELECT count(*) FROM entry
                            WHERE subscription_id = subscription.id AND is_read = 0 AND is_folded = 0);
                    UPDATE counter SET value = (SELECT count(*) FROM entry WHERE is_starred = 1) WHERE name = 'starred';
                    UPDATE counter SET value = (SELECT count(*) FROM entry WHERE is_later = 1) WHERE name = 'later';
                    INSERT OR REPLACE INTO setting VALUES ('library.prepared', 'yes');
                    """)
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES ('library.identity', ?)", arguments: [UUID().uuidString])
            return .commit
        }
    }
}
