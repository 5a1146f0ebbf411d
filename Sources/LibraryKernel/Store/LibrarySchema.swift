import Foundation
import GRDB

/// The database schema, joined from the tables of the features, and its migrations.
package struct LibrarySchema: Sendable {
    /// The relation of a database's schema to the current schema.
    package enum Version: Equatable, Sendable {
        case older, present, newer
        /// A version that can no longer be brought over.
        case obsolete(Int)
        /// The database has triggers or views that no version of tappa created.
        case foreign
    }

    /// The last version before the baseline, which is still opened and brought over.
    package struct Predecessor: Sendable {
        /// The names of the versions that such a library records, oldest first.
        var names: [String]
        /// The digest of its triggers.
        var triggers: UInt64
        /// Tables by which its libraries are recognised, because the oldest have no application ID.
        var tables: Set<String>
        /// Changes its tables to those of the baseline.
        var bringOver: @Sendable (Database, LibrarySchema) throws -> Void

        package init(
            names: [String], triggers: UInt64, tables: Set<String>,
            bringOver: @escaping @Sendable (Database, LibrarySchema) throws -> Void
        ) {
            self.names = names
            self.triggers = triggers
            self.tables = tables
            self.bringOver = bringOver
        }

        /// Returns the number of the version that a library has recorded, or `nil` if it has reached the last.
        fileprivate func earlierVersion(_ applied: Set<String>) -> Int? {
            applied.isEmpty || !applied.isStrictSubset(of: names) ? nil : applied.count
        }
    }

    /// The tables of all features, ordered so that rows refer only to tables of earlier features.
    package let features: [FeatureSchema]
    /// The name by which libraries record the baseline.
    package let baselineName: String
    /// The digest of the current triggers. As a constant, it doesn't have to be computed when opening a library.
    let triggers: UInt64
    /// The last version before the baseline.
    let predecessor: Predecessor

    package init(features: [FeatureSchema], baselineName: String, triggers: UInt64, predecessor: Predecessor) {
        self.features = features
        self.baselineName = baselineName
        self.triggers = triggers
        self.predecessor = predecessor
    }

    /// The baseline, then the migrations of the features.
    var versions: [FeatureSchema.Migration] {
        [FeatureSchema.Migration(name: baselineName, make: createBaseline)] + features.flatMap(\.migrations)
    }

    /// The tables whose rows undo restores, each with the column by which undo finds them.
    package var trashTables: [(table: String, key: String)] { features.flatMap(\.trash) }

    /// Compares the schema of a database with the current schema.
    package func version(of db: Database) throws -> Version {
        let applied = try appliedVersions(db)
        if let number = predecessor.earlierVersion(applied) { return .obsolete(number) }
        if applied == Set(predecessor.names) {
            return try triggerDigest(db) == predecessor.triggers ? .older : .foreign
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

    /// The digest of a database without triggers.
    private var noTriggers: UInt64 { FNVHash().value }

    /// Returns the FNV-1a digest of all triggers and views.
    ///
    /// Triggers and views run by themselves, even in a database that somebody else created. Only tappa's own are
    /// therefore allowed.
    func triggerDigest(_ db: Database) throws -> UInt64 {
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
    package func isExact(_ db: Database) throws -> Bool {
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
    private func triggers(of applied: Set<String>) throws -> UInt64 {
        let made = try DatabaseQueue()
        return try made.writeWithoutTransaction { db in
            for version in versions where applied.contains(version.name) { try version.make(db) }
            return try triggerDigest(db)
        }
    }

    private func appliedVersions(_ db: Database) throws -> Set<String> {
        // GRDB's `tableExists` would read the names of the whole schema at each start.
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'")
        guard !tables.isEmpty else { return [] }
        return try Set(String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations"))
    }

    /// Migrates a database to the current version in a single transaction, and renews what is derived.
    ///
    /// Other programs that start at the same time wait for the transaction.
    ///
    /// - Throws: ``LibraryError/newerVersion(path:)`` if another program has migrated the database to a newer version
    ///   meanwhile.
    func migrate(_ db: Database) throws {
        try db.inTransaction(.immediate) {
            if try appliedVersions(db) == Set(predecessor.names) { try predecessor.bringOver(db, self) }
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
            try completeTrash(db)
            for derived in features.compactMap(\.derived) where try derived.isOutdated(db) { try derived.renew(db) }
            return .commit
        }
    }

    /// Whether something was derived by other rules than this program's.
    func isOutdated(_ db: Database) throws -> Bool {
        try features.contains { try $0.derived?.isOutdated(db) ?? false }
    }

    /// Creates the tables of all features, and the identity of the library.
    @Sendable private func createBaseline(_ db: Database) throws {
        for feature in features { try db.execute(sql: feature.baseline) }
        try db.execute(sql: "INSERT INTO setting VALUES ('library.identity', ?)", arguments: [UUID().uuidString])
    }

    /// Gives each table whose rows undo restores a trash table with all its columns, also those of migrations.
    private func completeTrash(_ db: Database) throws {
        for (table, key) in trashTables {
            guard try db.tableExists("trash_\(table)") else {
                try createTrash(of: table, key: key, db)
                continue
            }
            let known = Set(try db.columns(in: "trash_\(table)").map(\.name))
            for column in try db.columns(in: table) where !known.contains(column.name) {
                try db.execute(sql: "ALTER TABLE trash_\(table) ADD COLUMN \(column.name) \(column.type)")
            }
        }
    }

    /// Creates a trash table with the columns of another table and the ID of the undo step.
    private func createTrash(of table: String, key: String, _ db: Database) throws {
        let columns = try db.columns(in: table).map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE TABLE trash_\(table) (step_id INTEGER NOT NULL, \(columns));
                CREATE INDEX trash_\(table)_step ON trash_\(table) (step_id, \(key));
                """)
    }
}
