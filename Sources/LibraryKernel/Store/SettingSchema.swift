/// The table of settings.
package enum SettingSchema {
    package static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
            """,
        contents: ["setting"])
}
