import LibraryKernel

/// The results of rules.
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
            """,
        contents: ["rule_tally"])
}
