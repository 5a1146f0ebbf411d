import GRDB

/// The database schema and its migrations.
///
/// The rows that lists read are separate from the content of entries, and counters are stored. No list therefore has to
/// read or count all rows.
enum Schema {
    /// The relation of a database's schema to the current schema.
    enum Version {
        case older, present, newer
        /// The database has triggers or views that no version of tappa created.
        case foreign
    }

    /// The schema versions, each with the migration from the previous version. Databases record applied versions by
    /// these names.
    static let versions: [(name: String, make: @Sendable (Database) throws -> Void)] = [
        ("v1", first), ("v2", second), ("v3", third), ("v4", fourth), ("v5", fifth),
        ("v6", sixth), ("v7", seventh), ("v8", eighth), ("v9", ninth), ("v10", tenth), ("v11", eleventh),
        ("v12", twelfth), ("v13", thirteenth), ("v14", fourteenth), ("v15", fifteenth),
        ("v16", sixteenth),
    ]

    /// Compares the schema of a database with the current schema.
    static func version(of db: Database) throws -> Version {
        let applied = try appliedVersions(db)
        if !applied.isSubset(of: versions.map(\.name)) { return .newer }
        let isPresent = applied.count == versions.count
        let digest = try triggerDigest(db)
        if digest != triggers {
            guard try !isPresent && digest == (applied.isEmpty ? noTriggers : triggers(of: applied)) else {
                return .foreign
            }
        }
        return isPresent ? .present : .older
    }

    /// The digest of the current triggers. As a constant, it doesn't have to be computed when opening a library.
    static let triggers: UInt64 = 0x3FB0_3D38_97C2_6E41
    /// The digest of a database without triggers.
    private static let noTriggers = FNVHash().value

    /// Returns the FNV-1a digest of all triggers and views.
    ///
    /// Triggers and views run by themselves, even in a database that somebody else created. Only tappa's own are
    /// therefore allowed.
    static func triggerDigest(_ db: Database) throws -> UInt64 {
        let objects = try String.fetchAll(
            db,
            sql: """
                SELECT type || ' ' || name || ' ' || replace(ifnull(sql, ''), '"', '') FROM sqlite_master
                WHERE type IN ('trigger', 'view') ORDER BY type, name
                """)
        var hash = FNVHash()
        hash.combine(objects.joined().utf8)
        return hash.value
    }

    /// Whether a database has exactly the tables, indexes and triggers of the current version.
    static func isExact(_ db: Database) throws -> Bool {
        func objects(_ db: Database) throws -> Set<String> {
            try Set(
                String.fetchAll(
                    db,
                    sql: """
                        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || replace(ifnull(sql, ''), '"', '')
                        FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'
                        """))
        }
        let made = try DatabaseQueue()
        try made.writeWithoutTransaction { try migrate($0) }
        return try objects(db) == made.read(objects)
    }

    /// Returns the digest of an earlier version's triggers.
    private static func triggers(of applied: Set<String>) throws -> UInt64 {
        let last = versions.last { applied.contains($0.name) }
        let made = try DatabaseQueue()
        try made.writeWithoutTransaction { try migrate($0, upTo: last?.name) }
        return try made.read(triggerDigest)
    }

    private static func appliedVersions(_ db: Database) throws -> Set<String> {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try Set(String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations"))
    }

    /// Migrates a database to the current version, or to an earlier one, in a single transaction.
    ///
    /// Other programs that start at the same time wait for the transaction.
    ///
    /// - Throws: ``LibraryError/newerVersion(path:)`` if another program has migrated the database to a newer version
    ///   meanwhile.
    static func migrate(_ db: Database, upTo last: String? = nil) throws {
        // One migration rebuilds a table that other tables reference. Its rows retain their IDs, so the references
        // remain valid.
        try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = OFF") }
        try db.inTransaction(.immediate) {
            let applied = try appliedVersions(db)
            guard applied.isSubset(of: versions.map(\.name)) else {
                throw LibraryError.newerVersion(path: "the library")
            }
            try db.execute(
                sql: """
                    PRAGMA application_id = \(OpenedDatabase.applicationID);
                    CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    """)
            for version in versions where !applied.contains(version.name) {
                try version.make(db)
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [version.name])
                if version.name == last { break }
            }
            return .commit
        }
    }

    private static func first(_ db: Database) throws {
        try createFeeds(db)
        try createCounters(db)
        try createRaces(db)
        try db.execute(sql: "CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID")
    }

    /// Schema version 3: an index of stage dates to find the next stage of all races, and the state of the race folder.
    private static func third(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX stage_date ON stage (date) WHERE date IS NOT NULL;
                CREATE TABLE race_file (path TEXT PRIMARY KEY NOT NULL, stamp TEXT NOT NULL) WITHOUT ROWID;
                """)
    }

    /// Schema version 4: the data of an entry other than its text (``EntryExtras``).
    private static func fourth(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE entry_content ADD COLUMN extras TEXT;
                ALTER TABLE trash_content ADD COLUMN extras TEXT;
                """)
    }

    private static func createFeeds(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE subscription (
                    id INTEGER PRIMARY KEY,
                    url TEXT NOT NULL UNIQUE,
                    title TEXT,
                    custom_title TEXT,
                    folder TEXT,
                    position INTEGER NOT NULL,
                    home_page TEXT,
                    etag TEXT,
                    last_modified TEXT,
                    last_fetched INTEGER,
                    last_success INTEGER,
                    error TEXT,
                    failures INTEGER NOT NULL DEFAULT 0,
                    unread_count INTEGER NOT NULL DEFAULT 0,
                    total_count INTEGER NOT NULL DEFAULT 0
                );
                CREATE TABLE entry (
                    id INTEGER PRIMARY KEY,
                    subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                    guid TEXT NOT NULL,
                    title TEXT NOT NULL,
                    sort_date INTEGER NOT NULL,
                    has_date INTEGER NOT NULL,
                    is_read INTEGER NOT NULL DEFAULT 0,
                    read_at INTEGER,
                    is_starred INTEGER NOT NULL DEFAULT 0,
                    fingerprint INTEGER NOT NULL,
                    UNIQUE (subscription_id, guid)
                );
                CREATE INDEX entry_by_subscription ON entry (subscription_id, sort_date DESC, id DESC);
                CREATE INDEX entry_by_date ON entry (sort_date DESC, id DESC);
                CREATE INDEX entry_unread ON entry (sort_date DESC, id DESC) WHERE is_read = 0;
                CREATE INDEX entry_read_at ON entry (read_at) WHERE read_at IS NOT NULL;
                CREATE INDEX entry_starred ON entry (sort_date DESC, id DESC) WHERE is_starred = 1;
                CREATE TABLE entry_content (
                    entry_id INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
                    link TEXT,
                    author TEXT,
                    html TEXT,
                    text TEXT,
                    published INTEGER,
                    published_text TEXT,
                    updated INTEGER,
                    updated_text TEXT,
                    first_seen INTEGER NOT NULL
                );
                """)
    }

    private static func createCounters(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE counter (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
                INSERT INTO counter VALUES ('unread', 0), ('total', 0), ('starred', 0);
                CREATE TRIGGER entry_inserted AFTER INSERT ON entry BEGIN
                    UPDATE subscription SET total_count = total_count + 1,
                        unread_count = unread_count + (NEW.is_read = 0) WHERE id = NEW.subscription_id;
                    UPDATE counter SET value = value + 1 WHERE name = 'total';
                    UPDATE counter SET value = value + (NEW.is_read = 0) WHERE name = 'unread';
                    UPDATE counter SET value = value + NEW.is_starred WHERE name = 'starred';
                END;
                CREATE TRIGGER entry_deleted AFTER DELETE ON entry BEGIN
                    UPDATE subscription SET total_count = total_count - 1,
                        unread_count = unread_count - (OLD.is_read = 0) WHERE id = OLD.subscription_id;
                    UPDATE counter SET value = value - 1 WHERE name = 'total';
                    UPDATE counter SET value = value - (OLD.is_read = 0) WHERE name = 'unread';
                    UPDATE counter SET value = value - OLD.is_starred WHERE name = 'starred';
                END;
                CREATE TRIGGER entry_read AFTER UPDATE OF is_read ON entry WHEN OLD.is_read <> NEW.is_read BEGIN
                    UPDATE subscription SET unread_count = unread_count + OLD.is_read - NEW.is_read
                        WHERE id = NEW.subscription_id;
                    UPDATE counter SET value = value + OLD.is_read - NEW.is_read WHERE name = 'unread';
                END;
                CREATE TRIGGER entry_starred_changed AFTER UPDATE OF is_starred ON entry
                WHEN OLD.is_starred <> NEW.is_starred BEGIN
                    UPDATE counter SET value = value + NEW.is_starred - OLD.is_starred WHERE name = 'starred';
                END;
                """)
    }

    private static func createRaces(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE race (
                    id TEXT PRIMARY KEY NOT NULL,
                    name TEXT NOT NULL,
                    year INTEGER NOT NULL,
                    edition INTEGER,
                    country TEXT,
                    leader_jersey TEXT,
                    rest_days TEXT NOT NULL DEFAULT '[]',
                    overall TEXT NOT NULL DEFAULT '[]'
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
                    start_lat REAL, start_lon REAL, finish_lat REAL, finish_lon REAL,
                    PRIMARY KEY (race_id, number)
                ) WITHOUT ROWID;
                """)
    }
}
