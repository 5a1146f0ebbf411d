import Foundation
import GRDB

/// The database schema, joined from the tables of the features, and its migrations.
enum Schema {
    /// The relation of a database's schema to the current schema.
    enum Version: Equatable {
        case older, present, newer
        /// A version that can no longer be brought over.
        case obsolete(Int)
        /// The database has triggers or views that no version of tappa created.
        case foreign
    }

    /// The tables of all features, ordered so that rows refer only to tables of earlier features.
    static let features = [
        SettingSchema.tables, AccountSchema.tables, FeedSchema.tables, SearchSchema.tables, RuleSchema.tables,
        RaceSchema.tables, DownloadSchema.tables, UndoSchema.tables,
    ]

    /// The name by which libraries record the baseline.
    static let baselineName = "v17"

    /// The baseline, then the migrations of the features.
    static let versions =
        [FeatureSchema.Migration(name: baselineName, make: createBaseline)] + features.flatMap(\.migrations)

    /// The tables whose rows undo restores, each with the column that identifies the subscription or entry of a row.
    static let trashTables = features.flatMap(\.trash)

    /// Compares the schema of a database with the current schema.
    static func version(of db: Database) throws -> Version {
        let applied = try appliedVersions(db)
        if let number = SixteenthVersion.earlierVersion(applied) { return .obsolete(number) }
        if applied == SixteenthVersion.names {
            return try triggerDigest(db) == SixteenthVersion.triggers ? .older : .foreign
        }
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
    ///
    /// Ignores white space and quotes, in which added columns and renamed tables differ.
    static func isExact(_ db: Database) throws -> Bool {
        func objects(_ db: Database) throws -> Set<String> {
            try Set(
                String.fetchAll(
                    db,
                    sql: """
                        SELECT type || ' ' || name || ' ' || tbl_name || ' ' ||
                            replace(replace(replace(ifnull(sql, ''), '"', ''), ' ', ''), char(10), '')
                        FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'
                        """))
        }
        let made = try DatabaseQueue()
        try made.writeWithoutTransaction { try migrate($0) }
        return try objects(db) == made.read(objects)
    }

    /// Returns the digest of the triggers that some versions create.
    private static func triggers(of applied: Set<String>) throws -> UInt64 {
        let made = try DatabaseQueue()
        return try made.writeWithoutTransaction { db in
            for version in versions where applied.contains(version.name) { try version.make(db) }
            return try triggerDigest(db)
        }
    }

    private static func appliedVersions(_ db: Database) throws -> Set<String> {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try Set(String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations"))
    }

    /// Migrates a database to the current version in a single transaction.
    ///
    /// Other programs that start at the same time wait for the transaction.
    ///
    /// - Throws: ``LibraryError/newerVersion(path:)`` if another program has migrated the database to a newer version
    ///   meanwhile.
    static func migrate(_ db: Database) throws {
        try db.inTransaction(.immediate) {
            if try appliedVersions(db) == SixteenthVersion.names { try SixteenthVersion.bringOver(db) }
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
            }
            return .commit
        }
    }

    /// Creates the tables of all features, and the identity of the library.
    @Sendable private static func createBaseline(_ db: Database) throws {
        for feature in features { try db.execute(sql: feature.baseline) }
        for (table, key) in trashTables { try createTrash(of: table, key: key, db) }
        try db.execute(sql: "INSERT INTO setting VALUES ('library.identity', ?)", arguments: [UUID().uuidString])
    }

    /// Creates a trash table with the columns of another table and the ID of the undo step.
    static func createTrash(of table: String, key: String, _ db: Database) throws {
        let columns = try db.columns(in: table).map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE TABLE trash_\(table) (step_id INTEGER NOT NULL, \(columns));
                CREATE INDEX trash_\(table)_step ON trash_\(table) (step_id, \(key));
                """)
    }
}
