import GRDB
import LibraryKernel

/// The tables of races: stages, standings, followed addresses, the calendar, tracks and hidden spoilers.
enum RaceSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE race (
                id TEXT PRIMARY KEY NOT NULL,
                name TEXT NOT NULL,
                year INTEGER NOT NULL,
                edition INTEGER,
                country TEXT,
                leader_jersey TEXT,
                rest_days TEXT NOT NULL DEFAULT '[]',
                overall TEXT NOT NULL DEFAULT '[]',
                is_bundled INTEGER NOT NULL DEFAULT 0,
                details TEXT,
                roster TEXT
            );
            CREATE TABLE stage (
                race_id TEXT NOT NULL REFERENCES race(id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                date TEXT,
                start TEXT NOT NULL,
                finish TEXT NOT NULL,
                distance_km REAL,
                type TEXT,
                winner TEXT,
                leader_after TEXT,
                image_url TEXT,
                article_url TEXT,
                start_lat REAL,
                start_lon REAL,
                finish_lat REAL,
                finish_lon REAL,
                details TEXT,
                PRIMARY KEY (race_id, number)
            );
            CREATE INDEX stage_date ON stage (date) WHERE date IS NOT NULL;
            CREATE TABLE stage_track (
                race_id TEXT NOT NULL,
                number INTEGER NOT NULL,
                points BLOB NOT NULL,
                spark TEXT NOT NULL,
                PRIMARY KEY (race_id, number)
            );
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
                bonus INTEGER,
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
                kind TEXT,
                PRIMARY KEY (race_id, number, row),
                FOREIGN KEY (race_id, number) REFERENCES stage (race_id, number) ON DELETE CASCADE
            ) WITHOUT ROWID;
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
                error TEXT,
                runs_program INTEGER NOT NULL DEFAULT 0,
                plan TEXT,
                holder TEXT,
                holder_rank INTEGER,
                reserved_until INTEGER
            );
            CREATE TABLE calendar_race (
                item TEXT PRIMARY KEY NOT NULL,
                race_id TEXT NOT NULL,
                name TEXT NOT NULL,
                year INTEGER NOT NULL,
                first_day TEXT NOT NULL,
                last_day TEXT NOT NULL,
                kind TEXT,
                country TEXT,
                edition INTEGER,
                series TEXT,
                address TEXT NOT NULL,
                words TEXT NOT NULL
            ) WITHOUT ROWID;
            CREATE INDEX calendar_race_day ON calendar_race (first_day, last_day, address, race_id, words);
            CREATE TABLE past_winner (
                series TEXT NOT NULL,
                edition TEXT NOT NULL,
                year INTEGER NOT NULL,
                name TEXT NOT NULL,
                team TEXT,
                PRIMARY KEY (series, edition)
            ) WITHOUT ROWID;
            CREATE TABLE wikidata_answer (query TEXT PRIMARY KEY NOT NULL, received INTEGER NOT NULL);
            CREATE TABLE wikidata_allowance (state TEXT NOT NULL);
            CREATE TABLE live_delay (seconds INTEGER NOT NULL);
            CREATE TABLE held_stage (
                id INTEGER PRIMARY KEY NOT NULL,
                race_id TEXT NOT NULL,
                number INTEGER NOT NULL,
                received INTEGER NOT NULL,
                content TEXT NOT NULL,
                FOREIGN KEY (race_id, number) REFERENCES stage (race_id, number) ON DELETE CASCADE
            );
            CREATE INDEX held_stage_stage ON held_stage (race_id, number);
            CREATE TABLE favourite (
                kind INTEGER NOT NULL,
                name TEXT NOT NULL,
                PRIMARY KEY (kind, name)
            );
            CREATE TABLE fetched_track (
                address TEXT PRIMARY KEY NOT NULL,
                points BLOB,
                spark TEXT,
                fetched INTEGER NOT NULL
            );
            CREATE TABLE race_spoiler (race_id TEXT PRIMARY KEY NOT NULL);
            CREATE TABLE seen_stage (
                race_id TEXT NOT NULL,
                number INTEGER NOT NULL,
                PRIMARY KEY (race_id, number)
            );
            CREATE TABLE revealed_entry (
                entry_id INTEGER PRIMARY KEY NOT NULL REFERENCES entry (id) ON DELETE CASCADE
            );
            CREATE TABLE race_file (path TEXT PRIMARY KEY NOT NULL, stamp TEXT NOT NULL) WITHOUT ROWID;
            """,
        contents: [
            "race", "stage", "stage_track", "stage_placing", "ticker_line", "race_source", "race_spoiler",
            "seen_stage", "revealed_entry", "race_file", "live_delay", "held_stage", "favourite",
        ])
}
