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
        try database.writeWithoutTransaction { try LibrarySchema.current.versions[0].make($0) }
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
        #expect(hash.value == 0xCD2E_F854_EF88_B686, "\(String(hash.value, radix: 16))")
    }

    /// Libraries record migrations by name, so that a name stands for one step only.
    @Test func namesAreUnique() {
        let names = LibrarySchema.current.versions.map(\.name)
        #expect(
            Set(names).count == names.count && names.allSatisfy { !SixteenthVersion.predecessor.names.contains($0) })
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
