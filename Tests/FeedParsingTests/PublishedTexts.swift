import Foundation
import Testing

@testable import FeedParsing

/// Titles and texts as publishers write them.
@Suite struct PublishedTexts {
    private static let names = """
        xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/" \
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
        xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"
        """

    private func read(_ channel: String) throws -> FeedReading {
        let text = "<rss version=\"2.0\" \(PublishedTexts.names)><channel>\(channel)</channel></rss>"
        return try FeedParser.parse(Array(text.utf8), base: "https://f.example/feed")
    }

    private func item(_ fields: String) throws -> ParsedEntry {
        try #require(try read("<title>T</title><item>\(fields)</item>").feed.entries.first)
    }

    private func json(_ item: String) throws -> FeedReading {
        let text = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[\(item)]}"
        return try FeedParser.parse(Array(text.utf8))
    }

    // MARK: Titles

    /// A name in angle brackets that isn't an HTML element is part of a title.
    @Test(arguments: [
        ("&lt;quux&gt; on loops", "<quux> on loops"), ("pair&lt;K, V&gt; and list&lt;T&gt;", "pair<K, V> and list<T>"),
        ("#include &lt;math.h&gt;", "#include <math.h>"), ("&lt;/quux&gt;", "</quux>"),
        ("A missing &lt;/div&gt; broke it", "A missing </div> broke it"), ("a&lt;/b&gt; c &lt;/i&gt;", "a c"),
        ("&lt;b&gt;bold&lt;/b&gt; and &lt;EM class='x'&gt;this&lt;/EM&gt;", "bold and this"),
        ("&lt;article&gt;a&lt;/article&gt;", "a"), ("&lt;o:p&gt;a&lt;/o:p&gt;", "a"),
        ("&lt;!-- no --&gt;a", "a"), ("1 &lt; 2 &gt; 0", "1 < 2 > 0"),
        ("&amp;lt;T&amp;gt;", "<T>"), ("The &lt;dialog&gt; element", "The <dialog> element"),
        ("Why &lt;style&gt; comes before &lt;b&gt;text&lt;/b&gt;", "Why <style> comes before text"),
        ("&lt;style&gt;b {}&lt;/style&gt;a", "a"), ("&lt;p&gt;a&lt;br&gt;b &lt;i&gt;c", "a b c"),
        ("&lt;summary&gt;a&lt;/summary&gt; b", "a b"), ("Why &lt;a&gt; isn't &lt;div&gt;", "Why <a> isn't <div>"),
        ("See &lt;https://a.example/&gt; &lt;mailto:a@b.example&gt;", "See <https://a.example/> <mailto:a@b.example>"),
        ("&lt;b&gt;News: a", "News: a"), ("&lt;span class='x'&gt; a", "a"), ("Use &lt;em&gt;.", "Use <em>."),
        ("Don&#146;t &#x93;do&#148; &#x85;", "Don’t “do” …"), ("Don\u{92}t &amp;#150; é", "Don’t – é"),
        ("a &lt;img class='wp-smiley' alt='&#x1F600;' src=x&gt; b", "a 😀 b"),
        ("&lt;img src='x' CLASS=\"Emoji\" ALT=\"❤\" /&gt;a&lt;img alt='x' src='i.png'&gt;b", "❤a b"),
    ])
    func keepsNamesInTitles(written: String, title: String) throws {
        #expect(try item("<title>\(written)</title>").title == title)
        #expect(try read("<title>\(written)</title>").feed.title == title)
    }

    /// References to control characters leave nothing in titles, and nothing else becomes shorter.
    @Test func dropsReferencesToControlCharacters() throws {
        #expect(try item("<title>a&amp;#27;[31mb&amp;#x9;c&amp;#127;</title>").title == "a[31mb c")
        #expect(try item("<title>a&#27;b&#x1b;c&#155;d</title>").title?.contains("\u{1B}") == false)
        #expect(try json(#"{"id":"1","title":"a\u001b[31mb\nc"}"#).feed.entries.first?.title == "a[31mb c")
    }

    // MARK: Descriptions

    /// Plain texts of media keep their lines and their angle brackets; a type says when they are HTML.
    @Test func readsDescriptionsOfMediaAsPlainText() throws {
        let lines = "First line\n\n&lt;b&gt;second&lt;/b&gt; https://a.example/"
        let plain = "First line\n\n<b>second</b> https://a.example/"
        let entry = try item("<media:group><media:description>\(lines)</media:description></media:group>")
        #expect(entry.contentHTML == nil && entry.contentText == plain)
        for type in ["plain", "text"] {
            let entry = try item("<media:description type='\(type)'>\(lines)</media:description>")
            #expect(entry.contentText == plain)
        }
        let html = try item("<media:description type='html'>&lt;p&gt;a&lt;/p&gt;</media:description>")
        #expect(html.contentHTML == "<p>a</p>" && html.contentText == nil)
        #expect(try item("<itunes:summary>a\nb &lt; c</itunes:summary>").contentText == "a\nb < c")
        #expect(try item("<itunes:summary>&lt;p&gt;a&lt;/p&gt;</itunes:summary>").contentHTML == "<p>a</p>")
    }

    /// A text without anything to see doesn't hide another.
    @Test(arguments: [
        "<p>&nbsp;</p><div></div>", "  ", "<p>&#160;&#8203;</p>", "<!-- none -->", "<style>p { color: red }</style>",
        "<img src='https://a.example/1.gif' width='1' height='1'>", "<script>x</script><br/>",
    ])
    func invisibleTextsHideNothing(html: String) throws {
        let description = "<description>The whole text.</description>"
        let content = "<content:encoded><![CDATA[\(html)]]></content:encoded>"
        #expect(try item(description + content).contentHTML == "The whole text.")
        #expect(try item(content + description).contentHTML == "The whole text.")
        let quoted = html.replacing("'", with: "\\\"")
        let entry = try #require(
            try json("{\"id\":\"1\",\"content_html\":\"\(quoted)\",\"content_text\":\"Text\"}").feed.entries.first)
        #expect(entry.contentHTML?.trimmingBlanks.isEmpty ?? true && entry.contentText == "Text")
    }

    /// Pictures, players and short texts are visible.
    @Test(arguments: [
        "<p>.</p>", "<img src='https://a.example/1.png'>", "<img src='/1.png' width='100'>",
        "<iframe src='/x'></iframe>", "<p>&amp;</p>", "<p>é</p>", "<video src='/v'></video>", "<svg></svg>",
    ])
    func visibleTextsStay(html: String) throws {
        let content = "<content:encoded><![CDATA[\(html)]]></content:encoded>"
        #expect(try item("<description>d</description>" + content).contentHTML == html)
    }

    /// A CDATA section that was escaped once too often is unwrapped, one within a text stays.
    @Test func unwrapsEscapedSections() throws {
        let wrapped = "&lt;![CDATA[some &lt;i&gt;words&lt;/i&gt;]]&gt;"
        #expect(try item("<description> \(wrapped)\n</description>").contentHTML == "some <i>words</i>")
        #expect(try item("<content:encoded>\(wrapped)</content:encoded>").contentHTML == "some <i>words</i>")
        #expect(try item("<title>\(wrapped)</title>").title == "some words")
        let entry = try json(#"{"id":"1","content_html":"<![CDATA[<p>a</p>]]>"}"#).feed.entries.first
        #expect(entry?.contentHTML == "<p>a</p>")
        #expect(try item("<description>a &lt;![CDATA[b]]&gt;</description>").contentHTML == "a <![CDATA[b]]>")
    }

    /// Keywords of podcasts and categories of media are tags.
    @Test func readsTagsOfMedia() throws {
        let entry = try item(
            "<itunes:keywords>one, two</itunes:keywords><category>a</category>"
                + "<media:category scheme='urn:x' label='L'>c/d</media:category><media:category>e</media:category>")
        #expect(entry.tags == ["one", "two", "a", "L", "e"])
    }

    // MARK: Documents

    /// An element without an end before the first item costs no item.
    @Test(arguments: [
        "<itunes:category text='A'><itunes:category text='B'/>", "<image><url>https://a.example/i.png</url>",
        "<description>about", "<itunes:owner><itunes:name>N</itunes:name>", "<textInput><title>Search</title>",
        "<image><url>https://a.example/i.png</url><title>I", "<managingEditor>a@b.example",
    ])
    func openElementsCostNoItems(open: String) throws {
        let items = (1...3).map { "<item><title>\($0)</title><guid>\($0)</guid><description>text</description></item>" }
        let reading = try read("<title>T</title>\(open)\(items.joined())")
        #expect(
            reading.feed.entries.map(\.title) == ["1", "2", "3"] && reading.feed.entries.map(\.id) == ["1", "2", "3"])
        #expect(reading.feed.title == "T" && !reading.problems.isEmpty && !reading.isCutOff)
        let atom =
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><author><name>N</name>"
            + "<entry><title>1</title><id>1</id></entry></feed>"
        #expect(try FeedParser.parse(Array(atom.utf8)).feed.entries.map(\.title) == ["1"])
    }

    /// Faults in JSON's strings cost nothing but themselves.
    @Test func readsFaultyJSON() throws {
        for (fault, text) in [
            (#"cut \ud83d"#, "cut \u{FFFD}"), (#"\ude00 end"#, "\u{FFFD} end"), (#"\ud83d\ude00"#, "😀"),
            (#"\ud83d\u0041"#, "\u{FFFD}A"), ("one\ntwo", "one\ntwo"), ("a\tb\u{1}", "a\tb\u{1}"),
            (#"C:\dir"#, "C:dir"),
            (#"\uZZ"#, "\u{FFFD}ZZ"), (#"a \"b\" \\"#, #"a "b" \"#),
        ] {
            let reading = try json(
                "{\"id\":\"1\",\"content_text\":\"\(fault)\"},{\"id\":\"2\",\"content_text\":\"fine\"}")
            #expect(reading.feed.entries.map(\.contentText) == [text, "fine"], "\(fault)")
        }
        let file = "{\"url\":\"https://a.example/a.mp3\",\"size_in_bytes\":\"1234\",\"duration_in_seconds\":\" 61.5 \"}"
        let wrong = "{\"url\":\"https://a.example/b.mp3\",\"size_in_bytes\":\"much\",\"duration_in_seconds\":\"1:00\"}"
        let endless =
            "{\"url\":\"https://a.example/c.mp3\",\"size_in_bytes\":\"1e999\",\"duration_in_seconds\":\"inf\"}"
        let files = try json("{\"id\":\"1\",\"attachments\":[\(file),\(wrong),\(endless)]}").feed.entries
        #expect(files.first?.enclosures.map(\.size) == [1234, nil, nil])
        #expect(files.first?.enclosures.map(\.duration) == [61.5, 60, nil])
        #expect(throws: FeedError.self) { try json("{\"id\":1,}}") }
    }

    /// Numbers that JSON doesn't allow or that no program can store cost nothing but themselves, and a name or a list of
    /// words may stand in place of an author or a list.
    @Test func readsFaultyNumbersAndListsInJSON() throws {
        for number in ["1e999", "NaN", "-Infinity", "undefined", "007", "+7", ".5", "0x1F", "1.2.3", "1_000"] {
            let reading = try json("{\"id\":\"1\",\"n\":\(number),\"title\":\"a 007 NaN\"},{\"id\":\"2\"}")
            #expect(reading.feed.entries.map(\.id) == ["1", "2"], "\(number)")
            #expect(reading.feed.entries.first?.title == "a 007 NaN", "\(number)")
        }
        let item = #"{"id":007,"author":"Ann","tags":"one, two,"}"#
        let entry = try json(item).feed.entries.first
        #expect(entry?.id == "007" && entry?.tags == ["one", "two"] && entry?.authors == [ParsedAuthor(name: "Ann")])
        #expect(try json(item.replacing("author", with: "authors")).feed.entries.first?.authors.first?.name == "Ann")
        // PHP writes a list with a gap as an object.
        let numbered = #"{"10":{"id":"b"},"9":{"id":"a","tags":{"0":"x","2":5},"date_published":1738738800}}"#
        let list = "{\"title\":\"T\",\"items\":\(numbered)}"
        let entries = try FeedParser.parse(Array(list.utf8)).feed.entries
        #expect(entries.map(\.id) == ["a", "b"] && entries.first?.tags == ["x", "5"])
        #expect(entries.first?.published?.instant == 1_738_738_800)
        let loose = #"{"id":"1","attachments":"https://a.example/a.mp3","image":{"url":"https://a.example/i.png"}}"#
        let only = try json(loose).feed.entries.first
        #expect(only?.enclosures.map(\.url) == ["https://a.example/a.mp3"] && only?.image == "https://a.example/i.png")
    }

    // MARK: Dates

    /// A weekday in any language says nothing about the date.
    @Test(
        arguments: [
            ("Ср, 05 фев 2025 10:00:00 +0300", 1_738_738_800), ("śr., 05 lut 2025 10:00:00 +0100", 1_738_746_000),
            ("St, 05 úno 2025 10:00:00 +0100", 1_738_746_000), ("Çar, 05 Şub 2025 10:00:00 +0300", 1_738_738_800),
            ("Чтв, 06 лют 2025 10:00:00 +0200", 1_738_828_800), ("周四, 06 2月 2025 10:00:00 +0800", 1_738_807_200),
            ("木, 06 2月 2025 10:00:00 +0900", 1_738_803_600), ("목, 06 2월 2025 10:00:00 +0900", 1_738_803_600),
            ("الخميس, 06 Feb 2025 10:00:00 +0300", 1_738_825_200), ("pt. 07 lut 2025 10:00:00 +0100", 1_738_918_800),
            ("Th., 6 Feb 2025", 1_738_800_000), ("周四, 06 二月 2025", 1_738_800_000), ("06 十二月 2024", 1_733_443_200),
            ("गुरु, 06 फ़रवरी 2025", 1_738_800_000), ("Thứ Năm, 06 Tháng 2 2025", 1_738_800_000),
            ("Thu, 06 02 2025", 1_738_800_000), ("Thu, 02 16 2025", 1_739_664_000),
        ] as [(String, Instant)])
    func ignoresWeekdays(text: String, date: Instant) { #expect(DateParser.parse(text) == date) }

    /// Words that say something about the time, or months that don't exist, aren't ignored.
    @Test(arguments: ["오후 3:04 2004-05-28", "until 5 Feb 2025", "Ср, 05 xyz 2025", "Ср, 30 фев 2025"])
    func ignoresNothingElse(text: String) { #expect(DateParser.parse(text) == nil) }

    /// A date with a week's number is read as ISO 8601 defines it, or not at all.
    @Test(
        arguments: [
            ("2025-W06-3", 1_738_713_600), ("2025W063", 1_738_713_600), ("2025-W06-3T10:00:00Z", 1_738_749_600),
            ("2025W063T1000+0100", 1_738_746_000), ("2025-W06", 1_738_540_800), ("2020-W53-5", 1_609_459_200),
            ("2026-W01-1", 1_766_966_400), ("2021-W53-1", nil), ("2025-W00-1", nil), ("2025-W54-1", nil),
            ("2025-W06-8", nil), ("2025-W06-0", nil), ("2025-W06-3T25:00", nil), ("2025-W06-3 soon", nil),
        ] as [(String, Instant?)])
    func readsDatesOfWeeks(text: String, date: Instant?) { #expect(DateParser.parse(text) == date) }

    /// The date of PRISM counts if there is no other.
    @Test func readsDatesOfPRISM() throws {
        let date = "<prism:publicationDate>2025-02-05</prism:publicationDate>"
        #expect(try item(date).published?.text == "2025-02-05")
        #expect(try item(date + "<pubDate>Thu, 06 Feb 2025 00:00:00 GMT</pubDate>").published?.instant == 1_738_800_000)
    }
}
