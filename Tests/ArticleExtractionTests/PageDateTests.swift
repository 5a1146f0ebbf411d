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

    /// The publish date is named in words, in other words than `meta` names, or by what stands beside it.
    @Test(arguments: [
        "<h1>Hills</h1><aside><dl><dt>Datum</dt><dd>09.05.2010</dd></dl></aside>",
        "<h1>Hills</h1><aside><table><tr><th>Published:</th><td>9 May 2010</td></tr></table></aside>",
        "<p>Last change: 10.05.2010</p><p>Erschienen am: 09.05.2010</p>",
        "<p class=postmetadata><small>This entry was posted by the author on a Sunday, 9 May 2010, "
            + "published under <a>Hills</a>. \(sentence) \(sentence) \(sentence) \(sentence)</small></p>",
        "<p>by <a rel=author>Ann</a>, 9.5.10</p>",
        "<meta property='hills_and_valleys:uploaded' content='2010-05-09T10:00'>",
        "<script>x({\"id\": 5, \"published_at\" : \"2010-05-09T10:00\"})</script>",
        "<script>x('{\\\"publishDate\\\":\\\"2010-05-09\\\"}', '{\"publishDate\":\"2010-05-09\"}')</script>",
    ])
    func guessesADateFromItsLabelOrHiddenData(_ html: String) {
        let date = ArticlePage(html: html).published
        #expect(date?.day?.text == "2010-05-09" && date?.isGuessed == true)
    }

    @Test(arguments: [
        "<script>x({\"published_at\":\"2010-05-09\"},{\"published_at\":\"2010-05-10\"})</script>",
        "<script>x({\"created_at\":\"2010-05-09\"},{\"published_at\":\"May 2010\"},{\"published_at\"</script>",
        "<script>x({\"published_at\", \"2010-05-09\"})</script>",
        "<div class=comments><p>Published on 9 May 2010 by a reader of the site</p></div>",
        "<p>\(sentence) It was published on 9 May 2010 in a book of hills.</p>",
        "<aside><dl><dt>Date</dt><dt>Place</dt><dd>9 May 2010</dd></dl></aside>",
        "<p>Published on 9 May 2010 by Ann of the highest hills</p><p>Published on 8 May 2010 by Ben of the valleys</p>",
        "<p>by <a rel=author>Ann</a>, who was on the four hills on 9 May 2010</p>",
        "<meta property='og:image' content='https://a.example/2010/05/09/hill.png'><p>Hills",
        "<ul><li id=footer-info-lastmod>This page was last changed on 9 May 2010, at 10:00.</li></ul>",
    ])
    func doesNotGuessFromWhatMayBeAnotherDate(_ html: String) {
        #expect(ArticlePage(html: html).published == nil)
    }

    /// `date` may be the last change, so that an earlier date beside the title is better.
    @Test(arguments: [
        ("date", "2010-05-12", "9 May 2010", "2010-05-09"), ("date", "2010-05-08", "9 May 2010", "2010-05-08"),
        ("date", "2010-09-12", "9 May 2010", "2010-09-12"), ("dc.date", "2010-05-12", "9 May 2010", "2010-05-09"),
        ("pubdate", "2010-05-12", "9 May 2010", "2010-05-12"), ("date", "05/09/2010 10:00", "09.05.2010", "2010-05-09"),
        ("date", "05/09/2010 10:00", "10.05.2010", "2010-09-05"), ("pubdate", "5/9/2010", "9 May 2010", "2010-05-09"),
    ])
    func comparesStatedDatesWithTheOneBesideTheTitle(_ name: String, _ stated: String, _ shown: String, _ day: String) {
        let head = "<html lang=de><meta name=\(name) content='\(stated)'>"
        let page = ArticlePage(html: "\(head)<h1>Hills</h1><p>\(shown)</p><p>\(Self.sentence)</p>")
        #expect(page.published?.day?.text == day && page.published?.isGuessed == (page.published?.text != stated))
    }

    @Test func prefersTheDateBesideTheTitle() {
        let far = String(repeating: "<p>\(Self.sentence)</p>", count: 30)
        func day(_ html: String) -> String? { ArticlePage(html: html).published?.day?.text }
        // Marked dates are also those of other articles.
        let marks = "<time pubdate>1 May 2009</time><time pubdate>2 May 2009</time>"
        let title = "<h1>Hills</h1><p class=meta>9 May 2010</p>\(far)"
        #expect(day(title + marks) == "2010-05-09")
        #expect(day(title + marks + "<time pubdate>9 May 2010</time>") == "2010-05-09")
        #expect(day(title + String(repeating: "<time pubdate>1 May 2009</time>", count: 2)) == "2009-05-01")
        let changed = "<p class=meta>10 May 2010</p><time pubdate>9 May 2010</time>"
        #expect(day("<h1>Hills</h1>\(changed)\(far)\(marks)") == "2010-05-09")
        // A text beside the title is better than an element named for a date far from it.
        let named = "\(far)<p class=date>1 May 2009</p>"
        #expect(
            day("<p>9 May 2010, 10:00 - Hills - by Ann of the four hills</p><h1>Hills</h1>\(named)") == "2010-05-09")
        #expect(day("<h1>Hills</h1><p>A concert on the highest of hills on 9 May 2010</p>\(named)") == "2009-05-01")
        let quoted = "<blockquote><p class=date>2 May 2009</p></blockquote>"
        #expect(day("<h1>Hills</h1>\(far)\(quoted)\(named)") == "2009-05-01")
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
