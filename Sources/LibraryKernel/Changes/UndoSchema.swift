/// The undo steps, and the journals that were stored.
enum UndoSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE undo_step (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                change TEXT NOT NULL UNIQUE,
                created INTEGER NOT NULL,
                explanation TEXT NOT NULL,
                inverse TEXT NOT NULL
            );
            CREATE TABLE stored_journal (id TEXT PRIMARY KEY NOT NULL, stored INTEGER NOT NULL) WITHOUT ROWID;
            """)
}
