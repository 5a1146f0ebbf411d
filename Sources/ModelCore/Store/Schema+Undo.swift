import Foundation
import GRDB

/// Schema version 5: IDs that are never reused, and changes that are stored together with their undo steps.
extension Schema {
    static func fifth(_ db: Database) throws {
        try createSteps(db)
        for table in ["subscription", "entry", "saved_search"] { try neverUseAgain(table, db) }
        // Earlier runs discarded their undo data at exit.
        try db.execute(
            sql: """
                DROP TABLE trash_content; DROP TABLE trash_entry; DROP TABLE trash_tag; DROP TABLE trash_subscription;
                DROP TABLE trash;
                """)
        for (table, key) in firstTrashTables { try createTrash(of: table, key: key, db) }
        try db.execute(
            sql: "INSERT OR IGNORE INTO setting VALUES ('library.identity', ?)", arguments: [UUID().uuidString])
    }

    private static func createSteps(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE undo_step (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    change TEXT NOT NULL UNIQUE,
                    created INTEGER NOT NULL,
                    explanation TEXT NOT NULL,
                    inverse TEXT NOT NULL
                );
                CREATE TABLE taken_journal (id TEXT PRIMARY KEY NOT NULL, taken INTEGER NOT NULL) WITHOUT ROWID;
                """)
    }

    /// The tables whose rows undo restores, each with the column that identifies the subscription or entry of a row.
    static let trashTables: [(table: String, key: String)] = firstTrashTables + [("entry_tag", "entry_id")]

    /// The trash tables of schema version 5.
    private static let firstTrashTables: [(table: String, key: String)] = [
        ("subscription", "id"), ("subscription_tag", "subscription_id"), ("deleted_entry", "subscription_id"),
        ("entry", "id"), ("entry_content", "entry_id"),
    ]

    /// Creates a trash table with the columns of another table and the ID of the undo step.
    static func createTrash(of table: String, key: String, _ db: Database) throws {
        let columns = try db.columns(in: table).map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE TABLE trash_\(table) (step_id INTEGER NOT NULL, \(columns));
                CREATE INDEX trash_\(table)_step ON trash_\(table) (step_id, \(key));
                """)
    }

    /// Prevents a table from reusing the IDs of deleted rows (AUTOINCREMENT). Undo, open lists and the index refer to
    /// rows by ID.
    ///
    /// The rows don't move. Only the definition of the table changes, which makes SQLite remember the highest ID
    /// (https://www.sqlite.org/autoinc.html). The method is described in https://www.sqlite.org/lang_altertable.html,
    /// section 7.
    private static func neverUseAgain(_ table: String, _ db: Database) throws {
        let before = "id INTEGER PRIMARY KEY,"
        let after = "id INTEGER PRIMARY KEY AUTOINCREMENT,"
        let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(
            sql: "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?",
            arguments: [before, after, table])
        try db.execute(sql: "PRAGMA schema_version = \(version + 1); PRAGMA writable_schema = RESET")
        let text = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
        guard text?.contains(after) == true else { throw LibraryError.failed("\(table) has an unexpected form") }
        try db.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) SELECT ?, coalesce(max(id), 0) FROM \(table)",
            arguments: [table])
    }
}
