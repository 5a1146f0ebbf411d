import GRDB

/// Schema version 12: additional data of race format 2, standings after each stage, and hidden spoilers.
extension Schema {
    static func twelfth(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE race ADD COLUMN details TEXT;
                ALTER TABLE race ADD COLUMN roster TEXT;
                ALTER TABLE stage ADD COLUMN details TEXT;
                CREATE TABLE stage_placing (
                    race_id TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    classification INTEGER NOT NULL,
                    row INTEGER NOT NULL,
                    place INTEGER NOT NULL,
                    rider TEXT,
                    team TEXT,
                    time INTEGER,
                    gap INTEGER,
                    points REAL,
                    PRIMARY KEY (race_id, number, classification, row),
                    FOREIGN KEY (race_id, number) REFERENCES stage (race_id, number) ON DELETE CASCADE
                ) WITHOUT ROWID;
                CREATE INDEX stage_placing_rider ON stage_placing (race_id, rider);
                CREATE TABLE ticker_line (
                    race_id TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    row INTEGER NOT NULL,
                    time TEXT NOT NULL,
                    km REAL,
                    text TEXT NOT NULL,
                    PRIMARY KEY (race_id, number, row),
                    FOREIGN KEY (race_id, number) REFERENCES stage (race_id, number) ON DELETE CASCADE
                ) WITHOUT ROWID;
                CREATE TABLE covered_race (race_id TEXT PRIMARY KEY NOT NULL);
                CREATE TABLE seen_stage (
                    race_id TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (race_id, number));
                CREATE TABLE uncovered_entry (
                    entry_id INTEGER PRIMARY KEY NOT NULL REFERENCES entry (id) ON DELETE CASCADE);
                """)
    }
}
