import LibraryKernel

enum SearchSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE saved_search (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL,
                query TEXT NOT NULL UNIQUE,
                position INTEGER NOT NULL,
                sort TEXT NOT NULL DEFAULT 'newest'
            );
            """,
        contents: ["saved_search"])
}
