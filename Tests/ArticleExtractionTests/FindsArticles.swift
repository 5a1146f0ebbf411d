import Foundation
import Testing

@testable import Articles

/// The article of a page, by elements, names, roles and text.
@Suite struct FindsArticles {
    static let sentence =
        "The stage went over four hills, with rain on the first, wind on the second, and a sprint of eleven at the end. "

    static func paragraphs(_ count: Int, _ mark: String = "") -> String {
        (0..<count).map { "<p>\(mark)\($0). \(sentence)</p>" }.joined()
    }

    /// A page whose article has something between its paragraphs.
    private func article(_ inner: String, head: String = "") -> ArticlePage {
        ArticlePage(
            html:
                "<html><head><title>A long stage over four hills | News</title>\(head)</head><body><article>\(Self.paragraphs(4))\(inner)\(Self.paragraphs(4, "Then "))</article></body></html>",
            address: "https://a.example/dir/page")
    }

    private func isKept(_ inner: String) -> Bool {
        let found = article(inner)
        #expect(found.text.contains("3. The stage") && found.text.contains("Then 3."), "\(inner)")
        return found.text.contains("SECRET")
    }

    private static let words =
        "<p>SECRET words that stand here, for a while, until somebody has read all of them to their end.</p>"

    // MARK: Names and roles

    private static let unlikely =
        "-ad- ai2html banner breadcrumbs combx comment community cover-wrap disqus extra footer gdpr header legends menu related remark replies rss shoutbox sidebar skyscraper social sponsor supplemental ad-break agegate pagination pager popup yom-remote breadcrumb newsletter subscribe signup sign-up recirc trending recommended most-read mostread most-popular cookie consent"

    @Test func removesElementsWithUnlikelyNames() {
        for name in Self.unlikely.split(separator: " ") {
            for attribute in ["class='\(name)'", "id='\(name)'", "class='x-\(name)-y'", "class='\(name.uppercased())'"]
            {
                #expect(!isKept("<section \(attribute)>\(Self.words)</section>"), "\(attribute)")
            }
        }
        for name in ["and", "article", "body", "column", "content", "main", "mathjax", "shadow"] {
            #expect(
                isKept("<section class='extra \(name)'>\(Self.words)</section>")
                    && isKept("<section class='remark' id='\(name)'>\(Self.words)</section>"), "\(name)")
        }
        #expect(
            isKept("<section class='plain'>\(Self.words)</section>")
                && isKept("<p><a class=comment href=x>SECRET</a> words, which go on here.</p>"))
        #expect(
            isKept("<table><tr><th>a<td><span class=comment>SECRET</span></table>")
                && isKept("<p>a <code><span class=comment>SECRET</span></code></p>"))
    }

    @Test func weighsNamesOfElements() {
        var names = PageNames()
        for name in "article body content entry hentry h-entry main page pagination post text blog story".split(
            separator: " ")
        { #expect(names.meaning("x \(name)").isPositive, "\(name)") }
        for name
            in "-ad- hidden banner combx comment com- contact footer gdpr masthead media meta outbrain promo related scroll share shoutbox sidebar skyscraper sponsor shopping tags widget hid"
            .split(separator: " ")
        {
            #expect(names.meaning("\(name) x").isNegative, "\(name)")
        }
        for name in "byline author dateline writtenby p-author".split(separator: " ") {
            #expect(names.meaning(name.uppercased()).isByline, "\(name)")
        }
        for (name, isShare) in [
            ("share", true), ("x share-bar", true), ("sharedaddy", true), ("shares", false), ("sharing", false),
            ("myshare", false), ("a_share", true), ("SHARE", true),
        ] {
            #expect(names.meaning(name).isShare == isShare, "\(name)")
        }
        for name in ["", " ", "plain", "hidden-not"] {
            let meaning = names.meaning(name)
            #expect(
                !meaning.isUnlikely && !meaning.isPossible && !meaning.isPositive
                    && meaning.isNegative == (name == "hidden-not") && !meaning.isByline && !meaning.isShare, "\(name)")
        }
        #expect(
            !names.meaning("hide").isNegative && names.meaning("a hid b").isNegative
                && names.meaning("a hid b").isNegative)
    }

    @Test func removesNavigationRoles() {
        for role in ["menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"] {
            #expect(!isKept("<section role=\(role)>\(Self.words)</section>"), "\(role)")
        }
        for role in ["note", "main", "presentation", ""] {
            #expect(isKept("<section role='\(role)'>\(Self.words)</section>"), "\(role)")
        }
    }

    @Test func removesHiddenElements() {
        for attribute in [
            "hidden", "aria-hidden=true", "style='display:none'", "style='visibility: hidden'",
            "role=dialog aria-modal=true",
        ] { #expect(!isKept("<section \(attribute)>\(Self.words)</section>"), "\(attribute)") }
        for attribute in [
            "aria-hidden=false", "style='color:red'", "aria-modal=true", "aria-hidden=true class=fallback-image",
        ] { #expect(isKept("<section \(attribute)>\(Self.words)</section>"), "\(attribute)") }
    }

    @Test func removesElementsThatAreNeverText() {
        for name in [
            "aside", "footer", "script", "style", "template", "noscript", "button", "select", "textarea", "object",
        ] { #expect(!isKept("<\(name)>SECRET words, and more.</\(name)>"), "\(name)") }
        #expect(
            article("a <link rel=x href=y><input value=z>").content?.contains("<link") == false
                && article("a <input value=z>").content?.contains("<input") == false)
    }

    // MARK: What stands beside the text

    @Test func removesShortShareBars() {
        let long = String(repeating: "SECRET words, and more. ", count: 30)
        for name in ["share", "sharedaddy"] {
            #expect(
                !isKept("<section><section class='\(name) content'>SECRET words, for all.</section></section>")
                    && isKept("<section><section class='\(name) content'><p>\(long)</p></section></section>"), "\(name)"
            )
        }
    }

    @Test func keepsVideosOfKnownHosts() {
        for host in [
            "dailymotion.com", "www.dailymotion.com", "youtube.com", "www.youtube.com", "youtube-nocookie.com",
            "www.youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com", "live.bilibili.com",
            "archive.org", "upload.wikimedia.org", "player.twitch.tv",
        ] {
            #expect(
                article("<iframe src='https://\(host)/x'></iframe>").content?.contains(
                    "<iframe src=\"https://\(host)/x\">") == true, "\(host)")
            #expect(
                article("<div><embed src='https://\(host)/x'></div>").content?.contains("<embed") == true, "\(host)")
        }
        let block = article(
            "<div><p>x</p><p><iframe src='https://youtube.com/x'></iframe></p><blockquote>y</blockquote></div>")
        #expect(block.content?.contains("<iframe") == true)
        for host in ["other.example", "myyoutube.com", "youtube.example"] {
            for name in ["iframe", "embed", "object"] {
                #expect(
                    article("<\(name) src='https://\(host)/x'></\(name)>").content?.contains("<\(name)") == false,
                    "\(host) \(name)")
            }
        }
    }

    @Test func keepsDataTablesAndRemovesLinkTables() {
        let cell = "<td><a href=x>SECRET</a></td>"
        func rows(_ down: Int, _ across: Int) -> String {
            String(repeating: "<tr>" + String(repeating: cell, count: across) + "</tr>", count: down)
        }
        let small = rows(2, 2)
        for table in [
            "<table summary=x>\(small)", "<table><caption>C</caption>\(small)", "<table><colgroup></colgroup>\(small)",
            "<table><col>\(small)", "<table><thead>\(small)</thead>",
            "<table><tbody>\(small)</tbody><tfoot>\(small)</tfoot>",
            "<table><tr><th>a</th>\(cell)</tr>", "<table>\(rows(10, 2))", "<table>\(rows(2, 5))",
            "<table>\(rows(3, 4))", "<table><tr><td colspan=5><a href=x>SECRET</a></tr>\(small)",
            "<table><tr rowspan=9>\(cell)\(cell)</tr>\(rows(1, 2))",
        ] { #expect(isKept(table + "</table>"), "\(table)") }
        for table in [
            "<table>\(small)", "<table summary=''>\(small)", "<table><caption></caption>\(small)",
            "<table>\(rows(3, 3))", "<table>\(rows(2, 4))", "<table>\(rows(5, 2))", "<table>\(rows(12, 1))",
            "<table>\(rows(1, 12))",
            "<table role=presentation><tr><th>a</th>\(cell)\(cell)</tr>",
            "<table datatable=0><tr><th>a</th>\(cell)\(cell)</tr>",
        ] { #expect(!isKept(table + "</table>"), "\(table)") }
    }

    @Test func removesBlocksOfLinks() {
        let link = "<a href=x>SECRET link words</a> wwwwwww"
        func part(_ attributes: String, _ text: Int) -> String {
            "<div \(attributes)><div><p>\(link)</p><p>\(String(repeating: "x", count: text))</p></div><p>y</p></div>"
        }
        #expect(!isKept(part("", 0)) && !isKept(part("", 40)) && isKept(part("", 120)))
        // A positive name allows a link density of 0.5.
        #expect(
            !isKept("<div class=entry><p>\(link)</p><p>x</p></div>")
                && isKept("<div class=entry><p>\(link)</p><p>\(String(repeating: "x", count: 30))</p></div>"))
        #expect(isKept("<div><p><a href='#here'>SECRET words</a> xxxxxxxxxxxxxxxxxxxxxxx</p><p>y</p></div>"))
        for attribute in ["class=widget", "id=widget"] {
            #expect(!isKept("<div \(attribute)>\(Self.words)\(Self.words)</div>"), "\(attribute)")
        }
        #expect(isKept("<div class=widget id=story>\(Self.words)\(Self.words)</div>"))
        // A list with one picture in each item is a gallery.
        for (items, isKept) in [
            ("<li><img src=1.png><li><img src=2.png><li><img src=3.png>", true),
            ("<li><img src=1.png><li><img src=2.png><li>words", false),
            ("<li><img src=1.png><img src=4.png><li><img src=2.png><li><img src=3.png>", false),
        ] { #expect(article("<ul>\(items)</ul>").content?.contains("1.png") == isKept, "\(items)") }
        // A block that is nearly all list may have more links.
        for (outside, isListed) in [(5, true), (40, false)] {
            let list =
                "<ul><li><a href=x>SECRET link words that lead away</a> \(String(repeating: "w", count: 70))</li></ul>"
            let html = "<div><p>\(String(repeating: "x", count: outside))</p>\(list)</div>"
            #expect(isKept(html) == isListed, "\(outside)")
        }
        // Ten commas make it text.
        for (commas, isText) in [(9, false), (10, true)] {
            #expect(
                isKept(
                    "<div><p><a href=x>SECRET\(String(repeating: ", a", count: commas))</a> wwwwwwwwwwwwww</p><p>b</p></div>"
                )
                    == isText, "\(commas)")
        }
        // Pictures with few words.
        let pictures = (1...5).map { "<img src=\($0).png>" }.joined()
        #expect(
            !isKept("<div>\(pictures)<p>SECRET</p></div>")
                && isKept("<div><img src=a.png><p>SECRET words, and more.</p></div>"))
        #expect(isKept("<figure><div>\(pictures)<p>SECRET</p></div></figure>"))
        #expect(
            !isKept("<form><p>SECRET words, and more of them here.</p><input></form>")
                && isKept("<form><p>SECRET words, and more of them here.</p></form>"))
        #expect(!isKept("<fieldset><p>SECRET words, and more of them here.</p><input></fieldset>"))
    }

    @Test func removesAdvertisementLabels() {
        for word in [
            "ad", "ads", "Advertising", "advertisement", "pub", "Publicité", "werb", "Werbung", "广告", "реклама",
            "anuncio", "loading", "Loading...", "loading…", "正在加载", "загрузка", "chargement", "cargando",
        ] {
            #expect(article("<ul><li>\(word)</li></ul>").content?.contains("<li>") == false, "\(word)")
        }
        for word in ["added", "our ads", "load", "werbungen"] {
            #expect(article("<ul><li>\(word)</li></ul>").content?.contains("<li>\(word)</li>") == true, "\(word)")
        }
    }

    @Test func lowersHeadingsAndRemovesTheTitle() {
        let found = article("<h1>Another heading here</h1><h2>Second</h2><h2 class=widget>SECRET</h2>")
        #expect(
            found.content?.contains("<h2>Another heading here</h2>") == true
                && found.content?.contains("<h2>Second</h2>") == true)
        #expect(found.content?.contains("<h1") == false && !found.text.contains("SECRET"))
        for name in ["h1", "h2"] {
            let body =
                "<article><\(name)>A long stage over four hills</\(name)>\(Self.paragraphs(4))<h2>A long stage over four hills</h2>\(Self.paragraphs(4))</article>"
            let text = ArticlePage(html: "<title>A long stage over four hills</title><body>\(body)").text
            #expect(text.components(separatedBy: "A long stage over").count == 2, "\(name): \(text.prefix(40))")
        }
        #expect(article("<h3>A long stage over four hills</h3>").text.contains("A long stage over four hills"))
    }

    @Test func removesEmptyParagraphsAndUnwrapsSingleCells() {
        let content =
            article(
                "<p> </p><p>&nbsp;</p><p><img src=a.png></p><p></p>x<br><p>y</p><table><tr><td>alone, in a cell</td></tr></table><table><tbody><tr><td><p>two</p><p>blocks</p></td></tr></tbody></table>"
            ).content ?? ""
        #expect(
            !content.contains("<p></p>") && !content.contains("<p> </p>")
                && content.contains("<img src=\"https://a.example/dir/a.png\">"))
        #expect(
            !content.contains("<br><p>") && !content.contains("<table") && content.contains("<p>alone, in a cell</p>")
                && content.contains("<div><p>two</p><p>blocks</p></div>"))
    }

    // MARK: Who wrote it

    @Test func findsBylines() {
        for element in [
            "<p class=byline>Anna Rossi</p>", "<p class=author>Anna Rossi</p>",
            "<p class='p-author x'> Anna  Rossi </p>", "<span id=writtenby>Anna Rossi</span>",
            "<p class=dateline>Anna Rossi</p>", "<a rel=author href=x>Anna Rossi</a>",
            "<p itemprop=author>Anna Rossi</p>", "<p itemprop=author>by <b itemprop=name>Anna Rossi</b>, today</p>",
        ] {
            let found = article(element)
            #expect(found.byline == "Anna Rossi" && !found.text.contains("Anna"), "\(element): \(found.byline ?? "-")")
        }
        #expect(
            article("<p class=byline>\(String(repeating: "x", count: 99))</p>").byline?.count == 99
                && article("<p class=byline>\(String(repeating: "x", count: 100))</p>").byline == nil)
        #expect(article("<p class=byline> </p>").byline == nil && article("<p>Anna Rossi</p>").byline == nil)
        let two = article("<p class=byline>Anna Rossi</p><p class=byline>Piero Bianchi</p>")
        #expect(two.byline == "Anna Rossi" && two.text.contains("Piero Bianchi"))
        let told = article("<p class=byline>Anna Rossi</p>", head: "<meta name=author content='Piero Bianchi'>")
        #expect(told.byline == "Piero Bianchi" && told.text.contains("Anna Rossi"))
    }

    // MARK: Which element it is

    private func text(_ body: String) -> String {
        ArticlePage(html: "<html><head><title>T</title></head><body>\(body)</body></html>").text
    }

    @Test func joinsSiblingsThatReadLikeTheArticle() {
        let long =
            "SECRET words that are longer than most of those that stand beside a text, so that they may be part of it all."
        for (beside, joins) in [
            ("<p>\(long)</p>", true), ("<p><a href=x>\(long)</a></p>", false), ("<p>SECRET sentence.</p>", true),
            ("<p>SECRET. Sentence</p>", true), ("<p>SECRET words</p>", false),
            ("<p><a href=x>SECRET</a> sentence.</p>", false), ("<blockquote>SECRET sentence.</blockquote>", false),
            ("<section>\(Self.paragraphs(2, "SECRET "))</section>", true),
            ("<div class=a><p>SECRET sentence that is short, but of the same class.</p></div>", true),
            ("<div class=a><p>SECRET sentence that is short, but of the class</p><p>x</p></div>", true),
            ("<div class=b><p>SECRET sentence that is short, but of another class</p><p>x</p></div>", false),
        ] {
            for html in [
                "<div class=a>\(Self.paragraphs(8))</div>\(beside)",
                "\(beside)<div class=a>\(Self.paragraphs(8))</div>",
            ] {
                let found = text("<div>\(html)</div>")
                #expect(found.contains("7. The stage") && found.contains("SECRET") == joins, "\(beside)")
            }
        }
    }

    @Test func choosesTheElementWithTheMostText() {
        for (first, second) in [(8, 2), (2, 8)] {
            let found = text(
                "<div><div><div>\(Self.paragraphs(first, "A"))</div></div></div><ul><li><div><div>\(Self.paragraphs(second, "B"))</div></div></li></ul>"
            )
            #expect(found.contains(first > second ? "A7" : "B7"), "\(first) \(second)")
        }
        // Several candidates of similar score share their ancestor.
        let sections = (1...4).map {
            "<div><div><section><div><p>\($0)a. \(Self.sentence)</p><p>\($0)b. \(Self.sentence)</p></div></section></div></div>"
        }.joined()
        let found = text("<main><div>\(sections)</div></main><footer><p>x</p></footer>")
        for number in 1...4 {
            #expect(found.contains("\(number)a. The") && found.contains("\(number)b. The"), "\(number)")
        }
    }

    @Test func weighsNamesAndTagsOfCandidates() {
        // Both have the same text; neither joins the other.
        func block(_ element: String, _ mark: String) -> String {
            let name = element.prefix { $0 != " " }
            return "<ul><li><\(element)>\(Self.paragraphs(6, mark))</\(name)></li></ul>"
        }
        for (better, worse) in [
            ("div class=story", "div"), ("div id=story", "div"), ("div", "div class=widget"), ("div", "div id=widget"),
            ("div class=story", "div class=widget"), ("div", "address"), ("blockquote", "address"),
            ("div", "blockquote"),
        ] {
            for body in [block(better, "B") + block(worse, "A"), block(worse, "A") + block(better, "B")] {
                let found = text(body)
                #expect(found.contains("B5.") && !found.contains("A5."), "\(better) \(worse)")
            }
        }
    }

    @Test func keepsTheTextOfDeepElements() {
        for depth in [10, 399, 400, 401, 1_000] {
            let found = text(String(repeating: "<div>", count: depth) + Self.paragraphs(6))
            #expect(found.contains("0. The stage") && found.contains("5. The stage"), "\(depth)")
        }
    }

    @Test func wrapsBareTextInParagraphs() {
        let found = article("<div> one <b>two</b> three<p>four</p>five<ul><li>six</li></ul> </div>").content ?? ""
        #expect(
            found.contains("<p>one <b>two</b> three</p><p>four</p><p>five</p><ul><li>six</li></ul>")
                || found.contains("<p> one <b>two</b> three</p><p>four</p><p>five</p><ul>"), "\(found)")
        let broken = article("<div>two words<br></div>").content ?? ""
        #expect(broken.contains("<p>two words</p>") && !broken.contains("<br>"), "\(broken)")
    }

    @Test func turnsPairsOfLineBreaksIntoParagraphs() {
        for (html, expected) in [
            ("<div>one<br>two</div>", "<p>one<br>two</p>"), ("<div>one<br><br>two</div>", "<p>one</p><p>two</p>"),
            (
                "<div>one<br> <br> <br>two <i>three</i><br>four<br><br>five</div>",
                "<p>one</p><p>two <i>three</i><br>four</p><p>five</p>"
            ),
            ("<div>one<br><br>two<p>three</p></div>", "<p>one</p><p>two</p><p>three</p>"),
            ("<p>one words<br><br>two words</p>", "<p>one words</p><p>two words</p>"),
            ("<div><font color=red>one</font> two</div>", "<span>one</span> two"),
        ] {
            let content = article(html).content?.replacing("<p>  ", with: "<p>") ?? ""
            #expect(content.contains(expected), "\(html): \(content)")
        }
    }

    @Test func requiresEnoughTextForAnArticle() {
        for (count, isReadable) in [(119, false), (120, true)] {
            let page = ArticlePage(html: "<body><p>\(String(repeating: "é", count: count))</p>")
            #expect(page.text.count == count && page.isReadable == isReadable)
        }
    }

    @Test func writesALineForEachBlock() {
        let page = article(
            "<h3>Head</h3><div><p>a  b<br>c</p><ul><li>d<li>e <b>f</b></ul></div><table><tr><th>g<td>h<tr><td>i<td>j</table><blockquote><p>k</p></blockquote>"
        )
        let lines = page.text.split(separator: "\n").filter { !$0.contains("The stage") }
        #expect(lines == ["Head", "a b", "c", "d", "e f", "g h", "i j", "k"])
    }

    // MARK: Pictures

    @Test func restoresLazyPictures() {
        let tiny = "data:image/gif;base64,AAAA"
        for (image, source) in [
            ("<img data-src='/a.jpg' class=lazy>", "src=\"https://a.example/a.jpg\""),
            ("<img src='\(tiny)' data-x='/a.png'>", "src=\"https://a.example/a.png\""),
            ("<img src='/b.jpg' data-src='/a.webp' class='x LazyLoad'>", "src=\"https://a.example/a.webp\""),
            ("<img src='/b.jpg' data-src='/a.jpeg'>", "src=\"https://a.example/b.jpg\""),
            ("<img data-srcset='/a.jpg 2x'>", "srcset=\"/a.jpg 2x\""),
            ("<img src='' data-src='/a.jpg'>", "src=\"https://a.example/a.jpg\""),
            ("<figure data-src='/a.jpg'><figcaption>x</figcaption></figure>", "<img src=\"https://a.example/a.jpg\">"),
            ("<figure data-src='/a.jpg'><img src='/b.jpg'></figure>", "src=\"https://a.example/b.jpg\""),
            ("<img src='data:image/svg+xml;base64,AAAA' data-x='/a.png'>", "src=\"data:image/svg+xml;base64,AAAA\""),
            (
                "<img src='data:image/png;base64,\(String(repeating: "A", count: 200))' data-x='/a.png'>",
                "src=\"data:image/png;base64,\(String(repeating: "A", count: 200))\""
            ),
        ] {
            let content = article("<p>\(image) words</p>").content ?? ""
            #expect(content.contains(source), "\(image): \(content)")
        }
        #expect(article("<p><img alt=x> words</p>").content?.contains("<img") == false)
    }

    @Test func replacesPlaceholdersWithNoscriptPictures() {
        for (html, source, isThere) in [
            ("<img src=small.png><noscript><img src=large.png alt=L></noscript>", "large.png", true),
            ("<div><img src=small.png></div> <noscript><img src=large.png></noscript>", "large.png", true),
            ("<p>words</p><noscript><img src=large.png></noscript>", "large.png", false),
            ("<img src=small.png><noscript>words <img src=large.png></noscript>", "small.png", true),
        ] { #expect(article(html).content?.contains(source) == isThere, "\(html)") }
        #expect(
            article("<img src=small.png title=S><noscript><img src=large.png></noscript>").content?.contains(
                "title=\"S\"") == true)
        #expect(
            article("<img src=small.png><noscript><img src=large.png></noscript>").content?.contains("small.png")
                == false)
    }

    // MARK: Writing

    @Test func writesStandaloneHTML() {
        let html =
            "<p class=c style=s onclick=x lang=de dir=rtl id=i title='a&amp;\"b'>é &lt; &amp; <a href=' x?a&amp;b ' target=t>l</a><a href='javascript:x'>j</a><a href='#n'>n</a><a href='mailto:a@b.example'>m</a>"
            + "<img src=../i.png alt=A width=1 height=2 srcset='i.png 2x' data-y=z><q cite=c.html>q</q><time datetime=2010>t</time><x-y>u</x-y></p><ol start=3><li>w</li></ol>"
        let content = article(html).content ?? ""
        for part in [
            "<p lang=\"de\" dir=\"rtl\" id=\"i\" title=\"a&amp;&quot;b\">é &lt; &amp; <a href=\"https://a.example/dir/x?a&amp;b\">l</a>",
            "<a>j</a>", "<a href=\"#n\">n</a>", "<a href=\"mailto:a@b.example\">m</a>",
            "<img src=\"https://a.example/i.png\" alt=\"A\" width=\"1\" height=\"2\" srcset=\"i.png 2x\">",
            "<q cite=\"https://a.example/dir/c.html\">q</q>", "<time datetime=\"2010\">t</time>", "<x-y>u</x-y>",
            "<ol start=\"3\"><li>w</li></ol>",
        ] { #expect(content.contains(part), "\(part) in \(content)") }
        let based = article("<p><a href=x>SECRET</a> words, and more of them.</p>", head: "<base href='/other/'>")
            .content
        #expect(based?.contains("href=\"https://a.example/other/x\"") == true)
        #expect(
            ArticlePage(html: "<body>\(Self.paragraphs(8))<p><a href=x>l</a> words, and more.</p>").content?.contains(
                "href=\"x\"") == true)
    }

    @Test func findsTheNextPageOfTheArticle() {
        func next(_ link: String, _ address: String? = "https://a.example/dir/page") -> String? {
            ArticlePage(html: "<head>\(link)</head><body>\(Self.paragraphs(2))\(link)", address: address).nextPage
        }
        for (href, found) in [
            ("page/2", "https://a.example/dir/page/2"), ("?p=2", "https://a.example/dir/page?p=2"),
            ("/dir/page-2", "https://a.example/dir/page-2"), (" page/2 ", "https://a.example/dir/page/2"),
            ("page", nil), ("https://b.example/dir/page/2", nil), ("other", nil), ("/", nil),
        ] as [(String, String?)] {
            #expect(next("<a rel=next href='\(href)'>2</a>") == found, "\(href)")
            #expect(next("<link rel='Next x' href='\(href)'>") == found, "\(href)")
        }
        #expect(
            next("<a rel=prev href=page/2>2</a>") == nil && next("<a rel=nextpage href=page/2>2</a>") == nil
                && next("<a href=page/2>next</a>") == nil && next("<a rel=next href=page/2>2</a>", nil) == nil)
        #expect(
            next("<a rel=next href=other>x</a><a rel=next href=page/2>2</a><a rel=next href=page/3>3</a>")
                == "https://a.example/dir/page/2")
        #expect(next("<a rel=next href=/any>x</a>", "https://a.example") == "https://a.example/any")
    }
}
