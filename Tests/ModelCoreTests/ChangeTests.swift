import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import RaceModel
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// What each change affects, its name, and what its undo restores, reports and leaves behind.
@Suite struct ChangeTests {
    private static let row = EntryRow(
        id: 5, subscriptionID: 2, title: "", isRead: false, isStarred: false, sortDate: 0, hasDate: true,
        isLater: false,
        sources: 1)

    private struct Case: Sendable {
        var change: Change
        var name: String
        var isUndoable = true
        var concernsEntry = false
        var concernsFeed = false
    }

    private static let cases: [Case] = [
        Case(
            change: .mark(.read, true, entries: [5], wholeStories: false, now: 1), name: "a read mark",
            concernsEntry: true),
        Case(change: .mark(.read, true, entries: [4, 6], wholeStories: false, now: 1), name: "2 read marks"),
        Case(
            change: .mark(.starred, true, entries: [5], wholeStories: false, now: 1), name: "a star",
            concernsEntry: true),
        Case(change: .mark(.starred, true, entries: [1, 2, 3], wholeStories: false, now: 1), name: "3 stars"),
        Case(
            change: .mark(.later, true, entries: [5], wholeStories: true, now: 1), name: "a read-later mark",
            concernsEntry: true),
        Case(change: .mark(.later, true, entries: [4, 6], wholeStories: true, now: 1), name: "2 read-later marks"),
        Case(
            change: .markAll(.read, true, .all, upTo: 5, mergesDuplicates: false, now: 1), name: "the marks of a list",
            concernsEntry: true),
        Case(
            change: .markAll(.read, true, .all, upTo: 4, mergesDuplicates: false, now: 1), name: "the marks of a list"),
        Case(
            change: .markAll(.read, true, .subscription(2), upTo: 5, mergesDuplicates: false, now: 1),
            name: "the marks of a list",
            concernsEntry: true, concernsFeed: true),
        Case(
            change: .markAll(.read, true, .subscription(2), upTo: 4, mergesDuplicates: false, now: 1),
            name: "the marks of a list",
            concernsFeed: true),
        Case(
            change: .markAll(.read, true, .subscription(3), upTo: 5, mergesDuplicates: false, now: 1),
            name: "the marks of a list"),
        Case(change: .delete(entries: [5], now: 1), name: "a deletion", concernsEntry: true),
        Case(change: .delete(entries: [6, 7], now: 1), name: "2 deletions"),
        Case(change: .subscribe([NewSubscription(url: "a")], now: 1), name: "a subscription"),
        Case(
            change: .subscribe([NewSubscription(url: "a"), NewSubscription(url: "b")], now: 1), name: "2 subscriptions"),
        Case(
            change: .unsubscribe(2), name: "an unsubscription", concernsEntry: true, concernsFeed: true),
        Case(change: .unsubscribe(3), name: "an unsubscription"),
        Case(change: .rename(2, title: nil), name: "a new name", concernsFeed: true),
        Case(change: .rename(3, title: nil), name: "a new name"),
        Case(change: .move(2, folder: nil), name: "a move to a folder", concernsFeed: true),
        Case(change: .tag(2, []), name: "a tag change", concernsFeed: true),
        Case(change: .setHeaders(2, []), name: "header lines", concernsFeed: true),
        Case(change: .set("a.b", nil), name: "the setting a.b", isUndoable: false),
        Case(change: .saveSearch(name: "n", query: "q"), name: "a saved search"),
        Case(change: .deleteSearch(1), name: "a saved search"),
        Case(change: .removeRace("r"), name: "a race"),
        Case(
            change: Change(StoreRaceFile(race: Race(race: "r", year: 1, stages: []), path: "p", stamp: "s")),
            name: "a race",
            isUndoable: false),
        Case(change: .storeTrack(Track(points: []), race: "r", stage: 1), name: "a track"),
        Case(change: .undo(UUID()), name: "an undo", isUndoable: false),
        Case(
            change: .markAll(.read, true, .all, part: .before(1), upTo: 5, mergesDuplicates: false, now: 1),
            name: "the marks of a list", concernsEntry: true),
        Case(
            change: .markAll(.read, true, .all, part: .before(0), upTo: 5, mergesDuplicates: false, now: 1),
            name: "the marks of a list"),
        Case(
            change: .markAll(.read, true, .all, part: .before(1), upTo: 4, mergesDuplicates: false, now: 1),
            name: "the marks of a list"),
        Case(change: .tagEntries([5], adding: [], removing: []), name: "a tag change", concernsEntry: true),
        Case(change: .tagEntries([4, 6], adding: [], removing: []), name: "2 tag changes"),
        Case(change: .undoRule("r"), name: "an undo of the rule r", isUndoable: false),
        Case(change: .renameGroup(.tag("t"), to: "u"), name: "a new name"),
        Case(change: .collapseGroup(.tag("t"), true), name: "a collapsed group", isUndoable: false),
        Case(change: .orderGroups([]), name: "the list order"),
        Case(change: .orderFeeds([1]), name: "the list order"),
        Case(change: .sortSearch(1, .feed), name: "the order of a search"),
        Case(change: .setOptions(2, SubscriptionOptions()), name: "feed options", concernsFeed: true),
        Case(change: .setOptions(3, SubscriptionOptions()), name: "feed options"),
        Case(change: .storeReadingPosition(5, "1"), name: "a reading position", isUndoable: false),
        Case(
            change: .storePlaybackPosition("u", PlayedEnclosure(position: 1, duration: nil), now: 1),
            name: "a playback position", isUndoable: false),
        Case(
            change: .savePage(SavedPage(url: "u", title: "t", author: nil, html: nil, date: nil), now: 1),
            name: "a saved page"),
        Case(change: Change(RemoveAccount(account: 1, keepsFeeds: true)), name: "an account", isUndoable: false),
        Case(change: .moveToAccount([1], 1), name: "a move to an account", isUndoable: false),
        Case(change: .convertToLocal([1, 2]), name: "2 conversions to local feeds", isUndoable: false),
        Case(change: .retryOutbox([]), name: "the outbox", isUndoable: false),
        Case(change: .dropFromOutbox([]), name: "the outbox", isUndoable: false),
        Case(change: .queueDownload(url: "u", title: "t", allowsPrivateHost: false, now: 1), name: "a download"),
        Case(change: .removeDownload(1), name: "a download"),
        Case(change: .storeRace(Race(race: "r", year: 1, stages: []), isBundled: true), name: "a race"),
        Case(change: .unfollowRace("r"), name: "a race", isUndoable: false),
        Case(change: .hideResults(true, race: nil), name: "hidden spoilers", isUndoable: false),
        Case(change: .revealStage(1, race: "r", true), name: "revealed spoilers", isUndoable: false),
        Case(change: .reveal(entry: 5), name: "revealed spoilers", isUndoable: false),
        Case(
            change: .several([.rename(3, title: nil), .unsubscribe(2)]), name: "2 changes",
            concernsEntry: true, concernsFeed: true),
        Case(change: .several([.rename(3, title: nil)]), name: "1 change"),
    ]

    @Test func describesEveryChange() throws {
        for item in ChangeTests.cases {
            #expect(item.change.summary == item.name)
            #expect(item.change.isUndoable == item.isUndoable, "\(item.change)")
            #expect(item.change.concerns(ChangeTests.row) == item.concernsEntry, "\(item.change)")
            #expect(item.change.concerns(subscription: 2) == item.concernsFeed, "\(item.change)")
        }
        #expect(
            Change.set("a.b", "x").sets("a.b") && !Change.set("a.b", "x").sets("a.c")
                && !Change.rename(1, title: nil).sets("a.b"))
        for item in ChangeTests.cases {
            let text = try JSONEncoder().encode(item.change)
            #expect(try LibraryFeatures.changeKinds.decoder.decode(Change.self, from: text) == item.change)
        }
    }

    @Test func keepsMarksIndependent() {
        for mark in EntryMark.allCases {
            var row = ChangeTests.row
            row[mark] = true
            #expect(EntryMark.allCases.filter { row[$0] } == [mark])
            row[mark] = false
            #expect(row == ChangeTests.row)
        }
    }

    private static func feed(_ ids: [String]) -> ParsedFeed {
        ParsedFeed(ids.map { id in ParsedEntry(id: id, title: "T\(id)", html: "x") }, title: "F")
    }

    private static let day: Int64 = 86_400
    private static let now: Instant = 1_790_000_000

    private func library(_ ids: [String]) async throws -> (library: Library, feed: FeedID, entries: [String: EntryID]) {
        let (library, feed) = try await Library.following("https://a.example/")
        try await library.store(ChangeTests.feed(ids), in: feed, record: FetchRecord(date: ChangeTests.now))
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 100)
        return (library, feed, Dictionary(uniqueKeysWithValues: rows.map { (String($0.title.dropFirst()), $0.id) }))
    }

    private func titles(_ library: Library) throws -> Set<String> {
        Set(try library.entries.rows(in: EntryQuery(.all), limit: 100).map { String($0.title.dropFirst()) })
    }

    /// Deleted entries stay away as long as the feed has them and for a month after; then they count as new.
    @Test func forgetsDeletedEntriesAMonthAfterTheirFeed() async throws {
        let (library, feed, entries) = try await library(["1", "2", "3"])
        let one = try #require(entries["1"])
        try await library.changes.perform(.delete(entries: [one], now: ChangeTests.now))
        func read(_ ids: [String], after days: Int64) async throws -> Set<String> {
            let record = FetchRecord(date: ChangeTests.now + days * ChangeTests.day)
            try await library.store(ChangeTests.feed(ids), in: feed, record: record)
            return try titles(library)
        }
        #expect(try await read(["1", "2", "3"], after: 40) == ["2", "3"])
        #expect(try await read(["2", "3"], after: 30) == ["2", "3"])
        #expect(try await read(["1", "2", "3"], after: 30) == ["2", "3"])
        #expect(try await read(["2", "3"], after: 31) == ["2", "3"])
        #expect(try await read(["1", "2", "3"], after: 31) == ["1", "2", "3"])
    }

    @Test func deletedEntriesStayAwayAfterResubscribing() async throws {
        let (library, feed, entries) = try await library(["1", "2"])
        let one = try #require(entries["1"])
        try await library.changes.perform(.delete(entries: [one], now: ChangeTests.now))
        let end = try await library.changes.perform(.unsubscribe(feed))
        #expect(try await library.undo(end).sentence == "Undid unfollowing F with 1 entry")
        try await library.store(ChangeTests.feed(["1", "2"]), in: feed, record: FetchRecord(date: ChangeTests.now))
        #expect(try titles(library) == ["2"])
    }

    @Test func undoesOnceAndLeavesNothingBehind() async throws {
        let (library, _, entries) = try await library(["1", "2", "3"])
        let (one, two) = (try #require(entries["1"]), try #require(entries["2"]))
        let deletion = try await library.changes.perform(.delete(entries: [one, two], now: ChangeTests.now))
        #expect(deletion.count == 2)
        #expect(try titles(library) == ["3"])
        let undone = try await library.undo(deletion)
        #expect(undone.count == 2 && undone.sentence == "Undid deleting 2 entries")
        #expect(try await library.undo(deletion).sentence == "Nothing left to undo")
        let left = try library.read { db in
            try Int.fetchOne(
                db,
                sql: "SELECT (SELECT count(*) FROM undo_step WHERE change = ?) + (SELECT count(*) FROM trash_entry)",
                arguments: [deletion.id.uuidString])
        }
        #expect(left == 0)
    }

    @Test func anUndoReportsMissingAndReturnedRows() async throws {
        let (library, feed, entries) = try await library(["1", "2", "3"])
        let all = entries.values.sorted()
        let star = try await library.setMark(.starred, true, entries: all, now: 1)
        try await library.changes.perform(.delete(entries: [try #require(entries["1"])], now: ChangeTests.now))
        #expect(
            try await library.undo(star).sentence == "Undid starring 3 entries for 2 of 3; the others no longer exist"
        )
        let end = try await library.changes.perform(.unsubscribe(feed))
        let again = try await library.follow("https://a.example/")
        #expect(again != feed)
        try await library.store(ChangeTests.feed(["2", "3"]), in: again, record: FetchRecord(date: ChangeTests.now))
        #expect(try await library.undo(end).sentence?.hasSuffix("; the feed had already delivered 2 again") == true)
        let rename = try await library.changes.perform(.rename(again, title: "Mine"))
        try await library.changes.perform(.unsubscribe(again))
        #expect(
            try await library.undo(rename).sentence
                == "Can't undo renaming F, because what it changed no longer exists")
    }

    @Test func emptiesOldTrash() async throws {
        let (library, _, entries) = try await library(["1"])
        let deletion = try await library.changes.perform(.delete(entries: Array(entries.values), now: ChangeTests.now))
        func journals() throws -> Int {
            try library.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stored_journal") ?? -1 }
        }
        #expect(try journals() == 0)
        #expect(try await library.changes.perform(EmptyTrash(age: 86_400)).count == 0)
        // Compares all of the current and previous state.
        #expect(try await library.changes.perform(EmptyTrash(age: 0)).count >= 1)
        #expect(try await library.undo(deletion).sentence == "Nothing left to undo")
    }

    @Test func recognizesAFollowedFeed() async throws {
        let library = try Library(path: nil)
        let first = try await library.changes.perform(.subscribe([NewSubscription(url: "https://a.example/")], now: 1))
        #expect(first.count == 1 && first.subscriptions.map(\.isNew) == [true])
        let again = try await library.changes.perform(
            .subscribe(
                [NewSubscription(url: "https://a.example/"), NewSubscription(url: "https://b.example/")], now: 1))
        #expect(again.count == 1 && again.subscriptions.map(\.isNew) == [false, true])
        #expect(again.subscriptions[0].id == first.subscriptions[0].id)
    }

    @Test func storesTheHealthOfAFeedByField() async throws {
        let (library, feed) = try await Library.following("https://a.example/", tags: ["z", "b"])
        #expect(try library.feeds.health(of: FeedID(rawValue: feed.rawValue + 1)) == nil)
        var record = FetchRecord(date: 1000)
        record.nextFetch = 5000
        record.permanentURL = "https://b.example/"
        try await library.store(ChangeTests.feed(["1"]), in: feed, record: record)
        var health = try #require(try library.feeds.health(of: feed))
        #expect(health.url == "https://b.example/" && health.previousURL == "https://a.example/")
        #expect(health.lastFetched == 1000 && health.lastSuccess == 1000 && health.nextFetch == 5000)
        #expect(health.failures == 0 && health.error == nil && !health.isGone && health.tags == ["b", "z"])
        for (count, date) in [(1, 2000), (2, 3000)] as [(Int, Instant)] {
            try await library.changes.perform(
                NoteFailure(
                    feed, "away", notBefore: date == 3000 ? 90_000 : nil, isGone: date == 3000, date: date))
            health = try #require(try library.feeds.health(of: feed))
            #expect(health.failures == count && health.error == "away" && health.isGone == (date == 3000))
            #expect(health.lastFetched == date && health.lastSuccess == 1000)
            #expect(health.nextFetch == (date == 3000 ? 90_000 : FetchSchedule.retry(failures: 1, now: 2000)))
        }
        try await library.changes.perform(NoteUnchanged(feed, nextFetch: nil, date: 4000))
        health = try #require(try library.feeds.health(of: feed))
        #expect(health.failures == 0 && health.error == nil && !health.isGone && health.nextFetch == nil)
        #expect(health.lastFetched == 4000 && health.lastSuccess == 4000)
    }

    /// The date of the newest entry and the median interval between entries.
    @Test func measuresTheRhythmOfAFeed() async throws {
        let (library, feed) = try await Library.following("https://a.example/")
        var parsed = ChangeTests.feed(["1", "2", "3", "4"])
        for (index, date) in ([0, 100, 400, 1000] as [Int64]).enumerated() {
            parsed.entries[index].published = ParsedDate(instant: ChangeTests.now + date, text: "")
        }
        try await library.store(parsed, in: feed, record: FetchRecord(date: ChangeTests.now + 2000))
        let health = try #require(try library.feeds.health(of: feed))
        #expect(health.lastEntry == ChangeTests.now + 1000 && health.rhythm == 300)
    }

    /// A text that differs in one byte, at any position, is another text.
    @Test func noticesAChangeOfOneByte() async throws {
        let (library, feed) = try await Library.following("https://a.example/")
        func store(_ html: String) async throws -> StoredChanges {
            var parsed = ChangeTests.feed(["1"])
            parsed.entries[0].contentHTML = html
            return try await library.store(parsed, in: feed, record: FetchRecord(date: ChangeTests.now))
        }
        for length in [1, 7, 8, 9, 15, 16, 17, 23] {
            let text = String(repeating: "a", count: length)
            _ = try await store(text)
            #expect(try await store(text).updated == 0)
            for place in 0..<length {
                var bytes = Array(text.utf8)
                bytes[place] = UInt8(ascii: "b")
                #expect(try await store(String(decoding: bytes, as: UTF8.self)).updated == 1, "\(length), \(place)")
                #expect(try await store(text).updated == 1)
            }
        }
    }
}
