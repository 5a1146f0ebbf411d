import Testing

@testable import FeedParsing

/// Feed autodiscovery in web pages.
@Suite struct FeedLinksTests {
    private func links(_ html: String) -> [String] {
        FeedLinks.find(in: Array(html.utf8), contentType: nil, base: "https://a.example/blog/").map(\.url)
    }

    @Test func findsAnnouncedFeeds() {
        for type in [
            "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml",
            "application/xml", "application/json", "APPLICATION/RSS+XML", " application/rss+xml; charset=utf-8",
        ] {
            #expect(links("<link rel=alternate type=\"\(type)\" href=f>") == ["https://a.example/blog/f"], "\(type)")
        }
        for relation in ["alternate", "feed", "ALTERNATE", "home alternate", "feed alternate"] {
            #expect(links("<LINK REL=\"\(relation)\" TYPE=text/xml HREF=/f>") == ["https://a.example/f"], "\(relation)")
        }
        for link in [
            "<link rel=alternate type=text/html href=f>", "<link rel=alternate href=f>",
            "<link rel=stylesheet type=text/xml href=f>", "<link rel=alternate type=text/xml>",
            "<link rel=alternate type=text/xml href=' '>", "<link rel=alternates type=text/xml href=f>",
            "<link rel=alternate type=text/xml href='feed:x'>", "<a rel=alternate type=text/xml href=f>x</a>",
            "<img rel=alternate type=text/xml href=f>",
            "<link rel=alternate type=application/json href='https://a.example/wp-json/wp/v2/pages/1'>",
            "<link rel=alternate type=application/json href='/?rest_route=/wp/v2/pages/1'>",
        ] { #expect(links(link).isEmpty, "\(link)") }
    }

    @Test func findsLikelyFeedsWhereNoneIsAnnounced() {
        let anchors =
            "<a href=/x.rss>x</a><a href=/page>y</a><a href=mailto:a@b.example/feed>z</a><a href=/data.json>w</a><a href=feed>v</a>"
        #expect(links(anchors) == ["https://a.example/x.rss", "https://a.example/blog/feed"])
        #expect(links(anchors + "<link rel=alternate type=text/xml href=f>") == ["https://a.example/blog/f"])
    }

    @Test func listsEachFeedOnceInPageOrder() {
        let announced = ["b", "a", "b", "c", "a"].map { "<link rel=feed type=text/xml href=\($0)>" }.joined()
        #expect(links(announced) == ["b", "a", "c"].map { "https://a.example/blog/\($0)" })
        let many = (0..<60).map { "<link rel=feed type=text/xml href=/\($0)>" }.joined()
        #expect(links(many) == (0..<50).map { "https://a.example/\($0)" })
    }

    @Test func resolvesFeedLinksAgainstTheBase() {
        #expect(links("<base href='/other/'><link rel=feed type=text/xml href=f>") == ["https://a.example/other/f"])
        #expect(links("<base href='https://b.example/'><a href=feed>x</a>") == ["https://b.example/feed"])
    }

    @Test func reducesTitlesToPlainText() {
        let html =
            "<link rel=feed type=text/xml href=f title=' All &amp;amp; <b>news</b> '><link rel=feed type=text/xml href=g>"
        let found = FeedLinks.find(in: Array(html.utf8), contentType: nil, base: "https://a.example/")
        #expect(found.map(\.title) == ["All & news", nil])
        let anchor = FeedLinks.find(
            in: Array("<a href=/feed title=News>x</a>".utf8), contentType: nil, base: "https://a.example/")
        #expect(anchor == [FeedLink(url: "https://a.example/feed", title: "News")])
    }

    @Test func readsThePageInItsEncoding() {
        let html = Array("<link rel=feed type=text/xml href=f title=".utf8) + [0xE8, UInt8(ascii: ">")]
        #expect(
            FeedLinks.find(in: html, contentType: "text/html; charset=windows-1251", base: "https://a.example/").first?
                .title == "и")
    }

    @Test func recognizesFeedAddresses() {
        for path in [
            "x.xml", "x.rss", "x.rdf", "x.atom", "x.json", "rss", "rss/", "feed", "feed/", "atom", "atom/", "FEED",
            "x.XML?a=b", "feed?a=/b",
        ] {
            #expect(FeedLinks.looksLikeFeed("https://a.example/" + path), "\(path)")
        }
        for path in ["", "page", "feeds", "rss.html", "page?feed", "myfeed", "x.xml/y", "atoms"] {
            #expect(!FeedLinks.looksLikeFeed("https://a.example/" + path), "\(path)")
        }
    }

    @Test func listsCommonFeedAddresses() {
        #expect(
            FeedLinks.commonAddresses(for: "https://a.example/blog/post")
                == ["/feed", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml", "/rss", "/feed/atom", "/feed.json"].map
            { "https://a.example" + $0 })
    }
}
