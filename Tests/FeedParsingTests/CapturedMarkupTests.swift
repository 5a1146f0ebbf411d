import Testing

@testable import FeedParsing

/// Unescaped markup inside text elements.
@Suite struct CapturedMarkupTests {
    private func feed(_ text: String) throws -> ParsedFeed {
        try FeedParser.parse(Array(text.utf8), base: "https://a.example/").feed
    }

    private func item(_ xml: String) throws -> String {
        let namespaces = """
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
            xmlns:x="urn:x" xmlns:media="http://search.yahoo.com/mrss/"
            """
        return try feed("<rss \(namespaces)><channel><item>\(xml)</item></channel></rss>").entries.map(
            FeedVocabularyTests.told
        ).joined(separator: "|")
    }

    @Test func capturesMarkupInEachTextElement() throws {
        for name in ["description", "content:encoded", "dc:description", "body", "fullitem", "abstract", "content"] {
            #expect(
                try item("<\(name)>a &lt; <p>b <i>c</i></p> d</\(name)>") == "html=a &lt; <p>b <i>c</i></p> d",
                "\(name)")
        }
        for name in ["title", "dc:title"] {
            #expect(try item("<\(name)>a <b>b</b> &amp;lt; c</\(name)>") == "title=a b &lt; c", "\(name)")
        }
        for name in ["description", "subtitle", "tagline", "abstract"] {
            let found = try feed("<feed><\(name)>a <b>b</b></\(name)><title>T <i>t</i></title></feed>")
            #expect(found.description == "a b" && found.title == "T t", "\(name)")
        }
        // Other elements drop markup.
        #expect(try item("<guid>a<b>b</b></guid><category>c<b>d</b></category>") == "id=a tags=c")
    }

    @Test func writesVoidElementsWithoutEnd() throws {
        for name in ["br", "hr", "img", "input", "link", "meta", "area", "col", "wbr"] {
            #expect(try item("<description>a<\(name)/>b</description>") == "html=a<\(name)>b", "\(name)")
        }
        for name in ["p", "video", "td"] {
            #expect(try item("<description>a<\(name)/>b</description>") == "html=a<\(name)></\(name)>b", "\(name)")
        }
    }

    @Test func writesAttributesEscaped() throws {
        let html = "<a href=\"/x?a&amp;b\" title=\"&quot;&lt;&gt;\">y</a>"
        #expect(try item("<description>x\(html)</description>") == "html=x\(html)")
        #expect(
            try item("<description><p xml:lang='de' x:class='c' ID='i'>y</p></description>")
                == "html=<p class=\"c\" id=\"i\">y</p>")
    }

    @Test func capturesAnnouncedMarkup() throws {
        let div = "<div xmlns=\"http://www.w3.org/1999/xhtml\">a <b>b</b></div>"
        for (xml, told) in [
            ("<content type=\"application/xhtml+xml\">\(div)</content>", "html=<div>a <b>b</b></div>"),
            ("<content type=\"XHTML\">\(div)</content>", "html=<div>a <b>b</b></div>"),
            ("<content mode=\"xml\" type=\"text/html\">\(div)</content>", "html=<div>a <b>b</b></div>"),
            ("<title type=\"xhtml\">\(div)</title>", "title=a b"), ("<title mode=\"xml\">\(div)</title>", "title=a b"),
            ("<content type=\"xhtml\"> </content>", ""),
            ("<author><uri>/a</uri></author>", "authors=https://a.example/a"),
        ] {
            let found = try feed("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>\(xml)</entry></feed>")
            #expect(found.entries.map(FeedVocabularyTests.told) == [told], "\(xml)")
        }
        #expect(
            try item("<xhtml:body xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><p>a</p></xhtml:body>")
                == "html=<p>a</p>")
    }

    @Test func resolvesNestedBases() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/one/"><link href="l"/><entry xml:base="two/"><link href="e"/>
            <content type="html">&lt;a href="c"></content></entry><entry><link href="f" xml:base="https://b.example/"/></entry></feed>
            """
        let found = try feed(text)
        #expect(found.homePage == "https://a.example/one/l")
        #expect(found.entries.map(\.link) == ["https://a.example/one/two/e", "https://b.example/f"])
        #expect(found.entries[0].contentHTML == "<a href=\"https://a.example/one/two/c\">")
    }
}
