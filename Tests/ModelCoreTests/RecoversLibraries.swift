import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Recovery of damaged libraries page by page, without SQLite.
@Suite struct RecoversLibraries {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    private static func text(_ seed: Int, words: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(seed))
        let all = (0..<40).map { "word\($0) " }
        return "<p>" + (0..<words).map { _ in all.randomElement(using: &generator) ?? "" }.joined() + "end</p>"
    }

    /// The bytes of a library of several feeds whose entries fill one page or more.
    ///
    /// - Parameter isPlain: Whether the texts are stored as earlier versions did, instead of compressed.
    private func library(feeds: Int = 4, entries: Int = 100, isPlain: Bool = false) async throws -> [UInt8] {
        let library = try Library(path: path)
        for feed in 0..<feeds {
            let id = try await library.follow("https://\(feed).example/feed", tags: ["tag \(feed)"])
            var parsed = ParsedFeed(format: .rss)
            for index in 0..<entries {
                var entry = ParsedEntry(id: "\(feed)/\(index)", title: "Entry \(index) of feed \(feed)")
                // Every tenth text continues in overflow pages.
                let words = index.isMultiple(of: 10) ? 6000 : 60
                entry.contentHTML = RecoversLibraries.text(feed * 1000 + index, words: words)
                parsed.entries.append(entry)
            }
            try await library.store(parsed, in: id, record: FetchRecord(date: 1_790_000_000))
        }
        try await library.indexAll()
        if isPlain {
            try library.store.onWriter { db in
                for (entry, html) in try RecoversLibraries.texts(db) {
                    try db.execute(
                        sql: "UPDATE entry_content SET html = ? WHERE entry_id = ?", arguments: [html, entry])
                }
                try db.execute(sql: "DELETE FROM unindexed")
            }
        }
        // A compacted file contains one table after the other, and the index at its end.
        _ = try await library.compact()
        let copy = temporary.path(UUID().uuidString)
        _ = try library.backUp(to: copy)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: copy)))
    }

    /// The HTML of each entry that has one.
    private static func texts(_ db: Database) throws -> [(entry: Int64, html: String)] {
        try Row.fetchAll(db, sql: "SELECT entry_id, html FROM entry_content").compactMap { row in
            try row.text(1).map { (entry: try row.at(0), html: $0) }
        }
    }

    /// The entries recovered from bytes: with their titles, and with their texts.
    private func recovered(_ bytes: [UInt8]) throws -> (titles: Int, texts: Int, isWhole: Bool) {
        let (damaged, target) = (temporary.path(UUID().uuidString), temporary.path(UUID().uuidString))
        try Data(bytes).write(to: URL(fileURLWithPath: damaged))
        let outcome = try LibraryRecovery.recover(damaged, into: target)
        let library = try Library(path: target)
        #expect(try LibraryCheck.run(library) == [])
        let (titles, texts) = try library.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE title LIKE 'Entry % of feed %'") ?? 0,
                try RecoversLibraries.texts(db).filter { $0.html.hasSuffix("end</p>") }.count
            )
        }
        return (titles, texts, outcome.tables.allSatisfy { !$0.isPartial })
    }

    @Test(arguments: [false, true]) func recoversAnIntactLibraryCompletely(isPlain: Bool) async throws {
        let result = try recovered(await library(isPlain: isPlain))
        #expect(result == (400, 400, true))
    }

    /// The remaining part of a truncated library is recovered.
    @Test(arguments: [1, 3, 10, 30, 60]) func recoversATruncatedLibrary(percent: Int) async throws {
        let bytes = try await library()
        let result = try recovered(Array(bytes[..<(bytes.count * (100 - percent) / 100)]))
        // Texts make up most of the file: the loss is proportional, plus one page.
        #expect(result.texts >= 400 * (100 - percent) / 100 - 80, "\(result)")
        #expect(result.titles >= 400 * (100 - percent) / 100 - 80, "\(result)")
        // The file ends with the index, which isn't missed.
        #expect(result.isWhole == (percent < 60))
    }

    @Test(arguments: 0..<6) func recoversFromTwoHundredDamagedBytes(round: Int) async throws {
        var bytes = try await library()
        var generator = SeededGenerator(seed: UInt64(round))
        for _ in 0..<200 {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        }
        let result = try recovered(bytes)
        #expect(result.titles >= 360 && result.texts >= 330, "\(result)")
    }

    /// Without header and first pages, the values determine page size and tables.
    @Test func recoversWithoutTheFirstPages() async throws {
        var bytes = try await library()
        bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0xA5, count: 100))
        #expect(try recovered(bytes).titles == 400)
        bytes.replaceSubrange(0..<16_384, with: [UInt8](repeating: 0, count: 16_384))
        let result = try recovered(bytes)
        #expect(result.titles >= 380 && result.texts >= 380, "\(result)")
    }

    /// Libraries of earlier versions have smaller pages, which are recognised by their content.
    @Test(arguments: [1024, 4096, 8192, 16_384]) func recognisesTheSizeOfPages(size: Int) async throws {
        let path = temporary.path("sized.sqlite")
        try Data(try await library(feeds: 2, entries: 40)).write(to: URL(fileURLWithPath: path))
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = \(size); VACUUM") }
        try queue.close()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(DatabasePages(bytes: bytes)?.pageSize == size)
        bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0, count: 100))
        #expect(DatabasePages(bytes: bytes)?.pageSize == size)
        let result = try recovered(bytes)
        #expect(result.titles == 80 && result.texts == 80)
    }

    /// Texts and settings of every length are recovered, since the length decides about overflow pages.
    @Test func recoversTextsOfEachLength() async throws {
        let library = try Library(path: path)
        let id = try await library.follow("https://a.example/")
        let lengths = Array(stride(from: 7950, to: 8250, by: 5)) + Array(stride(from: 16_150, to: 16_430, by: 7))
        let entries = lengths.map { length in
            ParsedEntry(id: "\(length)", title: "T", text: .signs(length, seed: length))
        }
        try await library.store(entries, in: id, at: 1_790_000_000)
        let values = stride(from: 1850, to: 2150, by: 3).map { String(repeating: "y", count: $0) }
        for (number, value) in values.enumerated() { try await library.changes.perform(.set("long.\(number)", value)) }
        #expect(library.changes.drain() == .stored)
        let target = temporary.path("new.sqlite")
        #expect(try LibraryRecovery.recover(path, into: target).tables.allSatisfy { !$0.isPartial })
        let (texts, settings) = try Library(path: target).read { db in
            (
                try Int.fetchAll(db, sql: "SELECT length(text) FROM entry_content ORDER BY 1"),
                try String.fetchAll(db, sql: "SELECT value FROM setting WHERE name LIKE 'long.%'")
            )
        }
        #expect(texts == lengths.sorted() && Set(settings) == Set(values))
    }

    /// Without its root page, a table's rows are recognised by the types of their values.
    @Test func recoversWithoutRootPages() async throws {
        var bytes = try await library()
        let copy = temporary.path("copy.sqlite")
        try Data(bytes).write(to: URL(fileURLWithPath: copy))
        let roots = try await DatabaseQueue(path: copy).read {
            try Int.fetchAll($0, sql: "SELECT rootpage FROM sqlite_master WHERE name IN ('entry', 'entry_content')")
        }
        for root in roots {
            bytes.replaceSubrange((root - 1) * 8192..<root * 8192, with: [UInt8](repeating: 0, count: 8192))
        }
        #expect(roots.count == 2)
        let result = try recovered(bytes)
        #expect(result == (400, 400, false))
    }

    /// Texts that were truncated keep their start, unless they were compressed.
    @Test func keepsTheBeginningOfATruncatedText() async throws {
        var bytes = try await library(feeds: 1, entries: 1, isPlain: true)
        let end = Array("end</p>".utf8)
        let place = try #require(bytes.indices.last { bytes[$0...].starts(with: end) })
        // The last overflow page and everything after it.
        bytes.removeSubrange((place / 8192 * 8192)...)
        let target = temporary.path("new.sqlite")
        let damaged = temporary.path("damaged.sqlite")
        try Data(bytes).write(to: URL(fileURLWithPath: damaged))
        _ = try LibraryRecovery.recover(damaged, into: target)
        let html = try Library(path: target).read { try String.fetchOne($0, sql: "SELECT html FROM entry_content") }
        #expect(html?.hasPrefix(RecoversLibraries.text(0, words: 2000).dropLast(7)) == true)
        #expect(html?.contains("end</p>") == false)
    }

    /// The reader ends on any bytes: pages that refer to themselves, to each other, or to nothing.
    @Test(arguments: 0..<10) func recoversFromAnyBytes(round: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(round))
        var bytes = try await library(feeds: 1, entries: 30)
        for page in 0..<bytes.count / 8192 {
            let start = page * 8192 + (page == 0 ? 100 : 0)
            // Random types, cells and children in pages that keep their content.
            if Bool.random(using: &generator) {
                bytes[start] = [2, 5, 10, 13][Int.random(in: 0..<4, using: &generator)]
            }
            for _ in 0..<8 {
                bytes[start + Int.random(in: 1..<200, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
        }
        for bytes in [bytes, Array(bytes[..<Int.random(in: 512..<bytes.count, using: &generator)])] {
            do {
                #expect(try LibraryRecovery.findings(afterRecovering: bytes) == [])
            } catch LibraryError.damaged {
                continue
            }
        }
    }

    /// A damaged key hides rows from deletion but not from the list: indexing fails instead of looping.
    @Test func indexingStopsAtADamagedList() async throws {
        do {
            let library = try Library(path: path)
            #expect(library.changes.drain() == .stored)
        }
        let queue = try DatabaseQueue(path: path)
        let (root, size) = try await queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO unindexed WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
                        SELECT i FROM n
                    """)
            return (
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'unindexed'") ?? 0,
                try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            )
        }
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let page = (root - 1) * size
        #expect(bytes[page] == 5)
        let last = (Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])) - 1
        let cell = page + (Int(bytes[page + 12 + 2 * last]) << 8 | Int(bytes[page + 13 + 2 * last]))
        // The key of the second-last child claims the contents of the last one.
        #expect(bytes[cell + 4] >= 128)
        (bytes[cell + 4], bytes[cell + 5]) = (0xFF, 0x7F)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let library = try Library(path: path)
        var failure: ChangeFailure?
        for _ in 0..<100 where failure == nil {
            do throws(ChangeFailure) {
                if try await library.changes.perform(IndexSome()).count == 0 { break }
            } catch { failure = error }
        }
        let isUnreadable = if case .unreadable = failure?.error { true } else { false }
        #expect(isUnreadable, "\(String(describing: failure))")
    }
}
