import Accounts
import Feeds
import Foundation
import GRDB
import LibraryKernel
import Races

/// Copies everything readable in a damaged library to a new one.
package enum LibraryRecovery {
    /// The result of a recovery.
    package struct Outcome: Sendable {
        /// The result for each table.
        package var tables: [Found]
        /// Everything in the damaged library that would have run programs or written files.
        package var switchedOff: SwitchedOff
    }

    /// The recovered part of a table.
    package struct Found: Sendable, Hashable {
        package var table: String
        /// The number of rows in the new library.
        package var rows: Int
        /// Whether a part of the table could not be read.
        package var isPartial: Bool
    }

    /// Creates a new library from the readable content of another.
    ///
    /// - Parameters:
    ///   - path: The damaged library, which is only read, including its write-ahead log.
    ///   - target: The path of the new library, which must not exist.
    /// - Throws: ``LibraryError`` if there is nothing to recover.
    package static func recover(_ path: String, into target: String) throws(LibraryError) -> Outcome {
        guard let pages = try DatabasePages(path) else { throw .damaged(path: path) }
        return try fill(try OpenedDatabase.open(target, .current, prepare: nil), from: pages, named: path)
    }

    /// Recovers a library from bytes in memory and checks the result. Used by tests with arbitrary bytes.
    ///
    /// - Returns: The problems in the recovered library, which must be none.
    /// - Throws: ``LibraryError/damaged(path:)`` if there is nothing to recover.
    package static func findings(afterRecovering bytes: [UInt8]) throws(LibraryError) -> [String] {
        guard let pages = DatabasePages(bytes: bytes) else { throw .damaged(path: "memory") }
        let opened = try OpenedDatabase.open(nil, .current, prepare: nil)
        _ = try fill(opened, from: pages, named: "memory")
        do { return try opened.writer.read(LibraryCheck.findings) } catch { throw LibraryError(error, path: "memory") }
    }

    /// Copies everything readable into a new library.
    ///
    /// - Parameter path: The name of the damaged library in errors.
    private static func fill(_ opened: OpenedDatabase, from pages: DatabasePages, named path: String)
        throws(LibraryError) -> Outcome
    {
        do {
            return try opened.writer.writeWithoutTransaction { db in
                // Rows may refer to lost rows until the end.
                try db.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM setting")
                let layouts = try TableLayout.all(db)
                var reader = TableReader(pages, layouts: layouts)
                let found = try LibraryTable.all.compactMap { table in
                    try layouts.first { $0.name == table.name }.map { try copy($0, from: &reader, to: db) }
                }
                guard found.contains(where: { $0.rows > 0 }) else { throw LibraryError.damaged(path: path) }
                let off = try mend(db)
                _ = try? db.checkpoint(.truncate)
                return Outcome(tables: found, switchedOff: off)
            }
        } catch {
            throw LibraryError(error, path: path)
        }
    }

    /// Copies the readable rows of a table.
    private static func copy(_ layout: TableLayout, from reader: inout TableReader, to db: Database) throws -> Found {
        var found = Found(table: layout.name, rows: 0, isPartial: false)
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO \(layout.name) (\(layout.columns.map(\.name).joined(separator: ", ")))
                VALUES (\(layout.columns.map { _ in "?" }.joined(separator: ", ")))
                """)
        try db.inTransaction {
            let isWhole = try reader.read(layout.name) { record in
                guard layout.fit(record) > 0 else { return found.isPartial = true }
                let values = layout.values(of: record)
                if layout.replaces(record, by: values) { found.isPartial = true }
                do {
                    try insert.execute(arguments: StatementArguments(values))
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    return found.isPartial = true
                }
                found.rows += db.changesCount
            }
            if !isWhole { found.isPartial = true }
            if layout.name == "entry" { try addMissingFeeds(db) }
            return .commit
        }
        return found
    }

    /// Adds placeholders for feeds that could not be read but have entries.
    private static func addMissingFeeds(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO subscription (id, url, custom_title, position, total_count, unread_count)
                SELECT subscription_id, 'about:recovered-' || subscription_id, 'Recovered feed ' || subscription_id,
                    1000000 + subscription_id, count(*), sum(is_read = 0 AND is_archived = 0)
                FROM entry WHERE subscription_id NOT IN (SELECT id FROM subscription) GROUP BY subscription_id
                """)
    }

    /// Deletes rows that refer to lost rows. Feeds of a lost account become local feeds.
    private static func removeOrphans(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE OR IGNORE subscription SET account_id = NULL, remote_id = NULL
                    WHERE account_id IS NOT NULL AND account_id NOT IN (SELECT id FROM account);
                UPDATE subscription SET account_id = NULL, remote_id = NULL, url = 'about:recovered-' || id
                    WHERE account_id IS NOT NULL AND account_id NOT IN (SELECT id FROM account);
                """)
        // A content without its entry becomes an entry of its own.
        for table in LibraryTable.all where table.name != "entry_content" {
            for key in try db.foreignKeys(on: table.name) {
                let isSet = key.mapping.map { "\($0.origin) IS NOT NULL" }.joined(separator: " AND ")
                let refers = key.mapping.map { "\(table.name).\($0.origin) = p.\($0.destination)" }
                    .joined(separator: " AND ")
                try db.execute(
                    sql: """
                        DELETE FROM \(table.name) WHERE \(isSet)
                            AND NOT EXISTS (SELECT 1 FROM \(key.destinationTable) p WHERE \(refers))
                        """)
            }
        }
    }

    /// Restores the invariants of the library.
    ///
    /// - Returns: What was disabled, since the origin of a damaged file is unknown.
    private static func mend(_ db: Database) throws -> SwitchedOff {
        var off = SwitchedOff()
        try db.inTransaction {
            try removeOrphans(db)
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
                    DELETE FROM deleted_entry
                        WHERE EXISTS (SELECT 1 FROM entry e WHERE e.subscription_id = deleted_entry.subscription_id
                            AND e.guid = deleted_entry.guid);
                    UPDATE entry_content SET first_seen = (SELECT sort_date FROM entry WHERE id = entry_id)
                        WHERE first_seen = 0;
                    UPDATE entry SET sort_date = min(max(sort_date, 0), \(Instant.now + 86_400))
                        WHERE sort_date NOT BETWEEN 0 AND \(Instant.now + 86_400);
                    UPDATE entry SET is_read = is_read <> 0, is_starred = is_starred <> 0, is_later = is_later <> 0,
                        is_archived = is_archived <> 0
                        WHERE is_read NOT IN (0, 1) OR is_starred NOT IN (0, 1) OR is_later NOT IN (0, 1)
                            OR is_archived NOT IN (0, 1);
                    UPDATE subscription SET
                        total_count = (SELECT count(*) FROM entry WHERE subscription_id = subscription.id),
                        unread_count = (SELECT count(*) FROM entry
                            WHERE subscription_id = subscription.id AND is_read = 0 AND is_archived = 0);
                    UPDATE counter SET value = (SELECT count(*) FROM entry WHERE is_starred = 1) WHERE name = 'starred';
                    UPDATE counter SET value = (SELECT count(*) FROM entry WHERE is_later = 1) WHERE name = 'later';
                    INSERT OR REPLACE INTO setting VALUES ('library.prepared', 'yes');
                    """)
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES ('library.identity', ?)", arguments: [UUID().uuidString])
            try SwitchedOff.removeTokens(from: db)
            off = try SwitchedOff.apply(to: db)
            return .commit
        }
        return off
    }
}
