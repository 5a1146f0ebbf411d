import FeedParsing
import Foundation
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What entries need is computed before the transaction that stores them.
@Suite struct PreparesEntries {
    private func feed(_ texts: [String: String]) -> PreparedFeed {
        let feed = ParsedFeed(
            texts.sorted { $0.key > $1.key }.map { id, text in
                ParsedEntry(id: id, title: "Entry", text: text)
            })
        return PreparedFeed(feed, record: FetchRecord(date: 1_800_000_000))
    }

    private func step(_ texts: [String: String], in id: FeedID, _ library: Library) -> (StoreFeed, PreparedEntries) {
        let feed = feed(texts)
        let step = StoreFeed(feed, in: id)
        return (step, PreparedEntries(feed.entries, in: id, now: 5, reading: library.store))
    }

    private func entry(_ id: String, _ text: String) -> StoredEntry { feed([id: text]).entries[0] }

    /// Only entries that the library doesn't have as they are need anything.
    @Test func preparesWhatIsNewOrHasChanged() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        let known = ["a": "ape", "b": "bee"]
        let (first, forNewFeed) = step(known, in: id, library)
        // The entries of a new feed are indexed later.
        #expect(forNewFeed.new(entry("a", "ape")) != nil && forNewFeed.new(entry("a", "ape"))?.indexed == nil)
        try await library.changes.perform(first)
        let (_, prepared) = step(["a": "ape", "b": "bug", "c": "cow"], in: id, library)
        let (same, changed, new) = (entry("a", "ape"), entry("b", "bug"), entry("c", "cow"))
        #expect(prepared.new(same) == nil && prepared.changed(same, from: same.fingerprint) == nil)
        #expect(prepared.new(changed) == nil && prepared.changed(changed, from: 0) == nil)
        let change = try #require(prepared.changed(changed, from: entry("b", "bee").fingerprint)).change
        #expect(try change.isUpdate && change.previous?.text().contains("bee") == true)
        #expect(try prepared.new(new)?.indexed?.text.text() == "cow" && prepared.new(new)?.indexed?.characters == 3)
    }

    /// Rules that search the index need all entries in it, also those of a new feed.
    @Test func preparesAllEntriesForRules() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        let entries = feed(["a": "ape"]).entries
        let prepared = PreparedEntries(entries, in: id, indexesAll: true, now: 5, reading: library.store)
        #expect(prepared.new(entries[0])?.indexed != nil)
    }

    /// Deleted entries, which their feed still contains, aren't prepared at each reload.
    @Test func preparesNoDeletedEntries() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.changes.perform(step(["a": "ape", "b": "bee"], in: id, library).0)
        let last = try library.entries.lastID()
        try await library.changes.perform(.delete(entries: [last], now: 5))
        let (_, prepared) = step(["a": "ape", "b": "bee"], in: id, library)
        #expect(prepared.new(entry("a", "ape")) == nil && prepared.new(entry("b", "bee")) == nil)
    }

    /// What was prepared is what is stored: the date of the change was known only then.
    @Test func storesWhatWasPrepared() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.changes.perform(step(["a": "ape"], in: id, library).0)
        let (unprepared, prepared) = step(["a": "auk", "b": "bee"], in: id, library)
        try await library.changes.perform(Stores(entries: unprepared.feed.entries, prepared: prepared, feed: id))
        let previous = try library.read { db in
            let text = try StoredText.fetchOne(db, sql: "SELECT former FROM entry_content WHERE former IS NOT NULL")
            return PreviousText(stored: try text?.text())
        }
        #expect(previous?.replaced == 5 && previous?.text == "ape")
        // An entry without preparation waits for the index instead of being read during the transaction.
        try await library.indexAll()
        let entries = feed(["a": "auk", "b": "bee", "c": "cow"]).entries
        try await library.changes.perform(Stores(entries: entries, prepared: PreparedEntries(), feed: id))
        #expect(try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM unindexed") } == 1)
    }

    private struct Stores: MaintenanceStep {
        let entries: [StoredEntry]
        let prepared: PreparedEntries
        let feed: FeedID

        func apply(in transaction: LibraryTransaction) throws -> Outcome {
            Outcome(answer: try EntryWriter(transaction).store(entries, prepared, in: feed, now: 9))
        }
    }

    /// The queue prepares each step before it begins a transaction.
    @Test func preparesStepsBeforeTheirTransaction() async throws {
        let library = try Library(path: nil)
        let receipt = try await library.changes.perform(Counts())
        #expect(receipt.count == 1)
    }

    private struct Counts: MaintenanceStep {
        var isPrepared = false

        func prepared(reading store: Store) -> Counts { Counts(isPrepared: true) }
        func apply(in transaction: LibraryTransaction) throws -> Outcome { Outcome(count: isPrepared ? 1 : 0) }
    }

    /// What was derived from an entry for the index isn't used once the entry has changed.
    @Test func indexesEntriesThatChangedMeanwhile() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.changes.perform(step(["a": "ape", "b": "bee"], in: id, library).0)
        let index = IndexSome().prepared(reading: library.store)
        try await library.changes.perform(step(["a": "auk", "b": "bee"], in: id, library).0)
        try await library.changes.perform(AppliesAnother(step: index))
        for (word, count) in [("ape", 0), ("auk", 1), ("bee", 1)] {
            #expect(try library.entries.count(in: EntryQuery(.search(SearchQuery(word)))) == count, "\(word)")
        }
    }

    /// Applies a step as it is, without preparing it again.
    private struct AppliesAnother: MaintenanceStep {
        let step: IndexSome

        func apply(in transaction: LibraryTransaction) throws -> Outcome { try step.apply(in: transaction) }
    }
}
