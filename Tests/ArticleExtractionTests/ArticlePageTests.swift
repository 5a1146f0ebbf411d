import Articles
import Testing

/// The article of a page, and the page's metadata.
@Suite struct ArticlePageTests {
    private static let sentence = FindsArticles.sentence

    private func page(_ body: String, head: String = "") -> ArticlePage {
        ArticlePage(
            html:
                "<html lang=it><head><title>A long stage over four hills | Giro News</title>\(head)</head><body>\(body)</body></html>",
            address: "https://giro.example/2010/05/09/hills")
    }

    private static func paragraphs(_ count: Int, _ mark: String = "") -> String {
        FindsArticles.paragraphs(count, mark)
    }

    @Test func leavesOutTheSurroundingsOfTheArticle() {
        let found = page(
            """
            <nav><ul><li><a href=/>Home</a><li><a href=/a>All</a></ul></nav><div class=sidebar><p>Buy, now, here, and there: \
            \(Self.sentence)</p></div><div id=content><h1>A long stage over four hills</h1>
            \(Self.paragraphs(6))<div class="share-bar"><a href=/t>Tweet</a></div><p><a href="next?a=1">More</a> of it follows here.</p>
            <form><input name=q></form></div>
            <div class=comments>\(Self.paragraphs(2, "Comment "))</div><footer>All rights</footer>
            """)
        #expect(found.title == "A long stage over four hills" && found.language == "it")
        #expect(found.text.contains("5. The stage went") && found.text.contains("More of it follows"))
        for word in ["Home", "Buy", "Comment", "Tweet", "All rights", "A long stage over four hills"] {
            #expect(!found.text.contains(word), "\(word)")
        }
        #expect(found.content?.contains("href=\"https://giro.example/2010/05/09/next?a=1\"") == true)
        #expect(found.content?.contains("class=") == false && found.isReadable)
    }

    @Test func fallsBackToUnlikelyElements() {
        let found = page("<div class='comment sidebar'>\(Self.paragraphs(3))</div>")
        #expect(found.text.contains("2. The stage went"))
        #expect(page("").content == nil && page("<p></p>").content == nil && !page("<p>Short.</p>").isReadable)
    }

    @Test func splitsParagraphsAndFindsLazyPictures() {
        let found = page(
            """
            <div class=post>\((0..<6).map { "\($0) \(Self.sentence)<br> <br>" }.joined())
            <img class=lazy src="data:image/gif;base64,AA" data-src="/a.jpg"><img src="b.png"></div>
            """)
        #expect(found.content?.split(separator: "<p>").count ?? 0 > 5 && found.text.contains("\n3 The stage"))
        #expect(found.content?.contains("src=\"https://giro.example/a.jpg\"") == true)
    }

    @Test func readsArticleFactsFromEachSource() {
        let json = """
            <script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"NewsArticle",
            "headline":"A long stage over four hills","author":[{"name":"Anna Rossi"},{"name":"Piero Bianchi"}],
            "datePublished":"2010-05-09T18:00:00+02:00","dateModified":"2010-05-10"}]}</script>
            """
        let told = page(Self.paragraphs(6), head: json)
        #expect(told.byline == "Anna Rossi, Piero Bianchi" && told.published?.day?.text == "2010-05-09")
        #expect(told.published?.isGuessed == false && told.updated?.day?.text == "2010-05-10")
        let shown = page(
            "<article><h1>A long stage over four hills</h1><p class=byline>by Anna Rossi</p>\(Self.paragraphs(6))</article>"
        )
        #expect(shown.byline == "by Anna Rossi" && !shown.text.contains("Anna"))
        // Without another source, the date of the address counts as a guess.
        #expect(shown.published?.day?.text == "2010-05-09" && shown.published?.isGuessed == true)
    }

    /// A line above the text that ends with the author's name and has little else is left out.
    @Test(arguments: [(14, true), (15, false)]) func leavesOutALineOfTheAuthor(others: Int, isLeftOut: Bool) {
        let line = String(repeating: "x", count: others - 1) + " Anna Rossi"
        let found = page(
            "<article><p>\(line)</p>\(Self.paragraphs(6))</article>", head: "<meta name=author content='Anna Rossi'>")
        #expect(found.text.contains("Anna Rossi") != isLeftOut)
    }

    @Test func joinsArticlePagesOfTheSameHost() {
        func next(_ link: String) -> String? {
            page(Self.paragraphs(6) + "<a rel=next href=\"\(link)\">2</a>").nextPage
        }
        #expect(next("hills/2") == "https://giro.example/2010/05/09/hills/2")
        #expect(next("/2010/05/09/hills?page=2") == "https://giro.example/2010/05/09/hills?page=2")
        #expect(next("https://other.example/2010/05/09/hills/2") == nil && next("/2010/05/10/other") == nil)
    }

    @Test(arguments: [
        ("Pubblicato il 9 maggio 2010 da Anna", "2010-05-09"), ("09/05/2010 - 18:00", "2010-05-09"),
        ("May 9th, 2010", "2010-05-09"), ("2010年5月9日", "2010-05-09"), ("9 мая 2010 г.", "2010-05-09"),
        ("الأحد، 09 مايو 2010", "2010-05-09"), ("31/12/2010", "2010-12-31"), ("Price: 12.50 of 20.10.05", "2005-10-20"),
    ])
    func guessesTheDateBesideTheTitle(text: String, day: String) {
        let html =
            "<html><body><h1>A long stage over four hills</h1><span class=meta>\(text)</span>\(Self.paragraphs(6))</body></html>"
        let found = ArticlePage(html: html).published
        #expect(found?.day?.text == day && found?.isGuessed == true)
    }

    @Test func takesTheDayOfTheAddressForTimesInUTC() {
        let html =
            "<html><head><meta property='article:published_time' content='2010-05-10T00:38:07Z'></head><body></body></html>"
        #expect(ArticlePage(html: html, address: "https://a.example/2010/05/09/x").published?.day?.text == "2010-05-09")
        #expect(ArticlePage(html: html, address: "https://a.example/2010/04/09/x").published?.day?.text == "2010-05-10")
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["<div>", "<p>a", "<table><tr><td>", "<a href=#>x", "<br><br>", "<ul><li>", "<div class=a>x"])
    func parsesHostilePagesInLimitedTime(unit: String) {
        _ = ArticlePage(html: "<body>" + String(repeating: unit, count: 1_500), address: "https://a.example/")
    }

    /// The words of the title are found once. For each heading, this once took many minutes.
    @Test(.timeLimit(.minutes(10))) func comparesManyHeadingsWithALongTitle() {
        let words = (0..<40_000).map { "word\($0)" }.joined(separator: " ")
        let headings = String(repeating: "<h1>Four hills</h1>", count: 20_000)
        let page = ArticlePage(html: "<title>\(words)</title>\(headings)<p>9 May 2010</p>")
        #expect(page.published?.day?.text == "2010-05-09")
    }
}
