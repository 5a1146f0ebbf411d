import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

@Suite struct LibraryTests {
    private let temporary = TemporaryFolder()

    private func feed(_ count: Int, prefix: String = "e") -> ParsedFeed {
        let entries = (0..<count).map { index in
            ParsedEntry(
                id: "\(prefix)\(index)", title: "Title \(index)", html: "<p>\(index)</p>",
                date: Instant(1_700_000_000 + index))
        }
        return ParsedFeed(entries, title: "F")
    }

    private func makeLibrary(_ count: Int) async throws -> (Library, FeedID) {
        let (library, id) = try await Library.following("https://example.org/")
        _ = try await library.store(feed(count), in: id, record: FetchRecord(date: 1_800_000_000))
        return (library, id)
    }

    @Test func maintainsCountersInTheDatabase() async throws {
        let (library, id) = try await makeLibrary(10)
        #expect(try library.feeds.unreadCount() == 10)
        let rows = try library.entries.rows(in: EntryQuery(.subscription(id)), limit: 3)
        try await library.setMark(.read, true, entries: [rows[0].id], now: 1)
        try await library.setMark(.read, true, entries: [rows[0].id], now: 2)
        try await library.setMark(.starred, true, entries: [rows[1].id], now: 1)
        #expect(try library.feeds.unreadCount() == 9)
        #expect(try library.feeds.all()[0].unread == 9)
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 1)
        try await library.changes.perform(.unsubscribe(id))
        #expect(try library.feeds.unreadCount() == 0)
        #expect(try library.entries.count(in: EntryQuery(.all)) == 0)
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 0)
    }

    @Test func starredAndQueuedEntriesSurviveLimits() async throws {
        let (library, id) = try await makeLibrary(20)
        let rows = try library.entries.rows(in: EntryQuery(.subscription(id)), limit: 20).map(\.id)
        // The oldest entry.
        try await library.setMark(.later, true, entries: [rows[19]], now: 1)
        try await library.setMark(.starred, true, entries: [rows[18]], now: 1)
        #expect(try await library.retain(days: 0, entries: 5, now: 1_800_000_000) == 13)
        #expect(
            try library.entries.rows(in: EntryQuery(.all), limit: 20).map(\.id) == Array(rows[..<5]) + [
                rows[18], rows[19],
            ])
        #expect(try await library.retain(days: 1, entries: 1, now: 1_800_000_000) == 5)
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 20).map(\.id) == [rows[18], rows[19]])
        #expect(try library.feeds.unreadCount() == 2)
        // Deleted entries don't return while the feed has them.
        _ = try await library.store(feed(20), in: id, record: FetchRecord(date: 1_800_000_001))
        #expect(try library.entries.count(in: EntryQuery(.all)) == 2)
        #expect(try LibraryPicture.faults(of: library).isEmpty)
    }

    @Test func countersFollowDeletions() async throws {
        let (library, id) = try await makeLibrary(10)
        let rows = try library.entries.rows(in: EntryQuery(.subscription(id)), limit: 10).map(\.id)
        try await library.setMark(.read, true, entries: Array(rows[..<4]), now: 1)
        try await library.changes.perform(.delete(entries: [rows[0], rows[1], rows[5]], now: 1))
        #expect(try library.feeds.all().map(\.unread) == [5])
        #expect(try library.feeds.all().map(\.total) == [7])
        #expect(try library.feeds.unreadCount() == 5)
    }

    @Test func mergesAStoryOfSeveralFeeds() async throws {
        let library = try Library(path: nil)
        var ids: [FeedID] = []
        for (url, link) in [
            ("https://a.example/", "https://www.news.example/story/?utm_source=a#top"),
            ("https://b.example/", "http://news.example/story"),
            ("https://c.example/", "https://news.example/other"),
        ] {
            let id = try await library.follow(url)
            ids.append(id)
            let feed = ParsedFeed([ParsedEntry(id: "1", title: "T", link: link)], title: url)
            _ = try await library.store(feed, in: id, record: FetchRecord(date: 1_800_000_000))
        }
        #expect(try library.entries.count(in: EntryQuery(.all)) == 3)
        let rows = try library.entries.rows(in: EntryQuery(.all, mergesDuplicates: true), limit: 10)
        #expect(rows.map(\.sources) == [1, 2])
        #expect(try library.entries.count(in: EntryQuery(.all, mergesDuplicates: true)) == 2)
        #expect(try library.entries.sources(of: rows[1].id) == ["https://a.example/", "https://b.example/"])
        #expect(
            try library.entries.rows(in: EntryQuery(.subscription(ids[1]), mergesDuplicates: true), limit: 10).count
                == 1)
        try await library.setMark(.read, true, entries: [rows[1].id], wholeStories: true, now: 1)
        #expect(try library.feeds.unreadCount() == 1)
    }

    @Test(
        arguments: [
            ("https://www.a.example/x/?utm_source=b&id=7#c", "a.example/x?id=7"), ("http://a.example/x", "a.example/x"),
            ("https://a.example/", nil), ("urn:x", nil), ("https://a.example/?p=1", "a.example?p=1"),
        ] as [(String, String?)])
    func mergesAddressesOfOneStory(link: String, address: String?) {
        #expect(StoredEntry.comparableAddress(link) == address)
    }

    @Test func storingAgainKeepsMarks() async throws {
        let (library, id) = try await makeLibrary(5)
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 5)
        try await library.setMark(.read, true, entries: [rows[0].id], now: 1)
        var changed = feed(6)
        changed.entries[4].title = "Another title"
        let result = try await library.store(changed, in: id, record: FetchRecord(date: 1_800_000_001))
        #expect(result == StoredChanges(added: 1, updated: 1))
        #expect(try library.entries.detail(of: rows[0].id)?.title == "Another title")
        #expect(try library.entries.detail(of: rows[0].id)?.isRead == true)
    }

    @Test func openUnreadListsKeepReadEntries() async throws {
        let (library, _) = try await makeLibrary(3)
        let scope = EntryScope.unread(keepingReadSince: 100)
        let rows = try library.entries.rows(in: EntryQuery(scope), limit: 9)
        try await library.setMark(.read, true, entries: [rows[1].id], now: 100)
        #expect(try library.entries.rows(in: EntryQuery(scope), limit: 9).map(\.id) == rows.map(\.id))
        #expect(try library.entries.count(in: EntryQuery(scope)) == 3)
        #expect(try library.entries.count(in: EntryQuery(.unread(keepingReadSince: 101))) == 2)
        #expect(try library.entries.nextUnread(after: rows[0], in: EntryQuery(scope))?.id == rows[2].id)
    }

    @Test func keepsAndReportsEmptyEntries() async throws {
        let (library, id) = try await Library.following("u")
        let entry = ParsedEntry(html: "<p>Only <b>words</b></p>")
        try await library.store([entry, entry], in: id, at: 50)
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 9)
        #expect(rows.map(\.title) == ["Only words"])
        #expect(rows.map(\.hasDate) == [false])
    }

    @Test(.timeLimit(.minutes(10))) func observesAChange() async throws {
        let (library, _) = try await makeLibrary(1)
        let row = try library.entries.rows(in: EntryQuery(.all), limit: 1)[0]
        let changes = Mutex(0)
        let (told, tell) = AsyncStream.makeStream(of: Void.self)
        let observation = await library.observe(.entries) {
            changes.withLock { $0 += 1 }
            tell.yield()
        }
        try await library.setMark(.read, true, entries: [row.id], now: 1)
        for await _ in told { break }
        #expect(changes.withLock { $0 } == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func leavesNewerDatabasesUnchanged() async throws {
        let path = temporary.path("l.sqlite")
        do {
            _ = try Library(path: path)
            try OtherProgram.execute("INSERT INTO grdb_migrations VALUES ('v999')", at: path)
        }
        #expect(throws: LibraryError.self) { try Library(path: path) }
        #expect { try Library(path: path) } throws: { "\($0)".contains("newer version of tappa") }
    }

    @Test func leavesDamagedFilesUnchanged() throws {
        let path = temporary.path("l.sqlite")
        let bytes = Data("this is certainly not a database, whatever its name says".utf8)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect { try Library(path: path) } throws: { "\($0)".contains("damaged") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func reportsAMissingDirectory() {
        #expect { try Library(path: "/proc/no/such/library.sqlite") } throws: { "\($0)".contains("can't open") }
    }
}
