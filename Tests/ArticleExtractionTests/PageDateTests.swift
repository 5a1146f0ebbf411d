import Articles
import Testing

@Suite struct PageDateTests {
    private static let sentence = "The stage went over four hills, and ended."

    @Test(arguments: [
        (
            "<meta name=date content=2001-01-01><meta property='article:published_time' content='2010-05-09'>",
            "2010-05-09"
        ),
        ("<meta itemprop='datePublished' content='9 May 2010'><time datetime='2011-01-01'>x</time>", "9 May 2010"),
        (
            "<script type='application/ld+json'>{\"a\": 1, \"datePublished\" : \"2010-05-09T10:00Z\"}</script>",
            "2010-05-09T10:00Z"
        ),
        (
            "<p><time datetime='2010-05-09'>Sunday</time> and <time datetime='2010-05-10'>Monday</time></p>",
            "2010-05-09"
        ),
        ("<meta name='DC.date.issued' content='2010-05-09'>", "2010-05-09"),
        ("<title>09.05.2010 | A stage</title><p>Words of 10.05.2010.</p>", "09.05.2010 | A stage"),
        ("<h1>Hills</h1><p>09.05.2010 - \(sentence) \(sentence)</p>", "09.05.2010 - The stage went ov"),
        ("<meta name=description content='News of 9 May 2010'><p>Four hills</p>", "News of 9 May 2010"),
        // The heading with the words of the title, not the first one, is the title.
        (
            "<title>Four hills - The Blog</title><h1>The Blog</h1><p class=date>1 May 2009</p><h1>Four hills</h1>"
                + "<p class=date>9 May 2010</p>", "9 May 2010"
        ),
        ("<title>Four hills</title><h1>Blog</h1><p>1 May 2009</p><h1>Four hills</h1><p>9 May 2010</p>", "9 May 2010"),
        // A date right above the title is its own, while one far below belongs to something else.
        (
            "<p class=date>9 May 2010</p><h1>Hills</h1>" + String(repeating: "<p>\(sentence)</p>", count: 30)
                + "<p class=date>1 May 2011</p>", "9 May 2010"
        ),
        ("<p class=date>1 May 2009</p><p>On</p><p>the</p><h1>Hills</h1><p class=date>9 May 2010</p>", "9 May 2010"),
        // Without a title, a date that stands alone counts.
        ("<p>\(sentence) On 1 May 2009, it was longer.</p><p>Published on 9 May 2010</p>", "Published on 9 May 2010"),
        (
            "<script type='application/ld+json'>{\"@type\": \"HowTo\", \"datePublished\": \"2010-05-09\"}</script>",
            "2010-05-09"
        ),
    ])
    func findsTheDateOfAPage(_ html: String, _ date: String) {
        #expect(ArticlePage(html: "<html><body>\(html)</body></html>").published?.text == date)
    }

    @Test func readsTheDateInAnAddressInBothOrders() {
        for day in ["2010/05/09", "09-05-2010", "9-5-2010"] {
            let page = ArticlePage(html: "<p>Four hills", address: "https://a.example/\(day)/stage-12-3.html")
            #expect(page.published?.day?.text == "2010-05-09" && page.published?.isGuessed == true, "\(day)")
        }
    }

    /// A page may state the date of its site, or of its move to another system.
    @Test(arguments: [("2009-04-11", "2010-05-09"), ("2010-05-10", "2010-05-10"), ("2010-06-08", "2010-06-08")])
    func prefersTheDateInTheAddressToADistantOne(_ stated: String, _ day: String) {
        let page = ArticlePage(
            html: "<meta name=date content=\(stated)><p>Hills", address: "https://a.example/2010/5/9/hills")
        #expect(page.published?.day?.text == day && page.published?.isGuessed == (stated != day))
    }

    @Test(arguments: [
        "", "<h1>Hills</h1><p>\(sentence) On 9 May 2010, it was longer. \(sentence)</p>", "<meta name=date>",
        "<script type='application/ld+json'>\"datePublished\": 5</script>",
        "<meta name=date content='\(String(repeating: "9", count: 65))'>",
        "<script type='application/ld+json'>\"datePublished\": \"\(String(repeating: "9", count: 5000))</script>",
        "<time datetime=never>",
    ])
    func findsNoDateWithoutASource(_ html: String) {
        #expect(ArticlePage(html: html).published?.text == nil)
    }
}
