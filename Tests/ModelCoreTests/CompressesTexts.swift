import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Long texts are stored compressed, in the entries and in the full-text index.
@Suite struct CompressesTexts {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    /// An article of about 3 kB whose words depend on a number.
    private static func article(_ number: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(number))
        let words = ["peloton", "climb", "descent", "gradient", "puncture", "Zoncolan", "über", "東京", "rain", "summit"]
        let paragraphs = (0..<12).map { _ in
            "<p>" + (0..<30).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ") + ".</p>"
        }
        return paragraphs.joined(separator: "\n") + "<p>Number\(number) ends.</p>"
    }

    /// A feed of articles, the newest first, so that the entries of a new feed get their numbers as identifiers.
    private static func feed(_ articles: [Int: String]) -> ParsedFeed {
        ParsedFeed(
            articles.sorted { $0.key > $1.key }.map { number, html in
                ParsedEntry(id: "\(number)", title: "Entry \(number)", html: html)
            })
    }

    /// A library of one feed with articles, all of them in the index.
    private func library(_ count: Int) async throws -> Library {
        let library = try Library(path: path)
        let id = try await library.follow("https://a.example/feed")
        let articles = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, CompressesTexts.article($0)) })
        try await library.store(CompressesTexts.feed(articles), in: id, record: FetchRecord(date: 1_790_000_000))
        try await library.indexAll()
        return library
    }

    private func found(_ words: String, in library: Library) throws -> [EntryID] {
        try library.entries.rows(in: EntryQuery(.search(SearchQuery(words))), limit: 99).map(\.id).sorted()
    }

    /// Fails if the index contains words that its texts don't have, or lacks some.
    private func checkIndex(of library: Library) throws {
        try library.execute("INSERT INTO entry_search (entry_search) VALUES ('integrity-check')")
    }

    // MARK: Values

    @Test func restoresEachText() throws {
        let texts = [
            "", "short", String(repeating: "x", count: 511), String(repeating: "x", count: 512),
            String(repeating: "é東🚴", count: 300), CompressesTexts.article(1), .signs(3000, seed: 1),
            String(repeating: "<p>a\0b</p>", count: 5000), String(repeating: "y", count: StoredText.maximumSize),
            String(repeating: "z", count: StoredText.maximumSize + 1),
        ]
        for text in texts {
            let (value, prepared) = (StoredText(text).databaseValue, StoredText(text).compressed())
            #expect(try StoredText.text(of: value) == text)
            #expect(try prepared.databaseValue == value && prepared.text() == text)
            #expect(try StoredText.fromDatabaseValue(value)?.text() == text)
            if case .blob(let bytes) = value.storage {
                #expect(bytes.count <= text.utf8.count * 7 / 8 && text.utf8.count >= 512)
            }
        }
        let isBlob = texts.map { text in
            if case .blob = StoredText(text).databaseValue.storage { true } else { false }
        }
        #expect(isBlob == [false, false, false, true, true, true, false, true, true, false])
        #expect(try StoredText.text(of: .null) == nil && StoredText.text(of: 7.databaseValue) == nil)
    }

    /// Short texts are compressed with the same effort everywhere, long ones with less during a reload.
    @Test func compressesShortTextsWell() throws {
        func size(_ text: String, _ effort: StoredText.Effort) throws -> Int {
            try #require(Data.fromDatabaseValue(StoredText(text, effort: effort).databaseValue)).count
        }
        let long = CompressesTexts.article(3)
        let short = String(long.prefix(1000))
        #expect(try size(short, .little) == size(short, .normal))
        #expect(try size(long, .little) > size(long, .normal))
    }

    /// Each damaged byte is noticed, and so is a missing or an additional one.
    @Test func rejectsDamagedValues() throws {
        let text = CompressesTexts.article(2)
        let value = try #require(Data.fromDatabaseValue(StoredText(text).databaseValue))
        for index in value.indices {
            var damaged = value
            damaged[index] ^= 1 << (index % 8)
            // A bit without a meaning leaves the text unchanged.
            #expect((try? StoredText.text(of: damaged.databaseValue)) ?? text == text, "\(index)")
        }
        for damaged in [
            Data(), value.dropLast(), value + [0], value + value, value.dropFirst(), Data([0x28, 0xB5, 0x2F]),
        ] {
            #expect(throws: DatabaseError.self) { try StoredText.text(of: Data(damaged).databaseValue) }
        }
    }

    /// A declared size is no reason to allocate memory. Frames without one are rejected.
    @Test func rejectsHostileSizes() throws {
        let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
        for size in [StoredText.maximumSize + 1, 1 << 40, Int.max, -1] {
            // A single segment whose size has eight bytes (RFC 8878, section 3.1.1.1).
            let declared = (0..<8).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
            let frame = Data(magic + [0xE0] + declared + [1, 0, 0])
            #expect(throws: DatabaseError.self) { try StoredText.text(of: frame.databaseValue) }
        }
        // An empty block and a window, but no size.
        #expect(throws: DatabaseError.self) { try StoredText.text(of: Data(magic + [0, 0, 1, 0, 0]).databaseValue) }
    }

    // MARK: In a library

    /// Compressed texts are read, found and shown like plain ones.
    @Test func readsMixedRows() async throws {
        let library = try await library(4)
        let plain = CompressesTexts.article(2)
        try library.store.onWriter { db in
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM entry_content WHERE typeof(html) = 'blob'") == 4)
            #expect(
                try Int.fetchOne(db, sql: "SELECT count(*) FROM entry_search WHERE typeof(body) = 'blob'") == 4)
            // A text that is not compressed.
            try db.execute(sql: "UPDATE entry_content SET html = ? WHERE entry_id = 2", arguments: [plain])
            try db.execute(
                sql: "UPDATE entry_search SET body = ? WHERE rowid = 2; DELETE FROM unindexed",
                arguments: [Markup.plainText(plain)])
        }
        for number in 1...4 {
            let entry = EntryID(rawValue: Int64(number))
            #expect(try library.entries.detail(of: entry)?.html == CompressesTexts.article(number))
            let start = try library.entries.excerpt(of: entry)
            #expect(!start.isEmpty && Markup.plainText(CompressesTexts.article(number)).hasPrefix(start))
            #expect(try found("number\(number)", in: library) == [entry])
            #expect(try found("text:/Number\(number)\\b/", in: library) == [entry])
            #expect(try library.search.context(of: SearchQuery("number\(number)"), in: entry).text.contains("Number"))
        }
        #expect(try LibraryCheck.run(library) == [])
        try checkIndex(of: library)
    }

    /// Changed and deleted entries leave no words in the index, and an undo restores them.
    @Test func removesTheWordsOfCompressedTexts() async throws {
        let library = try await library(3)
        let changed = CompressesTexts.feed([
            1: CompressesTexts.article(11), 2: CompressesTexts.article(2), 3: CompressesTexts.article(3),
        ])
        try await library.store(changed, in: 1, record: FetchRecord(date: 1_790_000_100))
        try await library.indexAll()
        #expect(try found("number1", in: library) == [] && found("number11", in: library) == [1])
        #expect(try library.entries.detail(of: 1)?.dates.previous?.html == CompressesTexts.article(1))
        try checkIndex(of: library)
        let before = try library.entries.detail(of: 2)
        let receipt = try await library.changes.perform(.delete(entries: [2], now: 1))
        #expect(try found("number2", in: library) == [])
        try checkIndex(of: library)
        try await library.undo(receipt)
        try await library.indexAll()
        #expect(try library.entries.detail(of: 2) == before && found("number2", in: library) == [2])
        try checkIndex(of: library)
    }

    /// A damaged text is an error of its entry alone. A recovery keeps what can be decompressed.
    @Test func reportsDamagedTexts() async throws {
        let library = try await library(4)
        try library.store.onWriter { db in
            let find = "SELECT html FROM entry_content WHERE entry_id = 4"
            var value = try #require(try Data.fetchOne(db, sql: find))
            // A letter of a word.
            value[60] ^= 1
            try db.execute(sql: "UPDATE entry_content SET html = ? WHERE entry_id = 4", arguments: [value])
            try db.execute(
                sql: """
                    UPDATE entry_content SET html = substr(html, 1, 40) WHERE entry_id = 2;
                    UPDATE entry_search_content SET c2 = substr(c2, 1, 90) WHERE id = 3;
                    """)
        }
        let damaged = try #require(try library.entries.detail(of: 2))
        #expect(damaged.isDamaged && damaged.html == nil && damaged.title == "Entry 2")
        #expect(try library.entries.excerpt(of: 2) == "")
        #expect(try library.entries.detail(of: 1)?.html == CompressesTexts.article(1))
        #expect(
            try LibraryCheck.run(library) == [
                "2 compressed texts in entry_content can't be read",
                "1 compressed text in entry_search_content can't be read",
            ])
        // Everything else still works: the index, regular expressions, deletions and the next version of the entry.
        try await library.indexAll()
        #expect(try found("number1", in: library) == [1] && found("text:/Number1\\b/", in: library) == [1])
        #expect(try library.search.hits(for: SearchQuery("title:entry"), byRelevance: true, limit: 9).count == 4)
        #expect(library.changes.drain() == .stored)
        let target = temporary.path("r.sqlite")
        _ = try LibraryRecovery.recover(path, into: target)
        let new = try Library(path: target)
        #expect(try LibraryCheck.run(new) == [] && new.entries.count(in: EntryQuery(.all)) == 4)
        #expect(try new.entries.detail(of: 2)?.html == nil)
        let salvaged = try #require(try new.entries.detail(of: 4)?.html)
        #expect(salvaged != CompressesTexts.article(4) && salvaged.hasSuffix("<p>Number4 ends.</p>"))
        #expect(try new.entries.detail(of: 1)?.html == CompressesTexts.article(1))
        let again = try Library(path: path)
        let feed = CompressesTexts.feed([2: CompressesTexts.article(22)])
        try await again.store(feed, in: 1, record: FetchRecord(date: 1_790_000_200))
        #expect(try again.entries.detail(of: 2)?.html == CompressesTexts.article(22))
        try await again.changes.perform(.delete(entries: [3], now: 1))
        #expect(try again.entries.detail(of: 3) == nil)
    }

    /// With its index, a library grows by less than the size of its texts.
    @Test func takesLessSpaceThanItsTexts() async throws {
        let empty = try Library(path: temporary.path("empty.sqlite")).storage()
        let library = try await library(300)
        let texts = (1...300).reduce(0) { $0 + CompressesTexts.article($1).utf8.count }
        _ = try await library.compact()
        let storage = try library.storage()
        let (growth, index) = (storage.total - empty.total, try #require(storage.index))
        #expect(growth < Int64(texts) && growth - index < Int64(texts * 7 / 10), "\(storage) \(texts)")
    }
}
