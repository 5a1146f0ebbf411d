import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Imports from other programs: filters, databases, starred items.
@Suite struct ReaderImportTests {
    @Test(
        arguments: [
            ("unread = \"yes\"", "is:unread"), ("unread != \"yes\"", "is:read"), ("age < 7", "age:<7d"),
            ("age >= 7", "age:>7d"), ("age between 2:10", "(age:>2d age:<11d)"), ("age = 0", "age:<1d"),
            ("title =~ \"a/b\"", "title:/a\\/b/"), ("title !~ \"x\"", "-title:/x/"),
            ("author = \"A. B\"", "author:/^A\\. B$/"), ("tags # \"news\"", "tag:news"),
            ("tags !# \"a b\"", "-tag:\"a b\""), ("flags =~ \"s\"", "tag:flag-s"),
            ("enclosure_type =~ \"audio/.*\"", "has:audio"), ("enclosure_url != \"\"", "has:audio"),
            ("(unread = \"yes\" or age <= 3) and content =~ \"x y\"", "(is:unread or age:<4d) text:/x y/"),
            ("feedtitle =~ \"News\" and rssurl !~ \"b\\\"c\"", "feed:/News/ -feed:/b\"c/"),
        ])
    func translatesTheFiltersOfNewsboat(filter: String, query: String) throws {
        #expect(try NewsboatFilter.translate(filter) == query)
        #expect(throws: Never.self) { try SearchQuery(query) }
    }

    @Test(arguments: ["articleindex < 5", "title", "title =~", "(age < 2", "date = \"x\"", "title =~ \"[\"", "\"x\""])
    func whatHasNoCounterpartIsSaid(filter: String) {
        #expect(throws: NewsboatFilter.Problem.self) { try NewsboatFilter.translate(filter) }
    }

    @Test func reportsCommandsWithoutProgram() throws {
        let reading = try SubscriptionFiles.read(
            Array("exec:\nfilter:~/f:\nexec:~/feed\nfilter:~/f:https://a.example/\nhttps://b.example/\n".utf8))
        #expect(reading.programs.map(\.url) == ["exec:~/feed", "filter:~/f:https://a.example/"])
        #expect(reading.list.map(\.url) == ["https://b.example/"])
        #expect(
            reading.problems == [
                "'exec:' lacks a program or an address", "'filter:~/f:' lacks a program or an address",
            ])
    }

    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }

    @Test func importsTheNewsboatCacheWithMarks() async throws {
        let path = folder.appendingPathComponent("cache.db").path
        try OtherProgram.execute(
            """
            \(OtherProgram.newsboatItems)
            INSERT INTO rss_item VALUES
                (1, 'g1', 'One &amp; more', 'Ann', 'https://a.example/1', 'https://a.example/feed', 1700000000,
                    '<p>Text</p>', 0, 'https://a.example/1.mp3', 'audio/mpeg', 0, 'sx', 0),
                (2, 'g2', 'Two', '', 'https://a.example/2', 'https://a.example/feed', 1700000100, '', 1, '', '',
                    0, '', 0),
                (3, 'g3', 'Three', '', '', 'https://a.example/feed', 0, 'x', 1, NULL, NULL, 0, NULL, 1);
            """, at: path)
        let (library, feed) = try await Library.following("https://a.example/feed")
        var known: [ForeignEntry] = []
        #expect(try ReaderDatabase.read(path) { _, entries in known += entries } == .newsboat)
        let receipt = try await library.changes.perform(
            AdoptEntries(ForeignEntries(known, now: 1_790_000_000), in: feed, now: 1_790_000_000))
        #expect(receipt.count == 2)
        let rows = try library.entries.rows(in: EntryQuery(.subscription(feed)), limit: 10)
        #expect(rows.map(\.title) == ["Two", "One & more"] && rows.map(\.isRead) == [false, true])
        #expect(rows.map(\.isStarred) == [false, true])
        let one = try #require(try library.entries.detail(of: rows[1].id))
        #expect(one.extras.enclosures?.first?.url == "https://a.example/1.mp3" && one.author == "Ann")
        #expect(try library.entries.tags(of: one.id) == ["flag-s", "flag-x"])
        // The feed's next reading finds them again, and deleted ones stay away.
        let stored = try await library.store(
            (1...3).map { ParsedEntry(id: "g\($0)", title: "Title g\($0)") }, in: feed, at: 1_790_000_001)
        #expect(stored.added == 0 && stored.updated == 2)
        #expect(try library.entries.detail(of: rows[1].id)?.isRead == true)
        #expect(try LibraryCheck.run(library) == [])
    }

    @Test func importsTheNewsraftDatabaseWithMarks() async throws {
        let path = folder.appendingPathComponent("newsraft.sqlite3").path
        try OtherProgram.execute(
            """
            CREATE TABLE items(feed_url TEXT NOT NULL, guid TEXT, title TEXT, link TEXT, content TEXT,
                attachments TEXT, persons TEXT, extras TEXT, publication_date INTEGER, update_date INTEGER,
                unread INTEGER, important INTEGER);
            INSERT INTO items VALUES ('https://a.example/feed', 'g', 'T', 'https://a.example/1',
                char(31) || 'type=text/html' || char(31) || 'text=<p>Long text</p>', NULL, NULL, NULL,
                1700000000, 0, 0, 1);
            """, at: path)
        var known: [ForeignEntry] = []
        #expect(try ReaderDatabase.read(path) { _, entries in known += entries } == .newsraft)
        let entry = try #require(known.first)
        #expect(entry.isRead && entry.isStarred && entry.entry.contentHTML == "<p>Long text</p>")
        #expect(entry.entry.published?.instant == 1_700_000_000)
        // Another program's database stays unchanged.
        #expect(throws: ReaderDatabase.Problem.self) {
            let other = folder.appendingPathComponent("other.db").path
            try OtherProgram.execute("CREATE TABLE x (y)", at: other)
            _ = try ReaderDatabase.read(other) { _, _ in }
        }
    }

    @Test func exportsAndImportsStarredItems() async throws {
        let (library, feed) = try await Library.following("https://a.example/feed")
        try await library.store(
            [
                ParsedEntry(
                    id: "g", title: "A < B", link: "https://a.example/1", html: "<p>Text</p>", date: 1_700_000_000)
            ], in: feed, at: 1_790_000_000)
        let row = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        try await library.setMark(.starred, true, entries: [row.id], now: 1)
        try await library.changes.perform(.tagEntries([row.id], adding: ["t u"], removing: []))
        let document = try StarredItems.write(library).data
        let items = try #require(StarredItems.read(document))
        let back = try #require(items.first)
        #expect(items.count == 1 && back.feed == "https://a.example/feed" && back.isStarred && !back.isRead)
        #expect(back.entry.id == "g" && back.entry.link == "https://a.example/1" && back.tags == ["t u"])
        let other = try Library(path: nil)
        let place = try await other.follow("https://a.example/feed")
        try await other.changes.perform(AdoptEntries(ForeignEntries(items, now: 1_790_000_000), in: place, now: 1))
        #expect(try other.entries.rows(in: EntryQuery(.starred), limit: 5).map(\.title) == ["A < B"])
        #expect(StarredItems.read(Data("{\"version\": 1}".utf8)) == nil)
    }

    /// A damaged library can contain any value in any column.
    @Test(arguments: ["entry.title", "entry_content.published", "entry_content.link", "subscription.url", "entry.guid"])
    func reportsDamagedStarredItems(column: String) async throws {
        let (library, feed) = try await Library.following("https://a.example/feed")
        try await library.store([ParsedEntry(id: "g", title: "A")], in: feed, at: 1_790_000_000)
        let row = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        try await library.setMark(.starred, true, entries: [row.id], now: 1)
        let (table, name) = (column.prefix { $0 != "." }, column.drop { $0 != "." }.dropFirst())
        try library.execute("UPDATE \(table) SET \(name) = x'FF00FE'")
        #expect(throws: LibraryError.self) { try StarredItems.write(library) }
    }

    @Test func backsUpOneMoment() async throws {
        let library = try Library(path: folder.appendingPathComponent("l.sqlite").path)
        try await library.follow("https://a.example/feed", folder: "F", tags: ["t"])
        let backup = folder.appendingPathComponent("b.sqlite").path
        #expect(try library.backUp(to: backup) > 0)
        try await library.follow("https://b.example/feed")
        // It is a single file, private to its owner.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("b.") } == [
                "b.sqlite"
            ])
        var status = stat()
        #expect(stat(backup, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let target = folder.appendingPathComponent("c.sqlite").path
        #expect(try Library.copy(backup: backup, to: target).feeds == 1)
        #expect(try Library(path: target).feeds.all().map(\.folder) == ["F"])
        try Data("no database".utf8).write(to: folder.appendingPathComponent("x"))
        #expect(throws: LibraryError.self) {
            try Library.copy(
                backup: folder.appendingPathComponent("x").path, to: folder.appendingPathComponent("y").path)
        }
    }
}
