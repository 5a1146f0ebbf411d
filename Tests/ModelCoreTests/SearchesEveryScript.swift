import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Words in scripts without spaces, letters that keyboards lack, and emoji: found, highlighted and matched by rules.
@Suite struct SearchesEveryScript {
    /// A text, queries that find it with what they highlight, and queries that don't.
    private static let cases: [(text: String, found: [(String, String)], others: [String])] = [
        (
            "我在京东买了手机", [("京东", "京东"), ("京", "京"), ("手机", "手机"), ("机", "机"), ("买了手", "买了手"), ("我在京东买了手机", "我在京东买了手机")],
            ["东京", "手买", "京买"]
        ),
        ("東京都の天気、晴れ", [("京都", "京都"), ("天気", "天気"), ("の天", "の天"), ("晴れ", "晴れ"), ("\"天気 晴れ\"", "天気、晴れ")], ["気晴", "京天"]),
        ("カーレースとパーティー", [("レース", "レース"), ("ﾚｰｽ", "レース"), ("ﾊﾟｰﾃｨｰ", "パーティー"), ("パ", "パ")], ["ハーティー", "バー"]),
        ("ｶﾞｿﾘﾝの価格", [("ガソリン", "ｶﾞｿﾘﾝ"), ("価格", "価格")], ["カソリン"]),
        ("한국어를 배우는 학생", [("한국", "한국"), ("국어", "국어"), ("학생", "학생"), ("배", "배")], ["생학", "한어"]),
        ("ฉันกินข้าวผัดทุกวัน", [("ข้าว", "ข้าว"), ("กิน", "กิน"), ("ทุกวัน", "ทุกวัน"), ("ก", "ก")], ["กน", "วันข้าว"]),
        ("ຂ້ອຍຮັກພາສາລາວ", [("ພາສາ", "ພາສາ"), ("ລາວ", "ລາວ")], ["ລາວພາ"]),
        ("ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", [("ភាសា", "ភាសា"), ("ខ្មែរ", "ខ្មែរ")], ["ខ្មែរភាសា"]),
        ("မြန်မာစာကိုလေ့လာ", [("မာစာ", "မာစာ"), ("လေ့လာ", "လေ့လာ")], ["စာမာ"]),
        ("新しいiPhone15を発売", [("iphone15", "iPhone15"), ("発売", "発売"), ("iphone*", "iPhone")], ["phone"]),
        (
            "Łódź, Đà Nẵng og Ærø: Straße, cœur",
            [
                ("lodz", "Łódź"), ("\"da nang\"", "Đà Nẵng"), ("aero", "Ærø"), ("strasse", "Straße"), ("coeur", "cœur"),
                ("STRASSE", "Straße"),
            ], ["odz"]
        ),
        (
            "ISPARTA ılık İzmir",
            [("isparta", "ISPARTA"), ("ilik", "ılık"), ("izmir", "İzmir"), ("ISPARTA", "ISPARTA")], []
        ),
        ("שָׁלוֹם עֲלֵיכֶם", [("שלום", "שָׁלוֹם"), ("עליכם", "עֲלֵיכֶם")], ["לום"]),
        ("مُحَمَّد كتـــاب أحمد", [("محمد", "مُحَمَّد"), ("كتاب", "كتـــاب"), ("احمد", "أحمد")], []),
        ("The ﬁnal ofﬁce, ＡＢＣ１２３", [("final", "ﬁnal"), ("office", "ofﬁce"), ("abc123", "ＡＢＣ１２３")], []),
        ("Ёлка и йод, Σίσυφος", [("елка", "Ёлка"), ("йод", "йод"), ("σισυφοσ", "Σίσυφος")], ["иод"]),
        ("कुल और कल हिन्दी", [("कुल", "कुल"), ("हिन्दी", "हिन्दी")], ["कूल"]),
        ("फ़रवरी ज़मीन", [("फरवरी", "फ़रवरी"), ("फ़रवरी", "फ़रवरी"), ("जमीन", "ज़मीन")], ["फरवर\u{93E}"]),
        ("١٢٣ पृष्ठ ४५", [("123", "١٢٣"), ("45", "४५"), ("४५", "४५")], ["23"]),
        (
            "Sold 1,234,567 bikes", [("1234567", "1,234,567"), ("1.234.567", "1,234,567"), ("1234*", "1,234")],
            ["12345"]
        ),
        ("Sold 98765 cars", [("98,765", "98765"), ("98.765", "98765"), ("98765", "98765")], ["9,8765", "765"]),
        (
            "🚀 launch 👍🏽 by 👩‍🚒 in 🇮🇹 ❤️",
            [("🚀", "🚀"), ("👍", "👍🏽"), ("👩", "👩‍"), ("👩‍🚒", "👩‍🚒"), ("🇮🇹", "🇮🇹"), ("❤", "❤️"), ("launch", "launch")], ["🛸", "🇮🇳"]
        ),
        ("Zwi\u{AD}schen und foo\u{200B}bar", [("zwischen", "Zwi\u{AD}schen"), ("foobar", "foo\u{200B}bar")], ["bar"]),
    ]

    private func library(_ texts: [String], path: String? = nil) async throws -> Library {
        let library = try Library(path: path)
        let id = try await library.follow("https://a.example/feed")
        let entries = texts.enumerated().map { number, text in
            ParsedEntry(id: "\(number)", title: "Entry \(number)", text: text)
        }
        try await library.store(entries, in: id, at: 1_790_000_000)
        try await library.indexAll()
        return library
    }

    private func hits(_ query: String, in library: Library) throws -> Set<String> {
        Set(try library.search.hits(for: SearchQuery(query), byRelevance: false, limit: 99).map(\.entry.title))
    }

    @Test func findsAndHighlightsWordsOfEachScript() async throws {
        let library = try await library(SearchesEveryScript.cases.map(\.text))
        for (number, (text, found, others)) in SearchesEveryScript.cases.enumerated() {
            for (query, highlighted) in found {
                #expect(try hits(query, in: library).contains("Entry \(number)"), "\(query) in \(text)")
                let range = WordMatcher(try SearchQuery(query).words).ranges(in: text).first ?? 0..<0
                #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == highlighted, "\(query) in \(text)")
            }
            for query in others {
                #expect(try !hits(query, in: library).contains("Entry \(number)"), "\(query) in \(text)")
                #expect(WordMatcher([query]).ranges(in: text).isEmpty, "\(query) in \(text)")
            }
        }
        #expect(throws: SearchQuery.Problem.self) { try SearchQuery("、 \u{301}") }
    }

    /// The index and the highlights agree for any piece of a text, however long.
    @Test func findsEachPieceOfARun() async throws {
        let texts = ["自転車競技の最高峰", "자전거경주대회", "การแข่งขันจักรยาน"]
        let library = try await library(texts)
        for (number, text) in texts.enumerated() {
            let characters = Array(text)
            for start in characters.indices {
                for end in (start + 1)...characters.count {
                    let piece = String(characters[start..<end])
                    #expect(try hits(piece, in: library).contains("Entry \(number)"), "\(piece)")
                    #expect(!WordMatcher([piece]).ranges(in: text).isEmpty, "\(piece)")
                }
            }
        }
    }

    /// The first match of a long text is looked for in its beginning first, where a phrase may be cut.
    @Test(arguments: [
        (["giro", "giro tour"], "Giro-Tour"), (["étape", "tour etape a"], "Tour Étape a"), (["a 東", "東京"], "a 東"),
        (["tour giro", "京", "e"], "É"),
    ]) func findsTheFirstMatchOfALongText(phrases: [String], match: String) {
        let matcher = WordMatcher(phrases)
        for offset in 900...1060 {
            let text =
                String(repeating: "x", count: offset) + " Giro-Tour Étape a 東京. "
                + String(repeating: "velo ", count: 500)
            let ranges = matcher.ranges(in: text, maximum: 1)
            #expect(ranges.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == [match])
            #expect(ranges == Array(matcher.ranges(in: text).prefix(1)))
        }
    }

    @Test func rulesMatchWordsWithinRuns() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        let rule = Rule(name: "京东", when: try SearchQuery("title:京东"), then: [.mark(.starred)])
        let feed = ParsedFeed(["我在京东买了手机", "我在东京"].map { title in ParsedEntry(id: title, title: title) })
        let prepared = PreparedFeed(feed, record: FetchRecord(date: 1_790_000_000))
        _ = try await library.changes.perform(StoreFeed(prepared, in: id, rules: [rule]))
        #expect(try hits("is:starred", in: library) == ["我在京东买了手机"])
    }

    /// The words of an index by earlier rules could not be removed from it. Earlier programs still open the library.
    @Test func indexesAgainByNewRules() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("library.sqlite")
        let names = {
            let library = try await self.library(["我在京东买了手机"], path: path)
            return try library.store.read { db -> [String] in
                try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1")
            }
        }
        let before = try await names()
        try OtherProgram.execute(
            """
            DROP TABLE entry_search;
            CREATE VIRTUAL TABLE entry_search USING fts5(title, author, body, link, tokenize = unicode61);
            INSERT INTO entry_search (rowid, title, body) SELECT e.id, e.title, c.text
                FROM entry e JOIN entry_content c ON c.entry_id = e.id;
            DELETE FROM counter WHERE name = 'words';
            """, at: path)
        let library = try Library(path: path)
        #expect(try library.search.unindexedCount() == 1)
        try await library.indexAll()
        #expect(try hits("京东", in: library) == ["Entry 0"])
        try library.store.onWriter { db in
            try db.execute(sql: "INSERT INTO entry_search (entry_search) VALUES ('integrity-check')")
            #expect(try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1") == before)
        }
        // Once is enough.
        #expect(try Library(path: path).search.unindexedCount() == 0)
    }
}
