import Foundation
import GRDB

/// The database schema, joined from the tables of the features, and its migrations.
package struct LibrarySchema: Sendable {
    /// The relation of a database's schema to the current schema.
    package enum Version: Equatable, Sendable {
        case older, present, newer
        /// The database has triggers or views that no version of tappa created.
        case foreign
    }

    /// The tables of all features, ordered so that rows refer only to tables of earlier features.
    package let features: [FeatureSchema]
    /// The name by which libraries record the tables of the first release.
    private static let baselineName = "0.1.0 baseline"
    /// The digest of the current triggers. As a constant, it doesn't have to be computed when opening a library.
    let triggers: UInt64

    package init(features: [FeatureSchema], triggers: UInt64) {
        self.features = features
        self.triggers = triggers
    }

    /// The names of the baseline and of the features' migrations.
    var versions: [String] {
        [LibrarySchema.baselineName] + features.flatMap { $0.migrations.map(\.name) }
    }

    /// Applies the baseline, then the migrations of the features.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(LibrarySchema.baselineName) { db in
            try StoredText.addTokenizer(to: db)
            for feature in features { try db.execute(sql: feature.baseline) }
            try db.execute(sql: "INSERT INTO setting VALUES ('library.identity', ?)", arguments: [UUID().uuidString])
            try completeTrash(db)
        }
        for migration in features.flatMap(\.migrations) {
            migrator.registerMigration(migration.name) { db in
                try migration.make(db)
                try completeTrash(db)
            }
        }
        return migrator
    }

    /// The tables whose rows undo restores, each with the column by which undo finds them.
    package var trashTables: [(table: String, key: String)] { features.flatMap(\.trash) }

    /// Compares the schema of a database with the current schema.
    package func version(of db: Database) throws -> Version {
        let applied = try appliedVersions(db)
        if !applied.isSubset(of: versions) { return .newer }
        let isPresent = applied.count == versions.count
        let digest = try triggerDigest(db)
        if digest != triggers {
            guard try !isPresent && digest == triggers(of: applied) else {
                return .foreign
            }
        }
        return isPresent ? .present : .older
    }

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
        try migrate(made)
        return try objects(db) == made.read(objects)
    }

    /// Returns the digest of the triggers that some versions create.
    private func triggers(of applied: Set<String>) throws -> UInt64 {
        let made = try DatabaseQueue()
        if let last = versions.last(where: applied.contains) { try migrator.migrate(made, upTo: last) }
        return try made.read(triggerDigest)
    }

    private func appliedVersions(_ db: Database) throws -> Set<String> {
        // GRDB's `tableExists` would read the names of the whole schema at each start.
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'")
        guard !tables.isEmpty else { return [] }
        return try Set(String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations"))
    }

    /// Migrates a database to the current version, and renews what is derived.
    ///
    /// - Throws: ``LibraryError/newerVersion(path:)`` if another program has migrated the database to a newer version
    ///   meanwhile.
    func migrate(_ writer: any DatabaseWriter) throws {
        try writer.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA application_id = \(OpenedDatabase.applicationID)")
        }
        let result = Result { try applyMigrations(to: writer) }
        if try writer.read(version) == .newer { throw LibraryError.newerVersion(path: "the library") }
        try result.get()
        try writer.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                for derived in features.compactMap(\.derived) where try derived.isOutdated(db) { try derived.renew(db) }
                return .commit
            }
        }
    }

    /// Applies the migrations that a database doesn't have.
    ///
    /// GRDB reads the applied versions before it begins a transaction. Of several programs that migrate at the same time, all
    /// but one therefore fail at each version, and go on from there.
    private func applyMigrations(to writer: any DatabaseWriter) throws {
        let applied = try writer.read(appliedVersions)
        do { try migrator.migrate(writer) } catch {
            guard try writer.read(appliedVersions) != applied else { throw error }
            try applyMigrations(to: writer)
        }
    }

    /// Whether something was derived by other rules than this program's.
    func isOutdated(_ db: Database) throws -> Bool {
        try features.contains { try $0.derived?.isOutdated(db) ?? false }
    }

    /// Gives each table whose rows undo restores a trash table with all its columns, also those of migrations.
    private func completeTrash(_ db: Database) throws {
        // Later migrations create some of the tables.
        for (table, key) in trashTables where try db.tableExists(table) {
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
