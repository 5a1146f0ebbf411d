import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Libraries of schema version 16 are brought over without loss. Earlier ones are refused and left unchanged.
@Suite struct OpensTheSixteenthVersion {
    /// Files that version 16 wrote: feeds with tags, marks, searches, downloads and undo steps; an account with its
    /// outbox; and races with standings, tracks and revealed spoilers.
    private static let files = ["feeds", "account", "races"]
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    /// The rows of all tables by today's names, without the index and the records of versions.
    private func rows(_ db: Database) throws -> [String: [String]] {
        let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        var tables: [String: [String]] = [:]
        for name in names where !["sqlite_", "entry_search", "unindexed", "grdb_"].contains(where: name.hasPrefix) {
            let columns = try db.columns(in: name).map { "quote(\"\($0.name)\")" }.joined(separator: " || ', ' || ")
            let rows = try String.fetchAll(db, sql: "SELECT \(columns) FROM \(name)")
            tables[SixteenthVersion.currentName(of: name)] = rows.sorted()
        }
        return tables
    }

    private func sequences(_ db: Database) throws -> [String: Int64] {
        try Row.fetchAll(db, sql: "SELECT name, seq FROM sqlite_sequence").reduce(into: [:]) { $0[$1[0]] = $1[1] }
    }

    @Test(arguments: files) func keepsEveryRow(file: String) async throws {
        try SixteenthLibrary.write(file, to: path)
        let old = try DatabaseQueue(path: path)
        let before = try await old.read { (try rows($0), try sequences($0)) }
        try old.close()
        let library = try Library(path: path)
        #expect(
            try library.read(LibrarySchema.current.isExact)
                && library.read { try LibrarySchema.current.version(of: $0) } == .present)
        let after = try library.read { (try rows($0), try sequences($0)) }
        let isOfSteps = { (table: String) in ["undo_step", "rule_step"].contains(table) || table.hasPrefix("trash_") }
        let dropped: Set = ["race_directory", "listed_race"]
        // Migrations of features have added tables, and columns at the end. The schema was compared above.
        for (table, rows) in before.0 where !isOfSteps(table) && !dropped.contains(table) {
            // The version of the words in the index is a counter as well.
            let kept = try #require(after.0[table]).filter { table != "counter" || !$0.hasPrefix("'words'") }
            #expect(kept.count == rows.count && zip(kept, rows).allSatisfy { $0.hasPrefix($1) }, "\(table)")
        }
        #expect(before.1 == after.1)
        #expect(try LibraryCheck.run(library) == [])
        #expect(try LibraryPicture.integrity(of: library) == "ok")
        #expect(library.changes.drain() == .stored)
        // Opening it again changes nothing.
        #expect(try Library(path: path).read { try rows($0)["entry"] } == after.0["entry"])
    }

    /// Changes made after the step can be undone, including those that put rows into the rebuilt trash.
    @Test func undoesChangesAfterwards() async throws {
        try SixteenthLibrary.write("feeds", to: path)
        let library = try Library(path: path)
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 2).map(\.id)
        let receipt = try await library.changes.perform(.delete(entries: entries, now: 1))
        #expect(try library.entries.detail(of: entries[0]) == nil)
        try await library.undo(receipt)
        #expect(try library.entries.detail(of: entries[0]) != nil && library.entries.detail(of: entries[1]) != nil)
        #expect(try LibraryCheck.run(library) == [])
    }

    /// Undo steps of version 16 are gone with their rows in the trash.
    @Test(arguments: files) func forgetsUndoSteps(file: String) async throws {
        try SixteenthLibrary.write(file, to: path)
        let old = try DatabaseQueue(path: path)
        let steps = try await old.read { try String.fetchAll($0, sql: "SELECT change FROM undo_step") }
        try old.close()
        let library = try Library(path: path)
        #expect(steps.count >= 5)
        for step in steps {
            let id = try #require(UUID(uuidString: step))
            #expect(try await library.changes.perform(.undo(id)).sentence == "Nothing left to undo")
        }
        #expect(try library.read(rows).allSatisfy { !$0.key.hasPrefix("trash_") || $0.value.isEmpty })
    }

    /// The texts that version 16 indexed are indexed again and found.
    @Test func findsIndexedTexts() async throws {
        try SixteenthLibrary.write("feeds", to: path)
        let library = try Library(path: path)
        #expect(try library.search.unindexedCount() == library.entries.count(in: EntryQuery(.all)))
        try await library.indexAll()
        #expect(try library.entries.rows(in: EntryQuery(.search(SearchQuery("words"))), limit: 100).count > 10)
    }

    /// Recovery reads damaged libraries of both versions.
    @Test(arguments: files, [false, true]) func recoversBothVersions(file: String, isBroughtOver: Bool) throws {
        try SixteenthLibrary.write(file, to: path)
        if isBroughtOver { #expect(try Library(path: path).changes.drain() == .stored) }
        let source = try DatabaseQueue(path: path)
        let expected = try source.read(rows)
        try source.close()
        let target = temporary.path("r.sqlite")
        let found = try LibraryRecovery.recover(path, into: target).tables
        #expect(found.map(\.table) == LibraryTable.all.map(\.name))
        for item in found where !["setting", "rule_task"].contains(item.table) {
            // Tables of later migrations are empty.
            #expect(item.rows == expected[item.table]?.count ?? 0 && !item.isPartial, "\(item)")
        }
        #expect(try LibraryCheck.run(Library(path: target)) == [])
    }

    /// Recovery reads version 16 with today's layouts, so all columns must have the same order; new ones follow.
    @Test func columnsHaveTheSameOrder() throws {
        try SixteenthLibrary.write("feeds", to: path)
        func layouts(_ database: DatabaseQueue) throws -> [String: [String]] {
            try database.read { db in
                try TableLayout.all(db).reduce(into: [:]) {
                    $0[SixteenthVersion.currentName(of: $1.name)] = $1.columns.map(\.name)
                }
            }
        }
        let new = try DatabaseQueue()
        try new.writeWithoutTransaction { try LibrarySchema.current.migrate($0) }
        let (old, present) = (try layouts(DatabaseQueue(path: path)), try layouts(new))
        for table in LibraryTable.all {
            // A later migration has added the table.
            guard let columns = old[table.name] else { continue }
            #expect(present[table.name]?.starts(with: columns) == true, "\(table.name)")
        }
    }

    @Test func rejectsForeignTriggers() async throws {
        try SixteenthLibrary.write("feeds", to: path)
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(sql: "CREATE TRIGGER mine AFTER UPDATE ON subscription BEGIN DELETE FROM setting; END")
        }
        try queue.close()
        #expect(throws: LibraryError.foreignTriggers(path: path)) { try Library(path: path) }
        let versions = try await DatabaseQueue(path: path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations")
        }
        #expect(versions == 16)
    }

    /// A library of version 9 is refused with a sentence that names the way out.
    @Test func refusesEarlierVersions() async throws {
        try SixteenthLibrary.write("feeds", to: path)
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = WAL;
                    DELETE FROM grdb_migrations WHERE CAST(substr(identifier, 2) AS INTEGER) > 9;
                    """)
            _ = try db.checkpoint(.truncate)
        }
        try queue.close()
        func contents() throws -> [String: [String]] { try DatabaseQueue(path: path).read(rows) }
        let before = try contents()
        #expect(throws: LibraryError.olderVersion(path: path, version: 9)) { try Library(path: path) }
        #expect { try Library(path: path) } throws: { "\($0)".contains("'tappa export > feeds.opml'") }
        #expect(try contents() == before)
        #expect(OpenedDatabase.glance(at: path, .current) == nil)
        // Without permission to write, too.
        chmod(path, 0o400)
        #expect(throws: LibraryError.olderVersion(path: path, version: 9)) { try Library(path: path) }
    }
}

/// Libraries that schema version 16 wrote, as compressed files.
enum SixteenthLibrary {
    /// Writes a library to a path.
    static func write(_ name: String, to path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let source = tests.appendingPathComponent("SixteenthLibraries/\(name).sqlite.gz")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let target = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? target.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", source.path]
        process.standardOutput = target
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
