import FeedParsing
import GRDB
import LibraryTesting
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

@Suite struct UndoTests {
    private let library: Library
    private let id: FeedID
    private static let day: Int64 = 86_400
    private static let now: Instant = 1_790_000_000

    init() async throws {
        library = try Library(path: nil)
        id = try await library.follow("https://example.org/", folder: "News", tags: ["one", "two"])
        _ = try await library.store(UndoTests.feed(20), in: id, record: FetchRecord(etag: "e", date: UndoTests.now))
    }

    private static func feed(_ count: Int) -> ParsedFeed {
        var feed = ParsedFeed(format: .rss)
        feed.title = "F"
        for index in 0..<count {
            var entry = ParsedEntry(
                id: "g\(index)", title: "T\(index)", html: "text \(index)", date: now - Int64(index) * day)
            entry.enclosures = [ParsedEnclosure(url: "https://example.org/\(index).mp3", mediaType: "audio/mpeg")]
            feed.entries.append(entry)
        }
        return feed
    }

    /// Everything that a user could miss.
    private func picture() throws -> String {
        let subscriptions = try library.feeds.all()
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 100)
        let details = try entries.map { try library.entries.detail(of: $0.id) }
        return
            "\(subscriptions)\(entries)\(details)\(try library.feeds.unreadCount())\(try library.entries.count(in: EntryQuery(.starred)))"
            + "\(try library.entries.count(in: EntryQuery(.later)))\(try library.feeds.health(of: id).map { "\($0)" } ?? "")"
    }

    @Test func undoesMarkingAllRead() async throws {
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 5)
        try await library.setMark(.read, true, entries: rows.map(\.id), now: UndoTests.now)
        let before = try library.entries.rows(in: EntryQuery(.all), limit: 100).map(\.isRead)
        let step = try await library.setMark(.read, true, in: .subscription(id), now: UndoTests.now)
        #expect(step.undo == "marking 15 entries as read")
        #expect(try library.feeds.unreadCount() == 0)
        try await library.undo(step)
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 100).map(\.isRead) == before)
        #expect(try library.feeds.unreadCount() == 15)
        #expect(try await library.setMark(.starred, false, in: .all, now: 1).undo == nil)
    }

    @Test func onlyUndoRestoresDeletedEntries() async throws {
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 3)
        try await library.setMark(.later, true, entries: [rows[0].id], now: 1)
        let before = try picture()
        let step = try await library.changes.perform(.delete(entries: rows.map(\.id), now: UndoTests.now))
        #expect(try library.entries.count(in: EntryQuery(.all)) == 17)
        #expect(try library.entries.count(in: EntryQuery(.later)) == 0)
        _ = try await library.store(UndoTests.feed(20), in: id, record: FetchRecord(date: UndoTests.now + 1))
        #expect(try library.entries.count(in: EntryQuery(.all)) == 17)
        try await library.undo(step)
        #expect(try library.entries.count(in: EntryQuery(.all)) == 20)
        #expect(try library.entries.count(in: EntryQuery(.later)) == 1)
        _ = try await library.store(UndoTests.feed(20), in: id, record: FetchRecord(etag: "e", date: UndoTests.now))
        #expect(try picture() == before)
    }

    @Test func undoesUnsubscribing() async throws {
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 4)
        try await library.setMark(.starred, true, entries: [rows[1].id], now: 1)
        try await library.setMark(.read, true, entries: [rows[2].id, rows[3].id], now: 1)
        let before = try picture()
        let step = try await library.changes.perform(.unsubscribe(id))
        #expect(step.undo == "unfollowing F with 20 entries")
        #expect(try library.feeds.all().isEmpty)
        #expect(try library.feeds.unreadCount() == 0)
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 0)
        try await library.undo(step)
        #expect(try picture() == before)
        #expect(try library.feeds.health(of: id)?.tags == ["one", "two"])
        try await library.changes.perform(EmptyTrash(age: 0))
        #expect(try picture() == before)
    }

    /// Rows of other features that refer to entries come back with them, without statements of their own.
    @Test func restoresTheRowsOfOtherFeatures() async throws {
        try library.execute(
            """
            CREATE TABLE new_row (
                entry_id INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE, text TEXT NOT NULL
            );
            CREATE TABLE trash_new_row (step_id INTEGER NOT NULL, entry_id INTEGER, text TEXT);
            INSERT INTO new_row SELECT id, 'N' || id FROM entry;
            """)
        func rows() throws -> [String] {
            try library.read { try String.fetchAll($0, sql: "SELECT text FROM new_row ORDER BY entry_id") }
        }
        let before = try rows()
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 3).map(\.id)
        for (change, left) in [(Change.delete(entries: entries, now: 1), 17), (.unsubscribe(id), 0)] {
            let receipt = try await library.changes.perform(change)
            #expect(try rows().count == left)
            try await library.undo(receipt)
            #expect(try rows() == before)
        }
    }

    @Test func restoresNamesAndFolders() async throws {
        let renamed = try await library.changes.perform(.rename(id, title: "Mine"))
        let moved = try await library.changes.perform(.move(id, folder: nil))
        #expect(try library.feeds.all()[0].title == "Mine")
        #expect(try library.feeds.all()[0].folder == nil)
        try await library.undo(moved)
        try await library.undo(renamed)
        #expect(try library.feeds.all()[0].title == "F")
        #expect(try library.feeds.all()[0].folder == "News")
    }

    @Test func expiresOldEntriesButNoStarredOnes() async throws {
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 100)
        try await library.setMark(.starred, true, entries: [rows[19].id], now: 1)
        #expect(try await library.retain(days: 10, entries: 0, now: UndoTests.now) == 8)
        #expect(try library.entries.count(in: EntryQuery(.all)) == 12)
        #expect(try await library.retain(days: 0, entries: 5, now: UndoTests.now) == 6)
        #expect(
            try library.entries.rows(in: EntryQuery(.all), limit: 100).map(\.title) == [
                "T0", "T1", "T2", "T3", "T4", "T19",
            ])
        _ = try await library.store(UndoTests.feed(20), in: id, record: FetchRecord(date: UndoTests.now + 1))
        #expect(try library.entries.count(in: EntryQuery(.all)) == 6)
        #expect(try await library.retain(days: 0, entries: 0, now: UndoTests.now) == 0)
    }

    @Test func recognizesASilentFeed() async throws {
        #expect(try library.feeds.inactive(now: UndoTests.now).isEmpty)
        #expect(try library.feeds.inactive(now: UndoTests.now + 40 * UndoTests.day) == [id])
        #expect(try library.feeds.health(of: id)?.rhythm == UndoTests.day)
    }
}
