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

    /// Renames the tables, deletes the undo steps, whose encoding was another, and creates the trash again with today's
    /// columns. Undo steps last for a day only. Runs inside the transaction of ``Schema/migrate(_:)``.
    static func bringOver(_ db: Database) throws {
        for (old, new) in renamedTables { try db.execute(sql: "ALTER TABLE \(old) RENAME TO \(new)") }
        try db.execute(sql: "ALTER TABLE stored_journal RENAME COLUMN taken TO stored")
        try db.execute(sql: "DELETE FROM undo_step; DELETE FROM rule_step")
        for (table, key) in Schema.trashTables { try rebuildTrash(of: table, key: key, db) }
        try db.execute(
            sql: "DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES (?)", arguments: [Schema.baselineName]
        )
    }

    private static func rebuildTrash(of table: String, key: String, _ db: Database) throws {
        try db.execute(sql: "DROP TABLE trash_\(table)")
        try Schema.createTrash(of: table, key: key, db)
    }
}
