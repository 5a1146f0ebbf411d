import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Checks name problems, recoveries repair them, and backups are complete.
@Suite struct RepairsLibraries {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    /// A closed library of two feeds with three entries each.
    private func make() async throws {
        let library = try Library(path: path)
        for letter in ["a", "b"] {
            let id = try await library.follow("https://\(letter).example/", folder: "F", tags: ["t\(letter)"])
            let feed = ParsedFeed(
                (0..<3).map { index in
                    var entry = ParsedEntry(id: "\(letter)\(index)", title: "\(letter)\(index)")
                    (entry.contentHTML, entry.link) = (
                        "<p>text \(letter)\(index)</p>", "https://\(letter).example/\(index)"
                    )
                    entry.published = ParsedDate(instant: 1_700_000_000 + Int64(index), text: "")
                    return entry
                }, title: letter)
            try await library.store(feed, in: id, record: FetchRecord(date: 1_700_000_500))
        }
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id)
        try await library.setMark(.read, true, entries: [ids[0]], now: 9)
        try await library.setMark(.starred, true, entries: [ids[1]], now: 9)
        try await library.setMark(.later, true, entries: [ids[2]], now: 9)
        try await library.changes.perform(.tagEntries([ids[3]], adding: ["own"], removing: []))
        try await library.changes.perform(.saveSearch(name: "S", query: "s"))
        try await library.changes.perform(.set("appearance.theme", "dark"))
        try await library.indexAll()
        #expect(library.changes.drain() == .stored)
    }

    private func spoil(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { try StoredText.addTokenizer(to: $0) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func recovered() throws -> (Library, LibraryRecovery.Outcome) {
        let target = temporary.path(UUID().uuidString)
        let outcome = try LibraryRecovery.recover(path, into: target)
        return (try Library(path: target), outcome)
    }

    /// Each kind of damage that SQLite allows has its own message, and is gone after a recovery.
    @Test(arguments: [
        ("UPDATE subscription SET total_count = total_count + 1", "the counters of 2 feeds are wrong"),
        ("UPDATE subscription SET unread_count = 0 WHERE id = 1", "the counters of 1 feed are wrong"),
        ("UPDATE counter SET value = value - 1 WHERE name = 'starred'", "the counter of starred entries is wrong"),
        ("UPDATE counter SET value = 7 WHERE name = 'later'", "the counter of later entries is wrong"),
        ("DELETE FROM counter WHERE name = 'later'", "the counter of later entries is wrong"),
        ("INSERT INTO entry_tag VALUES (99, 'x')", "references to nothing in 1 row of entry_tag"),
        ("DELETE FROM entry_search WHERE rowid = 1", "the texts of 1 entry are neither in the index nor queued for it"),
        (
            "INSERT INTO entry_search (rowid, title) VALUES (99, 'x'), (98, 'y')",
            "the index contains texts of 2 entries that no longer exist"
        ),
        ("UPDATE entry SET is_read = 'x' WHERE id = 1", "values of the wrong type in 1 row of entry"),
        ("UPDATE saved_search SET name = x'00'", "values of the wrong type in 1 row of saved_search"),
        ("UPDATE entry_content SET link = x'05'", "values of the wrong type in 6 rows of entry_content"),
    ]) func namesEachFinding(sql: String, finding: String) async throws {
        try await make()
        #expect(try LibraryCheck.run(try Library(path: path)) == [])
        try spoil(sql)
        let library = try Library(path: path)
        let findings = try LibraryCheck.run(library)
        #expect(findings.contains(finding), "\(findings)")
        #expect(try LibraryCheck.pagesAreIntact(library))
        let (new, _) = try recovered()
        try await new.indexAll()
        if !sql.contains("DELETE FROM counter") { #expect(try LibraryCheck.run(new) == []) }
        #expect(try new.entries.count(in: EntryQuery(.all)) == 6 && new.feeds.all().count == 2)
    }

    @Test func distinguishesDeletedLibrariesFromDamagedOnes() async throws {
        try await make()
        let library = try Library(path: path)
        library.releaseMemory()
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: LibraryError.self) { try LibraryCheck.pagesAreIntact(library) }
    }

    @Test func limitsFindingsToAHundred() async throws {
        try await make()
        let tables = (0..<120).map { "INSERT INTO entry_search (rowid, title) VALUES (\($0 + 100), 'x')" }
        try spoil(tables.joined(separator: ";") + "; UPDATE subscription SET total_count = 9")
        #expect(try LibraryCheck.run(try Library(path: path)).count == 2)
    }

    /// Everything a user would miss is recovered, and invalid values are replaced.
    @Test func recoversEverythingAUserWouldMiss() async throws {
        try await make()
        let old = try Library(path: path)
        let (new, outcome) = try recovered()
        #expect(
            outcome.tables.allSatisfy { !$0.isPartial } && outcome.tables.map(\.table) == LibraryTable.all.map(\.name))
        #expect(outcome.tables.first { $0.table == "entry" }?.rows == 6)
        for scope in [EntryScope.all, .starred, .later, .tag("ta"), .tag("own"), .folder("F")] {
            #expect(
                try new.entries.rows(in: EntryQuery(scope), limit: 9)
                    == old.entries.rows(in: EntryQuery(scope), limit: 9))
            #expect(try new.entries.count(in: EntryQuery(scope)) == old.entries.count(in: EntryQuery(scope)))
        }
        for row in try old.entries.rows(in: EntryQuery(.all), limit: 9) {
            #expect(try new.entries.detail(of: row.id) == old.entries.detail(of: row.id))
        }
        #expect(try new.feeds.all() == old.feeds.all() && new.search.saved() == old.search.saved())
        #expect(try Settings(library: new, file: [:])[.theme] == "dark")
        #expect(new.store.identity != old.store.identity && new.store.identity != nil)
        // The search index is rebuilt; no bundled feeds are added.
        #expect(try new.search.unindexedCount() == 6 && !new.isWithout(.feeds))
        #expect(throws: LibraryError.damaged(path: temporary.path("none"))) {
            try LibraryRecovery.recover(temporary.path("none"), into: temporary.path("x"))
        }
    }

    @Test(
        arguments: [
            ("DELETE FROM subscription WHERE id = 2", "Recovered feed 2", 6),
            ("DELETE FROM entry WHERE id = 1", "Recovered entries", 6),
            ("DELETE FROM entry_content WHERE entry_id = 1", nil, 6),
            ("UPDATE entry SET sort_date = -5 WHERE id = 1", nil, 6),
            ("UPDATE entry SET sort_date = 99999999999 WHERE id = 1", nil, 6),
            ("UPDATE entry SET is_read = 7, is_starred = -1, is_archived = 3 WHERE id = 1", nil, 6),
            ("UPDATE entry_content SET first_seen = 0", nil, 6),
            ("UPDATE subscription SET account_id = 9, remote_id = 'r' WHERE id = 1", nil, 6),
            ("INSERT INTO deleted_entry VALUES (1, 'a0', 5, NULL, NULL)", nil, 6), ("DELETE FROM setting", nil, 6),
            ("UPDATE subscription SET account_id = 9, url = 'https://b.example/' WHERE id = 1", "about:recovered-1", 6),
        ] as [(String, String?, Int)]) func repairsMissingParts(sql: String, feed: String?, entries: Int) async throws
    {
        try await make()
        try spoil("DROP TRIGGER entry_unindexed; \(sql)")
        let (new, _) = try recovered()
        #expect(try LibraryCheck.run(new) == [] && new.entries.count(in: EntryQuery(.all)) == entries)
        let feeds = try new.feeds.all()
        #expect(feeds.count == (feed == "Recovered entries" ? 3 : 2) && feeds.allSatisfy { $0.account == nil })
        if let feed { #expect(feeds.contains { $0.title == feed || $0.url == feed }) }
        for row in try new.entries.rows(in: EntryQuery(.all), limit: 9) {
            let entry = try #require(try new.entries.detail(of: row.id))
            #expect(row.sortDate >= 0 && row.sortDate <= Instant.now + 86_400)
            #expect(entry.dates.firstSeen > 0)
        }
        let bits = try new.read {
            try Int.fetchOne($0, sql: "SELECT max(max(is_read, is_starred, is_archived)) FROM entry")
        }
        #expect(bits == 1)
        if sql.contains("is_archived = 3") { #expect(try new.entries.count(in: EntryQuery(.archived)) == 1) }
        if sql.contains("WHERE id = 1") { #expect(try new.entries.row(1) != nil) }
        if feed == "Recovered entries" {
            let lost = try #require(try new.entries.detail(of: 1))
            #expect(lost.title == "https://a.example/2" && lost.html == "<p>text a2</p>")
            #expect(lost.dates.published == 1_700_000_002)
        }
    }

    // MARK: Backups

    @Test func backsUpWithoutTouchingTheLibrary() async throws {
        try await make()
        let library = try Library(path: path)
        let backup = temporary.path("b.sqlite")
        let size = try library.backUp(to: backup)
        #expect(try FileManager.default.attributesOfItem(atPath: backup)[.size] as? Int == size && size > 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
        // Read and write versions: it needs no log beside it.
        #expect(bytes[18] == 1 && bytes[19] == 1)
        for name in ["-wal", "-shm", "-journal"] { #expect(!FileManager.default.fileExists(atPath: backup + name)) }
        #expect(
            try Library(path: backup).entries.rows(in: EntryQuery(.all), limit: 9)
                == library.entries.rows(in: EntryQuery(.all), limit: 9))
        #expect(throws: LibraryError.self) { try library.backUp(to: "/no/such/folder/b.sqlite") }
        let restored = try Library.copy(backup: backup, to: temporary.path("r.sqlite"))
        #expect(restored.feeds == 2 && restored.entries == 6 && restored.switchedOff.message == nil)
        #expect(
            try Library(path: temporary.path("r.sqlite")).entries.rows(in: EntryQuery(.all), limit: 9)
                == library.entries.rows(in: EntryQuery(.all), limit: 9))
        #expect(throws: LibraryError.self) {
            try Library.copy(backup: temporary.path("none"), to: temporary.path("s.sqlite"))
        }
        // A damaged backup isn't accepted as a library.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        try await DatabaseQueue(path: backup, configuration: configuration).write {
            try $0.execute(sql: "UPDATE subscription SET total_count = 77")
        }
        #expect(throws: LibraryError.failed("the counters of 2 feeds are wrong")) {
            try Library.copy(backup: backup, to: temporary.path("t.sqlite"))
        }
    }

    @Test func measuresWhatALibraryTakes() async throws {
        try await make()
        let library = try Library(path: path)
        let id = try library.entries.lastID()
        try await library.changes.perform(StoreFullText(FullText(html: "twelve bytes", date: nil), of: id))
        let storage = try library.storage()
        #expect(storage.entries == 6 && storage.fullTexts == 1 && storage.fullTextSize == 12)
        #expect(storage.total % 8192 == 0 && storage.total > 100_000 && (storage.index ?? 1) > 0)
        #expect(try library.size > 0 && Library(path: nil).size == 0)
        try await library.store([ParsedEntry(id: "big", title: "big", html: .signs(1_000_000, seed: 1))], in: 1, at: 5)
        try await library.changes.perform(.delete(entries: [try library.entries.lastID()], now: 1))
        try await library.changes.perform(EmptyTrash(age: -9))
        #expect(try library.storage().free >= 900_000)
        library.changes.checkpoint()
        // While the checkpoint runs, the file still grows.
        let total = try library.storage().total
        #expect(await eventually { library.size == total })
        let (before, released) = (library.size, try await library.compact())
        #expect(released >= 900_000 && released == Int64(before - library.size))
        #expect(try library.storage().free == 0)
    }

    // MARK: Errors

    @Test func saysWhyALibraryCannotBeUsed() {
        func error(_ code: ResultCode, _ message: String? = nil) -> LibraryError {
            LibraryError(DatabaseError(resultCode: code, message: message), path: "p")
        }
        for (code, expected, isTransient) in [
            (.SQLITE_NOTADB, .damaged(path: "p"), false),
            (.SQLITE_CORRUPT, .unreadable("a page can't be read"), false),
            (.SQLITE_CANTOPEN, .cannotOpen(path: "p", reason: "the file or its directory can't be opened"), false),
            (.SQLITE_PERM, .cannotOpen(path: "p", reason: "it is read-only"), false),
            (.SQLITE_READONLY, .cannotStore("the library is read-only"), true), (.SQLITE_BUSY, .busy, true),
            (.SQLITE_LOCKED, .busy, true), (.SQLITE_FULL, .cannotStore("the disk is full"), true),
            (.SQLITE_IOERR, .cannotStore("disk I/O error"), true),
            (.SQLITE_NOMEM, .cannotStore("out of memory"), true), (.SQLITE_MISUSE, .failed("said"), false),
            (.SQLITE_IOERR_FSYNC, .cannotStore("disk I/O error"), true),
        ] as [(ResultCode, LibraryError, Bool)] {
            #expect(error(code, "said") == expected && expected.isTransient == isTransient, "\(code)")
            #expect(LibraryError(expected, path: "q") == expected)
        }
        for (error, words, named) in [
            (
                .newerVersion(path: "p"),
                "p was created by a newer version of tappa, or by one before 0.1.0; nothing was changed", true
            ),
            (.foreign(path: "p"), "p is a database of another program; nothing was changed", true),
            (
                .foreignTriggers(path: "p"),
                "p was not opened, because it has triggers or views that tappa did not create", true
            ),
            (.damaged(path: "p"), "p is not a database or is damaged; nothing was changed", true),
            (.unreadable("u"), "the library is partly damaged (u); run 'tappa check', then 'tappa recover'", false),
            (.cannotOpen(path: "p", reason: "r"), "can't open p: r", false),
            (.replaced(path: "p"), "p was moved or replaced while it was open; restart tappa", false),
            (.busy, "the library is locked by another program", false), (.cannotStore("c"), "c", false),
            (.readOnly("r"), "r", false), (.rejected("r"), "r", false),
            (.failed("f"), "database error: f", false),
        ] as [(LibraryError, String, Bool)] {
            #expect(error.description.hasPrefix(words))
            #expect((error.naming("q") == error) != named && (!named || error.naming("q").description.hasPrefix("q")))
        }
        #expect(LibraryError.replaced(path: "p").isTransient && !LibraryError.readOnly("r").isTransient)
    }

    @Test func quarantinesDamagedLibraries() throws {
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: temporary.path(name)))
        }
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).sorted()
        }
        try write("x", "no database")
        #expect(Quarantine.library(temporary.path("x"), isOwn: false) == nil)
        try write("y", "SQLite format 3\0damaged")
        try write("y-wal", "log")
        let aside = try #require(Quarantine.library(temporary.path("y"), isOwn: false))
        #expect(aside.hasPrefix(temporary.path("y.damaged-")))
        #expect(Quarantine.library(temporary.path("none"), isOwn: true) == nil)
        let own = try #require(Quarantine.library(temporary.path("x"), isOwn: true, as: "replaced"))
        try write("x", "again")
        let second = try #require(Quarantine.library(temporary.path("x"), isOwn: true, as: "replaced"))
        #expect(own != second && own.hasPrefix(temporary.path("x.replaced-")))
        let wanted = [own, second, aside, aside + "-wal"].map { URL(fileURLWithPath: $0).lastPathComponent }.sorted()
        #expect(try names() == wanted)
    }
}
