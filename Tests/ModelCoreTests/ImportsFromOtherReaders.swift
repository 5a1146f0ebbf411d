import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Imports from other readers: each field, mark and special character.
@Suite struct ImportsFromOtherReaders {
    private let temporary = TemporaryFolder()

    @Test(arguments: [
        ("unread = \"no\"", "is:read"), ("unread == \"true\"", "is:unread"), ("unread != \"no\"", "is:unread"),
        ("unread = 1", "is:unread"),
        ("age > 3", "age:>4d"), ("age <= 3", "age:<4d"), ("age < 3", "age:<3d"), ("age >= 3", "age:>3d"),
        ("age == 2", "(age:>2d age:<3d)"),
        ("age != 2", "(age:<2d or age:>3d)"), ("age != 0", "age:>1d"), ("age between 0:3", "(age:<4d)"),
        ("AGE between 1:1", "(age:>1d age:<2d)"),
        ("title = \"a\"", "title:/^a$/"), ("title != \"a\"", "-title:/^a$/"), ("title == \"a.b\"", "title:/^a\\.b$/"),
        ("content =~ \"c\"", "text:/c/"),
        ("description =~ \"c\"", "text:/c/"), ("link =~ \"x\"", "link:/x/"), ("guid =~ \"x\"", "link:/x/"),
        ("feedlink =~ \"x\"", "feed:/x/"),
        ("author = \"\"", "-has:author"), ("author != \"\"", "has:author"), ("tags = \"a\"", "tag:a"),
        ("tags # \"a b\"", "tag:\"a b\""),
        ("tags !# a", "-tag:a"), ("flags =~ \"ab\"", "tag:flag-a tag:flag-b"), ("flags !~ \"a\"", "-tag:flag-a"),
        ("flags =~ \"[abc]\"", "(tag:flag-a or tag:flag-b or tag:flag-c)"),
        ("flags !~ \"[ab]\"", "-(tag:flag-a or tag:flag-b)"),
        ("flags !~ \"ab\"", "-(tag:flag-a tag:flag-b)"), ("flags =~ \"[a]\"", "tag:flag-a"),
        ("enclosure_url = \"\"", "-has:audio"), ("enclosure_type !~ \"audio\"", "-has:audio"),
        ("enclosure_url =~ \"PODCAST\"", "has:audio"),
        ("title =~ 'it\\'s'", "title:/it's/"), ("title =~ \"a\\\\/b\"", "title:/a\\/b/"),
        ("title =~ \"a\" or title =~ \"b\" and title =~ \"c\"", "title:/a/ or title:/b/ title:/c/"),
        ("(title =~ \"a\" or title =~ \"b\") and age < 1", "(title:/a/ or title:/b/) age:<1d"),
        ("title=~\"a\"and(age<1)", "title:/a/ (age:<1d)"),
    ]) func translatesNewsboatsFilters(filter: String, query: String) throws {
        #expect(try NewsboatFilter.translate(filter) == query)
    }

    @Test(arguments: [
        ("", "missing condition"), ("title =~ \"a", "unbalanced quotation mark"),
        ("(title =~ \"a\"", "unbalanced parenthesis"),
        ("title", "'title' lacks a comparison"), ("title =~", "missing value"),
        ("title =~ \"a\" )", "can't parse"),
        ("title > 5", "tappa has no equivalent of 'title > \"5\"'"),
        ("age =~ 5", "tappa has no equivalent of 'age =~ 5'"),
        ("age < x", "can't parse 'age < x'"),
        ("age between 3", "tappa has no equivalent of 'age between 3'"), ("flags =~ \"1\"", "has no equivalent"),
        ("enclosure_type =~ \"image\"", "has no equivalent"),
        ("tags > a", "has no equivalent"), ("articleindex = 5", "has no equivalent"),
        ("title =~ \"[\"", "as 'title:/[/'"), ("or title =~ \"a\"", "missing condition"),
    ]) func saysWhatCannotBeTranslated(filter: String, words: String) {
        #expect { try NewsboatFilter.translate(filter) } throws: { "\($0)".contains(words) }
    }

    // MARK: Databases

    private func database(_ name: String, _ sql: String) throws -> String {
        let path = temporary.path(name)
        try OtherProgram.execute(sql, at: path)
        return path
    }

    private func newsboat(_ rows: String) throws -> [String: [ForeignEntry]] {
        let path = try database(
            UUID().uuidString,
            """
            \(OtherProgram.newsboatItems)
            INSERT INTO rss_item VALUES \(rows);
            """)
        var entries: [String: [ForeignEntry]] = [:]
        #expect(try ReaderDatabase.isOne(path) && ReaderDatabase.read(path) { entries[$0] = $1 } == .newsboat)
        return entries
    }

    @Test func readsNewsboatsCache() throws {
        let entries = try newsboat(
            """
            (1, 'g1', 'Caf&eacute;', 'Ann', 'https://a.example/1', 'f1', 100, '<p>x</p>', 1, 'https://e.example/', 'audio/mpeg', 0, 'Zq1', 0),
            (2, 'g2', NULL, NULL, NULL, 'f1', 300, NULL, 0, NULL, NULL, 0, NULL, 0),
            (3, 'g3', '', '', '', 'f1', 0, '', 0, '', '', 0, '', 1),
            (4, 'g1', 'Other', '', '', 'f2', 300, '', 5, '', '', 0, '', 2)
            """)
        #expect(Set(entries.keys) == ["f1", "f2"])
        let list = try #require(entries["f1"])
        #expect(list.map(\.entry.id) == ["g2", "g1", "g3"] && list.allSatisfy { $0.feed == "f1" })
        #expect(list.map(\.isRead) == [true, false, true] && list.map(\.isDeleted) == [false, false, true])
        #expect(list.map(\.isStarred) == [false, true, false] && list[1].tags == ["flag-Z", "flag-q"])
        let first = list[1].entry
        #expect(first.title == "Café" && first.authors.map(\.name) == ["Ann"] && first.link == "https://a.example/1")
        #expect(first.contentHTML == "<p>x</p>" && first.published?.instant == 100)
        #expect(first.enclosures == [ParsedEnclosure(url: "https://e.example/", mediaType: "audio/mpeg")])
        for entry in [list[0].entry, list[2].entry] {
            #expect(entry.title == nil && entry.authors.isEmpty && entry.link == nil && entry.enclosures.isEmpty)
        }
        #expect(
            list[2].entry.published == nil && entries["f2"]?.map(\.isRead) == [false]
                && entries["f2"]?.map(\.isDeleted) == [false])
    }

    @Test func readsNewsraftsDatabase() throws {
        let columns =
            "feed_url TEXT, guid TEXT, title TEXT, link TEXT, content TEXT, publication_date INTEGER, update_date INTEGER, unread INTEGER"
        let (unit, record) = ("char(31)", "char(30)")
        let path = try database(
            "newsraft",
            """
            CREATE TABLE items(\(columns), important INTEGER);
            INSERT INTO items VALUES
                ('f', 'g1', 'One', 'https://a.example/1',
                    \(unit) || 'type=text/plain' || \(unit) || 'text=short' || \(record) || 'type=text/html' || \(unit) || 'text=<p>longer</p>',
                    100, 200, 0, 1),
                ('f', 'g2', 'Two', NULL, \(unit) || 'type=text/plain' || \(unit) || 'text=plain text', 300, 0, 1, 0),
                ('g', 'g3', NULL, NULL, NULL, 0, 0, 1, 0);
            """)
        var entries: [String: [ForeignEntry]] = [:]
        #expect(try ReaderDatabase.read(path) { entries[$0] = $1 } == .newsraft)
        let list = try #require(entries["f"])
        #expect(
            list.map(\.entry.id) == ["g2", "g1"] && list.map(\.isRead) == [false, true]
                && list.map(\.isStarred) == [false, true])
        #expect(
            list[0].entry.contentText == "plain text" && list[0].entry.contentHTML == nil
                && list[0].entry.updated == nil)
        #expect(list[1].entry.contentHTML == "<p>longer</p>" && list[1].entry.contentText == nil)
        #expect(list[1].entry.published?.instant == 100 && list[1].entry.updated?.instant == 200)
        #expect(entries["g"]?.first?.entry.contentHTML == nil && entries["g"]?.first?.entry.published == nil)
        // Other databases and those in use are reported.
        for sql in ["CREATE TABLE items(\(columns))", "CREATE TABLE x (y)"] {
            let other = try database(UUID().uuidString, sql)
            #expect { try ReaderDatabase.read(other) { _, _ in } } throws: {
                "\($0)" == "\(other) is not a database of newsboat or newsraft"
            }
        }
        let text = try temporary.write("no database at all, but as long as a header", to: "text")
        #expect(!ReaderDatabase.isOne(text) && !ReaderDatabase.isOne(temporary.path("none")))
        #expect(throws: ReaderDatabase.Problem.self) { try ReaderDatabase.read(text) { _, _ in } }
    }

    @Test func saysThatADatabaseIsInUse() throws {
        let path = try database("used", "CREATE TABLE rss_item (id INTEGER)")
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN EXCLUSIVE")
            defer { try? db.execute(sql: "ROLLBACK") }
            #expect {
                try ReaderDatabase.read(path) { _, _ in }
            } throws: {
                "\($0)" == "\(path) is in use; close the program first"
            }
        }
    }

    /// Existing marks stay, new ones are added, and deleted entries are deleted here.
    @Test func addsMarksAndRemovesNone() async throws {
        let (library, feed) = try await Library.following("f1")
        var parsed = ParsedFeed((1...4).map { ParsedEntry(id: "g\($0)", title: "own g\($0)") })
        try await library.store(parsed, in: feed, record: FetchRecord(date: 50))
        func row(_ title: String) throws -> EntryRow? {
            try library.entries.rows(in: EntryQuery(.all), limit: 9).first { $0.title == title }
        }
        for title in ["own g1", "own g2"] {
            try await library.setMark(.read, true, entries: [try #require(try row(title)).id], now: 7)
        }
        let known = try newsboat(
            """
            (1, 'g1', 'there', '', '', 'f1', 100, '', 1, '', '', 0, 's', 0), (2, 'g3', 'there', '', '', 'f1', 100, '', 0, '', '', 0, '', 0),
            (3, 'g4', 'there', '', '', 'f1', 100, '', 1, '', '', 0, '', 1), (4, 'new', 'new', '', '', 'f1', 100, '', 0, '', '', 0, 'x', 0),
            (5, 'gone', 'gone', '', '', 'f1', 100, '', 0, '', '', 0, '', 1)
            """)
        let entries = ForeignEntries(try #require(known["f1"]), now: 60)
        let receipt = try await library.changes.perform(AdoptEntries(entries, in: feed, now: 60))
        #expect(receipt.count == 3 && receipt.stored == StoredChanges(added: 1, updated: 0))
        #expect(try row("own g1")?.isRead == true && row("own g1")?.isStarred == true && row("own g2")?.isRead == true)
        #expect(try row("own g3")?.isRead == true && row("own g4") == nil && row("gone") == nil && row("there") == nil)
        let new = try #require(try row("new"))
        #expect(
            try new.isRead && new.isStarred && new.sortDate == 100 && library.entries.tags(of: new.id) == ["flag-x"])
        parsed.entries += ["gone", "g5"].map { id in ParsedEntry(id: id, title: id) }
        #expect(try await library.store(parsed, in: feed, record: FetchRecord(date: 70)).added == 1)
        // None of them is an undo step.
        #expect(try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM undo_step") } == 3)
        #expect(try library.feeds.health(of: feed)?.lastEntry == 100 && LibraryCheck.run(library) == [])
    }

    // MARK: Starred items

    @Test func readsStarredItems() throws {
        let document = """
            {"items": [
            {"id": "tag:google.com,2005:reader/item/1", "guid": "own", "title": "A &amp; b", "author": "Ann", "published": 100,
             "canonical": [{"href": "https://c.example/"}], "alternate": [{"href": "https://d.example/"}],
             "enclosure": [{"href": "https://e.example/", "type": "audio/mpeg"}],
             "categories": ["user/1/state/com.google/read", "user/1/label/L m", "user/-/state/com.google/starred"],
             "content": {"content": "<p>c</p>"}, "summary": {"content": "s"},
             "origin": {"streamId": "feed/https://stream.example/", "feedUrl": "https://feed.example/"}},
            {"id": "tag:google.com,2005:reader/item/2", "alternate": [{"href": "https://d.example/2"}], "author": "",
             "published": 0, "summary": {"content": "s"}, "origin": {"streamId": "feed/https://stream.example/"}},
            {"id": "third", "origin": {"streamId": "feed/17"}, "categories": ["user/1/state/com.google/reading-list"]}, {}]}
            """
        let items = try #require(StarredItems.read(Data(document.utf8)))
        #expect(items.map(\.entry.id) == ["own", "https://d.example/2", "third", nil])
        #expect(items.map(\.feed) == ["https://feed.example/", "https://stream.example/", "", ""])
        #expect(items.map(\.isRead) == [true, false, false, false] && items.allSatisfy(\.isStarred))
        #expect(items.map(\.tags) == [["L m"], [], [], []])
        let (first, second) = (items[0].entry, items[1].entry)
        #expect(first.title == "A & b" && first.authors.map(\.name) == ["Ann"] && first.published?.instant == 100)
        #expect(first.link == "https://c.example/" && first.contentHTML == "<p>c</p>")
        #expect(first.enclosures == [ParsedEnclosure(url: "https://e.example/", mediaType: "audio/mpeg")])
        #expect(
            second.link == "https://d.example/2" && second.contentHTML == "s" && second.authors.isEmpty
                && second.published == nil)
        #expect(
            StarredItems.read(Data("[]".utf8)) == nil
                && StarredItems.read(Data("{\"items\": []}".utf8))?.isEmpty == true)
    }

    /// A value of another kind, as some exports have, costs nothing else.
    @Test func readsStarredItemsWithOddValues() throws {
        let document = """
            {"items": [null, 7, {"title": 5, "published": 1388534400.5, "alternate": [{"href": null}, {"href": "https://a.example/1"}]},
            {"title": "b", "published": "1388534400", "canonical": null, "alternate": [{"href": "https://a.example/2"}]},
            {"title": ["c"], "published": "2014-01-01T00:00:00Z", "author": {}, "alternate": {"href": "https://a.example/3"},
             "categories": [1, "user/1/label/L"], "content": "text", "enclosure": [{"href": 1}, {"href": "https://e.example/"}]}]}
            """
        let items = try #require(StarredItems.read(Data(document.utf8)))
        #expect(items.map(\.entry.title) == ["5", "b", nil])
        #expect(items.map(\.entry.published?.instant) == [1_388_534_400, 1_388_534_400, 1_388_534_400])
        #expect(items.map(\.entry.link) == (1...3).map { "https://a.example/\($0)" })
        #expect(items[2].tags == ["L"] && items[2].entry.contentHTML == "text")
        #expect(items[2].entry.enclosures.map(\.url).last == "https://e.example/")
        for link in [#""https://a.example/4""#, #"["https://a.example/4"]"#, #"{"url": "https://a.example/4"}"#] {
            let item = StarredItems.read(Data("{\"items\": [{\"alternate\": \(link)}]}".utf8))?.first
            #expect(item?.entry.link == "https://a.example/4", "\(link)")
        }
        for labels in [#""user/-/label/L""#, #"[{"id": "user/-/label/L", "label": "L"}]"#] {
            let fields = #"{"origin": "feed/https://a.example/f", "categories": \#(labels)}"#
            let item = StarredItems.read(Data("{\"items\": [\(fields)]}".utf8))?.first
            #expect(item?.tags == ["L"] && item?.feed == "https://a.example/f")
        }
        for date in [
            "\"published\": null, \"crawlTimeMsec\": \"1388534400000\"", "\"timestampUsec\": \"1388534400000000\"",
            "\"published\": 0, \"updated\": 1388534400",
        ] {
            let item = StarredItems.read(
                Data("{\"items\": [{\(date), \"categories\": [\"user/-/label/A%20B\"]}]}".utf8))?.first
            #expect(item?.entry.published?.instant == 1_388_534_400 && item?.tags == ["A B"], "\(date)")
        }
        for huge in ["1e300", "-1e300", "\"1e300\""] {
            #expect(StarredItems.read(Data("{\"items\": [{\"published\": \(huge)}]}".utf8))?.count == 1)
        }
    }

    /// Starred items of feeds that nobody follows keep everything as saved pages.
    @Test func savesStarredItemsOfOtherFeeds() async throws {
        let document = """
            {"items": [{"id": "tag:google.com,2005:reader/item/2", "title": "Newer", "published": 200, "author": "Ann",
             "alternate": [{"href": "https://a.example/2"}], "summary": {"content": "<p>words</p>"},
             "enclosure": [{"href": "https://a.example/2.mp3", "type": "audio/mpeg"}],
             "categories": ["user/1/state/com.google/read", "user/1/label/Recipes"],
             "origin": {"streamId": "feed/https://a.example/feed", "title": "Kitchen &amp; garden"}},
            {"title": "Older", "published": 100, "alternate": [{"href": "https://a.example/1"}], "origin": {"title": "Kitchen"}},
            {"title": "Without a link"}]}
            """
        let library = try Library(path: nil)
        let items = try #require(StarredItems.read(Data(document.utf8)))
        let pages = items.compactMap(\.savedPage)
        #expect(pages.count == 2)
        for _ in 0..<2 {
            let foreign = ForeignEntries(pages, now: 1_790_000_000)
            try await library.changes.perform(AdoptEntries(foreign, in: nil, now: 1_790_000_000))
        }
        try await library.indexAll()
        let rows = try library.entries.rows(in: EntryQuery(.starred), limit: 9)
        #expect(rows.map(\.title) == ["Newer", "Older"] && rows.map(\.isRead) == [true, false])
        #expect(rows.map(\.sortDate) == [200, 100])
        #expect(try library.entries.tags(of: rows[0].id) == ["Recipes"])
        let detail = try #require(try library.entries.detail(of: rows[0].id))
        #expect(detail.author == "Ann, Kitchen & garden" && detail.html == "<p>words</p>")
        #expect(try library.search.hits(for: SearchQuery("has:audio"), byRelevance: false, limit: 9).count == 1)
        #expect(try library.entries.id(ofSavedPage: "https://a.example/2") == rows[0].id)
    }

    @Test func writesStarredItems() async throws {
        let (library, feed) = try await Library.following("https://a.example/")
        try library.execute("UPDATE subscription SET url = 'https://u:p@a.example/'")
        var parsed = ParsedFeed(format: .rss)
        (parsed.title, parsed.homePage) = ("Feed", "https://h.example/")
        parsed.entries = ["new", "old", "plain"].map { id in
            var entry = ParsedEntry()
            (entry.id, entry.title, entry.authors) = (id, "T \(id)", [ParsedAuthor(name: "Ann")])
            if id == "new" {
                (entry.contentHTML, entry.link) = ("<p>h</p>", "https://a.example/1")
            } else {
                entry.contentText = "a < b"
            }
            entry.published = ParsedDate(instant: id == "old" ? 100 : 200, text: "")
            return entry
        }
        try await library.store(parsed, in: feed, record: FetchRecord(date: 1_790_000_000))
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 9).filter { $0.title != "T plain" }
        try await library.setMark(.starred, true, entries: rows.map(\.id), now: 1)
        try await library.setMark(.read, true, entries: [rows[0].id], now: 1)
        try await library.changes.perform(.tagEntries([rows[0].id], adding: ["l m", "k"], removing: []))
        let written = try StarredItems.write(library)
        #expect(written.hidden == 0 && !String(decoding: written.data, as: UTF8.self).contains("u:p@"))
        let items = try #require(StarredItems.read(written.data))
        #expect(items.map(\.entry.id) == ["new", "old"] && items.map(\.entry.title) == ["T new", "T old"])
        #expect(items.map(\.isRead) == [true, false] && items.map { Set($0.tags) } == [["l m", "k"], []])
        #expect(
            items.map(\.entry.contentHTML) == ["<p>h</p>", "a &lt; b"]
                && items.map(\.feed) == ["https://a.example/", "https://a.example/"])
        #expect(
            items.map(\.entry.link) == ["https://a.example/1", nil]
                && items.map(\.entry.published?.instant) == [200, 100])
        #expect(items.allSatisfy { $0.entry.authors.map(\.name) == ["Ann"] })
        let text = String(decoding: written.data, as: UTF8.self)
        #expect(
            text.contains("\"title\": \"Feed\"") && text.contains("https://h.example/") && !text.contains("T plain"))
    }
}
