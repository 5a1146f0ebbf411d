import GRDB

/// Schema version 11: the addresses of followed races.
extension Schema {
    static func eleventh(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE race_source (
                    address TEXT PRIMARY KEY NOT NULL,
                    race_id TEXT NOT NULL UNIQUE,
                    name TEXT NOT NULL,
                    etag TEXT,
                    last_modified TEXT,
                    next_fetch INTEGER,
                    not_before INTEGER,
                    failures INTEGER NOT NULL DEFAULT 0,
                    last_success INTEGER,
                    error TEXT
                );
                """)
    }
}
