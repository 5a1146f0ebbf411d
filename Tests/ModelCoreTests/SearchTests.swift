import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

@Suite struct SearchTests {
    private let library: Library

    init() async throws {
        library = try Library(path: nil)
        for (url, folder, entries) in [
            (
                "https://climb.example/", "Cycling",
                [
                    (
                        "White roads of Siena", "Ann Author", "<p>The giro climbs over <b>gravel</b> roads.</p>",
                        "2026-05-10T10:00:00Z"
                    ),
                    (
                        "Rain in the valley", "Bob", "<p>No stage today, it rains.</p><script>secret()</script>",
                        "2026-05-20T10:00:00Z"
                    ),
                ]
            ),
            (
                "https://food.example/", nil,
                [("Café crème", "Ann", "<p>Milk and coffee, gravel-free.</p>", "2026-06-01T10:00:00Z")]
            ),
        ] as [(String, String?, [(String, String, String, String)])] {
            var feed = ParsedFeed(format: .atom)
            feed.title = url.contains("climb") ? "Climbing" : "Kitchen"
            for (index, entry) in entries.enumerated() {
                var parsed = ParsedEntry(id: "\(index)", title: entry.0)
                parsed.authors = [ParsedAuthor(name: entry.1)]
                parsed.contentHTML = entry.2
                parsed.published = ParsedDate(instant: DateParser.parse(entry.3), text: entry.3)
                feed.entries.append(parsed)
            }
            let id = try await library.follow(url, folder: folder)
            _ = try await library.store(feed, in: id, record: FetchRecord(date: 1_790_000_000))
        }
        try await library.indexAll()
    }

    /// The excerpt below a title doesn't repeat it.
    @Test(arguments: [
        ("Rain", "<p>Rain — it fell all day.</p>", "it fell all day."), ("Rain", "<p>Rainer rode.</p>", "Rainer rode."),
        ("Rain", "<p>It fell.</p>", "It fell."), ("Rain", "<p>Rain</p>", ""), ("", "<p>It fell.</p>", "It fell."),
    ]) func startsExcerptsAfterTheTitle(title: String, html: String, excerpt: String) async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.store([ParsedEntry(id: "1", title: title, html: html)], in: id)
        let row = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        #expect(try library.entries.excerpt(of: row.id) == excerpt)
    }

    /// An excerpt has the words after a picture in its own address, and the same words wherever long HTML is divided.
    @Test func readsExcerptsAfterLongTags() {
        let picture = "<img src=\"data:image/png;base64,\(String(repeating: "A", count: 20_000))\">"
        #expect(FirstWords.of(html: "<p>It</p>\(picture)<p>rained.</p>", maximum: 20) == "It rained.")
        let words = String(repeating: "<a href=\"https://a.example/\">Étape</a> &amp; ", count: 300)
        for start in 0..<60 {
            let html = String(repeating: "a", count: start) + words
            let line = FirstWords.of(html: html, maximum: 480)
            #expect(line == FirstWords.of(Markup.plainText(html), maximum: 480))
        }
    }

    /// An excerpt is one line; every kind of blank separates words, and a long text is read only as far as needed.
    @Test func writesExcerptsOnOneLine() {
        #expect(FirstWords.of(" a\u{3000}b \n\t\u{A0}c ", maximum: 9) == "a b c")
        #expect(FirstWords.of("ab cd", maximum: 3) == "ab c" && FirstWords.of("ab ", maximum: 3) == "ab")
        #expect(FirstWords.of("", maximum: 3) == "" && FirstWords.of(" \n", maximum: 3) == "")
        for value in UInt32(0)..<0x11000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isBlank = FirstWords.of("a\(Character(scalar))b", maximum: 9) == "a b"
            #expect(isBlank == scalar.properties.isWhitespace, "U+\(String(value, radix: 16))")
        }
    }

    /// Characters that are special in SQL patterns match themselves.
    @Test(arguments: [("100%", "100% wool"), ("a_b", "a_b"), ("c\\d", "c\\d"), ("%", "100% wool")])
    func takesPatternCharactersLiterally(text: String, title: String) async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        var feed = ParsedFeed(
            ["100 wool", "axb", "cd", "c%d", "a_b", "c\\d", "100% wool"].map { title in
                ParsedEntry(id: title, title: title)
            })
        feed.entries.removeAll { $0.title == "c%d" && text == "%" }
        _ = try await library.store(feed, in: id, record: FetchRecord(date: 1))
        let first = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        #expect(
            try library.entries.row(titled: text, from: first, isForward: true, in: EntryQuery(.all))?.title == title)
    }

    private func titles(_ text: String) throws -> [String] {
        try library.search.hits(for: SearchQuery(text), byRelevance: false, limit: 10).map(\.entry.title)
    }

    @Test(
        arguments: [
            ("gravel", ["Café crème", "White roads of Siena"]), ("gravel roads", ["White roads of Siena"]),
            ("\"white roads\"", ["White roads of Siena"]), ("\"roads white\"", []), ("clim*", ["White roads of Siena"]),
            ("gravel -coffee", ["White roads of Siena"]), ("cafe", ["Café crème"]), ("secret", []),
            ("gravel feed:kitchen", ["Café crème"]), ("tag:cycling", ["Rain in the valley", "White roads of Siena"]),
            ("before:2026-05-15", ["White roads of Siena"]),
            ("/gr[ae]vel/", ["Café crème", "White roads of Siena"]), ("title:/^white\\s/", ["White roads of Siena"]),
            ("author:/^ann$/", ["Café crème"]),
            ("text:/milk.*gravel/ or title:/^rain/", ["Café crème", "Rain in the valley"]),
            ("-title:/a/ is:unread", []), ("feed:/^kit/", ["Café crème"]), ("is:archived", []),
            ("after:2026-05-15 before:2026-05-31", ["Rain in the valley"]),
            ("is:unread gravel", ["Café crème", "White roads of Siena"]), ("is:starred", []),
            ("ann", ["Café crème", "White roads of Siena"]),
            ("\0gravel\0crème", ["Café crème"]), ("gra\0 \"a\0b\"", []), ("c++ AND OR (", nil), ("gravel \"", nil),
            ("rain or coffee", ["Café crème", "Rain in the valley"]),
            ("(siena or valley) -rain", ["White roads of Siena"]), ("not gravel valley", ["Rain in the valley"]),
            ("title:gravel", []), ("text:gravel", ["Café crème", "White roads of Siena"]),
            ("author:bob or title:\"white roads\"", ["Rain in the valley", "White roads of Siena"]),
            ("-(gravel or tea) feed:climb", ["Rain in the valley"]),
            ("folder:cycling gravel", ["White roads of Siena"]),
            ("folder:nothing", []), ("not folder:cycling", ["Café crème"]), ("date:2026-05-20", ["Rain in the valley"]),
            ("date:>2026-05-20", ["Café crème"]), ("age:<1h", []), ("age:>0d coffee", ["Café crème"]),
            ("has:author", ["Café crème", "Rain in the valley", "White roads of Siena"]), ("has:audio", []),
            ("length:<1m", ["Café crème", "Rain in the valley", "White roads of Siena"]), ("length:>1", []),
            ("gravel and (feed:kitchen or is:starred)", ["Café crème"]), ("Re: gravel", []),
            ("-gravel", nil), ("not (a or b)", nil), ("foo:bar", nil), ("age:soon", nil), ("has:wings", nil),
            ("(gravel", nil), ("gravel)", nil), ("or gravel", nil), ("gravel or", nil), ("not", nil),
            ("is:purple", nil), ("before:soon", nil), ("", nil), ("***", nil),
        ] as [(String, [String]?)])
    func findsWhatIsAskedFor(text: String, expected: [String]?) throws {
        guard let expected else {
            #expect(throws: SearchQuery.Problem.self) { try SearchQuery(text) }
            return
        }
        #expect(try titles(text) == expected)
    }

    @Test(arguments: [
        ("gravel fee:x", "Unknown field 'fee'; did you mean 'feed:'? Put words with a colon in quotes (column 8)"),
        ("a or (b c", "'(' without ')' (column 6)"), ("a) b", "')' without '(' (column 2)"),
        ("is:purple", "is: takes unread, read, starred, later or archived, not 'purple' (column 1)"),
        ("x age:7", "age: takes hours, days, weeks, months or years such as <7d or >2w, not '7' (column 3)"),
        ("a \"b", "Missing closing quotation mark (column 3)"),
        (
            String(repeating: "(", count: 30) + "a" + String(repeating: ")", count: 30),
            "Parentheses are nested too deeply (column 21)"
        ),
    ])
    func whatCannotBeReadIsToldWithItsColumn(text: String, sentence: String) {
        #expect(throws: SearchQuery.Problem(description: sentence)) { try SearchQuery(text) }
    }

    @Test func readsQueriesOfFormerVersions() throws {
        let previous = #"{"text":"gravel -tea","match":"\"gravel\"","exclusion":"","conditions":[],"words":["gravel"]}"#
        #expect(try JSONDecoder().decode(SearchQuery.self, from: Data(previous.utf8)) == SearchQuery("gravel -tea"))
        let query = try SearchQuery("(a or title:b) -c age:<7d")
        #expect(try JSONDecoder().decode(SearchQuery.self, from: JSONEncoder().encode(query)) == query)
    }

    /// A quotation mark with a combining mark is one character, but still a quotation mark for the index.
    @Test(arguments: ["ss\"i\"e\u{35C}\"\u{35C}", "a\"\u{301}b", "-x\"\u{301} gravel", "\"\u{35C}*"])
    func treatsCombinedQuotesAsText(text: String) throws {
        guard let query = try? SearchQuery(text) else { return }
        _ = try library.search.hits(for: query, byRelevance: false, limit: 10)
    }

    @Test func listsHitsLikeOtherEntries() throws {
        let scope = EntryScope.search(try SearchQuery("gravel"))
        #expect(try library.entries.count(in: EntryQuery(scope)) == 2)
        let rows = try library.entries.rows(in: EntryQuery(scope), limit: 5)
        #expect(rows.map(\.title) == ["Café crème", "White roads of Siena"])
        #expect(try library.entries.list(EntryQuery(scope)) == rows.map(\.id))
        let context = try library.search.context(of: SearchQuery("gravel"), in: rows[0].id)
        #expect(context.feed == "Kitchen" && context.text.contains("gravel"), "\(context)")
    }

    @Test func searchesFollowChangesAndDeletions() async throws {
        let id = try library.feeds.all()[1].id
        try await library.store([ParsedEntry(id: "0", title: "Tea", html: "<p>Leaves</p>")], in: id, at: 1_790_000_001)
        #expect(try library.search.unindexedCount() == 1)
        try await library.indexAll()
        #expect(try titles("coffee").isEmpty)
        #expect(try titles("leaves") == ["Tea"])
        try await library.changes.perform(.unsubscribe(id))
        #expect(try titles("leaves").isEmpty)
    }

    @Test func keepsSavedSearches() async throws {
        try await library.changes.perform(.saveSearch(name: "Gravel", query: "gravel"))
        try await library.changes.perform(.saveSearch(name: "Stones", query: "gravel"))
        #expect(try library.search.saved().map(\.name) == ["Stones"])
        try await library.changes.perform(.deleteSearch(library.search.saved()[0].id))
        #expect(try library.search.saved().isEmpty)
    }

    @Test(
        arguments: [
            ("ti", ["title:"]), ("gravel -fe", ["gravel -feed:"]), ("feed:ki", ["feed:Kitchen"]),
            ("(is:un", ["(is:unread"]), ("tag:Cyc", []), ("folder:cyc", ["folder:Cycling"]), ("", []),
            ("\"a fe", []),
        ])
    func whatIsTypedIsCompleted(text: String, results: [String]) throws {
        #expect(try library.search.completion().candidates(for: text).map(\.text) == results)
    }

    @Test func showsContextAroundTheFirstWord() {
        let text = String(repeating: "Words before it, ", count: 20) + "then a Crème\nbrûlée, " + "and more. "
        let context = TextContext(text).around(["creme brulee"])
        #expect(context.hasPrefix("…") && context.contains("then a Crème brûlée, and more."))
        #expect(TextContext("Short text").around(["nothing"]) == "Short text")
        #expect(TextContext("this is it").around(["is"]) == "this is it")
        #expect(TextContext("").around(["x"]) == "")
    }

    @Test func limitsRegularExpressions() throws {
        // Each text is abandoned after a number of steps; a search ends by time.
        let pattern = try RegularExpression("^(a+)+$")
        let text = Array((String(repeating: "a", count: 60) + "!").utf8)
        #expect(text.withUnsafeBytes { pattern.isFound(in: $0) } != true)
        #expect(RegularExpression.problem(of: "a(b")?.message == "missing closing parenthesis")
        #expect(throws: LibraryError.self) {
            try library.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE found('a', title, 1)")
            }
        }
    }

    private static let oneEntry: ParsedFeed = {
        ParsedFeed([ParsedEntry(id: "first", title: "The first")])
    }()

    /// New entries of a known feed are indexed together with it, with the same result as later indexing.
    @Test func indexesStoredAndLaterTextsAlike() async throws {
        let items = """
            <item><guid>1</guid><title>Plain</title><description>Wind &amp; weather</description></item>
            <item><guid>2</guid><title>Author</title><author>Ada</author><link>https://a.example/2</link>
            <description>&lt;p&gt;Zwölf &lt;IMG src="x.png"&gt; Boxkämpfer&lt;/p&gt;</description>
            <pubDate>Mon, 05 May 2025 10:00:00 GMT</pubDate></item>
            <item><guid>3</guid><title>Talk</title><enclosure url="https://a.example/3.mp3" type="audio/mpeg"/>
            <comments>https://a.example/3#c</comments></item>
            <item><guid>4</guid><title>Film</title><enclosure url="https://a.example/4.mp4" type="VIDEO/mp4"/></item>
            <item><guid>5</guid><title>Long</title><description>\(String(repeating: "word ", count: 40_000))</description></item>
            """
        let folder = TemporaryFolder()
        let library = try Library(path: folder.path("l.sqlite"))
        let id = try await library.follow("https://a.example/feed")
        _ = try await library.store(SearchTests.oneEntry, in: id, record: FetchRecord(date: 1_700_000_000))
        #expect(try library.search.unindexedCount() == 1)
        try await library.indexAll()
        let feed = try FeedParser.parse(
            Array("<rss><channel><title>A</title>\(items)</channel></rss>".utf8), contentType: nil, base: nil
        ).feed
        let prepared = PreparedFeed(feed, record: FetchRecord(date: 1_800_000_000))
        try await library.changes.perform(StoreFeed(prepared, in: id))
        #expect(try library.search.unindexedCount() == 0)
        let rows = """
            SELECT e.guid, e.characters, e.parts, s.title, s.author, s.body, s.link FROM entry e
            JOIN entry_search s ON s.rowid = e.id ORDER BY e.id
            """
        let stored = try library.read { try Row.fetchAll($0, sql: rows) }
        #expect(stored.count == 6 && stored.allSatisfy { $0["parts"] != nil })
        // All of them are indexed again.
        try OtherProgram.execute(
            "UPDATE entry SET characters = NULL, parts = NULL; INSERT INTO unindexed SELECT id FROM entry",
            at: folder.path("l.sqlite"))
        while try await library.changes.perform(IndexSome()).count > 0 {}
        #expect(try library.read { try Row.fetchAll($0, sql: rows) } == stored)
    }

    /// The texts of a new feed are indexed afterwards, so that nothing waits for them.
    @Test func indexesTextsOfNewFeedsLater() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.store(SearchTests.oneEntry, in: id, record: FetchRecord(date: 1_700_000_000))
        #expect(try library.search.unindexedCount() == 1)
        #expect(try library.search.unreadCount(of: SearchQuery("first")) == 0)
        #expect(try LibraryCheck.run(library) == [])
        try await library.indexAll()
        #expect(try library.search.unreadCount(of: SearchQuery("first")) == 1)
        #expect(try LibraryCheck.run(library) == [])
    }

    /// Very many texts are indexed in small steps, so that the user's changes don't wait.
    @Test func indexesLargeAmountsLater() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        _ = try await library.store(SearchTests.oneEntry, in: id, record: FetchRecord(date: 1_700_000_000))
        try await library.indexAll()
        let feed = ParsedFeed(
            (0..<EntryWriter.indexedWithFeed + 200).map { number in
                ParsedEntry(id: "\(number)", title: "Entry \(number)")
            })
        try await library.changes.perform(
            StoreFeed(PreparedFeed(feed, record: FetchRecord(date: 1_800_000_000)), in: id))
        #expect(try library.search.unindexedCount() == 200)
        while try await library.changes.perform(IndexSome()).count > 0 {}
        #expect(try library.search.unindexedCount() == 0)
        #expect(
            try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry WHERE parts IS NULL") } == 0)
    }
}
