import Foundation
import Testing

@testable import FeedParsing

@Suite struct FeedParserTests {
    private func parse(_ text: String, base: String? = "https://example.org/feed.xml") throws -> ParsedFeed {
        try FeedParser.parse(Array(text.utf8), base: base).feed
    }

    @Test func FEE_02_readsACompleteRSSFeed() throws {
        let feed = try parse(
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
             xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
             xmlns:media="http://search.yahoo.com/mrss/"
             xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><channel>
            <title>The channel</title><link>https://example.org/</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
            <atom:link rel="self" href="/feed.xml"/><image><title>Logo</title><url>/logo.png</url></image>
            <item><pubDate>Wed, 16 Nov 2011 20:05:00 +0000</pubDate><title><![CDATA[ Fish &amp; <b>chips</b> ]]></title>
             <link>
               /a/1
             </link><guid isPermaLink="false">urn:1</guid><dc:creator>Ann</dc:creator><category>x</category>
             <description>short</description><content:encoded><![CDATA[<p>long</p>]]></content:encoded>
             <media:title>other</media:title><feedburner:origLink>https://origin.example/1</feedburner:origLink>
             <enclosure url="/a.mp3" type="audio/mpeg" length="12"/></item>
            <item><description>No title here</description></item>
            </channel></rss>
            """)
        #expect(feed.title == "The channel")
        #expect(feed.feedURL == "https://example.org/feed.xml")
        #expect(feed.icon == "https://example.org/logo.png")
        #expect(feed.entries.count == 2)
        let entry = feed.entries[0]
        #expect(entry.title == "Fish & chips")
        #expect(entry.link == "https://example.org/a/1")
        #expect(entry.externalLink == "https://origin.example/1")
        #expect(entry.id == "urn:1")
        #expect(entry.published == ParsedDate(instant: 1_321_473_900, text: "Wed, 16 Nov 2011 20:05:00 +0000"))
        #expect(entry.contentHTML == "<p>long</p>")
        #expect(entry.summary == "short")
        #expect(entry.authors == [ParsedAuthor(name: "Ann")])
        #expect(
            entry.enclosures == [ParsedEnclosure(url: "https://example.org/a.mp3", mediaType: "audio/mpeg", size: 12)])
        #expect(feed.entries[1].title == nil)
        #expect(feed.entries[1].contentHTML == "No title here")
        #expect(feed.entries[1].published == nil)
    }

    @Test func FEE_02_readsAPrefixedAtomFeed() throws {
        let feed = try parse(
            """
            <a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://base.example/x/"><a:title>T</a:title>
            <a:entry><a:id>1</a:id><a:title type="html">A &lt;i&gt;b&lt;/i&gt;</a:title><a:link href="y"/>
            <a:updated>2003-12-13T18:30:02Z</a:updated><a:author><a:name>Bo</a:name></a:author>
            <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x <b>y</b> &lt;</div></a:content></a:entry>
            </a:feed>
            """)
        #expect(feed.format == .atom)
        let entry = feed.entries[0]
        #expect(entry.title == "A b")
        #expect(entry.link == "https://base.example/x/y")
        #expect(entry.updated?.instant == 1_071_340_202)
        #expect(entry.contentHTML == "<div>x <b>y</b> &lt;</div>")
        #expect(entry.authors == [ParsedAuthor(name: "Bo")])
    }

    @Test func FEE_02_readsAnRDFFeed() throws {
        let feed = try parse(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
            xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>C</title><link>http://c/</link>
            </channel><item rdf:about="http://c/1"><title>I</title><link>http://c/1</link><dc:date>2004-05-06</dc:date>
            </item></rdf:RDF>
            """)
        #expect(feed.title == "C")
        #expect(feed.entries.map(\.title) == ["I"])
        #expect(feed.entries[0].published?.instant == 1_083_801_600)
    }

    @Test func FEE_02_readsAJSONFeed() throws {
        let feed = try parse(
            """
            {"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":7,"url":"/7","content_text":"hi",
            "date_published":"2020-01-01T00:00:00+01:00","authors":[{"name":"Cy"}]}]}
            """)
        #expect(feed.entries[0].id == "7")
        #expect(feed.entries[0].link == "https://example.org/7")
        #expect(feed.entries[0].published?.instant == 1_577_833_200)
    }

    @Test func FEE_03_readsATruncatedFeedAndReportsIt() throws {
        let whole =
            "<rss><channel><title>T</title><item><title>one</title></item><item><title>two</title></item></channel></rss>"
        let reading = try FeedParser.parse(Array(whole.utf8.prefix(75)))
        #expect(reading.feed.entries.map(\.title).prefix(1) == ["one"])
        #expect(!reading.problems.isEmpty)
    }

    /// A document that ends before its first entry is no feed without entries, wherever it ends.
    @Test(arguments: [
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title><item><title>one</title></item></channel></rss>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><entry><id>1</id></entry></feed>",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><channel/><item rdf:about=\"1\"/></rdf:RDF>",
    ])
    func readsNoIncompleteDocument(whole: String) throws {
        let (bytes, start) = (Array(whole.utf8), whole.contains("<item") ? "<item" : "<entry")
        let first = whole.utf8.distance(
            from: whole.startIndex, to: try #require(whole.firstRange(of: start)).lowerBound)
        for length in 1...first {
            #expect(throws: FeedError.self, "\(length)") { try FeedParser.parse(Array(bytes.prefix(length))) }
        }
        for length in first + start.utf8.count..<bytes.count {
            let reading = try FeedParser.parse(Array(bytes.prefix(length)))
            #expect(reading.feed.entries.count == 1, "\(length)")
            // Only the name of the last end tag may be missing.
            #expect(reading.isCutOff || bytes[length...].allSatisfy { $0 != UInt8(ascii: "<") }, "\(length)")
        }
        let reading = try FeedParser.parse(bytes)
        #expect(reading.feed.entries.count == 1 && !reading.isCutOff)
        #expect(throws: FeedError.incomplete) { try FeedParser.parse(Array(bytes.prefix(first - 1))) }
    }

    @Test(arguments: [
        ("", FeedError.empty), ("  \n ", .empty), ("<html><body><p>Hi</p></body></html>", .html),
        ("<!DOCTYPE html><html><head><title>x</title></head></html>", .html),
    ])
    func rejectsDocumentsThatAreNoFeeds(text: String, error: FeedError) {
        #expect(throws: error) { try FeedParser.parse(Array(text.utf8)) }
    }

    @Test func keepsAmpersandsInAttributes() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="http://a.example/?x=1&amp;y=2"/>
            <entry><id>1</id><link href="http://a.example/?a=1&#38;b=&lt;&amp;amp;&amp;#38;"/></entry></feed>
            """
        let feed = try FeedParser.parse(Array(text.utf8)).feed
        #expect(feed.homePage == "http://a.example/?x=1&y=2")
        #expect(feed.entries[0].link == "http://a.example/?a=1&b=%3C&amp;&#38;")
    }

    /// The anonymous memory of the process in bytes.
    private func memoryInUse() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }

    @Test func removesEntityDeclarationsCompletely() throws {
        let bytes = Array(Self.declaring(200 << 10).utf8)
        // Each round declares 40 MiB. Other tests allocate memory at the same time, but not in every round.
        var growths: [Int] = []
        for _ in 0..<3 {
            let before = try memoryInUse()
            for _ in 0..<200 { #expect(try FeedParser.parse(bytes).feed.title == "short") }
            growths.append(try memoryInUse() - before)
        }
        #expect((growths.min() ?? .max) < 20 << 20)
    }

    private static func declaring(_ count: Int) -> String {
        """
        <!DOCTYPE rss [<!ENTITY a "\(String(repeating: "x", count: count))"><!ENTITY b "short">]>
        <rss><channel><title>&b;</title><item><title>One</title></item></channel></rss>
        """
    }

    @Test func limitsDeclarations() throws {
        let reading = try FeedParser.parse(Array(Self.declaring(15 << 20).utf8))
        #expect(reading.feed.entries.map(\.title) == ["One"])
        #expect(reading.problems.first?.message == "more than 256 KiB before the first element")
    }

    /// A large amount of one kind of markup before a feed's only entry.
    struct Flood: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The first reported error, in the words of libxml2.
        var problem: String
        var orProblem = ""
        var text: @Sendable () -> String
    }

    @Test(arguments: [
        Flood(testDescription: "names", problem: "more than 20000 different names") {
            (0..<30_000).map { "<a\($0):b xmlns:a\($0)='u'/>" }.joined()
        },
        Flood(testDescription: "faults", problem: "Entity 'nosuch' not defined") {
            "<description>" + String(repeating: "&nosuch;", count: 20_000) + "</description>"
        },
        Flood(
            testDescription: "a comment", problem: "internal error: Huge input lookup",
            orProblem: "Comment too big found"
        ) {
            "<!--" + String(repeating: "x", count: 11 << 20) + "-->"
        },
    ])
    func skipsFloodsAndReadsOn(flood: Flood) throws {
        let text = "<rss><channel><title>T</title>\(flood.text())<item><title>One</title></item></channel></rss>"
        let reading = try FeedParser.parse(Array(text.utf8))
        #expect(reading.feed.entries.map(\.title) == ["One"])
        let problem = try #require(reading.problems.first?.message)
        #expect([flood.problem, flood.orProblem].contains(problem))
        #expect(reading.problems.count <= 20)
    }

    @Test func limitsJSONValues() {
        let items = String(repeating: "{\"id\":\"\\\"1,[{\"},", count: 200_001)
        let text = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[\(items)1]}"
        #expect(throws: FeedError.unknownFormat(FeedProblem("the JSON has more than 400000 values"))) {
            try FeedParser.parse(Array(text.utf8))
        }
    }

    @Test func limitsDeclaredEntities() throws {
        let bomb = """
            <!DOCTYPE rss [<!ENTITY a "\(String(repeating: "x", count: 20_000))"><!ENTITY f SYSTEM "file:///etc/passwd">]>
            <rss><channel><title>T &eacute; &amp;</title><item><title>\(String(repeating: "&a;", count: 1000))&f;</title><guid>1</guid></item></channel></rss>
            """
        let feed = try FeedParser.parse(Array(bomb.utf8)).feed
        #expect(feed.title == "T é &")
        // Unknown references stay as written.
        #expect(feed.entries[0].title?.contains("xx") == false)
        #expect(feed.entries[0].title?.contains("root:") == false)
        let short = """
            <!DOCTYPE rss [<!ENTITY id "tag:example,"><!ENTITY more "&id;&id;">]>
            <rss><channel><item><guid>&id;1</guid><title>REST</title></item></channel></rss>
            """
        let entry = try FeedParser.parse(Array(short.utf8)).feed.entries[0]
        #expect(entry.id == "tag:example,1")
        let growing = try FeedParser.parse(Array(short.replacing("REST", with: "&more;").utf8)).feed.entries[0]
        #expect(growing.title?.contains("tag:example,tag") != true)
    }

    /// Malformed documents, and what feedparser makes of them.
    @Test(arguments: [
        (
            "<item><title>A & B</title><link>http://a.example/?x=1&y=2</link></item>", "A & B",
            "http://a.example/?x=1&y=2"
        ),
        (
            "<item><title>A</title><description>x<br>y<p>z</description><link>http://a.example/</link></item>", "A",
            "http://a.example/"
        ),
        ("<item><title>A<link>http://a.example/</link></item>", "A", "http://a.example/"),
        (
            "<item><title>A</title><enclosure url=http://a.example/x.mp3><link>http://a.example/</link></item>", "A",
            "http://a.example/"
        ),
        ("<item><title>1 < 2</title><link>http://a.example/</link></item>", "1 < 2", "http://a.example/"),
        ("<item><title>A</title><link>http://a.example/</link><item><title>B</title></item>", "A", "http://a.example/"),
        (
            "<item><title>caf&eacute; &unknown;</title><link>http://a.example/</link></itm></item>", "café &unknown;",
            "http://a.example/"
        ),
    ])
    func readsMalformedDocuments(items: String, title: String, link: String) throws {
        for (before, after) in [("", ""), ("junk\n", ""), ("<br />\n<b>Warning</b>: x<br />\n", "<html></html>")] {
            let text =
                before + "<rss><channel><title>T</title>\(items)<item><title>Last</title></item></channel></rss>"
                + after
            let reading = try FeedParser.parse(Array(text.utf8))
            #expect(reading.feed.title == "T")
            #expect(reading.feed.entries.first?.title == title)
            #expect(reading.feed.entries.first?.link == link)
            #expect(reading.feed.entries.last?.title == "Last")
            #expect(!reading.problems.isEmpty)
        }
    }

    /// Input whose cost would exceed its length in a reader that looks back or ahead too often.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "<![CDATA[", "<!--", "<a b=\"", "<", "&", "<x>", "</y>", "<item>", "&a;", "<?", "<item><title>x<b>",
            "&lt;script", "<a b='", "]]>", "<item a=1 ", "<title/>", "{", "[",
        ])
    func limitsRepetitions(piece: String) throws {
        let start =
            "<!DOCTYPE r [<!ENTITY a \"\(String(repeating: "x", count: 200))\">]><rss><channel><item><title>t</title>"
        let text = start + String(repeating: piece, count: 150_000 / piece.utf8.count)
        let reading = try FeedParser.parse(Array(text.utf8))
        #expect(reading.feed.entries.count <= FeedParser.maximumEntries)
        #expect(reading.feed.entries.allSatisfy { ($0.title?.utf8.count ?? 0) < 3_000_000 })
    }

    @Test func limitsEntries() throws {
        let text =
            "<rss><channel>" + String(repeating: "<item><title>x</title></item>", count: 10_050) + "</channel></rss>"
        let reading = try FeedParser.parse(Array(text.utf8))
        #expect(reading.feed.entries.count == 10_000)
        #expect(reading.problems.map(\.message) == ["only the first 10000 entries were read"])
    }

    @Test func removesScripts() throws {
        let text = """
            <rss><channel><item><title>a&lt;script>b&lt;/script>c&lt;!-- d</title><description>
            x&lt;SCRIPT src="y">alert(1)&lt;/SCRIPT >y&lt;style>p{}&lt;/style>&lt;!-- c -->z&lt;script>never ends
            </description></item></channel></rss>
            """
        let entry = try FeedParser.parse(Array(text.utf8)).feed.entries[0]
        #expect(entry.title == "ac")
        #expect(entry.contentHTML == "xyz")
    }

    /// Texts in EUC-JP, Shift_JIS, EUC-KR, GB18030, windows-1251, KOI8-R, TIS-620 and windows-1252.
    @Test(arguments: [
        ("ゲーム三昧な正月を過ごしました", "pbKhvKXgu7DL5qTKwLW37qTysuGktKS3pN6kt6S/"),
        ("ゲーム三昧な正月を過ごしました", "g1GBW4OAjk+WhoLIkLOMjoLwid+CsoK1gtyCtYK9"),
        ("한글 닉네임을 표시하는 방법", "x9Gx2yC00LPXwNPAuyDHpb3Dx8+0wiC55rn9"),
        ("我希望这件事情很容易做好，谢谢大家", "ztLPo8371eK8/srCx+m63Mjd0tfX9rrDo6zQu9C7tPO80g=="),
        ("Как пережить новогоднюю ночь и не заболеть", "yuDqIO/l8OXm6PL8IO3u4u7j7uTt/v4g7e73/CDoIO3lIOfg4e7r5fL8"),
        ("Как пережить новогоднюю ночь и не заболеть", "68HLINDF0sXWydTYIM7P18/Hz8TOwMAgzs/e2CDJIM7FINrBws/MxdTY"),
        ("สำนักงานส่งเสริมผู้ใช้ได้มีส่วนร่วมในการพัฒนา", "ytO50aGn0rnK6KfgysPUwbzZ6eOq6eS06cHVyujHucPox8HjuaHSw77RsrnS"),
        ("Déjà vu à l’été : naïve façade, cœur, œuvre", "ROlq4CB2dSDgIGyS6XTpIDogbmHvdmUgZmHnYWRlLCBjnHVyLCCcdXZyZQ=="),
    ])
    func guessesAnUndeclaredEncoding(text: String, base64: String) throws {
        let words = try #require(Data(base64Encoded: base64))
        let document = Data("<rss><channel><title>".utf8) + words + Data("</title></channel></rss>".utf8)
        let reading = try FeedParser.parse(Array(document))
        #expect(reading.feed.title == text)
        #expect(!reading.problems.isEmpty)
    }

    @Test func limitsDepth() throws {
        let deep = "<rss><channel><title>T</title><item><title>a</title>" + String(repeating: "<x>", count: 100_000)
        let reading = try FeedParser.parse(Array(deep.utf8))
        #expect(reading.problems.contains { $0.message.contains("nested more than 256") })
    }

    @Test func limitsTheLengthOfATag() throws {
        let wide =
            "<rss><channel><title>T</title><item " + (0..<100_000).map { "a\($0)='x' " }.joined()
            + "></item></channel></rss>"
        let reading = try FeedParser.parse(Array(wide.utf8))
        #expect(reading.problems.contains { $0.message.contains("longer than 256 KiB") })
    }

    @Test func readsALongCDATASection() throws {
        let text = String(repeating: "word ", count: 200_000)
        let feed = try parse(
            "<rss><channel><item><title>t</title><description><![CDATA[\(text)]]></description></item></channel></rss>")
        #expect(feed.entries[0].contentHTML?.utf8.count == text.utf8.count - 1)
    }

    /// In one piece and in several.
    @Test(arguments: [0, 200]) func readsTheSameHoweverTheInputIsCut(padding: Int) throws {
        let items = (0..<2000).map {
            "<item><title>n\($0) é</title><description><![CDATA[\(String(repeating: "ü", count: padding))]]>"
                + "&amp;\($0)</description></item>"
        }
        let text = "<rss><channel><title>T</title>\(items.joined())</channel></rss>"
        #expect((text.utf8.count > XMLReader.maximumTag) == (padding > 0))
        let entries = try parse(text).entries
        #expect(entries.map(\.title) == (0..<2000).map { "n\($0) é" })
        let texts = (0..<2000).map { String(repeating: "ü", count: padding) + "&\($0)" }
        #expect(entries.map(\.contentHTML) == texts)
    }

    @Test func FEE_02_keepsNearlyEmptyEntries() throws {
        let feed = try parse(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><author><name>A</name></author></entry></feed>")
        #expect(feed.entries.map(\.authors) == [[ParsedAuthor(name: "A")]])
    }

    @Test func readsUnannouncedMarkup() throws {
        let feed = try parse(
            """
            <rss><channel><title>The <i>T</i> &amp; more</title><item><title>a<script>no()</script> b</title>
            <description>x &lt; y <b>bold</b></description></item></channel></rss>
            """)
        #expect(feed.title == "The T & more")
        #expect(feed.entries[0].title == "a b")
        #expect(feed.entries[0].contentHTML == "x &lt; y <b>bold</b>")
    }

    @Test func decodesBase64() throws {
        let feed = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><title mode="base64" type="text/html">RXhhbXBsZQ==</title>
            <content type="application/octet-stream">PHA+aGk8L3A+</content><id>https://example.org/1</id></entry></feed>
            """)
        #expect(feed.entries[0].title == "Example")
        #expect(feed.entries[0].contentHTML == "<p>hi</p>")
        #expect(feed.entries[0].link == "https://example.org/1")
    }

    @Test func readsAnEBCDICDocument() throws {
        // <rss><channel><title>hi</title></channel></rss> after a declaration, in code page 037.
        let text = "<?xml version='1.0' encoding='cp037'?><rss><channel><title>hi</title></channel></rss>"
        let letters: [Character: UInt8] = [
            "<": 0x4C, "?": 0x6F, ">": 0x6E, "=": 0x7E, "'": 0x7D, ".": 0x4B, "/": 0x61, " ": 0x40,
        ]
        let bytes = text.map { character -> UInt8 in
            if let known = letters[character] { return known }
            let value = character.asciiValue ?? 0
            switch character {
            case "a"..."i": return value - 97 + 0x81
            case "j"..."r": return value - 106 + 0x91
            case "s"..."z": return value - 115 + 0xA2
            default: return value - 48 + 0xF0
            }
        }
        #expect(try FeedParser.parse(bytes).feed.title == "hi")
    }

    @Test func readsEncodings() throws {
        let text = "<?xml version='1.0' encoding='ENC'?><rss><channel><title>é€</title></channel></rss>"
        var windows = Array(text.replacing("ENC", with: "iso-8859-1").replacing("é€", with: "?").utf8)
        let place = try #require(windows.lastIndex(of: UInt8(ascii: "?")))
        windows.replaceSubrange(place...place, with: [0xE9, 0x80])
        #expect(try FeedParser.parse(windows).feed.title == "é€")
        let utf16: [UInt8] =
            [0xFF, 0xFE] + text.replacing("ENC", with: "utf-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try FeedParser.parse(utf16).feed.title == "é€")
        #expect(try FeedParser.parse([0xEF, 0xBB, 0xBF] + Array(text.utf8)).feed.title == "é€")
        #expect(try FeedParser.parse(Array(text.replacing("ENC", with: "x-unknown").utf8)).feed.title == "é€")
    }
}
