/// The table of settings.
enum SettingSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
            """,
        contents: ["setting"])
}
