import CommonTesting
import Foundation
import GRDB
import Testing

@testable import ModelCore

/// The schema versions, which never change once they were used.
@Suite struct SchemaTests {
    /// The FNV-1a digest of the schema of each version.
    private static let digests: [String: UInt64] = [
        "v1": 0x823C_4855_93AD_BEA2, "v2": 0x229F_407E_478C_93D3, "v3": 0x0071_C088_E231_8E84,
        "v4": 0x0087_C3AE_63DC_B9C0, "v5": 0x420E_1994_C249_0C86, "v6": 0x2827_DAF5_24CE_DBC6,
        "v7": 0x1CBF_541B_6C73_A4D3, "v8": 0x38DB_164E_80E3_5129, "v9": 0x7D4A_6739_6E7B_2E87,
        "v10": 0x3246_A492_82DF_722A, "v11": 0xF09B_C956_499F_D7CB, "v12": 0x329B_DF88_A1CF_BFF9,
        "v13": 0x5986_5E6B_EBDC_6081, "v14": 0xC40F_B33F_328A_79D6, "v15": 0xF541_700C_F961_B687,
        "v16": 0x1852_49AD_991C_B867,
    ]

    private func digest(of version: String) throws -> UInt64 {
        let database = try DatabaseQueue()
        try database.writeWithoutTransaction { try Schema.migrate($0, upTo: version) }
        let statements = try database.read { db in
            // SQLite's internal tables and quoting depend on its version.
            try String.fetchAll(
                db,
                sql: """
                    SELECT replace(sql, '"', '') FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'entry_search_%' ORDER BY type, name
                    """)
        }
        return statements.joined(separator: ";").utf8.reduce(0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
    }

    /// A change of the schema needs a new version, because libraries record those they have by name.
    @Test(arguments: Schema.versions.map(\.name)) func releasedVersionsNeverChange(version: String) throws {
        let digest = try digest(of: version)
        #expect(digest == SchemaTests.digests[version], "\(digest)")
    }

    /// Version 12 was extended after it had been used; both forms are migrated without loss.
    @Test(arguments: [false, true]) func upgradesBothTwelfthVersions(hasDirectories: Bool) async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path("l.sqlite")
        let old = try DatabaseQueue(path: path)
        try await old.writeWithoutTransaction { db in
            try Schema.migrate(db, upTo: "v12")
            guard hasDirectories else { return }
            try Schema.thirteenth(db)
            try db.execute(
                sql: """
                    DROP INDEX listed_race_day; CREATE INDEX listed_race_day ON listed_race (first_day);
                    INSERT INTO race_directory (address, title) VALUES ('https://race.example/all', 'All');
                    INSERT INTO listed_race (directory, address, name, words)
                        VALUES ('https://race.example/all', 'https://race.example/1', 'One', 'one');
                    INSERT INTO fetched_track (address, fetched) VALUES ('https://race.example/t', 7);
                    """)
        }
        try old.close()
        let library = try Library(path: path)
        #expect(try library.raceDirectories().map(\.title) == (hasDirectories ? ["All"] : []))
        let season = try library.season("", around: CalendarDay(number: 20_000), limit: 9)
        #expect(season.map(\.name) == (hasDirectories ? ["One"] : []))
        #expect(try LibraryCheck.run(library) == [])
    }
}
