import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Texts of new entries of a known feed, which are indexed at the end of their transaction.
@Suite struct GatheredTextsTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try LibrarySchema.current.migrate(database)
        try database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    INSERT INTO subscription (id, url, title, added, position, total_count) VALUES (1, 'f', 'F', 0, 1, 1)
                    """)
        }
    }

    /// A feed with entries of one text each, the newest first; the numbers are their identifiers.
    private func feed(_ texts: [Int: String]) -> PreparedFeed {
        let feed = ParsedFeed(
            texts.sorted { $0.key > $1.key }.map { number, text in
                ParsedEntry(id: "\(number)", title: "Entry \(number)", text: text)
            })
        return PreparedFeed(feed, record: FetchRecord(date: 1_800_000_000))
    }

    /// A prepared step that stores such a feed.
    private func storing(_ texts: [Int: String], rules: [Rule] = []) throws -> StoreFeed {
        StoreFeed(feed(texts), in: 1, rules: rules).prepared(
            reading: try Store(OpenedDatabase(writer: database)))
    }

    private func found(_ word: String, _ db: Database) throws -> [EntryID] {
        try EntryID.fetchAll(
            db, sql: "SELECT rowid FROM entry_search WHERE entry_search MATCH ? ORDER BY rowid", arguments: [word])
    }

    @Test func indexesGatheredTextsTogether() throws {
        let step = try storing([1: "ape", 2: "bee"])
        try database.write { db in
            let transaction = LibraryTransaction(db, LibraryFeatures.changeKinds)
            _ = try transaction.apply(step)
            #expect(try found("ape", db) == [])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM unindexed") == 2)
            try transaction.parts.finish(db)
            #expect(try found("ape", db) == [1])
            #expect(try found("bee", db) == [2])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM unindexed") == 0)
        }
    }

    /// Texts that are not indexed at once are indexed later.
    @Test func retriesTextsThatCouldNotBeIndexed() throws {
        let step = try storing([1: "ape"])
        try database.write { db in
            let transaction = LibraryTransaction(db, LibraryFeatures.changeKinds)
            _ = try transaction.apply(step)
            while try IndexWriter(transaction).indexSome() > 0 {}
            #expect(try found("ape", db) == [1])
        }
    }

    @Test func forgetsTextsChangedMeanwhile() throws {
        let step = try storing([1: "ape", 2: "bee", 3: "cow"])
        let changed = try storing([1: "auk", 2: "bee", 3: "cow"])
        try database.write { db in
            let transaction = LibraryTransaction(db, LibraryFeatures.changeKinds)
            _ = try transaction.apply(step)
            _ = try transaction.apply(changed)
            try db.execute(sql: "DELETE FROM entry WHERE id = 2")
            try transaction.parts.finish(db)
            #expect(try found("bee", db) == [])
            while try IndexWriter(transaction).indexSome() > 0 {}
            #expect(try found("ape", db) == [])
            #expect(try found("auk", db) == [1])
            #expect(try found("cow", db) == [3])
            try db.execute(sql: "INSERT INTO entry_search (entry_search) VALUES ('integrity-check')")
        }
    }

    /// Rules that use the index match entries that have just arrived.
    @Test func rulesFindNewEntries() throws {
        let rule = Rule(name: "r", when: try SearchQuery("bee"), then: [.mark(.read)])
        let step = try storing([1: "ape", 2: "bee"], rules: [rule])
        try database.write { db in
            let transaction = LibraryTransaction(db, LibraryFeatures.changeKinds)
            _ = try transaction.apply(step)
            #expect(try EntryID.fetchAll(db, sql: "SELECT id FROM entry WHERE is_read") == [2])
            try transaction.parts.finish(db)
            #expect(try found("bee", db) == [2])
        }
    }

    /// The index writes its words once for many entries, measured by the rows written.
    @Test(arguments: [true, false]) func writesManyTextsTogether(atOnce: Bool) throws {
        let texts = Dictionary(uniqueKeysWithValues: (1...200).map { ($0, "words of entry \($0) and more") })
        let step = try storing(texts)
        try database.write { db in
            let transaction = LibraryTransaction(db, LibraryFeatures.changeKinds)
            _ = try transaction.apply(step)
            let before = db.totalChangesCount
            if atOnce {
                try transaction.parts.finish(db)
            } else {
                while try IndexWriter(LibraryTransaction(db, LibraryFeatures.changeKinds)).indexSome() > 0 {}
            }
            let written = db.totalChangesCount - before
            #expect(try found("words", db).count == 200)
            #expect(written < 200 * 7, "\(written)")
        }
    }
}
