import Foundation
import Testing

@testable import FeedParsing

/// Each element and key of each vocabulary, one by one.
@Suite struct FeedVocabularyTests {
    /// Impossible sizes and durations are dropped, and the rest can be written.
    @Test func readsSizesAndDurationsOfFiles() throws {
        let numbers = [
            "-1", "0", "12", "1e300", "-1e300", "9.2e18", "NaN", "inf", "9223372036854775807", "9223372036854775808",
            Array(repeating: "9999999", count: 60).joined(separator: ":"), "1:02:03",
        ]
        for number in numbers {
            let enclosure = "<enclosure url='https://a.example/1.mp3' length='\(number)' type='audio/mpeg'/>"
            let rss = """
                <rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>t</title><ttl>\(number)</ttl><item>
                <title>e</title>\(enclosure)<itunes:duration>\(number)</itunes:duration></item></channel></rss>
                """
            let json = """
                {"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [{"id": "1", "attachments": [{"mime_type": "audio/mpeg",
                 "url": "https://a.example/1.mp3", "size_in_bytes": \(number), "duration_in_seconds": \(number)}]}]}
                """
            for text in [rss, json] {
                guard
                    let reading = try? FeedParser.parse(Array(text.utf8), contentType: nil, base: "https://a.example/")
                else {
                    continue
                }
                for file in reading.feed.entries.flatMap(\.enclosures) {
                    #expect(file.size.map { $0 >= 0 && $0 <= 1 << 50 } ?? true, "\(number)")
                    #expect(file.duration.map { $0 >= 0 && $0 <= 366 * 86_400 } ?? true, "\(number)")
                }
                #expect(throws: Never.self) { try JSONWriter.bytes(JSONFeedDocument(reading)) }
            }
        }
    }

    static let site = "https://f.example"

    /// The fields of an entry as one line.
    static func told(_ entry: ParsedEntry) -> String {
        var parts: [String] = []
        func add(_ name: String, _ value: String?) { if let value { parts.append("\(name)=\(value)") } }
        add("id", entry.id)
        add("link", entry.link)
        add("external", entry.externalLink)
        add("title", entry.title)
        add("html", entry.contentHTML)
        add("text", entry.contentText)
        add("summary", entry.summary)
        add("image", entry.image)
        add("published", entry.published.map { $0.instant.map(Timestamp.rfc3339) ?? $0.text })
        add("updated", entry.updated.map { $0.instant.map(Timestamp.rfc3339) ?? $0.text })
        if !entry.authors.isEmpty { add("authors", entry.authors.map(told).joined(separator: "+")) }
        if !entry.tags.isEmpty { add("tags", entry.tags.joined(separator: "+")) }
        if !entry.enclosures.isEmpty { add("enclosures", entry.enclosures.map(told).joined(separator: "+")) }
        add("comments", entry.commentsLink)
        add("commentsFeed", entry.commentsFeed)
        add("commentCount", entry.commentCount.map(String.init))
        add("language", entry.language)
        return parts.joined(separator: " ")
    }

    private static func told(_ author: ParsedAuthor) -> String {
        [author.name, author.email.map { "<\($0)>" }, author.url].compactMap { $0 }.joined(separator: ",")
    }

    private static func told(_ enclosure: ParsedEnclosure) -> String {
        var text = enclosure.url
        if let type = enclosure.mediaType { text += ";\(type)" }
        if let size = enclosure.size { text += ";\(size)B" }
        if let duration = enclosure.duration { text += ";\(Int(clamping: duration))s" }
        return text
    }

    /// The fields of a feed without its entries.
    static func told(_ feed: ParsedFeed) -> String {
        var parts: [String] = []
        func add(_ name: String, _ value: String?) { if let value { parts.append("\(name)=\(value)") } }
        add("title", feed.title)
        add("home", feed.homePage)
        add("self", feed.feedURL)
        add("about", feed.description)
        add("language", feed.language)
        add("icon", feed.icon)
        if !feed.authors.isEmpty { add("authors", feed.authors.map(told).joined(separator: "+")) }
        add("updated", feed.updated.map { $0.instant.map(Timestamp.rfc3339) ?? $0.text })
        add("ttl", feed.timeToLive.map(String.init))
        return parts.joined(separator: " ")
    }

    private func parse(_ text: String) throws -> ParsedFeed {
        try FeedParser.parse(Array(text.utf8), base: FeedVocabularyTests.site + "/feed").feed
    }

    static let namespaces = """
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"
        xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
        xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"
        """

    private static let date = "2024-05-04T10:00:00Z"

    private static let rssItems: [(String, String)] = [
        ("<title>A &lt;b&gt;b&lt;/b&gt;</title>", "title=A b"), ("<dc:title>T</dc:title>", "title=T"),
        ("<title>A</title><dc:title>B</dc:title>", "title=A"), ("<link>/x</link>", "link=\(site)/x"),
        ("<link>/x</link><link>/y</link>", "link=\(site)/x"), ("<guid>\(site)/p</guid>", "id=\(site)/p link=\(site)/p"),
        ("<guid isPermaLink=\"false\">\(site)/p</guid>", "id=\(site)/p"),
        ("<guid>urn:1</guid><guid>urn:2</guid>", "id=urn:1"), ("<guid> </guid><guid>urn:2</guid>", "id=urn:2"),
        ("<description>d</description>", "html=d"),
        ("<description>d</description><content:encoded>c</content:encoded>", "html=c summary=d"),
        ("<description>d</description><summary>s</summary>", "html=s summary=d"),
        ("<summary>s</summary><description>d</description>", "html=d summary=s"),
        ("<dc:description>d</dc:description>", "html=d"), ("<dcterms:abstract>d</dcterms:abstract>", "html=d"),
        ("<pubDate>\(date)</pubDate>", "published=\(date)"), ("<pubDate>soon</pubDate>", "published=soon"),
        ("<dc:date>\(date)</dc:date>", "published=\(date)"),
        ("<dcterms:issued>\(date)</dcterms:issued>", "published=\(date)"),
        ("<dcterms:created>\(date)</dcterms:created>", "published=\(date)"),
        ("<dcterms:modified>\(date)</dcterms:modified>", "updated=\(date)"),
        ("<author>a@b.example (Ann Bee)</author>", "authors=Ann Bee,<a@b.example>"),
        ("<author>a@b.example</author>", "authors=<a@b.example>"),
        ("<author>mailto:a@b.example</author>", "authors=<a@b.example>"),
        ("<author>Ann (at home)</author>", "authors=Ann (at home)"),
        ("<dc:creator>A</dc:creator><dc:creator>B</dc:creator><dc:creator>A</dc:creator>", "authors=A+B"),
        ("<itunes:author>I</itunes:author>", "authors=I"),
        ("<dc:creator>A</dc:creator><itunes:author>I</itunes:author>", "authors=A"),
        ("<category>x</category><category>y</category><category>x</category>", "tags=x+y"),
        ("<slash:comments> 7 </slash:comments>", "commentCount=7"), ("<slash:comments>some</slash:comments>", ""),
        ("<wfw:commentRss>/c</wfw:commentRss>", "commentsFeed=\(site)/c"), ("<dc:subject>s</dc:subject>", "tags=s"),
        ("<comments>/c</comments>", "comments=\(site)/c"),
        (
            "<enclosure url=\"/a.mp3\" type=\" audio/mpeg \" length=\" 12 \"/>",
            "enclosures=\(site)/a.mp3;audio/mpeg;12B"
        ),
        ("<enclosure url=\"/a\"/><enclosure url=\"/a\"/><enclosure url=\"/b\"/>", "enclosures=\(site)/a+\(site)/b"),
        ("<enclosure type=\"audio/mpeg\"> \(site)/t.mp3 </enclosure>", "enclosures=\(site)/t.mp3;audio/mpeg"),
        ("<enclosure url=\"\" href=\"\(site)/t.mp3\"/>", "enclosures=\(site)/t.mp3"),
        ("<enclosure>none</enclosure>", ""), ("<atom:category label=\"L\"/>", "tags=L"),
        (
            """
            <podcast:alternateEnclosure type="audio/opus" length="7"><podcast:source uri="ipfs://a"/>\
            <podcast:source uri="/a.opus"/></podcast:alternateEnclosure><podcast:alternateEnclosure type="audio/mpeg" \
            default="true"><podcast:source uri="/a.mp3"/></podcast:alternateEnclosure>
            """, "enclosures=\(site)/a.mp3;audio/mpeg"
        ),
        (
            """
            <podcast:alternateEnclosure type="audio/opus"><podcast:source uri="/a.opus"/></podcast:alternateEnclosure>\
            <enclosure url="/b.mp3"/><podcast:source uri="/c.mp3"/>
            """, "enclosures=\(site)/b.mp3"
        ),
        ("<enclosure url=\"/a\"/><itunes:duration>1:02:03</itunes:duration>", "enclosures=\(site)/a;3723s"),
        ("<enclosure url=\"/a\"/><itunes:duration>62:03</itunes:duration>", "enclosures=\(site)/a;3723s"),
        ("<enclosure url=\"/a\"/><itunes:duration>1</itunes:duration>", "enclosures=\(site)/a;1s"),
        ("<enclosure url=\"/a\"/><itunes:duration>0:00</itunes:duration>", "enclosures=\(site)/a"),
        ("<enclosure url=\"/a\"/><itunes:duration>-3</itunes:duration>", "enclosures=\(site)/a"),
        ("<enclosure url=\"/a\"/><itunes:duration>long</itunes:duration>", "enclosures=\(site)/a"),
        ("<itunes:summary>s</itunes:summary>", "text=s"), ("<media:title>m</media:title>", "title=m"),
        ("<title>t</title><media:title>m</media:title>", "title=t"),
        ("<media:description>m</media:description>", "text=m"),
        ("<media:thumbnail url=\"/t.png\"/>", "image=\(site)/t.png"),
        ("<feedburner:origLink>/o</feedburner:origLink>", "external=\(site)/o"),
        ("<atom:link href=\"/l\"/>", "link=\(site)/l"),
        ("<atom:link rel=\"related\" href=\"/r\"/>", "external=\(site)/r"),
        ("<atom:link rel=\"via\" href=\"/r\"/>", "external=\(site)/r"),
    ]

    @Test func readsEveryElementOfAnItem() throws {
        for (xml, expected) in FeedVocabularyTests.rssItems {
            let feed = try parse(
                "<rss version=\"2.0\" \(FeedVocabularyTests.namespaces)><channel><title>F</title><item>\(xml)</item></channel></rss>"
            )
            #expect(feed.entries.map(FeedVocabularyTests.told) == [expected], "\(xml)")
        }
    }

    private static let atomEntries: [(String, String)] = [
        ("<id>1</id><title type=\"html\">A &lt;i&gt;b&lt;/i&gt;</title>", "id=1 title=A b"),
        ("<title>A &lt;i&gt;</title>", "title=A <i>"),
        ("<title type=\"text/plain\">A &lt;i&gt;</title>", "title=A <i>"),
        ("<summary>s &lt;b&gt;</summary>", "html=s &lt;b&gt; summary=s <b>"),
        ("<content>c &lt;b&gt;</content>", "text=c <b>"), ("<content type=\"text\">c</content>", "text=c"),
        ("<content type=\"text/plain\">c</content>", "text=c"),
        ("<content type=\"html\">&lt;p&gt;c&lt;/p&gt;</content>", "html=<p>c</p>"),
        (
            "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><b>c</b></div></content>",
            "html=<div><b>c</b></div>"
        ),
        (
            "<content type=\"application/octet-stream\">\(Data("words".utf8).base64EncodedString())</content>",
            "html=words"
        ),
        ("<content type=\"application/xml\">words</content>", "html=words"),
        ("<content type=\"image/svg+xml\">words</content>", "html=words"),
        ("<content type=\"image/png\">words</content>", ""), ("<published>\(date)</published>", "published=\(date)"),
        ("<updated>\(date)</updated>", "updated=\(date)"), ("<issued>\(date)</issued>", "published=\(date)"),
        ("<modified>\(date)</modified>", "published=\(date) updated=\(date)"),
        ("<issued>2024-01-01</issued><modified>\(date)</modified>", "published=2024-01-01T00:00:00Z updated=\(date)"),
        ("<created>\(date)</created>", "published=\(date)"),
        ("<author><name>A</name><email>a@b.example</email><uri>/a</uri></author>", "authors=A,<a@b.example>,\(site)/a"),
        ("<author><name>A</name></author><author><name>B</name></author>", "authors=A+B"),
        ("<contributor><name>C</name></contributor>", ""),
        ("<category term=\"t\"/><category term=\"u\" label=\"U\"/>", "tags=t+U"),
        ("<link rel=\"enclosure\" href=\"/e\" type=\"a/b\" length=\"7\"/>", "enclosures=\(site)/e;a/b;7B"),
        ("<link rel=\"replies\" href=\"/r\" type=\"text/html\"/>", "comments=\(site)/r"),
    ]

    @Test func readsEveryElementOfAnEntry() throws {
        for (xml, expected) in FeedVocabularyTests.atomEntries {
            let feed = try parse(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>F</title><entry>\(xml)</entry></feed>")
            #expect(feed.entries.map(FeedVocabularyTests.told) == [expected], "\(xml)")
        }
    }

    private static let feeds: [(String, String)] = [
        ("<title>A</title><title>B</title>", "title=A"), ("<dc:title>A</dc:title>", "title=A"),
        ("<link>/h</link><link>/i</link>", "home=\(site)/h"),
        ("<description>&lt;b&gt;d&lt;/b&gt;</description>", "about=d"),
        ("<itunes:summary>d</itunes:summary>", "about=d"), ("<itunes:subtitle>d</itunes:subtitle>", "about=d"),
        ("<dc:description>d</dc:description>", "about=d"), ("<language>it</language>", "language=it"),
        ("<dc:language>it</dc:language>", "language=it"),
        ("<language>it</language><dc:language>en</dc:language>", "language=it"),
        ("<image><url>/i.png</url><title>I</title></image>", "icon=\(site)/i.png"),
        ("<lastBuildDate>\(date)</lastBuildDate>", "updated=\(date)"),
        ("<pubDate>\(date)</pubDate>", "updated=\(date)"), ("<dc:date>\(date)</dc:date>", "updated=\(date)"),
        ("<ttl> 60 </ttl>", "ttl=60"), ("<ttl>soon</ttl>", ""), ("<dc:creator>A</dc:creator>", "authors=A"),
        ("<dc:publisher>P</dc:publisher>", "authors=P"), ("<itunes:author>I</itunes:author>", "authors=I"),
        ("<dc:creator>A</dc:creator><itunes:author>I</itunes:author>", "authors=A"),
        ("<managingEditor>e@b.example (Ed)</managingEditor>", "authors=Ed,<e@b.example>"),
        ("<webMaster>w@b.example</webMaster>", "authors=<w@b.example>"),
        ("<atom:link rel=\"self\" href=\"/me\"/>", "self=\(site)/me"),
        ("<atom:link rel=\"alternate\" href=\"/h\"/>", "home=\(site)/h"),
        ("<textInput><title>no</title><link>/no</link></textInput>", ""),
    ]

    @Test func readsEveryElementOfAFeed() throws {
        for (xml, expected) in FeedVocabularyTests.feeds {
            let feed = try parse(
                "<rss version=\"2.0\" \(FeedVocabularyTests.namespaces)><channel>\(xml)</channel></rss>")
            #expect(FeedVocabularyTests.told(feed) == expected, "\(xml)")
        }
    }

    @Test func readsEveryKeyOfAJSONFeed() throws {
        let feed = try parse(
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "/h", "feed_url": "/me",
             "description": "d", "language": "it", "favicon": "/f.ico", "authors": [{"name": "A", "url": "/a"}],
             "items": [{"id": 7, "url": "/u", "external_url": "/e", "title": "t", "content_html": "<p>h</p>",
              "content_text": "x", "summary": "s", "image": "/i.png", "date_published": "\(FeedVocabularyTests.date)",
              "date_modified": "2024-05-05T10:00:00Z", "language": "de", "tags": ["a", 1, "b"],
              "author": {"name": "B"}, "attachments": [{"url": "/m.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9,
              "duration_in_seconds": 61}, {"mime_type": "none"}]}, "no item", {"id": "2", "banner_image": "/b.png"}]}
            """)
        #expect(
            FeedVocabularyTests.told(feed)
                == "title=T home=https://f.example/h self=https://f.example/me about=d language=it "
                + "icon=https://f.example/f.ico authors=A,https://f.example/a")
        #expect(
            feed.entries.map(FeedVocabularyTests.told) == [
                "id=7 link=https://f.example/u external=https://f.example/e title=t html=<p>h</p> text=x summary=s "
                    + "image=https://f.example/i.png published=\(FeedVocabularyTests.date) updated=2024-05-05T10:00:00Z authors=B tags=a+1+b "
                    + "enclosures=https://f.example/m.mp3;audio/mpeg;9B;61s language=de",
                "id=2 image=https://f.example/b.png",
            ])
    }

    @Test func readsEveryKeyOfRSSInJSON() throws {
        let feed = try parse(
            """
            {"rss": {"version": "2.0", "channel": {"title": "T", "link": "/h", "description": "d", "language": "it",
             "pubDate": "\(FeedVocabularyTests.date)", "item": [{"guid": {"#value": "g"}, "link": "/u",
             "title": "a <b>b</b>", "description": "<p>d</p>", "pubDate": "\(FeedVocabularyTests.date)", "comments": "/c",
             "author": "a@b.example (A)", "enclosure": {"url": "/m", "type": "a/b", "length": "12"}},
             {"guid": "h", "enclosure": {"url": "/m", "length": 13}}]}}}
            """)
        #expect(
            FeedVocabularyTests.told(feed)
                == "title=T home=https://f.example/h about=d language=it updated=\(FeedVocabularyTests.date)")
        #expect(
            feed.entries.map(FeedVocabularyTests.told) == [
                "id=g link=https://f.example/u title=a b html=<p>d</p> published=\(FeedVocabularyTests.date) "
                    + "authors=A,<a@b.example> enclosures=https://f.example/m;a/b;12B comments=https://f.example/c",
                "id=h enclosures=https://f.example/m;13B",
            ])
        #expect(try parse("{\"rss\": {\"channel\": {\"item\": {\"title\": \"one\"}}}}").entries.map(\.title) == ["one"])
    }

    @Test func resolvesPrefixesEvenInMalformedDocuments() throws {
        for broken in ["", "<p>never closed"] {
            let feed = try parse(
                """
                <rss version="2.0" xmlns:zz="http://purl.org/dc/elements/1.1/"><channel><item>
                <zz:creator>A</zz:creator><title>a & b</title>\(broken)</item></channel></rss>
                """)
            #expect(feed.entries.first?.authors == [ParsedAuthor(name: "A")], "\(broken)")
            #expect(feed.entries.first?.title == "a & b")
        }
        let atom = try parse(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>a & b</title><id>1</id></entry></feed>")
        #expect(atom.format == .atom && atom.entries.first?.id == "1")
    }

    @Test func removesInvisibleElementsCompletely() throws {
        for (html, expected) in [
            ("a<script>x</script>b", "ab"), ("a<SCRIPT src='x'>y</Script >b", "ab"), ("a<style>x", "a"),
            ("a</script>b", "ab"),
            ("<script id='x' type='math/tex; mode=display'>x<y</script>b", "<script type=\"math/tex\">x<y</script>b"),
            ("<script type='math/tex' src='x'>x</script >", "<script type=\"math/tex\">x</script>"),
            ("<script type='math/tex'>x", ""), ("a<!-- x > -->b", "ab"), ("a<!-- x", "a"), ("a<!DOCTYPE html>b", "ab"),
            ("a<![CDATA[x]]>b", "a<![CDATA[x]]>b"), ("a<scripted>b", "a<scripted>b"), ("a<applet/>b", "ab"),
            ("a<", "a<"), ("a<!", "a<!"), ("a<s", "a<s"), ("a<!-->b-->c", "ac"), ("a<!d", "a<!d"), ("<script", ""),
            ("a<strong>b</strong>", "a<strong>b</strong>"),
        ] {
            #expect(ActiveMarkup.removed(from: html) == expected, "\(html)")
        }
    }

    @Test func readsAPageInItsEncoding() {
        let words: [UInt8] = [0xE0, 0xE8]
        func page(_ head: String) -> [UInt8] { Array("<html><head>\(head)</head>".utf8) + words }
        for head in [
            "<meta charset=\"windows-1252\">", "<meta charset='WINDOWS-1252'>", "<meta charset=windows-1252>",
            "<meta http-equiv=content-type content=\"text/html; charset=windows_1252\">".replacing("_", with: "-"),
        ] {
            #expect(PageText.decode(page(head), contentType: nil).hasSuffix("àè"), "\(head)")
        }
        #expect(PageText.decode(page("<meta charset=windows-1251>"), contentType: nil).hasSuffix("аи"))
        // The server's charset takes precedence.
        #expect(
            PageText.decode(page("<meta charset=windows-1251>"), contentType: "text/html; Charset=windows-1252")
                .hasSuffix("àè"))
        #expect(
            PageText.decode(Array("<meta charset=\"koi8-r\">".utf8) + [0xC1], contentType: "text/html").hasSuffix("а"))
        #expect(
            PageText.decode(Array("<meta charset=shift_jis>".utf8) + [0x82, 0xA0], contentType: nil).hasSuffix("あ"))
    }

    /// Every day of a week, before 1970 and after.
    @Test func computesWeekdays() {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        for day in -15...15 {
            let text = Timestamp.rfc822(Instant(Int64(day) * 86_400 + 3_723))
            #expect(
                text.hasPrefix(days[(day % 7 + 7) % 7] + ", ") && text.hasSuffix(" 01:02:03 GMT"), "\(day): \(text)")
        }
        #expect(Timestamp.rfc822(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(Timestamp.rfc822(1_709_210_096) == "Thu, 29 Feb 2024 12:34:56 GMT")
    }
}
