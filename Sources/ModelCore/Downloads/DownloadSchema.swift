/// The tables of downloads and playback positions.
enum DownloadSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE download (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                url TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                path TEXT,
                is_done INTEGER NOT NULL DEFAULT 0,
                size INTEGER,
                validator TEXT,
                error TEXT,
                allows_private INTEGER NOT NULL DEFAULT 0,
                added INTEGER NOT NULL
            );
            CREATE TABLE played_enclosure (
                url TEXT PRIMARY KEY NOT NULL,
                position INTEGER NOT NULL,
                duration INTEGER,
                played INTEGER NOT NULL
            );
            """,
        contents: ["download", "played_enclosure"])
}
