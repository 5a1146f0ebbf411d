import CSQLiteFunctions
import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import RaceModel
import Testing

@testable import FeedParsing
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Edge cases of the store, its log and its files.
@Suite struct StoreEdgesTests {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    private func library(_ titles: [(title: String, published: Instant)]) async throws -> Library {
        let library = try Library(path: path)
        let id = try await library.follow("https://a.example/")
        var feed = ParsedFeed(format: .rss)
        for (index, item) in titles.enumerated() {
            feed.entries.append(
                ParsedEntry(id: "g\(index)", title: item.title, html: "<p>\(item.title)</p>", date: item.published))
        }
        try await library.store(feed, in: id, record: FetchRecord(date: 1_800_000_000))
        return library
    }

    // MARK: Files

    /// A connection that only reads can't lock for writing, which says nothing about the locks of its file system.
    @Test func closingAReaderIsNoFaultOfLocks() throws {
        do { #expect(try Library(path: path).changes.drain() == .stored) }
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") } == 0)
        try reader.close()
        #expect(csq_lock_error() == 0)
    }

    @Test func makesUserFilesPrivate() throws {
        func mode(_ path: String) -> mode_t {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        let file = temporary.path("touched")
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<300 { PrivateFile.touch(file) }
        // Other tests open files too, but not hundreds.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < open + 200)
        #expect(mode(file) == 0o600)
        #expect(PrivateFile.replace(temporary.path("written"), with: Data("text".utf8)))
        #expect(mode(temporary.path("written")) == 0o600)
        // A full disk is reported.
        #expect(FileWriting.append(Data("text".utf8), to: "/dev/full") == ENOSPC)
        #expect(FileWriting.create("/no/such/folder/x", Data(), mode: 0o600) == ENOENT)
        #expect(!PrivateFile.replace("/proc/none/x", with: Data("text".utf8)))
        // The permissions of an existing folder change only if it is the program's own.
        let folder = temporary.path("folder")
        mkdir(folder, 0o755)
        chmod(folder, 0o755)
        PrivateFile.makeFolder(folder, isOwn: false)
        #expect(mode(folder) == 0o755)
        PrivateFile.makeFolder(folder, isOwn: true)
        #expect(mode(folder) == 0o700)
        // A library's folder belongs to the user.
        chmod(folder, 0o755)
        _ = try Library(path: folder + "/l.sqlite")
        #expect(mode(folder) == 0o755)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).allSatisfy {
                !$0.contains(".part-")
            })
    }

    // MARK: The write-ahead log

    /// A database with a log, with pages of this size, and the bytes of both files.
    private func logged(pageSize: Int) throws -> (database: [UInt8], log: [UInt8], rows: Int) {
        let file = temporary.path("w\(pageSize)-\(UUID().uuidString)")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(pageSize)") }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE t (x); PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            for round in 0..<40 {
                try db.execute(
                    sql: "INSERT INTO t VALUES (?)", arguments: [String(repeating: "\(round % 10)", count: 600)])
            }
        }
        let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file + "-wal")))
        return (data, log, 40)
    }

    private func count(_ database: [UInt8], _ log: [UInt8]) throws -> Int? {
        let file = temporary.path("c-\(UUID().uuidString)")
        try Data(database).write(to: URL(fileURLWithPath: file))
        try Data(log).write(to: URL(fileURLWithPath: file + "-wal"))
        guard let pages = try DatabasePages(file) else { return nil }
        var bytes = pages.numbers.flatMap { pages.page($0).map(Array.init) ?? [] }
        // From now on it has no log: read and write version 1.
        (bytes[18], bytes[19]) = (1, 1)
        try Data(bytes).write(to: URL(fileURLWithPath: file + "-whole"))
        return try DatabaseQueue(path: file + "-whole").read { db in
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        }
    }

    /// Any part of a log yields what was committed in it.
    @Test(arguments: [512, 1024, 4096, 65_536]) func readsOnlyCommittedFrames(pageSize: Int) throws {
        let (database, log, rows) = try logged(pageSize: pageSize)
        #expect(try count(database, log) == rows)
        let frame = pageSize + 24
        let frames = (log.count - 32) / frame
        #expect(frames >= rows)
        // Truncated inside a frame: everything committed before it.
        let half = try #require(try count(database, Array(log[..<(32 + frames / 2 * frame + 100)])))
        #expect(half > 0 && half < rows)
        // One changed byte: the rest is ignored.
        var broken = log
        broken[32 + frames / 2 * frame + 24 + 7] ^= 1
        #expect(try #require(try count(database, broken)) <= half)
        // Invalid header values.
        for (place, value) in [(0, UInt8(0)), (8, 9), (11, 3), (24, log[24] ^ 1)] {
            var other = log
            other[place] = value
            #expect(WriteAheadLog(other) == nil, "\(place)")
        }
        #expect(WriteAheadLog([]) == nil && WriteAheadLog(Array(log[..<32])) == nil)
        // The library file may be missing.
        #expect(WriteAheadLog(log)?.pageSize == pageSize)
    }

    /// A size that is no power of two is invalid, even with a correct checksum.
    @Test(arguments: [(256, false), (512, true), (768, false), (1536, false), (65_536, true), (131_072, false)])
    func acceptsEveryPageSize(size: Int, isTaken: Bool) {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        var sum: (UInt32, UInt32) = (0, 0)
        func add(_ bytes: [UInt8]) {
            for place in stride(from: 0, to: bytes.count, by: 8) {
                let words = [0, 4].map { offset in
                    bytes[place + offset..<place + offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                }
                sum.0 = sum.0 &+ words[0] &+ sum.1
                sum.1 = sum.1 &+ words[1] &+ sum.0
            }
        }
        var log = number(0x377F_0683) + number(3_007_000) + number(UInt32(size)) + number(0) + number(7) + number(8)
        add(log)
        log += number(sum.0) + number(sum.1)
        let body = [UInt8](repeating: 5, count: size)
        let head = number(1) + number(1)
        add(head)
        add(body)
        log += head + number(7) + number(8) + number(sum.0) + number(sum.1) + body
        #expect((WriteAheadLog(log)?.pages[1]?.count == size) == isTaken)
        #expect((WriteAheadLog(log)?.pageCount == 1) == isTaken)
    }

    // MARK: Check and recovery

    @Test func reportsDanglingReferences() async throws {
        let library = try await library([("One", 1_790_000_000)])
        #expect(try LibraryCheck.run(library) == [])
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.write { db in
            try db.execute(sql: "INSERT INTO subscription_tag (subscription_id, tag) VALUES (99, 'x'), (98, 'y')")
            try db.execute(sql: "UPDATE subscription SET total_count = 5")
            try db.execute(sql: "UPDATE counter SET value = 3 WHERE name = 'later'")
        }
        let findings = try LibraryCheck.run(library)
        #expect(findings.contains("references to nothing in 2 rows of subscription_tag"))
        #expect(findings.contains("the counters of 1 feed are wrong"))
        #expect(findings.contains("the counter of later entries is wrong"))
        #expect(findings.count == 3)
        let target = temporary.path("new.sqlite")
        let found = try LibraryRecovery.recover(path, into: target).tables
        #expect(found.first { $0.table == "entry" } == .init(table: "entry", rows: 1, isPartial: false))
        #expect(try LibraryCheck.run(try Library(path: target)) == [])
    }

    @Test func remembersReplayedJournalsForADay() async throws {
        let library = try await library([("One", 1_790_000_000)])
        let other = try DatabaseQueue(path: path)
        try await other.write { db in
            try db.execute(
                sql:
                    "INSERT INTO stored_journal (id, stored) VALUES ('old', unixepoch() - 90000), ('new', unixepoch() - 80000)"
            )
        }
        try await library.changes.perform(EmptyTrash(age: 86_400))
        let left = try await other.read { try String.fetchAll($0, sql: "SELECT id FROM stored_journal") }
        #expect(left == ["new"])
    }

    /// A moved feed is also known by its previous address, unless another feed has it now.
    @Test func recognizesFormerAddresses() async throws {
        let library = try await library([])
        let first = try #require(try library.feeds.all().first)
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "UPDATE subscription SET former_url = 'https://old.example/'") }
        let again = try await library.changes.perform(
            .subscribe(
                [NewSubscription(url: "https://old.example/"), NewSubscription(url: "https://b.example/")], now: 1))
        #expect(again.subscriptions.map(\.isNew) == [false, true])
        #expect(again.subscriptions.first?.id == first.id)
        try await other.write {
            try $0.execute(
                sql: "UPDATE subscription SET former_url = 'https://b.example/' WHERE id = ?", arguments: [first.id])
        }
        let known = try await library.changes.perform(.subscribe([NewSubscription(url: "https://b.example/")], now: 1))
        #expect(known.subscriptions.map(\.isNew) == [false] && known.subscriptions[0].id != first.id)
    }

    // MARK: Races

    private static let race = """
        {"race": "Volta", "year": 2026, "stages": [
        {"number": 1, "date": "2026-11-10", "start": "Porto", "finish": "Lisbon", "winner": "Rider One"},
        {"number": 2, "date": "2026-11-11", "start": "Braga", "finish": "Faro", "winner": "Rider Two"},
        {"number": 3, "date": "2026-11-12", "start": "Beja", "finish": "Beja"}]}
        """

    /// Noon of a day in November 2026.
    private static func noon(_ day: Int) -> Instant {
        (DateParser.instant(year: 2026, month: 11, day: day) ?? 0) + 43_200
    }

    @Test(
        arguments: [
            ("Finish in Faro", 11, 2), ("Rain in Braga, says the Volta", 14, 2), ("Rain in Braga", 11, 2),
            ("Rain in Braga", 10, nil), ("Rider Two tells of the Volta", 13, 2), ("Rider Two goes home", 13, nil),
            ("The Volta begins", 10, nil), ("From Porto to Lisbon and Faro", 11, 1), ("Beja and nothing else", 12, 3),
            ("Beja once more", 20, nil), ("Nothing", 10, nil), ("Faro", 14, 2), ("Faro", 15, nil), ("Faro", 8, 2),
            ("Faro", 7, nil),
        ] as [(String, Int, Int?)]) func findsTheStageOfAnEntry(title: String, day: Int, stage: Int?) async throws
    {
        let library = try await library([(title, StoreEdgesTests.noon(day))])
        try await library.store(RaceFile.read(Data(StoreEdgesTests.race.utf8)))
        let id = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
        let entry = try #require(try library.entries.detail(of: id))
        #expect(try library.races.stage(about: entry)?.number == stage)
    }

    /// News within three days before and after, to the second.
    @Test func findsNewsOfTheDaysAround() async throws {
        let first = (DateParser.instant(year: 2026, month: 11, day: 7) ?? 0)
        let last = (DateParser.instant(year: 2026, month: 11, day: 14) ?? 0)
        let library = try await library([
            ("Lisbon too early", first - 1), ("Lisbon first", first), ("Lisbon last", last - 1),
            ("Lisbon too late", last),
            ("Paris", first + 9),
        ])
        try await library.indexAll()
        let race = try RaceFile.read(Data(StoreEdgesTests.race.utf8))
        let query = try #require(SearchQuery(newsOf: race.stages[0], in: race))
        let found = try library.entries.rows(in: EntryQuery(.search(query)), limit: 9).map(\.title)
        #expect(Set(found) == ["Lisbon first", "Lisbon last"])
    }

    @Test func limitsARaceToAThousandStages() throws {
        func read(_ count: Int) throws -> Int {
            let stages = (1...count).map { "{\"number\": \($0), \"start\": \"A\", \"finish\": \"B\"}" }
            return try RaceFile.read(
                Data("{\"race\": \"R\", \"year\": 2026, \"stages\": [\(stages.joined(separator: ","))]}".utf8)
            ).stages.count
        }
        #expect(try read(1000) == 1000)
        #expect(throws: (any Error).self) { try read(1001) }
    }
}
