import GRDB
import LibraryKernel

/// Brings libraries of schema version 16 over to the baseline, which is version 17.
///
/// Both have the same columns in the same order, so ``LibraryRecovery`` reads both with one layout.
enum SixteenthVersion {
    /// What the schema has to know of it.
    static let predecessor = LibrarySchema.Predecessor(
        names: (1...16).map { "v\($0)" }, triggers: 0x3FB0_3D38_97C2_6E41,
        tables: ["grdb_migrations", "subscription", "entry_content"], bringOver: bringOver)
    /// The tables with another name since then.
    private static let renamedTables = [
        "covered_race": "race_spoiler", "uncovered_entry": "revealed_entry", "played_recording": "played_enclosure",
        "taken_journal": "stored_journal",
    ]

    /// Returns today's name of a table.
    static func currentName(of table: String) -> String { renamedTables[table] ?? table }

    /// Renames the tables and deletes the undo steps, whose encoding was another, with their trash. Undo steps last for a
    /// day only. Runs inside the transaction of ``LibrarySchema/migrate(_:)``, which creates the trash again.
    @Sendable private static func bringOver(_ db: Database, to schema: LibrarySchema) throws {
        for (old, new) in renamedTables { try db.execute(sql: "ALTER TABLE \(old) RENAME TO \(new)") }
        try db.execute(sql: "ALTER TABLE stored_journal RENAME COLUMN taken TO stored")
        try db.execute(sql: "DELETE FROM undo_step; DELETE FROM rule_step")
        for (table, _) in schema.trashTables { try db.execute(sql: "DROP TABLE IF EXISTS trash_\(table)") }
        try db.execute(
            sql: "DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES (?)", arguments: [schema.baselineName]
        )
    }
}
