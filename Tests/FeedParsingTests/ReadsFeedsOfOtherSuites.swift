import Testing

@testable import FeedParsing

/// What the test files of other readers contain and tappa once read differently.
@Suite struct ReadsFeedsOfOtherSuites {
    private func parse(_ text: String, base: String? = "https://f.example/feed") throws -> ParsedFeed {
        try FeedParser.parse(Array(text.utf8), base: base).feed
    }

    private func entries(_ items: String) throws -> [ParsedEntry] {
        try parse(
            """
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>t</title>
            \(items)</channel></rss>
            """
        ).entries
    }

    @Test(arguments: ["http://purl.org/rss/1.0/", "http://www.rssboard.org", "urn:unknown"])
    func readsAPrefixedRSSFeed(vocabulary: String) throws {
        let feed = try parse(
            """
            <rss:rss version="2.0" xmlns:rss="\(vocabulary)"><rss:channel><rss:title>F</rss:title>
            <rss:item><rss:title>One</rss:title><rss:link>/1</rss:link></rss:item></rss:channel></rss:rss>
            """)
        #expect(feed.title == "F")
        #expect(feed.entries.map(FeedVocabularyTests.told) == ["link=https://f.example/1 title=One"])
    }

    /// OpenStreetMap's history feed has relative links.
    @Test func resolvesLinksAgainstTheFeedsOwnAddress() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Changesets</title>
            <link rel="self" href="https://map.example/history/feed"/><link href="https://map.example/history"/>
            <entry><id>1</id><link href="/changeset/1"/><content type="html">&lt;a href="/user/a"></content></entry></feed>
            """
        let own = try parse(text, base: nil).entries
        #expect(own.first?.link == "https://map.example/changeset/1")
        #expect(own.first?.contentHTML == "<a href=\"https://map.example/user/a\">")
        // The address that the document was read from counts more (RFC 3986, section 5.1).
        #expect(
            try parse(text, base: "https://mirror.example/a").entries.first?.link
                == "https://mirror.example/changeset/1")
    }

    @Test func resolvesLinksOfASummary() throws {
        let entries = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>
            <entry><id>1</id><summary type="html" xml:base="https://b.example/d/">&lt;a href="q"></summary></entry>
            <entry><id>2</id><content type="html">c</content>
            <summary type="html" xml:base="https://b.example/d/">&lt;a href="q"></summary></entry>
            <entry><id>3</id><summary type="xhtml" xml:base="https://b.example/d/">
            <div xmlns="http://www.w3.org/1999/xhtml"><a href="q"/></div></summary></entry></feed>
            """
        ).entries
        let link = "<a href=\"https://b.example/d/q\">"
        #expect(entries.map(\.contentHTML) == [link, "c", "<div>\(link)</a></div>"])
        #expect(entries[1].summary == link)
    }

    @Test func leavesWordsOfOtherTypesUndecoded() throws {
        for (text, expected) in [
            ("test", "test"), ("Some words", "Some words"), ("aGVsbG8gd29ybGQ=", "hello world"),
            ("aGVsbG8g\n d29ybGQ=", "hello world"), ("AAAA", "AAAA"),
        ] {
            let feed = try parse(
                """
                <feed xmlns="http://www.w3.org/2005/Atom"><title type="application/x-custom">\(text)</title>
                <entry><id>1</id></entry></feed>
                """)
            #expect(feed.title == expected)
        }
    }

    @Test func removesARepeatedMailScheme() throws {
        let entries = try entries(
            "<item><author>mailto:mailto:a@b.example</author><link>mailto:MAILTO:mailto:a@b.example</link></item>")
        #expect(entries.first?.link == "mailto:a@b.example")
        #expect(entries.first?.authors == [ParsedAuthor(email: "a@b.example")])
    }

    @Test func keepsLinksToHostsWithJoiners() throws {
        let entries = try entries(
            "<item><link>http://\u{646}\u{627}\u{645}\u{647}\u{200C}\u{627}\u{6CC}.com/x</link></item>")
        #expect(entries.first?.link == "http://xn--mgba3gch31f060k.com/x")
    }

    @Test func usesTheWebMasterOnlyIfThereIsNoAuthor() throws {
        let master = "<webMaster>w@b.example (Web)</webMaster>"
        let feed = try parse("<rss><channel>\(master)</channel></rss>")
        #expect(feed.authors == [ParsedAuthor(name: "Web", email: "w@b.example")])
        let edited = try parse("<rss><channel>\(master)<managingEditor>e@b.example</managingEditor></channel></rss>")
        #expect(edited.authors == [ParsedAuthor(email: "e@b.example")])
    }

    @Test func usesAnAttachedPicture() throws {
        let entries = try entries(
            """
            <item><enclosure url="/a.mp3" type="audio/mpeg"/><enclosure url="/p.png" type="image/png"/></item>
            <item><enclosure url="/p.JPG?x=1"/></item><item><enclosure url="/p.jpg" type="audio/mpeg"/></item>
            <item><media:thumbnail url="/t.png"/><enclosure url="/p.png" type="image/png"/></item>
            """)
        #expect(
            entries.map(\.image) == [
                "https://f.example/p.png", "https://f.example/p.JPG?x=1", nil, "https://f.example/t.png",
            ])
        #expect(entries[0].enclosures.count == 2)
    }

    @Test func offersThePlayersPage() throws {
        let film = "<media:content url=\"/v/1\" type=\"application/x-shockwave-flash\" duration=\"9\"/>"
        let player = "<media:player url=\"https://player.example/1\"/>"
        let entries = try entries(
            """
            <item><link>/1</link><media:content medium="video" duration="610">\(player)</media:content></item>
            <item><link>/watch</link><media:group>\(film)</media:group></item>
            <item><link>/watch</link>\(film)\(player)</item><item>\(film)</item>
            <item><link>/1</link>\(player)<media:content url="/a.mp4" type="video/mp4"/></item>
            <item><media:player url="javascript:1"/></item>
            """)
        let files = entries.map { entry in
            entry.enclosures.map { "\($0.url) \($0.mediaType ?? "") \($0.duration ?? 0)" }
        }
        #expect(
            files == [
                ["https://player.example/1 text/html 610.0"], ["https://f.example/watch text/html 9.0"],
                ["https://player.example/1 text/html 9.0"],
                ["https://f.example/v/1 application/x-shockwave-flash 9.0"], ["https://f.example/a.mp4 video/mp4 0.0"],
                [],
            ])
    }
}
