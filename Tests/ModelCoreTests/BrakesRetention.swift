import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Limits of the settings that would delete most entries at once, and dates from wrong clocks.
@Suite struct BrakesRetention {
    private static let now: Instant = 1_790_000_000
    private static let day: Int64 = 86_400
    private let temporary = TemporaryFolder()

    /// Feeds with entries of these ages in days.
    private func library(_ feeds: [[Int64]]) async throws -> Library {
        let library = try Library(path: nil)
        for (number, ages) in feeds.enumerated() {
            let id = try await library.follow("https://\(number).example/")
            try await library.store(
                BrakesRetention.feed(ages.map { BrakesRetention.now - $0 * BrakesRetention.day }), in: id,
                record: FetchRecord(date: BrakesRetention.now))
        }
        return library
    }

    private static func feed(_ dates: [Instant]) -> ParsedFeed {
        ParsedFeed(
            dates.enumerated().map { number, date in
                ParsedEntry(id: "\(number)", title: "\(number)", date: date)
            })
    }

    private static let young = Array(repeating: Int64(1), count: 20)

    /// What goes and what waits, with a limit of 30 days or of three entries.
    @Test(
        arguments: [
            ([young + [40, 50]], 30, 0, 2, HeldEntries()),
            // Half of a feed may go, more may not, and neither may a feed whose newest entry is too old.
            ([young, [1, 1, 40, 40]], 30, 0, 2, HeldEntries()),
            ([young, [1, 40, 40]], 30, 0, 0, HeldEntries(entries: 2, feeds: 1)),
            ([young + [40], [40]], 30, 0, 1, HeldEntries(entries: 1, feeds: 1)),
            // Most of the library.
            ([[1, 1, 40], [1, 40]], 30, 0, 2, HeldEntries()),
            ([[1, 40], [1, 40], [40]], 30, 0, 0, HeldEntries(entries: 3, feeds: 3)),
            ([[100, 200], [40, 50]], 30, 0, 0, HeldEntries(entries: 4, feeds: 2)),
            ([young], 0, 10, 10, HeldEntries()), ([young], 0, 9, 0, HeldEntries(entries: 11, feeds: 1)),
            ([young], 0, 0, 0, HeldEntries()), ([], 30, 3, 0, HeldEntries()),
        ] as [([[Int64]], Int, Int, Int, HeldEntries)])
    func asksBeforeMostEntriesGo(feeds: [[Int64]], days: Int, entries: Int, deleted: Int, waiting: HeldEntries)
        async throws
    {
        let library = try await library(feeds)
        let total = feeds.reduce(0) { $0 + $1.count }
        let now = BrakesRetention.now
        let receipt = try await library.changes.perform(Change(RetainEntries(days: days, entries: entries, now: now)))
        #expect(receipt.count == deleted && receipt.heldEntries == waiting)
        #expect(try library.entries.count(in: EntryQuery(.all)) == total - deleted)
        let second = try await library.changes.perform(
            Change(RetainEntries(days: days, entries: entries, isConfirmed: true, now: now)))
        #expect(second.count == waiting.entries && second.heldEntries == HeldEntries())
        // Both steps can be undone, the last one first.
        for _ in 0..<2 {
            guard let last = try library.lastRetention() else { break }
            try await library.changes.perform(.undo(last))
        }
        #expect(try library.entries.count(in: EntryQuery(.all)) == total)
        #expect(try library.lastRetention() == nil)
        #expect(try LibraryCheck.run(library) == [])
    }

    /// A reload under a clock that is years ahead deletes nothing.
    @Test func aWrongClockDeletesNothing() async throws {
        let library = try await library([BrakesRetention.young, [1, 2, 3]])
        for years in [1, 10, 60] as [Int64] {
            let now = BrakesRetention.now + years * 365 * BrakesRetention.day
            let receipt = try await library.changes.perform(Change(RetainEntries(days: 90, entries: 0, now: now)))
            #expect(receipt.count == 0 && receipt.heldEntries == HeldEntries(entries: 23, feeds: 2))
            #expect(receipt.heldEntries.sentence == "Kept 23 old entries of 2 feeds: too many to delete unasked.")
        }
    }

    /// The step of a deletion remains for a week, because nobody was watching it.
    @Test(arguments: [(0, true), (6, true), (8, false), (-400, true)]) func keepsItsStepsForAWeek(
        days: Int, isKept: Bool
    ) async throws {
        let library = try await library([BrakesRetention.young + [40]])
        try await library.changes.perform(Change(RetainEntries(days: 30, entries: 0, now: BrakesRetention.now)))
        try library.execute("UPDATE undo_step SET created = unixepoch() - 86400 * ?", [days])
        try await library.changes.perform(EmptyTrash(age: 86_400))
        #expect(try (library.lastRetention() != nil) == isKept)
    }

    /// An entry that came while the clock was far behind takes its date once the clock is right.
    @Test func entriesTakeTheirDateWhenTheClockIsRight() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        let date = BrakesRetention.now
        let feed = BrakesRetention.feed([date])
        let behind = date - 400 * BrakesRetention.day
        #expect(try await library.store(feed, in: id, record: FetchRecord(date: behind)).added == 1)
        func row() throws -> EntryRow { try #require(try library.entries.rows(in: EntryQuery(.all), limit: 9).first) }
        #expect(try !row().hasDate && row().sortDate == behind)
        try await library.setMark(.read, true, entries: [row().id], now: date)
        #expect(try await library.store(feed, in: id, record: FetchRecord(date: date + 60)) == StoredChanges())
        #expect(try row().hasDate && row().sortDate == date && row().isRead)
    }

    // MARK: The disk

    /// A change of the user syncs the log when it is committed; the engine's own steps don't.
    @Test func changesOfTheUserAreOnTheDisk() async throws {
        let library = try Library(path: temporary.path("l.sqlite"))
        func mode() throws -> Int? {
            try library.store.onWriter { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        let id = try await library.follow("https://a.example/")
        #expect(try mode() == 2, "FULL")
        try await library.changes.perform(NoteUnchanged(id, nextFetch: nil, date: 5))
        #expect(try mode() == 1, "NORMAL")
        try await library.changes.perform(.rename(id, title: "A"))
        #expect(try mode() == 2)
    }
}
