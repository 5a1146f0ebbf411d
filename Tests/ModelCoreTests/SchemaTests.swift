import GRDB
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The baseline and the migrations of the features, which never change once they were used.
@Suite struct SchemaTests {
    /// A change of the schema needs a new migration, because libraries record those they have by name.
    @Test func theBaselineNeverChanges() throws {
        let database = try DatabaseQueue()
        let current = LibrarySchema.current
        let features = current.features.map { FeatureSchema(baseline: $0.baseline, trash: $0.trash) }
        try LibrarySchema(features: features, triggers: current.triggers).migrate(database)
        let statements = try database.read { db in
            // SQLite's internal tables and quoting depend on its version.
            try String.fetchAll(
                db,
                sql: """
                    SELECT replace(sql, '"', '') FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'entry_search_%' ORDER BY type, name
                    """)
        }
        var hash = FNVHash()
        hash.combine(statements.joined(separator: ";").utf8)
        #expect(
            hash.value == 0xB88C_DFBA_DED7_752B,
            "append a migration to the feature's schema instead of changing its baseline")
    }

    /// A feature that came later, and a column that a migration adds, need no statements for the trash.
    @Test func theTrashFollowsItsTables() throws {
        let current = LibrarySchema.current
        let later = FeatureSchema(
            contents: ["new_row", "new_part"], trash: [("new_row", "subscription_id"), ("new_part", "row_id")],
            migrations: [
                FeatureSchema.Migration(name: "new.tables") { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE new_row (
                                id INTEGER PRIMARY KEY,
                                subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                                text TEXT NOT NULL
                            );
                            CREATE TABLE new_part (
                                row_id INTEGER NOT NULL REFERENCES new_row(id) ON DELETE CASCADE,
                                word TEXT NOT NULL
                            );
                            ALTER TABLE subscription ADD COLUMN new_column TEXT;
                            """)
                }
            ])
        let next = LibrarySchema(features: current.features + [later], triggers: current.triggers)
        for earlier in [current, nil] {
            let database = try DatabaseQueue()
            try earlier?.migrate(database)
            try next.migrate(database)
            try database.writeWithoutTransaction { db in
                #expect(try next.version(of: db) == .present)
                for (table, _) in next.trashTables {
                    let columns = try db.columns(in: table).map { "\($0.name) \($0.type)" }
                    #expect(
                        try db.columns(in: "trash_\(table)").map { "\($0.name) \($0.type)" }
                            == ["step_id INTEGER"] + columns, "\(table)")
                }
                try db.execute(
                    sql: """
                        INSERT INTO subscription (id, url, position, new_column)
                            VALUES (1, 'https://a.example/', 1, 'M'), (2, 'https://b.example/', 2, 'N');
                        INSERT INTO new_row VALUES (5, 1, 'T'), (6, 2, 'U');
                        INSERT INTO new_part VALUES (5, 'W'), (5, 'X'), (6, 'Y');
                        """)
                try Trash(db, of: 7).add(FeedID(rawValue: 1), of: "subscription")
                try db.execute(sql: "DELETE FROM subscription")
                try Trash(db, of: 7).restore(FeedID(rawValue: 1), of: "subscription")
                let rows = try String.fetchAll(
                    db,
                    sql: """
                        SELECT new_column || text || word FROM subscription s
                        JOIN new_row r ON r.subscription_id = s.id JOIN new_part ON row_id = r.id ORDER BY 1
                        """)
                #expect(rows == ["MTW", "MTX"])
            }
        }
    }

    /// Libraries record migrations by name, so that a name stands for one step only.
    @Test func namesAreUnique() {
        let names = LibrarySchema.current.versions
        #expect(Set(names).count == names.count)
    }

    /// Each table belongs to one feature, whose file declares it.
    @Test func featuresDeclareTheirTables() throws {
        let library = try Library(path: nil)
        let all = Set(try library.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") })
        for feature in LibrarySchema.current.features {
            for name in feature.contents + feature.trash.map(\.table) {
                // The baseline never changes, so that a migration adds later tables.
                let isLater = !feature.migrations.isEmpty && all.contains(name)
                #expect(feature.baseline.contains("CREATE TABLE \(name) ") || isLater, "\(name)")
            }
        }
    }
}
