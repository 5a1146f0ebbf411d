import GRDB

/// Schema version 13: race directories, and tracks by address.
extension Schema {
    /// Some libraries of version 12 already have these tables, because that version was extended after its first use.
    static func thirteenth(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS race_directory (
                    address TEXT PRIMARY KEY NOT NULL,
                    title TEXT NOT NULL,
                    etag TEXT,
                    last_modified TEXT,
                    next_fetch INTEGER,
                    not_before INTEGER,
                    failures INTEGER NOT NULL DEFAULT 0,
                    last_success INTEGER,
                    error TEXT
                );
                CREATE TABLE IF NOT EXISTS listed_race (
                    directory TEXT NOT NULL REFERENCES race_directory (address) ON DELETE CASCADE,
                    address TEXT NOT NULL,
                    name TEXT NOT NULL,
                    first_day TEXT,
                    last_day TEXT,
                    kind TEXT,
                    country TEXT,
                    words TEXT NOT NULL,
                    PRIMARY KEY (directory, address)
                ) WITHOUT ROWID;
                DROP INDEX IF EXISTS listed_race_day;
                CREATE INDEX listed_race_day ON listed_race (first_day, last_day, words);
                CREATE TABLE IF NOT EXISTS fetched_track (
                    address TEXT PRIMARY KEY NOT NULL,
                    points BLOB,
                    spark TEXT,
                    fetched INTEGER NOT NULL
                );
                """)
    }
}
