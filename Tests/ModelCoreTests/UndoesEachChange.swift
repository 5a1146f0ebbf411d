import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import Rules

/// Each change has an effect, describes its undo, and leaves the library unchanged once undone.
@Suite struct UndoesEachChange {
    private static let now = ManyKinds.now

    /// A library in which every change has something to change.
    private func library() async throws -> (ManyKinds, entries: [EntryID]) {
        let fixture = try await ManyKinds()
        let library = fixture.library
        let page = SavedPage(url: "https://p.example/", title: "Page", author: nil, html: nil, date: nil)
        for change in [
            Change.saveSearch(name: "First", query: "first"), .saveSearch(name: "Second", query: "second"),
            .sortSearch(1, .rhythm),
            .orderGroups([.folder("Tech", account: nil), .folder("News", account: nil), .tag("y"), .tag("x")]),
            .collapseGroup(.tag("x"), true), .savePage(page, now: 1),
            .storeRace(UndoesEachChange.race(2), isBundled: true),
            .queueDownload(url: "https://a.example/1.mp3", title: "One", allowsPrivateHost: true, now: 1),
            .storeTrack(UndoesEachChange.track(1), race: "r-2026", stage: 1),
        ] {
            try await library.changes.perform(change)
        }
        return (fixture, try fixture.items().map(\.id))
    }

    private static func race(_ stages: Int, _ name: String = "R") -> Race {
        Race(race: name, year: 2026, stages: (1...stages).map { Stage(number: $0, start: "A", finish: "B\($0)") })
    }

    private static func track(_ height: Double) -> Track {
        Track(points: (0..<3).map { Track.Point(distance: Double($0), height: height * Double($0)) })
    }

    private func picture(_ library: Library) throws -> [String: [String]] {
        try LibraryPicture.tables(of: library).filter { !$0.key.hasPrefix("pending_") }
    }

    private struct Case {
        var change: Change
        var words: String
        /// Whether repeating it changes nothing.
        var isOnce = true
        /// The tables that it changes.
        var tables: Set<String>
    }

    private func cases(_ fixture: ManyKinds, _ entries: [EntryID]) throws -> [Case] {
        let (a, d) = (fixture.feeds["a"] ?? 0, fixture.feeds["d"] ?? 0)
        var options = SubscriptionOptions()
        options.fullText = true
        let searches = try fixture.library.search.saved().map(\.id)
        let page = SavedPage(url: "https://p.example/2", title: "Page", author: nil, html: nil, date: nil)
        let rule = Rule(
            name: "rule", when: try SearchQuery("words"), then: [.mark(.later), .fold, .tag("r"), .mark(.read)])
        let feeds = [fixture.feeds["b"], fixture.feeds["a"], fixture.feeds["d"]].compactMap { $0 }
        let inSubscription: Set<String> = ["subscription"]
        let inEntries: Set<String> = ["entry", "entry_content", "entry_tag", "subscription", "counter"]
        return [
            Case(
                change: .tagEntries([entries[0], entries[1]], adding: ["n", "x"], removing: ["z"]),
                words: "Restores the tags of 2 entries", tables: ["entry_tag"]),
            Case(
                change: .tagEntries([entries[0]], adding: ["n"], removing: []), words: "Restores the tags of 1 entry",
                tables: ["entry_tag"]),
            Case(
                change: .applyRule(rule, upTo: entries[9], now: 5), words: "Reverts what the rule rule did",
                isOnce: false, tables: ["entry", "entry_tag", "subscription", "counter", "rule_tally", "rule_step"]),
            Case(
                change: .delete(entries: [entries[3], entries[0]], now: 5), words: "Restores 2 deleted entries",
                tables: inEntries.union(["deleted_entry"])),
            Case(
                change: .delete(entries: [entries[3], -1], now: 5), words: "Restores 1 deleted entry",
                tables: inEntries.union(["deleted_entry"])),
            Case(
                change: .subscribe([NewSubscription(url: "n"), NewSubscription(url: "m", tags: ["t"])], now: 1),
                words: "Unfollows the 2 new feeds", tables: ["subscription", "subscription_tag"]),
            Case(
                change: .subscribe([NewSubscription(url: "https://a.example/"), NewSubscription(url: "n")], now: 1),
                words: "Unfollows the new feed", tables: inSubscription),
            Case(
                change: .subscribe([NewSubscription(url: "n", customTitle: "Mine")], now: 1),
                words: "Unfollows Mine", tables: inSubscription),
            Case(
                change: .unsubscribe(a), words: "Follows beta again, with its 8 entries",
                tables: inEntries.union(["subscription_tag"])),
            Case(
                change: .unsubscribe(fixture.feeds["g"] ?? 0),
                words: "Follows https://g.example/ again",
                tables: ["subscription", "subscription_tag"]),
            Case(change: .rename(a, title: "N"), words: "Restores the name of beta", tables: inSubscription),
            Case(change: .rename(d, title: nil), words: "Restores the name of omega of mine", tables: inSubscription),
            Case(change: .move(a, folder: "Tech"), words: "Moves beta back to News", tables: inSubscription),
            Case(change: .move(a, folder: nil), words: "Moves beta back to News", tables: inSubscription),
            Case(
                change: .move(fixture.feeds["c"] ?? 0, folder: "Tech"), words: "Moves gamma out of its folder",
                tables: inSubscription),
            Case(
                change: .renameGroup(.folder("News", account: nil), to: "World"), words: "Renames World back to News",
                tables: ["subscription", "folder_place"]),
            Case(
                change: .renameGroup(.folder("News", account: nil), to: "Tech"), words: "Renames Tech back to News",
                tables: inSubscription),
            Case(
                change: .renameGroup(.folder("News", account: 1), to: ""), words: "Restores News",
                tables: inSubscription),
            Case(
                change: .renameGroup(.tag("x"), to: "w"), words: "Renames w back to x",
                tables: ["subscription_tag", "entry_tag", "folder_place"]),
            Case(
                change: .renameGroup(.tag("x"), to: "y"), words: "Renames y back to x",
                tables: ["subscription_tag", "entry_tag"]),
            Case(change: .renameGroup(.tag("y"), to: ""), words: "Restores y", tables: ["subscription_tag"]),
            Case(
                change: .orderGroups([.folder("News", account: nil), .folder("Tech", account: nil)]),
                words: "Restores the order of the folders", isOnce: false, tables: ["folder_place"]),
            Case(change: .orderFeeds(feeds), words: "Restores the order of the list", tables: inSubscription),
            Case(
                change: .orderSearches(searches.reversed()), words: "Restores the order of the list",
                tables: ["saved_search"]),
            Case(
                change: .sortSearch(searches[0], .feed), words: "Restores the order of the search",
                tables: ["saved_search"]),
            Case(change: .tag(a, ["z", "y"]), words: "Restores the tags of beta", tables: ["subscription_tag"]),
            Case(change: .tag(a, []), words: "Restores the tags of beta", tables: ["subscription_tag"]),
            Case(
                change: .setHeaders(a, ["A: 1", "B: 2"]), words: "Restores the header lines of beta",
                tables: inSubscription),
            Case(
                change: .setOptions(a, options), words: "Restores the options of beta", tables: inSubscription),
            Case(
                change: .savePage(page, now: 5), words: "Removes the saved page",
                tables: ["entry", "entry_content", "subscription", "counter"]),
            Case(
                change: .queueDownload(url: "u", title: "T", allowsPrivateHost: false, now: 1),
                words: "Removes the download", tables: ["download"]),
            Case(
                change: .removeDownload(try fixture.library.downloads.all()[0].id),
                words: "Restores the download", tables: ["download"]),
            Case(
                change: .saveSearch(name: "Other", query: "first"), words: "Restores the name of the search",
                tables: ["saved_search"]),
            Case(
                change: .saveSearch(name: "Third", query: "third"), words: "Deletes the search Third",
                tables: ["saved_search"]),
            Case(change: .deleteSearch(searches[0]), words: "Restores the search First", tables: ["saved_search"]),
            Case(
                change: .storeRace(UndoesEachChange.race(3), isBundled: false), words: "Restores R 2026",
                isOnce: false, tables: ["race", "stage"]),
            Case(
                change: .storeRace(UndoesEachChange.race(1, "S"), isBundled: true), words: "Removes S 2026",
                isOnce: false, tables: ["race", "stage"]),
            Case(
                change: .storeTrack(UndoesEachChange.track(9), race: "r-2026", stage: 1),
                words: "Restores the previous track", isOnce: false, tables: ["stage_track"]),
            Case(
                change: .storeTrack(UndoesEachChange.track(9), race: "r-2026", stage: 2),
                words: "Removes the track", isOnce: false, tables: ["stage_track"]),
            Case(
                change: .several([.rename(a, title: "N"), .move(a, folder: nil), .rename(-1, title: "N")]),
                words: "Restores 2 feeds", tables: inSubscription),
            Case(change: .several([.move(a, folder: nil)]), words: "Restores 1 feed", tables: inSubscription),
        ]
    }

    @Test func restoresTheLibraryExactly() async throws {
        let (fixture, entries) = try await library()
        let library = fixture.library
        for item in try cases(fixture, entries) {
            let words: Comment = "\(item.change)"
            // It survives journaling unchanged.
            #expect(
                try LibraryFeatures.changeKinds.decoder.decode(Change.self, from: JSONEncoder().encode(item.change))
                    == item.change, words)
            let before = try picture(library)
            let receipt = try await library.changes.perform(item.change)
            #expect(receipt.undo == item.words && receipt.count > 0 && item.change.isUndoable, words)
            let changed = try picture(library)
            #expect(Set(before.keys.filter { before[$0] != changed[$0] }) == item.tables, words)
            #expect(try LibraryCheck.run(library) == [], words)
            if item.isOnce {
                let again = try await library.changes.perform(item.change)
                #expect(again.undo == nil && again.count == 0 && again.sentence == nil, words)
                #expect(try picture(library) == changed, words)
            }
            let undone = try await library.undo(receipt)
            #expect(undone.sentence == "Undone: \(item.words)" && undone.undo == nil, words)
            var after = try picture(library)
            // The match count of a rule stays, and its undo expires with the day.
            for table in ["rule_tally", "rule_step"] where item.tables.contains(table) { after[table] = before[table] }
            #expect(before.keys.filter { before[$0] != after[$0] } == [], words)
            #expect(try LibraryCheck.run(library) == [], words)
            #expect(try await library.undo(receipt).sentence == "Nothing left to undo", words)
            for (table, _) in LibrarySchema.current.trashTables {
                let left = try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM trash_\(table)") }
                #expect(left == 0, "\(table) of \(item.change)")
            }
        }
    }

    /// Undoing a step after a later one on the same object restores what that step recorded.
    @Test func undoesStepsInAnyOrder() async throws {
        let (fixture, _) = try await library()
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
        let (fixture, _) = try await library()
        let library = fixture.library
        let before = try picture(library)
        for change in [
            Change.unsubscribe(-1), .rename(-1, title: "N"), .move(-1, folder: "F"), .tag(-1, ["t"]),
            .setHeaders(-1, ["A: 1"]), .setOptions(-1, SubscriptionOptions()), .delete(entries: [-1], now: 1),
            .tagEntries([-1], adding: ["t"], removing: ["x"]), .deleteSearch(-1), .sortSearch(-1, .feed),
            .removeRace("none"), .storeTrack(UndoesEachChange.track(1), race: "none", stage: 1),
            .storeTrack(UndoesEachChange.track(1), race: "r-2026", stage: 9), .removeDownload(-1),
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
        let (fixture, entries) = try await library()
        let library = fixture.library
        let query = try SearchQuery("words")
        let all = try library.entries.rows(in: EntryQuery(.search(query)), limit: 100).map(\.id)
        for change in [Change.delete(entries: [entries[0]], now: 1), .unsubscribe(fixture.feeds["b"] ?? 0)] {
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
            var parsed = ParsedFeed(format: .rss)
            parsed.entries = ids.map { id in
                var entry = ParsedEntry()
                (entry.id, entry.title) = (id, id)
                return entry
            }
            try await library.store(parsed, in: feed, record: FetchRecord(date: UndoesEachChange.now))
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
                == "Undone: Follows https://a.example/ again, with its 4 entries; the feed had already delivered 3 again"
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
                == "Not undone, because it no longer exists: Restores 1 deleted entry")
    }
}
