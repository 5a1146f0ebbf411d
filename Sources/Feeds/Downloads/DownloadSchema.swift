import GRDB
import LibraryKernel

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
                added INTEGER NOT NULL,
                feed TEXT
            );
            """,
        contents: ["download"])
}
