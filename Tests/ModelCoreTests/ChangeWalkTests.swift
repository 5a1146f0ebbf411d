import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Random walks over all changes: any changes in any order can be undone, and the counters are correct at each step.
@Suite struct ChangeWalkTests {
    /// Enough for some hundreds of each kind of change, or thousands with `SOAK_ROUNDS`.
    private static let walks = ProcessInfo.processInfo.environment["SOAK_ROUNDS"].flatMap { Int($0) } ?? 24
    private static let steps = 400
    private static let lanes = 4

    /// A library with three feeds, and helpers for a walk.
    private struct Walk {
        let library: Library
        var generator: SeededGenerator
        /// The receipts of effective changes, the latest last.
        var receipts: [Receipt] = []
        private var feeds = 0

        init(seed: UInt64) async throws {
            library = try Library(path: nil)
            generator = SeededGenerator(seed: seed)
            for _ in 0..<3 { try await addFeed() }
            // The row that owns all saved pages stays.
            try await library.changes.perform(.savePage(Walk.page(0), now: 1))
            receipts = []
        }

        private mutating func addFeed() async throws {
            feeds += 1
            let url = "https://\(feeds).example/"
            let new = NewSubscription(url: url, folder: feeds % 2 == 0 ? "News" : nil, tags: ["t\(feeds % 3)"])
            let receipt = try await library.changes.perform(.subscribe([new], now: 1))
            receipts.append(receipt)
            try await read(receipt.subscriptions[0].id, url)
        }

        /// Reads a feed: new entries, and some changed ones.
        mutating func read(_ id: FeedID, _ url: String) async throws {
            var feed = ParsedFeed(format: .rss)
            feed.title = "F"
            let first = Int.random(in: 0..<6, using: &generator)
            for index in first..<(first + Int.random(in: 1..<8, using: &generator)) {
                var entry = ParsedEntry(id: "\(url)\(index)", title: "T\(Int.random(in: 0..<3, using: &generator))")
                // Stories of several feeds.
                entry.link = "https://news.example/\(index % 4)"
                entry.contentHTML = "x"
                feed.entries.append(entry)
            }
            try await library.store(feed, in: id, record: FetchRecord(date: 1_790_000_000))
        }

        private static func page(_ number: Int) -> SavedPage {
            SavedPage(url: "page:\(number)", title: "P\(number)", author: nil, html: "x", date: nil)
        }

        private static let rules: [Rule] = {
            let query = try? SearchQuery("is:unread title:/T[01]/")
            return query.map { query in
                [[.fold, .tag("r")], [.mark(.later), .delete], [.tag("t1"), .mark(.read)]].enumerated().map {
                    Rule(name: "R\($0)", when: query, then: $1)
                }
            } ?? []
        }()

        private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

        private mutating func entries() throws -> [EntryID] {
            let all = try library.entries.rows(in: EntryQuery(.all), limit: 200).filter { $0.title.hasPrefix("T") }.map(
                \.id)
            return Array(all.shuffled(using: &generator).prefix(number(1..<4)))
        }

        private mutating func feed() throws -> SubscriptionRow? {
            try library.feeds.all().filter(\.isFeed).randomElement(using: &generator)
        }

        private mutating func race() -> Race {
            let stages = (0..<number(1..<3)).map { Stage(number: $0 + 1, start: "A", finish: "B\(number(0..<9))") }
            return Race(race: "R\(number(0..<2))", year: 2026, stages: stages)
        }

        private static let scopes: [EntryScope] = [
            .all, .starred, .later, .folder("News"), .tag("t1"), .archived, .hidden, .unread(keepingReadSince: 40),
        ]

        /// Returns some change, or `nil` if there is nothing to change.
        private mutating func change() throws -> Change? {
            let value = Bool.random(using: &generator)
            let mark = EntryMark.allCases[number(0..<3)]
            switch number(0..<30) {
            case 0, 1, 2:
                return .mark(mark, value, entries: try entries(), wholeStories: value, now: Instant(number(1..<99)))
            case 3:
                let scope = Walk.scopes[number(0..<Walk.scopes.count)]
                return .markAll(
                    mark, value, scope, upTo: EntryID(rawValue: try library.entries.lastID().rawValue - 1),
                    mergesDuplicates: value,
                    now: Instant(number(1..<99)))
            case 4, 5: return .delete(entries: try entries(), now: 5)
            case 6: return try feed().map { .unsubscribe($0.id) }
            case 7:
                feeds += 1
                return .subscribe([NewSubscription(url: "https://\(feeds).example/")], now: 5)
            case 8: return try feed().map { .rename($0.id, title: value ? "N" : nil) }
            case 9: return try feed().map { .move($0.id, folder: value ? "News" : nil) }
            case 10: return try feed().map { .tag($0.id, value ? ["t1", "x"] : []) }
            case 11: return try feed().map { .setHeaders($0.id, value ? ["A: b"] : []) }
            case 12: return .saveSearch(name: "S\(number(0..<4))", query: "q\(number(0..<3))")
            case 13: return try library.search.saved().first.map { .deleteSearch($0.id) }
            case 14: return .storeRace(race(), isBundled: value)
            case 15: return try library.races.all().first.map { .removeRace($0.id) }
            case 16: return .tagEntries(try entries(), adding: value ? ["t1"] : ["e"], removing: value ? ["e"] : ["t2"])
            case 17:
                let parts: [EntryPart] = [
                    .newer(1_790_000_000, EntryID(rawValue: Int64(number(1..<40)))),
                    .older(1_790_000_000, EntryID(rawValue: Int64(number(1..<40)))),
                    .before(1_790_000_001),
                ]
                let scope = Walk.scopes[number(0..<Walk.scopes.count)]
                return .markAll(
                    mark, value, scope, part: parts[number(0..<3)], upTo: try library.entries.lastID(),
                    mergesDuplicates: value,
                    now: 9
                )
            case 18:
                var options = SubscriptionOptions()
                (options.isUncounted, options.isHidden) = (value, Bool.random(using: &generator))
                return try feed().map { .setOptions($0.id, options) }
            case 19: return .renameGroup(value ? .folder("News", account: nil) : .tag("t1"), to: "G\(number(0..<3))")
            case 20: return .renameGroup(value ? .folder("G1", account: nil) : .tag("G2"), to: value ? "" : "t1")
            case 21: return .orderFeeds(try library.feeds.all().map(\.id).shuffled(using: &generator))
            case 22: return .orderSearches(try library.search.saved().map(\.id).shuffled(using: &generator))
            case 23:
                let order = EntryOrder.allCases[number(0..<EntryOrder.allCases.count)]
                return try library.search.saved().randomElement(using: &generator).map { .sortSearch($0.id, order) }
            case 24: return .applyRule(Walk.rules[number(0..<3)], upTo: try library.entries.lastID(), now: 7)
            case 25: return .savePage(Walk.page(number(0..<4)), now: 5)
            case 26:
                return .queueDownload(url: "u\(number(0..<3))", title: "D", allowsPrivateHost: value, now: 1)
            case 27: return try library.downloads.all().randomElement(using: &generator).map { .removeDownload($0.id) }
            case 28:
                return try feed().map {
                    .several([.rename($0.id, title: "V"), .move($0.id, folder: "News"), .tag($0.id, ["t1"])])
                }
            default:
                let points = (0..<3).map { Track.Point(distance: Double($0), height: Double(number(0..<900))) }
                return try library.races.all().first.map { .storeTrack(Track(points: points), race: $0.id, stage: 1) }
            }
        }

        /// Makes a change or undoes the last one.
        mutating func step() async throws {
            if number(0..<5) == 0, let last = receipts.popLast() {
                try await library.undo(last)
            } else if let change = try change() {
                let receipt = try await library.changes.perform(change)
                if receipt.undo != nil { receipts.append(receipt) }
            }
        }

        /// Makes a change and undoes it.
        ///
        /// - Returns: The change and a table that differs afterwards, or `nil` if none does.
        mutating func changeAndTakeBack() async throws -> String? {
            guard let change = try change() else { return nil }
            let before = try picture()
            try await library.undo(try await library.changes.perform(change))
            let after = try picture()
            return before.keys.first { before[$0] != after[$0] }.map { "\(change) and \($0)" }
        }

        /// Everything that an undo restores, which excludes the statistics of rules.
        func picture() throws -> [String: [String]] {
            try LibraryPicture.tables(of: library).filter { !$0.key.hasPrefix("rule_") }
        }

        mutating func readSomeFeed() async throws {
            if let feed = try feed() { try await read(feed.id, feed.url) }
        }
    }

    @Test(.timeLimit(.minutes(20)), arguments: 0..<lanes) func allChangesOfAWalkAreUndone(lane: Int) async throws {
        for number in stride(from: lane, to: ChangeWalkTests.walks, by: ChangeWalkTests.lanes) {
            let seed = UInt64(number)
            var walk = try await Walk(seed: seed)
            let before = try walk.picture()
            for step in 0..<ChangeWalkTests.steps {
                if step % 10 == 0 {
                    let difference = try await walk.changeAndTakeBack()
                    #expect(difference == nil, "seed \(seed), step \(step)")
                } else {
                    try await walk.step()
                }
                // A wrong counter stays wrong, so checking every fourth step is enough.
                guard step % 4 == 3 else { continue }
                let faults = try LibraryPicture.faults(of: walk.library)
                #expect(faults.isEmpty, "seed \(seed), step \(step)")
                if !faults.isEmpty { return }
            }
            for receipt in walk.receipts.reversed() {
                let undone = try await walk.library.undo(receipt)
                #expect(undone.sentence?.hasPrefix("Undid ") == true, "seed \(seed): \(undone.sentence ?? "")")
            }
            let after = try walk.picture()
            for (table, rows) in before { #expect(after[table] == rows, "seed \(seed): \(table)") }
            #expect(try LibraryPicture.faults(of: walk.library).isEmpty, "seed \(seed)")
            if after != before { return }
        }
    }

    /// Feeds are reloaded in between and changes are undone in any order. Not everything can be restored, but nothing
    /// gets mixed up.
    @Test(.timeLimit(.minutes(20)), arguments: 0..<lanes) func undoNeverMixesChanges(lane: Int) async throws {
        for number in stride(from: lane, to: max(4, ChangeWalkTests.walks / 4), by: ChangeWalkTests.lanes) {
            let seed = UInt64(number) + 1_000_000
            var walk = try await Walk(seed: seed)
            for step in 0..<ChangeWalkTests.steps {
                if step % 5 == 0 {
                    try await walk.readSomeFeed()
                } else if step % 11 == 0, !walk.receipts.isEmpty {
                    let index = Int.random(in: 0..<walk.receipts.count, using: &walk.generator)
                    try await walk.library.undo(walk.receipts.remove(at: index))
                } else {
                    try await walk.step()
                }
                guard step % 4 == 3 else { continue }
                let faults = try LibraryPicture.faults(of: walk.library)
                #expect(faults.isEmpty, "seed \(seed), step \(step)")
                if !faults.isEmpty { return }
            }
            #expect(try LibraryPicture.integrity(of: walk.library) == "ok")
        }
    }

    /// The samples of all features, in any order.
    @Test(.timeLimit(.minutes(20)), arguments: 0..<lanes) func samplesInAnyOrderAreUndone(lane: Int) async throws {
        func picture(_ library: Library) throws -> [String: [String]] {
            try LibraryPicture.tables(of: library).filter {
                !$0.key.hasPrefix("rule_") && !$0.key.hasPrefix("pending_")
            }
        }
        for number in stride(from: lane, to: max(4, ChangeWalkTests.walks / 3), by: ChangeWalkTests.lanes) {
            let fixture = try await SampleLibrary()
            var walk = try SampleWalk(fixture, seed: UInt64(number), isUndoable: true)
            let before = try picture(fixture.library)
            for step in 0..<ChangeWalkTests.steps / 2 {
                try await walk.make(walk.next())
                guard step % 8 == 7 else { continue }
                #expect(try LibraryPicture.faults(of: fixture.library) == [], "seed \(number), step \(step)")
            }
            while let undone = try await walk.make(.undoLast) {
                #expect(undone.sentence?.hasPrefix("Undid ") == true, "seed \(number): \(undone.sentence ?? "")")
            }
            let after = try picture(fixture.library)
            #expect(before.keys.filter { before[$0] != after[$0] } == [], "seed \(number)")
            #expect(try LibraryPicture.faults(of: fixture.library) == [], "seed \(number)")
        }
    }
}
