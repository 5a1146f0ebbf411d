import Foundation
import Testing

@testable import FeedParsing

/// Vocabularies, the choice among several elements, and elements of other parents.
@Suite struct VocabulariesTests {
    private static let (site, namespaces) = (FeedVocabularyTests.site, FeedVocabularyTests.namespaces)
    private static let (early, late) = ("2024-05-03T10:00:00Z", "2024-05-04T10:00:00Z")

    private func parse(_ text: String) throws -> ParsedFeed {
        try FeedParser.parse(Array(text.utf8), base: Self.site + "/feed").feed
    }

    private func item(_ xml: String) throws -> String {
        let feed = try parse("<rss \(Self.namespaces)><channel><title>F</title><item>\(xml)</item></channel></rss>")
        return feed.entries.map(FeedVocabularyTests.told).joined(separator: "|")
    }

    private func channel(_ xml: String) throws -> String {
        FeedVocabularyTests.told(try parse("<rss \(Self.namespaces)><channel>\(xml)</channel></rss>"))
    }

    // MARK: Names

    /// Elements with the addresses and customary prefixes of their vocabulary, and the field that they fill.
    private static let vocabularies:
        [(uris: [String], prefixes: [String], element: String, value: String, told: String)] = [
            (
                [
                    "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/",
                    "HTTP://PURL.ORG/DC/Elements/1.1/",
                ],
                ["dc", "DC"], "creator", "A", "authors=A"
            ),
            (["http://purl.org/dc/terms/"], ["dcterms", "dct"], "issued", late, "published=\(late)"),
            (["http://purl.org/rss/1.0/modules/content/"], ["content"], "encoded", "c", "html=c"),
            (["http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss"], ["media"], "title", "m", "title=m"),
            (["http://www.itunes.com/dtds/podcast-1.0.dtd"], ["itunes"], "author", "I", "authors=I"),
            (["http://purl.org/rss/1.0/modules/slash/"], ["slash"], "comments", "7", "commentCount=7"),
            (["http://wellformedweb.org/CommentAPI/"], ["wfw"], "commentRss", "/c", "commentsFeed=\(site)/c"),
            (["http://rssnamespace.org/feedburner/ext/1.0"], ["feedburner"], "origLink", "/o", "external=\(site)/o"),
            (
                ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "http://purl.org/atom/1.0#"],
                ["atom", "a10", "atom10"], "published", late, "published=\(late)"
            ),
            (["http://www.w3.org/1999/xhtml"], ["xhtml"], "body", "b", "html=b"),
        ]

    @Test func recognizesVocabulariesByAddressAndPrefix() throws {
        for (uris, prefixes, element, value, told) in Self.vocabularies {
            let names = uris.map { ("q", " xmlns:q=\"\($0)\"") } + prefixes.map { ($0, "") }
            for (prefix, declaration) in names {
                // A bare ampersand selects the lenient reader.
                for title in ["F", "F & G"] {
                    let feed = try parse(
                        """
                        <rss\(declaration)><channel><title>\(title)</title>
                        <item><\(prefix):\(element)>\(value)</\(prefix):\(element)></item></channel></rss>
                        """)
                    #expect(feed.title == title)
                    #expect(feed.entries.map(FeedVocabularyTests.told) == [told], "\(prefix)\(declaration) \(title)")
                }
            }
        }
    }

    @Test func recognizesEachVocabularyOfRSS() throws {
        for uri in [
            "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
            "http://channel.netscape.com/rdf/simple/0.9/", "http://my.netscape.com/publish/formats/rss-0.91.dtd",
            "http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss",
            "http://purl.org/net/rss1.1#", "http://purl.org/rss/1.0",
        ] {
            let feed = try parse(
                """
                <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:q="\(uri)">
                <q:item about="no" r:resource="no" r:about="urn:1"><q:title>T</q:title></q:item></r:RDF>
                """)
            #expect(feed.format == .rdf)
            #expect(feed.entries.map(FeedVocabularyTests.told) == ["id=urn:1 title=T"], "\(uri)")
        }
    }

    @Test func recognizesFormatsByTheRoot() throws {
        let atom = "http://www.w3.org/2005/Atom"
        for (text, format) in [
            ("<rss><channel><title>T</title></channel></rss>", ParsedFeed.Format.rss),
            ("<RSS><CHANNEL><TITLE>T</TITLE></CHANNEL></RSS>", .rss),
            ("<rss xmlns=\"urn:unknown\"><channel><title>T</title></channel></rss>", .rss),
            ("<feed xmlns=\"\(atom)\"><title>T</title></feed>", .atom), ("<feed><title>T</title></feed>", .atom),
            ("<feed xmlns=\"http://purl.org/atom/ns#\"><title>T</title></feed>", .atom),
            ("<RDF xmlns=\"http://purl.org/rss/1.0/\"><channel><title>T</title></channel></RDF>", .rdf),
            ("{\"version\": \"https://jsonfeed.org/version/1\", \"title\": \"T\", \"items\": []}", .json),
            ("{\"rss\": {\"channel\": {\"title\": \"T\"}}}", .rss),
        ] {
            let feed = try parse(text)
            #expect(feed.format == format && feed.title == "T" && feed.entries.isEmpty, "\(text)")
        }
    }

    // MARK: Which one counts

    /// Pairs of elements with the resulting fields, in this order, and in reverse if that differs.
    private static let itemPairs: [(String, String, String, String?)] = [
        ("<pubDate>\(late)</pubDate>", "<dc:date>\(early)</dc:date>", "published=\(late)", nil),
        ("<pubDate>\(late)</pubDate>", "<dcterms:created>\(early)</dcterms:created>", "published=\(late)", nil),
        ("<dc:date>\(late)</dc:date>", "<dcterms:created>\(early)</dcterms:created>", "published=\(late)", nil),
        (
            "<dcterms:issued>\(late)</dcterms:issued>", "<pubDate>\(early)</pubDate>", "published=\(late)",
            "published=\(early)"
        ),
        ("<pubDate>\(late)</pubDate>", "<pubDate>\(early)</pubDate>", "published=\(late)", "published=\(early)"),
        (
            "<dcterms:modified>\(late)</dcterms:modified>", "<lastBuildDate>\(early)</lastBuildDate>",
            "updated=\(late)", "updated=\(early)"
        ),
        ("<description>d</description>", "<media:description>m</media:description>", "html=d", nil),
        ("<description>d</description>", "<itunes:summary>s</itunes:summary>", "html=d", nil),
        ("<media:description>m</media:description>", "<itunes:summary>s</itunes:summary>", "text=m", nil),
        ("<media:description>m</media:description>", "<media:description>n</media:description>", "text=m", "text=n"),
        ("<itunes:summary>m</itunes:summary>", "<itunes:summary>n</itunes:summary>", "text=m", "text=n"),
        ("<description>d</description>", "<dc:description>e</dc:description>", "html=d", "html=e"),
        ("<content:encoded>c</content:encoded>", "<description>d</description>", "html=c summary=d", nil),
        ("<content:encoded>c</content:encoded>", "<summary>s</summary>", "html=c summary=s", nil),
        ("<content:encoded>c</content:encoded>", "<body>b</body>", "html=c", nil),
        ("<content:encoded>c</content:encoded>", "<fullitem>b</fullitem>", "html=c", nil),
        ("<content:encoded>c</content:encoded>", "<content:encoded> </content:encoded>", "html=c", nil),
        ("<title>t</title>", "<media:title>m</media:title>", "title=t", nil),
        ("<media:title>t</media:title>", "<media:title>m</media:title>", "title=t", "title=m"),
        ("<dc:title>t</dc:title>", "<title>m</title>", "title=t", "title=m"),
        ("<link>/a</link>", "<guid>\(site)/p</guid>", "id=\(site)/p link=\(site)/a", nil),
        ("<guid isPermaLink=\"false\">/g</guid>", "<link>/a</link>", "id=/g link=\(site)/a", nil),
        ("<guid>1</guid>", "<id>2</id>", "id=1", "id=2"),
        ("<dc:creator>A</dc:creator>", "<itunes:author>I</itunes:author>", "authors=A", nil),
        ("<author>A</author>", "<dc:author>B</dc:author>", "authors=A+B", "authors=B+A"),
        ("<media:thumbnail url=\"/1\"/>", "<itunes:image href=\"/2\"/>", "image=\(site)/1", "image=\(site)/2"),
        ("<image><url>/1</url></image>", "<itunes:image url=\"/2\"/>", "image=\(site)/1", "image=\(site)/2"),
        (
            "<atom:link rel=\"related\" href=\"/1\"/>", "<atom:link rel=\"via\" href=\"/2\"/>",
            "external=\(site)/1", "external=\(site)/2"
        ),
        (
            "<feedburner:origLink>/o</feedburner:origLink>", "<atom:link rel=\"related\" href=\"/r\"/>",
            "external=\(site)/o", nil
        ),
        ("<comments>/c</comments>", "<atom:link rel=\"replies\" href=\"/r\"/>", "comments=\(site)/c", nil),
        (
            "<enclosure url=\"/a\"/>", "<media:content url=\"/a\" type=\"audio/mpeg\"/>",
            "enclosures=\(site)/a", "enclosures=\(site)/a;audio/mpeg"
        ),
        ("<category>x</category>", "<dc:subject>y</dc:subject>", "tags=x+y", "tags=y+x"),
        ("<keywords>x</keywords>", "<itunes:category text=\"y\"/>", "tags=x+y", "tags=y+x"),
    ]

    @Test func choosesEntryElementsInEitherOrder() throws {
        for (first, second, told, reversed) in Self.itemPairs {
            #expect(try item(first + second) == told, "\(first)\(second)")
            #expect(try item(second + first) == reversed ?? told, "\(second)\(first)")
        }
    }

    private static let feedPairs: [(String, String, String, String?)] = [
        ("<title>A</title>", "<dc:title>B</dc:title>", "title=A", "title=B"),
        ("<language>it</language>", "<dc:language>en</dc:language>", "language=it", nil),
        ("<dc:language>it</dc:language>", "<dc:language>en</dc:language>", "language=it", "language=en"),
        ("<link>/h</link>", "<atom:link href=\"/i\"/>", "home=\(site)/h", "home=\(site)/i"),
        ("<link>/h</link>", "<guid>\(site)/id</guid>", "home=\(site)/h", nil),
        ("<dc:creator>A</dc:creator>", "<itunes:author>I</itunes:author>", "authors=A", "authors=I+A"),
        ("<dc:author>A</dc:author>", "<dc:publisher>P</dc:publisher>", "authors=A+P", "authors=P+A"),
        ("<description>d</description>", "<itunes:summary>s</itunes:summary>", "about=d", "about=s"),
        ("<itunes:subtitle>d</itunes:subtitle>", "<dc:description>s</dc:description>", "about=d", "about=s"),
        (
            "<lastBuildDate>\(late)</lastBuildDate>", "<pubDate>\(early)</pubDate>", "updated=\(late)",
            "updated=\(early)"
        ),
        ("<pubDate>\(late)</pubDate>", "<dc:date>\(early)</dc:date>", "updated=\(late)", "updated=\(early)"),
        ("<image><url>/1</url></image>", "<itunes:image href=\"/2\"/>", "icon=\(site)/1", "icon=\(site)/2"),
        ("<atom:icon>/1</atom:icon>", "<atom:logo>/2</atom:logo>", "icon=\(site)/1", "icon=\(site)/2"),
        ("<media:thumbnail url=\"/1\"/>", "<atom:logo>/2</atom:logo>", "icon=\(site)/1", "icon=\(site)/2"),
        (
            "<atom:link rel=\"self\" href=\"/1\"/>", "<atom:link rel=\"self\" href=\"/2\"/>",
            "self=\(site)/1", "self=\(site)/2"
        ),
        ("<guid>urn:x</guid>", "<id>\(site)/id</id>", "home=\(site)/id", nil),
    ]

    @Test func choosesFeedElementsInEitherOrder() throws {
        for (first, second, told, reversed) in Self.feedPairs {
            #expect(try channel(first + second) == told, "\(first)\(second)")
            #expect(try channel(second + first) == reversed ?? told, "\(second)\(first)")
        }
    }

    private static let atomFeeds: [(String, String)] = [
        ("<title type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">A <b>b</b></div></title>", "title=A b"),
        ("<title type=\"html\">A &lt;b&gt;b&lt;/b&gt;</title>", "title=A b"),
        ("<title>A &lt;b&gt;</title>", "title=A <b>"), ("<subtitle>s</subtitle>", "about=s"),
        ("<tagline>s</tagline>", "about=s"), ("<abstract>s</abstract>", "about=s"),
        ("<icon>/i</icon>", "icon=\(site)/i"), ("<logo>/l</logo>", "icon=\(site)/l"),
        ("<updated>\(late)</updated>", "updated=\(late)"), ("<modified>\(late)</modified>", "updated=\(late)"),
        ("<author><name>A</name></author><author><name>B</name></author>", "authors=A+B"),
        ("<author><email>a@b.example (A)</email><homepage>/a</homepage></author>", "authors=<a@b.example>,\(site)/a"),
        ("<author><name>A</name><url>/a</url></author>", "authors=A,\(site)/a"),
        ("<contributor><name>C</name></contributor>", ""), ("<author><name> </name></author>", ""),
        ("<id>\(site)/x</id>", "home=\(site)/x"),
        ("<id>HTTP://f.example/x</id>", "home=http://f.example/x"), ("<id>/x</id>", "home=\(site)/x"),
        ("<id>urn:1</id>", ""), ("<link rel=\"next\" href=\"/n\"/>", ""), ("<link rel=\"alternate\"/>", ""),
        ("<link rel=\"http://www.iana.org/assignments/relation/self\" href=\"/s\"/>", "self=\(site)/s"),
        ("<link REL=\"Self\" HREF=\"/s\"/>", "self=\(site)/s"),
    ]

    @Test func readsEachElementOfAnAtomFeed() throws {
        for (xml, told) in Self.atomFeeds {
            let feed = try parse("<feed xmlns=\"http://www.w3.org/2005/Atom\">\(xml)</feed>")
            #expect(FeedVocabularyTests.told(feed) == told, "\(xml)")
        }
    }

    private static let atomEntries: [(String, String)] = [
        (
            "<summary type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">s <b>b</b></div></summary>",
            "html=<div>s <b>b</b></div>"
        ),
        ("<content type=\"html\">c</content><summary>s &lt;</summary>", "html=c summary=s <"),
        ("<summary>s &lt;</summary><content type=\"html\">c</content>", "html=c summary=s <"),
        ("<content>c</content><summary type=\"html\">s</summary>", "text=c summary=s"),
        ("<content src=\"/c.html\" type=\"text/html\"/>", "external=\(site)/c.html"),
        ("<content src=\"/c.html\"/><link rel=\"related\" href=\"/r\"/>", "external=\(site)/c.html"),
        ("<content type=\"audio/mpeg\">d29yZHM=</content>", ""), ("<content type=\"video/mp4\">d29yZHM=</content>", ""),
        ("<content type=\"VIDEO/MP4\">d29yZHM=</content>", ""),
        ("<content type=\"plain\">words</content>", "html=words"),
        ("<content mode=\"base64\" type=\"text/html\">d29yZHM=</content>", "html=words"),
        ("<content mode=\"escaped\" type=\"text/html\">&lt;p&gt;c&lt;/p&gt;</content>", "html=<p>c</p>"),
        ("<content mode=\"escaped\">&lt;p&gt;c&lt;/p&gt;</content>", "html=<p>c</p>"),
        ("<content mode=\"escaped\">c &lt; d</content>", "text=c < d"),
        ("<content type=\"text/plain\" mode=\"xml\">c</content>", "text=c"),
        (
            "<author><name>A</name><email>a@b.example</email></author><author><name>A</name><email>a@b.example</email></author>",
            "authors=A,<a@b.example>"
        ),
        (
            "<source><title>S</title><id>s</id><link href=\"/s\"/><updated>\(late)</updated><author><name>A</name></author></source>",
            "authors=A"
        ),
        ("<id>/p</id>", "id=/p link=\(site)/p"),
        ("<id>\(site)/p</id><link href=\"/l\"/>", "id=\(site)/p link=\(site)/l"),
        ("<link href=\"/l\"/><id>\(site)/p</id>", "id=\(site)/p link=\(site)/l"),
        (
            "<link rel=\"replies\" type=\"application/json\" href=\"/f\"/><link rel=\"replies\" href=\"/r\"/>",
            "comments=\(site)/r"
        ),
        (
            "<link rel=\"replies\" type=\"application/xhtml+xml\" href=\"/r\"/><link rel=\"replies\" href=\"/s\"/>",
            "comments=\(site)/r"
        ),
        ("<link rel=\"edit\" href=\"/e\"/>", ""), ("<category label=\"only\"/>", "tags=only"),
        ("<category term=\" \"/>", ""), ("<author>A</author>", "authors=A"),
        ("<lastmod>\(late)</lastmod>", "updated=\(late)"), ("<date>\(late)</date>", "published=\(late)"),
    ]

    @Test func readsFurtherElementsOfAnAtomEntry() throws {
        for (xml, told) in Self.atomEntries {
            let feed = try parse("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>\(xml)</entry></feed>")
            #expect(feed.entries.map(FeedVocabularyTests.told) == [told], "\(xml)")
        }
    }

    @Test func readsLanguagesOfFeedsAndEntries() throws {
        let feed = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt"><entry xml:lang="de"><title xml:lang="it">a</title></entry>
            <entry><title xml:lang="it">b</title><summary xml:lang="en">c</summary></entry><entry xml:lang=""><title>d</title></entry></feed>
            """)
        #expect(feed.language == "pt" && feed.entries.map(\.language) == ["de", "it", nil])
        #expect(try parse("<feed xml:lang='pt'><language>it</language></feed>").language == "it")
    }

    // MARK: What belongs to something else

    @Test func ignoresChildrenOfOtherElements() throws {
        for name in ["category", "cloud", "enclosure", "guid", "id", "image", "textInput", "contributor"] {
            let inner =
                "<\(name)><title>no</title><link>/no</link><description>no</description><pubDate>\(Self.early)</pubDate></\(name)>"
            #expect(try item(inner + "<title>T</title>") == "title=T", "\(name)")
            #expect(try item("<title>T</title>" + inner) == "title=T", "\(name)")
            #expect(try channel(inner + "<title>T</title>") == "title=T", "\(name)")
        }
        #expect(try item("<category><atom:link href=\"/no\"/><enclosure url=\"/no\"/></category>") == "")
    }

    @Test func readsMediaGroupsAsPartOfTheEntry() throws {
        let group = """
            <media:group><media:content url="/v.mp4" type=" video/mp4 " fileSize="9" duration="61"/><media:thumbnail url="/t.png"/>
            <media:title>m</media:title><media:description>d</media:description></media:group>
            """
        #expect(
            try item(group)
                == "title=m text=d image=https://f.example/t.png enclosures=https://f.example/v.mp4;video/mp4;9B;61s")
        #expect(try item("<media:content url=\"/p\" medium=\"image\"/>") == "image=https://f.example/p")
        #expect(try item("<media:content url=\"/p\" type=\"image/png\"/>") == "image=https://f.example/p")
        #expect(
            try item("<media:content url=\"/p\" medium=\"video\" type=\"image/png\"/>")
                == "image=https://f.example/p enclosures=https://f.example/p;image/png")
        #expect(try item("<media:content medium=\"image\"/>") == "")
    }

    @Test func carriesNothingOverToTheNextEntry() throws {
        let full = Self.itemPairs.flatMap { [$0.0, $0.1] }.joined()
        let pictures = "<media:content url=\"/p1\" medium=\"image\"/><media:content url=\"/p2\" medium=\"image\"/>"
        let feed = try parse(
            """
            <rss \(Self.namespaces)><channel><title>F</title><item>\(full)\(pictures)<itunes:duration>9</itunes:duration></item>
            <item><title>bare</title></item><item><enclosure url="/a"/></item></channel></rss>
            """)
        #expect(
            feed.entries.dropFirst().map(FeedVocabularyTests.told) == ["title=bare", "enclosures=https://f.example/a"])
        #expect(
            feed.title == "F" && feed.homePage == nil && feed.updated == nil && feed.authors.isEmpty
                && feed.description == nil)
    }

    // MARK: Pictures, numbers

    @Test func appendsOnlyPicturesMissingFromTheText() throws {
        let pictures = (1...3).map { "<media:content url=\"/\($0).png?a&amp;b\" medium=\"image\"/>" }.joined()
        func html(_ text: String) throws -> String? {
            try parse(
                "<rss \(Self.namespaces)><channel><item><description>\(text)</description>\(pictures)\(pictures)</item></channel></rss>"
            ).entries.first?.contentHTML
        }
        func image(_ number: Int) -> String { "<p><img src=\"https://f.example/\(number).png?a&amp;b\" alt=\"\"></p>" }
        #expect(try html("x") == "x" + image(1) + image(2) + image(3))
        #expect(
            try html("&lt;img src='https://f.example/2.png?a&amp;amp;b'>")?.hasSuffix("'>" + image(1) + image(3))
                == true)
        #expect(try html("https://f.example/1.png?a&b")?.contains(image(1)) == false)
        let same = "<media:content url=\"/1\" medium=\"image\"/>"
        #expect(try item(same + same) == "image=https://f.example/1")
        // A single picture is appended only if it has a description.
        let one =
            "<media:content url=\"/1\" medium=\"image\"><media:description>Seen</media:description></media:content>"
        #expect(try item(one) == "html=<p><img src=\"https://f.example/1\" alt=\"Seen\"></p> image=https://f.example/1")
    }

    @Test func limitsTheListsOfAnEntry() throws {
        func entry(_ xml: (Int) -> String) throws -> ParsedEntry {
            let items = (1...101).map(xml).joined()
            return try #require(
                try parse("<rss \(Self.namespaces)><channel><item>\(items)</item></channel></rss>").entries.first)
        }
        #expect(try entry { "<category>t\($0)</category>" }.tags == (1...100).map { "t\($0)" })
        #expect(try entry { "<dc:creator>a\($0)</dc:creator>" }.authors.map(\.name) == (1...100).map { "a\($0)" })
        #expect(
            try entry { "<enclosure url=\"/\($0)\"/>" }.enclosures.map(\.url)
                == (1...100).map { "https://f.example/\($0)" })
        let html = try entry { "<media:content url=\"/\($0)\" medium=\"image\"/>" }.contentHTML ?? ""
        #expect(
            html.components(separatedBy: "<img").count - 1 == 50 && html.contains("/50\"") && !html.contains("/51\""))
    }

    @Test func readsDurations() {
        for (text, seconds) in [
            ("1:02:03", 3723), ("62:03", 3723), ("3723", 3723), (" 5 ", 5), ("1.5", 1.5), ("0", nil), ("0:00", nil),
            ("-1", nil), ("x", nil), ("1:x", nil), ("", nil), ("9999999", 9_999_999), ("10000000", nil),
            ("8784:00:00", 31_622_400), ("8784:00:01", nil), ("1:-2", nil),
        ] as [(String, Double?)] { #expect(FeedBuilder.duration(text) == seconds, "\(text)") }
    }

    @Test func appliesTheDurationToASingleFile() throws {
        let duration = "<itunes:duration>61</itunes:duration>"
        #expect(try item("<enclosure url=\"/a\"/>\(duration)") == "enclosures=https://f.example/a;61s")
        #expect(try item(duration + "<enclosure url=\"/a\"/>") == "enclosures=https://f.example/a;61s")
        #expect(
            try item("<enclosure url=\"/a\"/><enclosure url=\"/b\"/>\(duration)")
                == "enclosures=https://f.example/a+https://f.example/b")
    }

    @Test func dropsImpossibleSizesAndDurations() {
        for (size, isKept) in [(Int64(0), true), (1, true), (1 << 50, true), (1 << 50 + 1, false), (-1, false)] {
            #expect(ParsedEnclosure(url: "x", size: size).size == (isKept ? size : nil), "\(size)")
        }
        for (duration, isKept) in [(0.0, true), (31_622_400, true), (31_622_401, false), (-0.5, false), (.nan, false)] {
            #expect(ParsedEnclosure(url: "x", duration: duration).duration == (isKept ? duration : nil), "\(duration)")
        }
    }

    @Test func readsEachFormOfAuthor() {
        for (text, name, email) in [
            ("a@b.example (Ann Bee)", "Ann Bee", "a@b.example"), ("Ann Bee <a@b.example>", "Ann Bee", "a@b.example"),
            ("Ann Bee (a@b.example)", "Ann Bee", "a@b.example"), ("<a@b.example>", nil, "a@b.example"),
            ("a@b.example ()", nil, "a@b.example"), ("a@b.example", nil, "a@b.example"), ("Ann", "Ann", nil),
            ("Ann @ home", "Ann @ home", nil), ("MAILTO: a@b.example", nil, "a@b.example"), ("", nil, nil),
            ("mailto:", nil, nil), ("Ann (home) a@b.example", "Ann (home) a@b.example", nil),
        ] as [(String, String?, String?)] {
            #expect(FeedBuilder.author(text) == ParsedAuthor(name: name, email: email), "\(text)")
        }
    }

    @Test func choosesTheAddressOfAnEntry() throws {
        for (link, external, isOwn, address) in [
            ("l", "e", false, "l"), ("l", "e", true, "e"), (nil, "e", false, "e"), ("l", nil, false, "l"),
            ("l", nil, true, "l"), (nil, nil, false, nil),
        ] as [(String?, String?, Bool, String?)] {
            var entry = ParsedEntry()
            (entry.link, entry.externalLink, entry.isExternalLinkOwn) = (link, external, isOwn)
            #expect(entry.address == address)
        }
        func address(_ xml: String) throws -> String? {
            try parse("<rss \(Self.namespaces)><channel><item>\(xml)</item></channel></rss>").entries[0].address
        }
        #expect(try address("<link>/l</link><feedburner:origLink>/o</feedburner:origLink>") == "https://f.example/o")
        #expect(try address("<link>/l</link><atom:link rel=\"via\" href=\"/v\"/>") == "https://f.example/l")
        #expect(try address("<link>/l</link><feedburner:origLink> </feedburner:origLink>") == "https://f.example/l")
        #expect(
            try address(
                "<link>/l</link><feedburner:origLink> </feedburner:origLink><atom:link rel=\"via\" href=\"/v\"/>")
                == "https://f.example/l")
    }

    // MARK: Ends

    @Test func marksStumpsOfTruncatedDocuments() throws {
        let start = "<rss><channel><title>F</title><item><title>One</title></item><item>"
        for (rest, isStump) in [
            ("<title>Tw", true), ("<title>Two</title>", true), ("<title>Two</title></item></channel></rss>", false),
            ("<guid>2</guid><title>Tw", false), ("<link>/2</link><title>Tw", false), ("<description>x", true),
        ] {
            let feed = try parse(start + rest)
            #expect(feed.entries.map(\.isStump) == [false, isStump], "\(rest)")
        }
    }

    @Test(arguments: [9_999, 10_000, 10_001]) func keepsTheFirstTenThousandEntries(count: Int) throws {
        let items = (1...count).map { "<item><guid>\($0)</guid></item>" }.joined()
        let reading = try FeedParser.parse(Array("<rss><channel>\(items)</channel></rss>".utf8))
        #expect(
            reading.feed.entries.count == min(count, 10_000) && reading.feed.entries.last?.id == "\(min(count, 10_000))"
        )
        #expect(reading.problems.map(\.message) == (count > 10_000 ? ["only the first 10000 entries were read"] : []))
    }

    @Test func FEE_03_reportsTheLineOfAProblem() throws {
        for line in 1...4 {
            let breaks = String(repeating: "\n", count: line - 1)
            let reading = try FeedParser.parse(
                Array("<rss>\(breaks)<channel><title>a & b</title></channel></rss>".utf8))
            #expect(reading.problems.first?.line == line && reading.feed.title == "a & b")
        }
        #expect(FeedProblem("it", line: 3).description == "line 3: it" && FeedProblem("it").description == "it")
        let blank = try FeedParser.parse(
            Array("\n <?xml version='1.0'?><rss><channel><title>T</title></channel></rss>".utf8))
        #expect(blank.problems.map(\.message) == ["whitespace before the document"] && blank.feed.title == "T")
        let sound = try FeedParser.parse(
            Array("<?xml version='1.0'?><rss><channel><title>T</title></channel></rss>\n".utf8))
        #expect(sound.problems.isEmpty)
    }

    @Test func explainsWhyADocumentIsNoFeed() {
        func reason(_ text: String) -> String? {
            do {
                _ = try FeedParser.parse(Array(text.utf8))
                return nil
            } catch { return error.description }
        }
        #expect(
            reason(" ") == "the document is empty"
                && reason("<html><p>x</p></html>") == "this is a web page, not a feed")
        #expect(reason("<HTML><br><p>x</HTML>") == "this is a web page, not a feed")
        #expect(reason("<svg/>") == "this is not a feed")
        #expect(reason("words")?.hasPrefix("this is not a feed (line 1: ") == true)
        #expect(reason("{bad}") == "this is not a feed (the JSON is not valid)")
        #expect(reason("{}") == "this is not a feed (no items found)")
    }
}
