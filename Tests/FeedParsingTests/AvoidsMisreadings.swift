import Foundation
import Testing

@testable import FeedParsing

/// Documents that were read wrongly, found with other readers' test files.
@Suite struct AvoidsMisreadings {
    private func atom(_ entries: String, _ attributes: String = "") throws -> ParsedFeed {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://shop.example/" xmlns:media="http://search.yahoo.com/mrss/"
            \(attributes)><title>F</title>\(entries)</feed>
            """
        return try FeedParser.parse(Array(text.utf8), base: "https://a.example/feed").feed
    }

    private func rss(_ items: String, _ attributes: String = "") throws -> ParsedFeed {
        let text = "<rss version=\"2.0\" \(attributes)><channel><title>F</title>\(items)</channel></rss>"
        return try FeedParser.parse(Array(text.utf8), base: "https://a.example/feed").feed
    }

    // MARK: What stands in elements that nothing is known of

    @Test func ignoresChildrenOfUnknownContainers() throws {
        let entries = (1...3).map { number in
            """
            <entry><id>urn:\(number)</id><title>T\(number)</title><link href="/\(number)"/>
            <updated>2020-01-0\(number)T00:00:00Z</updated><content type="text">words</content>
            <x:shop><id>shop</id><title>Shop</title><link href="/shop"/><updated>1999-01-01T00:00:00Z</updated>
            <content type="html">buy</content><author><name>Seller</name></author></x:shop></entry>
            """
        }
        let feed = try atom(entries.joined())
        #expect(feed.entries.map(\.id) == ["urn:1", "urn:2", "urn:3"])
        #expect(feed.entries.map(\.title) == ["T1", "T2", "T3"])
        #expect(feed.entries.map(\.link) == (1...3).map { "https://a.example/\($0)" })
        #expect(feed.entries.allSatisfy { $0.authors.isEmpty && $0.contentText == "words" && $0.contentHTML == nil })
        // The same elements before the entry's own fields, in RSS, and with their own default namespace.
        let item = """
            <item><s:variant xmlns:s="urn:s"><title>V</title><guid>v</guid><link>/v</link><pubDate>Fri, 01 Jan 1999 00:00:00 GMT
            </pubDate><description>v</description><media:content xmlns:media="http://search.yahoo.com/mrss/" medium="image"
            url="/v.png"/></s:variant><shop xmlns="urn:shop"><title>W</title><guid>w</guid></shop><title>Own</title>
            <guid isPermaLink="false">own</guid><link>/own</link></item>
            """
        let own = try #require(try rss(item).entries.first)
        #expect(own.title == "Own" && own.id == "own" && own.link == "https://a.example/own")
        #expect(own.published == nil && own.contentHTML == nil && own.image == nil)
        let titled = try rss("<s:box xmlns:s=\"urn:s\"><title>Box</title><link>/box</link></s:box>")
        #expect(titled.title == "F" && titled.homePage == nil)
    }

    @Test func takesTheFirstIdentifier() throws {
        #expect(try atom("<entry><id>one</id><id>two</id></entry>").entries[0].id == "one")
        #expect(try rss("<item><guid>one</guid><guid>two</guid></item>").entries[0].id == "one")
    }

    @Test func readsAPrefixedRoot() throws {
        let text = """
            <rss:rss xmlns:rss="urn:own" version="2.0"><rss:channel><rss:title>F</rss:title><rss:item><rss:title>T</rss:title>
            <rss:guid>g</rss:guid></rss:item></rss:channel></rss:rss>
            """
        let feed = try FeedParser.parse(Array(text.utf8)).feed
        #expect(feed.title == "F" && feed.entries.map(\.title) == ["T"] && feed.entries.map(\.id) == ["g"])
    }

    // MARK: Links and pictures

    @Test func resolvesLinksAgainstTheBaseOfTheContent() throws {
        let content = """
            <p><a href="one?a=1&amp;amp;b=2">x</a><img src='../two.png' alt="a=b"><a href=three>y</a><a href="#here">z</a>
            <a href="https://c.example/">w</a> 1 &lt; 2 href="not"</p>
            """
        let escaped = content.replacing("<", with: "&lt;").replacing("&lt; 2", with: "&amp;lt; 2")
        let html = try #require(
            try atom(
                "<entry xml:base='https://b.example/dir/page'><id>1</id><content type='html'>\(escaped)</content></entry>"
            ).entries[0].contentHTML)
        for part in [
            "href=\"https://b.example/dir/one?a=1&amp;b=2\"", "src='https://b.example/two.png'", "alt=\"a=b\"",
            "href=https://b.example/dir/three>", "href=\"#here\"", "href=\"https://c.example/\"", "href=\"not\"",
        ] { #expect(html.contains(part), "\(part) in \(html)") }
        let plain = try atom("<entry><id>1</id><content type='html'>&lt;a href='one'&gt;</content></entry>")
        #expect(plain.entries[0].contentHTML == "<a href='one'>")
        let inner = try atom(
            "<entry><id>1</id><content type='xhtml' xml:base='/d/'><div xmlns='http://www.w3.org/1999/xhtml'><img src='p.png'/></div></content></entry>"
        )
        #expect(inner.entries[0].contentHTML?.contains("https://a.example/d/p.png") == true)
    }

    @Test func keepsAllPicturesAndDescriptionsOfAPost() throws {
        let pictures = (1...4).map { number in
            "<media:content url='/\(number).jpg' type='image/jpeg'><media:description>Seen &amp; \(number)</media:description></media:content>"
        }
        let entry = try rss(
            "<item><description>words</description>\(pictures.joined())</item>",
            "xmlns:media='http://search.yahoo.com/mrss/'"
        ).entries[0]
        #expect(entry.image == "https://a.example/1.jpg")
        for number in 1...4 {
            #expect(
                entry.contentHTML?.contains(
                    "<img src=\"https://a.example/\(number).jpg\" alt=\"Seen &amp; \(number)\">")
                    == true)
        }
        #expect(entry.contentHTML?.hasPrefix("words") == true)
        let single = try rss(
            "<item><description>words</description><media:content url='/1.jpg' medium='image'/></item>",
            "xmlns:media='http://search.yahoo.com/mrss/'")
        #expect(single.entries[0].contentHTML == "words")
    }

    @Test(
        arguments: [
            ("<link rel='enclosure' type='audio/mpeg'>/a.mp3</link><link>/page</link>", "/page", ["/a.mp3"]),
            ("<link rel='http://www.iana.org/assignments/relation/alternate' href='/page'/>", "/page", []),
            (
                "<link rel='alternate' type='application/pdf' href='/x.pdf'/><link rel='alternate' type='text/html' href='/page'/>",
                "/page", []
            ),
            ("<link rel='alternate' href='gemini://g.example/'/><link rel='alternate' href='/page'/>", "/page", []),
            (
                "<link rel='alternate' type='text/html' href='/page'/><link rel='alternate' href='gemini://g.example/'/>",
                "/page", []
            ),
            ("<link rel='alternate' href='/page'/><link rel='alternate' href='/other'/>", "/page", []),
            ("<link href='/short'/><link rel='alternate' type='text/html' href='/page'/>", "/page", []),
        ] as [(String, String, [String])])
    func takesTheLinkThatPeopleRead(links: String, link: String, enclosures: [String]) throws {
        let entry = try atom("<entry><id>1</id>\(links)</entry>").entries[0]
        #expect(entry.link == "https://a.example" + link)
        #expect(entry.enclosures.map(\.url) == enclosures.map { "https://a.example" + $0 })
    }

    @Test(arguments: [true, false]) func prefersTheCommentsPageOverItsFeed(isFeedFirst: Bool) throws {
        let links = [
            "<link rel='replies' type='application/atom+xml' href='/feed'/>",
            "<link rel='replies' type='text/html' href='/page'/>",
        ]
        let entry = try atom("<entry><id>1</id>\((isFeedFirst ? links : links.reversed()).joined())</entry>").entries[0]
        #expect(entry.commentsLink == "https://a.example/page")
        #expect(try atom("<entry><id>1</id>\(links[0])</entry>").entries[0].commentsLink == "https://a.example/feed")
    }

    // MARK: Authors

    @Test func keepsEachAuthorOnceWithItsEntry() throws {
        let source = "<source><author><name>Source</name></author></source>"
        #expect(try atom("<entry><id>1</id>\(source)</entry>").entries[0].authors.map(\.name) == ["Source"])
        let own = try atom("<entry><id>1</id>\(source)<author><name>Own</name></author></entry>")
        #expect(own.entries[0].authors.map(\.name) == ["Own"])
        let twice = try rss(
            "<item><author>a@b.example (A)</author><dc:creator>B</dc:creator><dc:creator>B</dc:creator></item>",
            "xmlns:dc='http://purl.org/dc/elements/1.1/'")
        #expect(twice.entries[0].authors.map(\.name) == ["A", "B"])
        let mail = try rss("<item><author>mailto:mailto:a@b.example</author></item>")
        #expect(mail.entries[0].authors == [ParsedAuthor(email: "a@b.example")])
        let json = """
            {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "authors": {"name": "A"}},
            {"id": "2", "authors": [{"name": "B"}, {"name": "B"}, {"name": "C"}]}]}
            """
        let feed = try FeedParser.parse(Array(json.utf8)).feed
        #expect(feed.entries.map { $0.authors.map(\.name) } == [["A"], ["B", "C"]])
    }

    // MARK: Encodings and contents

    @Test(arguments: ["utf-16", "UTF-16LE", "utf-32", "ucs-2"]) func readsBytesThatContradictTheirEncoding(
        name: String
    ) throws {
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><rss><channel><title>Évora</title></channel></rss>"
        for type in [nil, "text/xml; charset=\(name)"] {
            #expect(try FeedParser.parse(Array(text.utf8), contentType: type).feed.title == "Évora")
            #expect(try FeedParser.parse(Array((text + " ").utf8), contentType: type).feed.title == "Évora")
        }
        let wide = Array("<rss><channel><title>Évora</title></channel></rss>".utf16).flatMap {
            [UInt8($0 >> 8), UInt8($0 & 255)]
        }
        #expect(try FeedParser.parse(wide, contentType: "text/xml; charset=utf-16be").feed.title == "Évora")
    }

    @Test func treatsBase64PicturesAsNoText() throws {
        let data = Data((0..<60).map { UInt8(truncatingIfNeeded: $0 * 7) }).base64EncodedString()
        let entry = try atom("<entry><id>1</id><title>T</title><content type='image/png'>\(data)</content></entry>")
            .entries[0]
        #expect(entry.contentHTML == nil && entry.contentText == nil)
    }

    // MARK: Dates

    @Test(
        arguments: [
            ("1698702958", "2023-10-30T21:55:58Z"), ("1698702958000", "2023-10-30T21:55:58Z"),
            ("30.10.23", "2023-10-30T00:00:00Z"), ("30.10.2023 21:55", "2023-10-30T21:55:00Z"),
            ("05.06.2023", "2023-06-05T00:00:00Z"), ("10/30/23 21:55:58", "2023-10-30T21:55:58Z"),
            ("30/10/23", "2023-10-30T00:00:00Z"), ("Nov. 2020", "2020-11-01T00:00:00Z"),
            ("November 2020", "2020-11-01T00:00:00Z"), ("30 Oct 2023 21:55 Europe/Rome", "2023-10-30T20:55:00Z"),
            ("2023-07-01T10:00:00 America/New_York", "2023-07-01T14:00:00Z"),
            ("2023-03-26 03:30 Europe/Berlin", "2023-03-26T01:30:00Z"),
            ("2023-03-26 01:30 Europe/Berlin", "2023-03-26T00:30:00Z"),
            ("Nov 5, 2020 12:30 am", "2020-11-05T00:30:00Z"), ("Nov 5, 2020 12:30 pm", "2020-11-05T12:30:00Z"),
            ("5 Nov 2020 12:30am", "2020-11-05T00:30:00Z"), ("11/15/2020 1:05 AM", "2020-11-15T01:05:00Z"),
            // An ambiguous date is ignored.
            ("05/06/23", nil), ("99999999999", nil), ("30 Oct 2023 21:55 No/Where", nil), ("0000000001", nil),
        ] as [(String, String?)])
    func readsDatesAsWritten(text: String, expected: String?) {
        #expect(DateParser.parse(text).map { Timestamp.rfc3339($0) } == expected)
    }
}
