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

    /// Stores such feeds one after another, and continues in the same transaction.
    private func store(
        _ feeds: [Int: String]..., rules: [Rule] = [], then check: (LibraryTransaction, Database) throws -> Void
    ) throws {
        let store = try Store(OpenedDatabase(writer: database))
        let steps = feeds.map { StoreFeed(feed($0), in: 1, rules: rules).prepared(reading: store) }
        try database.write { db in
            let transaction = LibraryTransaction(db, LibraryFeatures.changeKinds)
            for step in steps { _ = try transaction.apply(step) }
            try check(transaction, db)
        }
    }

    private func found(_ word: String, _ db: Database) throws -> [EntryID] {
        try EntryID.fetchAll(
            db, sql: "SELECT rowid FROM entry_search WHERE entry_search MATCH ? ORDER BY rowid", arguments: [word])
    }

    @Test func indexesGatheredTextsTogether() throws {
        try store([1: "ape", 2: "bee"]) { transaction, db in
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
        try store([1: "ape"]) { transaction, db in
            while try IndexWriter(transaction).indexSome() > 0 {}
            #expect(try found("ape", db) == [1])
        }
    }

    @Test func forgetsTextsChangedMeanwhile() throws {
        try store([1: "ape", 2: "bee", 3: "cow"], [1: "auk", 2: "bee", 3: "cow"]) { transaction, db in
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
        try store([1: "ape", 2: "bee"], rules: [rule]) { transaction, db in
            #expect(try EntryID.fetchAll(db, sql: "SELECT id FROM entry WHERE is_read") == [2])
            try transaction.parts.finish(db)
            #expect(try found("bee", db) == [2])
        }
    }

    /// The index writes its words once for many entries, measured by the rows written.
    @Test(arguments: [true, false]) func writesManyTextsTogether(atOnce: Bool) throws {
        let texts = Dictionary(uniqueKeysWithValues: (1...200).map { ($0, "words of entry \($0) and more") })
        try store(texts) { transaction, db in
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
