import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Each change has an effect, describes its undo, and leaves the library unchanged once undone.
@Suite struct UndoesEachChange {
    private static let now = ManyKinds.now

    private func picture(_ library: Library) throws -> [String: [String]] {
        try LibraryPicture.tables(of: library).filter { !$0.key.hasPrefix("pending_") }
    }

    /// The tables that differ between two pictures.
    private func difference(_ before: [String: [String]], _ after: [String: [String]]) -> Set<String> {
        Set(before.keys.filter { before[$0] != after[$0] })
    }

    /// The tables of other features than Feeds whose rows are deleted and restored with feeds and entries.
    private static let followers = Set(LibrarySchema.current.trashTables.map(\.table)).subtracting(
        LibraryFeature.feeds.tables.trash.map(\.table))

    /// What a queue without undo does in a transaction that is rolled back.
    private func trial(_ change: Change, in library: Library) throws -> Receipt {
        try library.store.onWriter { db in
            try db.execute(sql: "BEGIN")
            defer { try? db.execute(sql: "ROLLBACK") }
            return try LibraryTransaction(db, LibraryFeatures.changeKinds).apply(change)
        }
    }

    /// The inverses in the undo steps after one with an identifier.
    private func inverses(after step: Int64, in library: Library) throws -> [Change] {
        let texts = try library.read {
            try String.fetchAll($0, sql: "SELECT inverse FROM undo_step WHERE id > ?", arguments: [step])
        }
        return try texts.map { try LibraryFeatures.changeKinds.decoder.decode(Change.self, from: Data($0.utf8)) }
    }

    /// A new kind of change is tested here, in the walks, and against kills and full disks as soon as it has a sample. A
    /// kind without one is only accepted as the inverse of another, without an undo of its own.
    @Test func everyRegisteredKindHasASample() async throws {
        let fixture = try await SampleLibrary()
        let library = fixture.library
        var withSample: Set<String> = []
        // Whether the kinds of inverses have an undo of their own.
        var hasOwnUndo: [String: Bool] = [Undo.kind: false]
        for sample in try ChangeSamples.samples(in: fixture) {
            withSample.insert(type(of: sample.change.base).kind)
            guard sample.undo != nil else { continue }
            let last = try library.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM undo_step") ?? 0 }
            let receipt = try await library.changes.perform(sample.change)
            for inverse in try inverses(after: last, in: library) {
                let hasUndo = try trial(inverse, in: library).undo != nil
                let kind = type(of: inverse.base).kind
                hasOwnUndo[kind] = hasOwnUndo[kind] == true || hasUndo
            }
            try await library.undo(receipt)
        }
        for type in LibraryFeatures.changeKinds.all.sorted(by: { $0.kind < $1.kind })
        where !withSample.contains(type.kind) {
            #expect(hasOwnUndo[type.kind] == false, "\(ChangeSamples.advice(for: String(reflecting: type)))")
        }
    }

    @Test func restoresTheLibraryExactly() async throws {
        let fixture = try await SampleLibrary()
        let library = fixture.library
        for sample in try ChangeSamples.samples(in: fixture) {
            guard let undo = sample.undo else { continue }
            let words: Comment = "\(sample.change)"
            for change in sample.prerequisites { try await library.changes.perform(change) }
            let before = try picture(library)
            let receipt = try await library.changes.perform(sample.change)
            #expect(receipt.undo == undo && receipt.count > 0 && sample.change.isUndoable, words)
            let changed = try picture(library)
            let tables = difference(before, changed)
            #expect(
                tables.isSuperset(of: sample.tables)
                    && tables.subtracting(sample.tables).isSubset(of: UndoesEachChange.followers), words)
            #expect(try LibraryCheck.run(library) == [], words)
            if sample.isIdempotent {
                let again = try await library.changes.perform(sample.change)
                #expect(again.undo == nil && again.count == 0 && again.sentence == nil, words)
                #expect(try picture(library) == changed, words)
            }
            let undone = try await library.undo(receipt)
            #expect(undone.sentence == "Undid \(undo)" && undone.undo == nil, words)
            // The match count of a rule stays, and its undo expires with the day.
            let after = try picture(library).merging(before.filter { ["rule_tally", "rule_step"].contains($0.key) }) {
                $1
            }
            #expect(difference(before, after) == [], words)
            #expect(try LibraryCheck.run(library) == [], words)
            #expect(try await library.undo(receipt).sentence == "Nothing left to undo", words)
            for (table, _) in LibrarySchema.current.trashTables {
                let left = try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM trash_\(table)") }
                #expect(left == 0, "\(table) of \(sample.change)")
            }
        }
    }

    /// A change without undo has the effect of its sample and leaves no undo step.
    @Test func changesWithoutUndoLeaveNoStep() async throws {
        let count = try await ChangeSamples.samples(in: SampleLibrary()).count
        for index in 0..<count {
            // The change can't be reverted, so each has a library of its own.
            let fixture = try await SampleLibrary()
            let (library, sample) = (fixture.library, try ChangeSamples.samples(in: fixture)[index])
            guard sample.undo == nil else { continue }
            let words: Comment = "\(sample.change)"
            for change in sample.prerequisites { try await library.changes.perform(change) }
            let before = try LibraryPicture.tables(of: library)
            let receipt = try await library.changes.perform(sample.change)
            #expect(receipt.undo == nil && receipt.count > 0 && !sample.change.isUndoable, words)
            #expect(try difference(before, LibraryPicture.tables(of: library)) == sample.tables, words)
            #expect(try LibraryCheck.run(library) == [], words)
            #expect(try await library.undo(receipt).sentence == "Nothing left to undo", words)
            guard sample.isIdempotent else { continue }
            #expect(try await library.changes.perform(sample.change).count == 0, words)
        }
    }

    /// Each change survives journaling unchanged, and has a short description for messages.
    @Test func changesAreValuesWithNames() async throws {
        for sample in try await ChangeSamples.samples(in: SampleLibrary()) {
            let text = try JSONEncoder().encode(sample.change)
            let decoded = try LibraryFeatures.changeKinds.decoder.decode(Change.self, from: text)
            #expect(decoded == sample.change, "\(sample.change)")
            let summary = sample.change.summary
            #expect(summary.first?.isLowercase == true || summary.first?.isNumber == true, "\(sample.change)")
            #expect(summary.last?.isPunctuation == false, "\(sample.change)")
        }
    }

    /// Undoing a step after a later one on the same object restores what that step recorded.
    @Test func undoesStepsInAnyOrder() async throws {
        let fixture = try await SampleLibrary()
        let library = fixture.library
        let a = try #require(fixture.feeds["a"])
        let before = try picture(library)
        var receipts: [Receipt] = []
        for change in [
            Change.rename(a, title: "One"), .move(a, folder: "Tech"), .tag(a, ["n"]), .setHeaders(a, ["H: 1"]),
            .orderFeeds(fixture.feeds.values.sorted().reversed()),
        ] {
            receipts.append(try await library.changes.perform(change))
        }
        for index in [2, 0, 4, 1, 3] { try await library.undo(receipts[index]) }
        #expect(try picture(library) == before)
    }

    @Test func changesNothingThatIsGone() async throws {
        let fixture = try await SampleLibrary()
        let library = fixture.library
        let before = try picture(library)
        for change in [
            Change.unsubscribe(-1), .rename(-1, title: "N"), .move(-1, folder: "F"), .tag(-1, ["t"]),
            .setHeaders(-1, ["A: 1"]), .setOptions(-1, SubscriptionOptions()), .delete(entries: [-1], now: 1),
            .tagEntries([-1], adding: ["t"], removing: ["x"]), .deleteSearch(-1), .sortSearch(-1, .feed),
            .removeRace("none"), .storeTrack(ChangeSamples.track(1), race: "none", stage: 1),
            .storeTrack(ChangeSamples.track(1), race: "r-2026", stage: 9), .removeDownload(-1),
            .storeReadingPosition(-1, "1"),
            .renameGroup(.folder("None", account: nil), to: "N"), .renameGroup(.tag("none"), to: "n"),
            .renameGroup(.folder("News", account: nil), to: "News"), .renameGroup(.tag("x"), to: "x"),
            .renameGroup(.hidden, to: "n"), .orderFeeds([-1]), .undoRule("none"), .reveal(entry: -1),
            .hideResults(true, race: "none"), .revealStage(1, race: "none", true), .several([]),
            .subscribe([], now: 1), .unfollowRace("none"), .undo(UUID()),
            .mark(.read, true, entries: [], wholeStories: true, now: 1),
        ] {
            let receipt = try await library.changes.perform(change)
            #expect(receipt.count == 0 && receipt.undo == nil, "\(change)")
            #expect(try picture(library) == before, "\(change)")
        }
    }

    /// An undo restores entries completely, including the index.
    @Test func restoresEntriesToSearches() async throws {
        let fixture = try await SampleLibrary()
        let library = fixture.library
        let query = try SearchQuery("words")
        let all = try library.entries.rows(in: EntryQuery(.search(query)), limit: 100).map(\.id)
        for change in [Change.delete(entries: [fixture.entries[0]], now: 1), .unsubscribe(fixture.feeds["b"] ?? 0)] {
            let receipt = try await library.changes.perform(change)
            #expect(try library.entries.rows(in: EntryQuery(.search(query)), limit: 100).count < all.count)
            try await library.undo(receipt)
            try await library.indexAll()
            #expect(try library.entries.rows(in: EntryQuery(.search(query)), limit: 100).map(\.id) == all)
        }
    }

    /// A feed followed again in the meantime receives its entries, and existing ones their marks.
    @Test func restoresEntriesToAFeedFollowedMeanwhile() async throws {
        let library = try Library(path: nil)
        func store(_ ids: [String], _ feed: FeedID) async throws {
            try await library.store(
                ids.map { id in ParsedEntry(id: id, title: id) }, in: feed, at: UndoesEachChange.now)
        }
        func row(_ title: String) throws -> EntryRow? {
            try library.entries.rows(in: EntryQuery(.all), limit: 99).first { $0.title == title }
        }
        let feed = try await library.follow("https://a.example/")
        try await store(["1", "2", "3", "4"], feed)
        for (title, mark) in [("1", EntryMark.read), ("2", .starred), ("3", .later), ("4", .starred)] {
            try await library.setMark(mark, true, entries: [try #require(try row(title)).id], now: 44)
        }
        let previous = try #require(try row("4")).id
        let end = try await library.changes.perform(.unsubscribe(feed))
        let again = try await library.follow("https://a.example/")
        try await store(["1", "2", "3", "5"], again)
        try await library.setMark(.read, true, entries: [try #require(try row("2")).id], now: 55)
        #expect(
            try await library.undo(end).sentence
                == "Undid unfollowing https://a.example/ with 4 entries; the feed had already delivered 3 again"
        )
        #expect(try library.feeds.all().map(\.id) == [again])
        #expect(try row("1")?.isRead == true && row("2")?.isStarred == true && row("2")?.isRead == true)
        #expect(try row("3")?.isLater == true && row("5")?.isRead == false)
        #expect(try row("4")?.id == previous && row("4")?.isStarred == true && row("4")?.subscriptionID == again)
        #expect(try library.feeds.feed(again)?.total == 5 && library.feeds.feed(again)?.unread == 3)
        #expect(try LibraryCheck.run(library) == [])
        // Entries of a deleted feed can't be restored.
        let deletion = try await library.changes.perform(.delete(entries: [previous], now: 1))
        try await library.changes.perform(.unsubscribe(again))
        #expect(
            try await library.undo(deletion).sentence
                == "Can't undo deleting 1 entry, because what it changed no longer exists")
    }
}
