import GRDB

/// Brings libraries of schema version 16 over to the baseline, which is version 17.
///
/// Both have the same columns in the same order, so ``LibraryRecovery`` reads both with one layout.
enum SixteenthVersion {
    /// The names of the versions that a library of version 16 records.
    static let names = Set((1...16).map { "v\($0)" })
    /// The digest of the triggers of version 16.
    static let triggers: UInt64 = 0x3FB0_3D38_97C2_6E41
    /// The tables with another name since then.
    private static let renamedTables = [
        "covered_race": "race_spoiler", "uncovered_entry": "revealed_entry", "played_recording": "played_enclosure",
        "taken_journal": "stored_journal",
    ]

    /// Returns the number of the version that a library has recorded, or `nil` if it has reached version 16.
    static func earlierVersion(_ applied: Set<String>) -> Int? {
        applied.isEmpty || !applied.isStrictSubset(of: names) ? nil : applied.count
    }

    /// Returns today's name of a table.
    static func currentName(of table: String) -> String { renamedTables[table] ?? table }

    /// Renames the tables, deletes undo steps that can't be decoded any more, and creates the trash again with today's
    /// columns. Runs inside the transaction of ``Schema/migrate(_:)``.
    static func bringOver(_ db: Database) throws {
        for (old, new) in renamedTables { try db.execute(sql: "ALTER TABLE \(old) RENAME TO \(new)") }
        try db.execute(sql: "ALTER TABLE stored_journal RENAME COLUMN taken TO stored")
        // The first libraries of version 16 had undo steps in an encoding without kinds. They expire after a day.
        try db.execute(sql: "DELETE FROM undo_step WHERE inverse NOT LIKE '%\"kind\":%'")
        for (table, key) in Schema.trashTables { try rebuildTrash(of: table, key: key, db) }
        try db.execute(
            sql: "DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES (?)", arguments: [Schema.baselineName]
        )
    }

    private static func rebuildTrash(of table: String, key: String, _ db: Database) throws {
        let columns = try db.columns(in: "trash_\(table)").map(\.name).joined(separator: ", ")
        try db.execute(
            sql: "DROP INDEX trash_\(table)_step; ALTER TABLE trash_\(table) RENAME TO old_trash_\(table)")
        try Schema.createTrash(of: table, key: key, db)
        try db.execute(
            sql: """
                INSERT INTO trash_\(table) (\(columns)) SELECT \(columns) FROM old_trash_\(table)
                    WHERE step_id IN (SELECT id FROM undo_step);
                DROP TABLE old_trash_\(table);
                """)
    }
}
