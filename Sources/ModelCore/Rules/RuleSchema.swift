/// The results and pending tasks of rules.
enum RuleSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE rule_tally (
                name TEXT PRIMARY KEY NOT NULL,
                matches INTEGER NOT NULL,
                last INTEGER,
                error TEXT
            ) WITHOUT ROWID;
            CREATE TABLE rule_step (
                change TEXT PRIMARY KEY NOT NULL,
                rule TEXT NOT NULL,
                created INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE TABLE rule_task (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                rule TEXT NOT NULL,
                task TEXT NOT NULL,
                entry_id INTEGER NOT NULL,
                created INTEGER NOT NULL
            );
            """,
        contents: ["rule_tally", "rule_task"])
}
