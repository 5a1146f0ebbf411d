import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import FeedParsing
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Searches by each field and operator at their limits, completions and errors.
@Suite struct FindsByEveryField {
    private static let day: Int64 = 86_400
    private let library: Library

    /// Twelve entries, each with a unique property.
    init() async throws {
        library = try Library(path: nil)
        for (letter, folder, tags) in [("a", "My News", ["Race", "big tag"]), ("b", nil, [])]
            as [(String, String?, [String])]
        {
            let id = try await library.follow("https://\(letter)_x.example/f%d", folder: folder, tags: tags)
            var feed = ParsedFeed(format: .rss)
            feed.title = letter == "a" ? "Alpha feed" : "Beta"
            feed.language = letter == "a" ? "en-GB" : nil
            feed.entries = (0..<6).map { FindsByEveryField.entry(letter, $0) }
            try await library.store(feed, in: id, record: FetchRecord(date: 1_790_000_000 + (letter == "a" ? 0 : 500)))
        }
        try await library.indexAll()
        for (title, mark) in [("a0", EntryMark.read), ("a1", .starred), ("b2", .later), ("b0", .read)] {
            try await library.setMark(mark, true, entries: [try id(title)], now: 5)
        }
        try await library.changes.perform(.tagEntries([try id("b3")], adding: ["race"], removing: []))
        try await library.changes.perform(
            StoreFullText(FullText(html: "<p>whole page</p>", date: nil), of: try id("b4")))
        let fold = Rule(name: "r", when: try SearchQuery("title:a5"), then: [.fold])
        try await library.changes.perform(.applyRule(fold, upTo: try library.entries.lastID(), now: 1))
        try await library.indexAll()
    }

    private static func entry(_ letter: String, _ index: Int) -> ParsedEntry {
        var entry = ParsedEntry(id: "\(letter)\(index)", title: "\(letter)\(index)")
        let start = DateParser.instant(year: 2026, month: 5, day: 10) ?? 0
        entry.published = ParsedDate(instant: start + Int64(index) * day - (letter == "b" ? 1 : 0), text: "")
        if letter == "b", index == 5 { entry.published = nil }
        entry.contentHTML = "<p>text \(letter)\(index)</p>"
        switch "\(letter)\(index)" {
        case "a0": entry.authors = [ParsedAuthor(name: "Ann Writer")]
        case "a1": entry.commentsLink = "https://c.example/"
        case "a2": entry.image = "https://i.example/1.png"
        case "a3": entry.enclosures = [ParsedEnclosure(url: "https://m.example/1", mediaType: "audio/mpeg")]
        case "a4": entry.link = "https://links.example/shorts/1"
        case "b0": entry.contentHTML = "<p>text b0 <IMG src='x'></p>"
        case "b1": entry.enclosures = [ParsedEnclosure(url: "https://m.example/2", mediaType: "Video/mp4")]
        case "b2": entry.language = "de"
        case "b3": entry.contentHTML = "<p>" + String(repeating: "abcdefghi ", count: 390) + "</p>"
        case "b4": entry.enclosures = [ParsedEnclosure(url: "https://m.example/3", mediaType: "application/pdf")]
        default: break
        }
        return entry
    }

    private func id(_ title: String) throws -> EntryID {
        try #require(try library.entries.rows(in: EntryQuery(.all), limit: 99).first { $0.title == title }?.id)
    }

    private func found(_ text: String) throws -> String {
        let query = try SearchQuery(text)
        let titles = try library.entries.rows(in: EntryQuery(.search(query)), limit: 99).map(\.title)
        #expect(try library.entries.count(in: EntryQuery(.search(query))) == titles.count)
        return titles.sorted().joined(separator: " ")
    }

    @Test(arguments: [
        ("is:unread", "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5"), ("is:read", "a0 b0"),
        ("tex* -\"text a1\" -\"text a2\" feed:alpha", "a0 a3 a4 a5"), ("is:starred", "a1"), ("is:later", "b2"),
        ("is:archived", "a5"), ("IS:Read", "a0 b0"), ("-is:archived is:read", "a0 b0"),
        ("not is:unread", "a0 b0"),
        ("has:author", "a0"), ("has:comments", "a1"), ("has:picture", "a2 b0"), ("has:audio", "a3 b1"),
        ("has:enclosure", "a3 b1"), ("has:recording", "a3 b1"),
        ("has:link", "a4"), ("has:fulltext", "b4"), ("has:date -feed:alpha", "b0 b1 b2 b3 b4"), ("has:changes", ""),
        ("-has:date", "b5"), ("author:writer", "a0"), ("author:ann", "a0"), ("title:a1", "a1"), ("text:a1", "a1"),
        ("link:links.example/sh", "a4"), ("link:shorts", "a4"), ("link:sho", "a4"), ("link:horts", ""),
        ("-link:shorts is:read", "a0 b0"),
        ("link:\"/\"", "a4"), ("feed:alpha is:read", "a0"), ("feed:ALPHA is:read", "a0"), ("feed:a_x is:read", "a0"),
        ("feed:f%d is:read", "a0 b0"), ("feed:% is:read", "a0 b0"), ("feed:ph%f", ""), ("feed:none", ""),
        ("feed:alp* is:read", "a0"), ("feed:*lpha*d is:read", "a0"), ("feed:lpha*", ""),
        ("feed:https://b* is:read", "b0"),
        ("folder:my* is:read", "a0"), ("tag:rac*", "a0 a1 a2 a3 a4 a5 b3"), ("tag:*ig* is:read", "a0"),
        ("tag:*e", "a0 a1 a2 a3 a4 a5 b3"),
        ("link:links.example/sh*", "a4"), ("link:sho*", "a4"), ("read:>1d", "a0 b0"), ("read:<1d", ""),
        ("read:<9999y", "a0 b0"),
        ("-read:>1d feed:alpha -is:unread", ""),
        ("folder:\"my news\" is:read", "a0"), ("folder:my", ""), ("tag:race", "a0 a1 a2 a3 a4 a5 b3"),
        ("tag:RACE is:unread -feed:alpha", "b3"), ("tag:\"big tag\" is:read", "a0"), ("tag:\"My news\" is:read", "a0"),
        ("tag:rac", ""), ("lang:en is:read", "a0"), ("lang:en-GB is:read", "a0"), ("lang:e", ""), ("lang:de", "b2"),
        ("lang:en-g", ""), ("before:2026-05-10", "b0"), ("after:2026-05-15 -is:archived", "b5"),
        ("after:2026-05-15", "a5 b5"),
        ("date:2026-05-11", "a1 b2"), ("date:<2026-05-11 is:unread", "b1"), ("date:>2026-05-13", "a4 a5 b5"),
        ("date:>2026-05-14", "a5 b5"), ("after:2026-05-13 before:2026-05-14", "a3 b4"), ("length:>2", "b3"),
        ("length:>3m", ""),
        ("length:<4m b3", "b3"), ("length:<3m b3", "b3"), ("length:<2m b3", ""), ("length:<0", ""),
        ("age:>1d is:read", "a0 b0"), ("age:<9999y is:starred", "a1"), ("age:>9999y", ""),
        ("whole", "b4"), ("b4 text", ""), ("/^[ab]0$/", "a0 b0"), ("title:/A1/", "a1"), ("text:/whole.page/", "b4"),
        ("link:/shorts.\\d/", "a4"), ("author:/^ann/", "a0"), ("feed:/^beta$/ is:read", "b0"),
        ("feed:/b_x/ is:read", "b0"),
        ("/writer/", "a0"), ("a0 or a1 or b1", "a0 a1 b1"), ("a0 b0", ""), ("(a0 or a1) (a1 or a2)", "a1"),
        ("-(a0 or -is:read)", "b0"), ("text -\"text a1\" feed:alpha is:starred", ""), ("a0 and not b0", "a0"),
        ("(is:read or is:starred) -a0", "a1 b0"), ("is:read a0 or is:starred", "a0 a1"),
        ("tex*", "a0 a1 a2 a3 a4 a5 b0 b1 b2 b5"),
        ("\"tex*\"", ""), ("tex", ""), ("-tex* is:unread", "b3 b4"), ("title:\"a1\" or link:none", "a1"),
    ]) func findsEntriesByEachField(text: String, titles: String) throws {
        #expect(try found(text) == titles)
    }

    /// Changes are searchable at once: a previous text, an image, removed audio.
    @Test func findsEntriesInTheirCurrentState() async throws {
        let feed = try #require(try library.feeds.all().first { $0.title == "Beta" }?.id)
        var entry = FindsByEveryField.entry("b", 1)
        (entry.contentHTML, entry.enclosures, entry.link) = ("<p>other</p>", [], "https://new.example/page")
        try await library.store([entry], in: feed, at: 1_790_000_900)
        #expect(try library.search.unindexedCount() == 1)
        try await library.indexAll()
        #expect(try found("has:changes") == "b1" && found("has:audio") == "a3" && found("link:new.example") == "b1")
        #expect(try found("other") == "b1" && found("text:b1") == "" && library.search.unindexedCount() == 0)
        try await library.changes.perform(.delete(entries: [try id("b1")], now: 1))
        #expect(try found("other") == "" && library.search.unindexedCount() == 0)
    }

    /// The list of read entries starts with the one that was read last.
    @Test func listsEntriesByTheTimeOfReading() async throws {
        for (index, title) in ["b1", "a3", "a2"].enumerated() {
            try await library.setMark(.read, true, entries: [try id(title)], now: Instant(100 + index))
        }
        let query = EntryQuery(.recentlyRead)
        let rows = try library.entries.rows(in: query, limit: 99)
        #expect(rows.map(\.title) == ["a2", "a3", "b1", "b0", "a0"])
        #expect(try library.entries.count(in: query) == 5)
        #expect(try library.entries.list(query) == rows.map(\.id))
        #expect(try library.entries.row(titled: "b", from: rows[2], isForward: true, in: query)?.title == "b0")
        try await library.setMark(.read, false, entries: [rows[0].id], now: 200)
        #expect(try library.entries.rows(in: query, limit: 1).map(\.title) == ["a3"])
    }

    /// Ages are relative to now, and reading times assume 1,300 characters a minute.
    @Test func comparesAgesToTheSecond() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        let now = Instant.now
        var parsed = ParsedFeed(format: .rss)
        let units: [(String, Int64)] = [
            ("2h", 7200), ("3d", 259_200), ("2w", 1_209_600), ("2m", 5_259_600), ("1y", 31_557_600),
        ]
        for (name, seconds) in units {
            for offset in [-100, 100] as [Int64] {
                parsed.entries.append(
                    ParsedEntry(id: "\(name)\(offset)", title: "\(name) \(offset)", date: now - seconds - offset))
            }
        }
        for (name, age) in [("day 0", 0), ("day 1", 86_400), ("day 2", 172_800)] as [(String, Int64)] {
            parsed.entries.append(ParsedEntry(id: name, title: name, date: now - age))
        }
        for (name, count) in [("short", 1300), ("long", 1301)] {
            parsed.entries.append(ParsedEntry(id: name, title: name, text: String(repeating: "ä", count: count)))
        }
        try await library.store(parsed, in: id, record: FetchRecord(date: now))
        try await library.indexAll()
        func titles(_ text: String) throws -> [String] {
            try library.entries.rows(in: EntryQuery(.search(try SearchQuery(text))), limit: 99).map(\.title)
        }
        for (name, _) in units {
            for text in ["age:<\(name)", "age:<\(name.uppercased())"] {
                let younger = try titles(text)
                #expect(younger.contains("\(name) -100") && !younger.contains("\(name) 100"), "\(text)")
            }
            let older = try titles("age:>\(name)")
            #expect(!older.contains("\(name) -100") && older.contains("\(name) 100"), "\(name)")
        }
        #expect(try titles("length:>1") == ["long"] && titles("length:<2 length:>0").sorted() == ["long", "short"])
        for (query, day) in [("date:today", 0), ("date:yesterday", 1), ("after:yesterday before:today", 1)] {
            #expect(try titles("\(query) title:day") == ["day \(day)"], "\(query)")
        }
        let today = CalendarDay(instant: now)
        let written = try titles("date:today") + titles("date:yesterday") + titles("before:yesterday")
        #expect(try written.count == titles("age:>0h or is:unread").count && !titles("after:today").contains("3d 100"))
        #expect(try titles("date:\(today.text)") == titles("date:today"))
    }

    // MARK: What cannot be read

    @Test(
        arguments: [
            ("age:10001d", "age:"), ("age:<10001d", "age:"), ("age:<-1d", "age:"), ("age:<1x", "age:"),
            ("age:<", "age:"),
            ("length:20", "length:"), ("length:>100001", "length:"), ("length:>-1", "length:"),
            ("length:>xm", "length:"),
            ("date:2026-13-01", "date:"), ("date:>soon", "date:"), ("before:", nil), ("after:tomorrow", "after:"),
            ("lang:en_GB", "lang:"), ("lang:\"en de\"", "lang:"), ("has:nothing", "has:"), ("is:", nil),
            ("title:/[/", "regular"), ("read:1d", "read:"), ("read:<1", "read:"),
            ("title =~ \"a\"", "'=~' is newsboat's"), ("title=~\"a\"", "'=~' is newsboat's"),
            ("title !~ \"a\"", "'!~' is newsboat's"), ("unread = \"yes\"", "'=' is newsboat's"),
            ("tags # race", "'#' is newsboat's"), ("author == a", "'==' is newsboat's"),
            ("wh*te", "'*' can only be at the end"), ("title:*road", "'*' can only be at the end"),
            ("is:/a/", "doesn't support regular"), ("tag:/a/", "doesn't support regular"),
            ("tilte:x", "did you mean 'title:'?"),
            ("zz:x", "Unknown field 'zz'"), ("title:\"\"", "has nothing behind it"), ("a not", "after 'not'"),
            ("-or a", "after 'not'"),
            ("(or a)", "before 'or'"), ("(a or)", "after 'or'"), ("a or or b", "before 'or'"),
            ("()", "Empty search"),
            ("-a -b", "Empty search"), ("-(a or b)", "Empty search"),
            ("-link:abc", "Empty search"), ("+ -", "Empty search"),
        ] as [(String, String?)]) func rejectsInvalidQueries(text: String, words: String?)
    {
        if words == nil, (try? SearchQuery(text)) != nil { return }
        #expect { try SearchQuery(text) } throws: { "\($0)".contains(words ?? "") }
    }

    @Test(arguments: [
        "-is:read", "-feed:x", "-a is:read", "https://a.example/x", "Re: a", "a:", "a - b", "title:-x", "-/a/",
        "lang:pt-BR",
    ])
    func readsQueries(text: String) { #expect(throws: Never.self) { try SearchQuery(text) } }

    @Test func limitsQueries() {
        func words(_ count: Int) -> String { (0..<count).map { "w\($0)" }.joined(separator: " ") }
        #expect(throws: Never.self) { try SearchQuery(words(100)) }
        #expect(throws: SearchQuery.Problem(description: "A search can have at most 100 terms")) {
            try SearchQuery(words(101))
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(throws: Never.self) { try SearchQuery(nested(20)) }
        #expect(throws: SearchQuery.Problem.self) { try SearchQuery(nested(21)) }
    }

    // MARK: Hits

    @Test func showsHitsWithTheirWords() throws {
        func hits(_ text: String?, since: Instant? = nil, byRelevance: Bool = false, limit: Int = 99) throws
            -> [SearchHit]
        {
            try library.search.hits(
                for: text.map { try SearchQuery($0) }, since: since, byRelevance: byRelevance, limit: limit)
        }
        let all = try hits(nil)
        #expect(
            try all.map(\.entry.id) == library.entries.rows(in: EntryQuery(.all), limit: 99).map(\.id)
                && all.allSatisfy { $0.context == "" })
        #expect(try hits(nil, limit: 3) == Array(all.prefix(3)))
        let first = try #require(try hits("shorts or \"text a4\"").first)
        #expect(
            first.feedTitle == "Alpha feed" && first.link == "https://links.example/shorts/1"
                && first.context == "text a4")
        // Conditions without words have no context to show.
        #expect(try hits("is:starred").map(\.context) == [""] && hits("is:starred").map(\.link) == [nil])
        for (query, text) in [("is:starred", ""), ("text", "text a1")] {
            let context = try library.search.context(of: SearchQuery(query), in: id("a1"))
            #expect(context.feed == "Alpha feed" && context.text == text, "\(context)")
        }
        // Entries that arrived since an instant, to the second.
        #expect(try Set(hits(nil, since: 1_790_000_500).map(\.entry.title)) == Set((0..<6).map { "b\($0)" }))
        #expect(
            try hits(nil, since: 1_790_000_501).isEmpty
                && hits("is:read", since: 1_790_000_001).map(\.entry.title) == ["b0"])
        let matching = try library.search.entries(matching: SearchQuery("tex*"), since: 1_790_000_500, limit: 2)
        #expect(matching.count == 4 && matching.first.map(\.title) == ["b5", "b2"])
        #expect(try library.search.entries(matching: SearchQuery("tex*"), limit: 99).count == 10)
        // Ranking returns the same set, the best first.
        #expect(try hits("a1 or text", byRelevance: true).first?.entry.title == "a1")
        #expect(try Set(hits("tex* is:unread", byRelevance: true)) == Set(hits("tex* is:unread")))
        #expect(try hits("is:unread", byRelevance: true) == hits("is:unread"))
    }

    @Test func countsUnreadHitsWithoutDuplicates() throws {
        #expect(try library.search.unreadCount(of: SearchQuery("feed:alpha")) == 4)
        #expect(try library.search.unreadCount(of: SearchQuery("is:read")) == 0)
    }

    @Test(arguments: [
        ("is:unread", false), ("word", true), ("-word is:read", true), ("link:x", true), ("length:>1", true),
        ("has:date", true), ("title:/x/", false), ("feed:/x/", false), ("/x/", true), ("text:/x/", true),
        ("tag:a", false),
        ("is:read or (feed:a word)", true), ("age:<1d before:2026-01-01", false),
    ]) func recognizesQueriesThatNeedTheIndex(text: String, needsIndex: Bool) throws {
        #expect(try SearchQuery(text).needsIndex == needsIndex)
    }

    // MARK: Texts

    @Test func makesExcerptsOfOneLine() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        func excerpt(_ title: String, html: String? = nil, text: String? = nil) async throws -> String {
            try await library.store([ParsedEntry(id: "1", title: title, html: html, text: text)], in: id)
            return try library.entries.excerpt(
                of: try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first).id)
        }
        #expect(try await excerpt("T", text: "plain\n text\t\twith  blanks") == "plain text with blanks")
        #expect(try await excerpt("T", html: "<p>html</p>", text: "plain") == "html")
        #expect(try await excerpt("T", html: "") == "")
        #expect(try await excerpt("Stage 1", text: "Stage 12 begins") == "Stage 12 begins")
        #expect(try await excerpt("Stage 1", text: "Stage 1: it begins") == "it begins")
        let long = try await excerpt("T", text: String(repeating: "abcdefghi ", count: 400))
        #expect(long.count == 240 && long.hasPrefix("abcdefghi abc"))
        #expect(try library.entries.excerpt(of: -1) == "")
    }

    /// Words are found without case and marks, only at the beginnings of words, and phrases as a whole.
    @Test func findsWordsToHighlight() {
        let cases: [(words: [String], text: String, found: [String])] = [
            (["creme"], "Crème, a CREME and ice-cream", ["Crème", "CREME"]), (["is"], "This island is", ["is", "is"]),
            (["white roads"], "White roads; white, roads. Roads", ["White roads", "white, roads"]),
            (["a", "a b"], "a b a", ["a b", "a"]), ([], "a", []), (["…"], "a …", []), (["x"], "", []),
        ]
        for (words, text, found) in cases {
            let bytes = Array(text.utf8)
            let texts = WordMatcher(words).ranges(in: text).map { String(decoding: bytes[$0], as: UTF8.self) }
            #expect(texts == found, "\(words) in \(text)")
        }
    }

    @Test func cutsContextsAtWords() {
        let words = (0..<100).map { "word\($0)" }.joined(separator: " ")
        for (wanted, beginning, place) in [("word0", "word0 ", 0), ("word50", "…", 50), ("word99", "…", 99)] {
            let context = TextContext(words).around([wanted])
            #expect(context.hasPrefix(beginning) && context.contains(wanted), "\(context)")
            #expect(context.hasSuffix("…") == (place < 99) && context.count <= 162, "\(context)")
            let parts = context.filter { $0 != "…" }.split(separator: " ")
            #expect(parts.allSatisfy { words.split(separator: " ").contains($0) }, "\(context)")
            if place == 50 { #expect(parts.firstIndex(of: "word50") == 5) }
            // Narrow lists show the match near the beginning.
            let short = TextContext(words).around([wanted], before: TextContext.short)
            #expect(short.prefix(20).contains(wanted), "\(short)")
        }
        // The first of several words, a whole phrase, and no match inside a word.
        let text = "asis is this it " + String(repeating: "far away from here ", count: 12) + "it is there"
        #expect(TextContext(text).around(["it is"]).contains("it is there"))
        let inside = "history " + String(repeating: "far away from here ", count: 12) + "is there"
        #expect(
            TextContext(inside).around(["is"]).hasPrefix("…")
                && TextContext(inside).around(["is"]).hasSuffix("is there"))
        #expect(TextContext(text).around(["there", "it"]).hasPrefix("asis is"))
        #expect(
            TextContext("Élan vital").around(["elan"]) == "Élan vital" && TextContext("a\n\nb ").around([]) == "a b")
    }

    // MARK: Completion

    @Test(arguments: [
        ("is:", ["unread", "read", "starred", "later", "archived"]), ("IS:un", ["unread"]), ("is:read", ["unread"]),
        ("has:c", ["changes", "comments", "picture"]), ("feed:be", ["Beta"]), ("feed:ed", ["Alpha feed"]),
        ("folder:", ["My News"]), ("tag:r", ["Race", "race"]), ("tag:\"big", ["big tag"]),
        ("age:", ["<1d", "<7d", "<30d", ">7d"]),
        ("length:>", [">20m"]), ("date:t", ["today", "yesterday"]), ("after:y", ["yesterday", "today"]),
        ("author:x", []), ("x ", []),
        ("l", ["lang:", "length:", "link:"]), ("TI", ["title:"]), ("a (fo", ["folder:"]), ("-be", ["before:"]),
        ("title:a", []),
    ]) func completesFieldsAndValues(text: String, words: [String]) throws {
        #expect(try library.search.completion().candidates(for: text).map(\.word) == words)
    }

    @Test func quotesCompletions() throws {
        let completion = SearchCompletion(
            feeds: ["Say \"x\" (y)", "Plain"] + (0..<40).map { "Feed \($0)" }, folders: [], tags: ["a b"])
        let all = completion.candidates(for: "is:read -feed:")
        #expect(
            all.count == 30 && all.map(\.text).prefix(2) == ["is:read -feed:\"Say  x  (y)\"", "is:read -feed:Plain"])
        #expect(completion.candidates(for: "x (tag:a").map(\.text) == ["x (tag:\"a b\""])
        for candidate in all { #expect(throws: Never.self) { try SearchQuery(candidate.text) } }
    }

    /// A quotation mark with a combining mark is one character in Swift, but still ends a phrase.
    @Test func quotesValuesWithAnyQuotationMark() throws {
        #expect(SearchQuery.quoted("a b") == "\"a b\"" && SearchQuery.quoted("a \"b\"") == "\"a  b \"")
        let quoted = SearchQuery.quoted("a\"\u{308} b")
        #expect(quoted == "\"a \u{308} b\"")
        #expect(throws: Never.self) { try SearchQuery("author:\(quoted) c") }
        let completion = SearchCompletion(feeds: ["a\"\u{308}"], folders: [], tags: [])
        #expect(completion.candidates(for: "feed:").map(\.text) == ["feed:\"a \u{308}\""])
    }
}
