import TerminalText
import Testing

@testable import Articles

/// Articles as publishers write them: pictures that scripts load, players with fallbacks, lists and plain text.
@Suite struct PublishedArticles {
    private func article(_ html: String) -> ArticleDocument {
        HTMLRenderer.render(html, base: "https://a.example/dir/page")
    }

    private func lines(_ html: String) -> [String] {
        article(html).paragraphs.map { $0.firstPrefix.string + $0.spans.map(\.text.string).joined() }
    }

    private func pictures(_ html: String) -> [String] { article(html).images.map(\.url) }

    /// What replaces a player in old browsers isn't part of the article, its address is.
    @Test func leavesOutFallbacks() {
        for (html, link) in [
            ("<video src=v><p>Your browser is too old. <a href=o>Get another</a></p></video>", "v"),
            ("<audio><source src=1><source src=2>No sound.</audio>", "1"), ("<iframe src=f>No frames</iframe>", "f"),
            ("<iframe data-src=f></iframe>", "f"), ("<object data=o><p>No plugin</p></object>", "o"),
            ("<object><param name=movie value=x><embed src=e>No plugin</object>", "e"),
            ("<video><track src=t><source src=v></video>", "v"),
        ] {
            let article = article("<p>a</p>\(html)<p>b</p>")
            let text = article.paragraphs.flatMap(\.spans).map(\.text.string).joined()
            #expect(article.links.map(\.url) == ["https://a.example/dir/\(link)"], "\(html)")
            #expect(
                ["a[video][1]b", "a[audio][1]b"].contains(text) || text == "a[embedded page][1]b", "\(html): \(text)")
        }
        #expect(lines("<p>a</p><canvas><b>Draw</b></canvas><p>b</p>").filter { !$0.isEmpty } == ["a", "b"])
    }

    /// A link that opens nothing is text, and a document without an address has relative links.
    @Test func linksOnlyWhatCanBeOpened() {
        for link in ["tel:+123", "javascript:x()", "sms:1", "file:///x", "TEL:1"] {
            #expect(article("<p><a href='\(link)'>a</a></p>").links.isEmpty, "\(link)")
        }
        for link in ["mailto:a@b.example", "magnet:?xt=1", "gemini://a.example/"] {
            #expect(article("<p><a href='\(link)'>a</a></p>").links.map(\.url) == [link])
        }
        let local = HTMLRenderer.render("<video src=v.mp4></video><iframe src='about:blank'></iframe>", base: nil)
        #expect(local.links.map(\.url) == ["v.mp4"])
    }

    /// A picture that a script would load appears once.
    @Test func findsPicturesOfScripts() {
        for (html, names) in [
            ("<img data-src=p>", ["p"]), ("<img src='data:image/gif;base64,R0' data-src=p>", ["p"]),
            ("<img src=blank.gif data-lazy-src=p>", ["p"]), ("<img src=blank.gif data-original=p>", ["p"]),
            ("<img srcset='s 320w, m 1200w, l 4000w'>", ["m"]), ("<img srcset='a.png, b.png 2x'>", ["b.png"]),
            ("<img data-srcset='l 4000w, xl 8000w'>", ["l"]), ("<img src=p srcset='q 2x'>", ["p"]),
            ("<img src=''>", []), ("<img srcset=' , '>", []), ("<noscript><img src=p></noscript>", ["p"]),
            ("<img src='data:image/gif;base64,R0'><noscript><figure><img src=p></figure></noscript>", ["p"]),
            ("<img data-src=p><noscript><img src=q></noscript><img src=r>", ["p", "r"]),
            ("<img src=p><noscript><img src=p></noscript>", ["p"]),
            ("<noscript><img src=p width=1 height=1></noscript>", []),
            ("<picture><source srcset='w.webp 800w'><img alt=x></picture>", ["w.webp"]),
            ("<picture><source srcset='w.webp'><img src=p></picture>", ["p"]),
        ] as [(String, [String])] {
            #expect(pictures(html) == names.map { "https://a.example/dir/\($0)" }, "\(html)")
        }
        let text = lines("<p>a</p><noscript><p>Please <a href=x>enable scripts</a>.</p></noscript><p>b</p>")
        #expect(text.filter { !$0.isEmpty } == ["a", "b"])
    }

    /// References to control characters mean those of windows-1252, and so do the characters themselves.
    @Test func writesCharactersOfWindows() {
        #expect(lines("<p>Don&#146;t a&#150;b &#x85; c\u{92}d é") == ["Don’t a–b … c’d é"])
    }

    /// A picture of an emoji is that character.
    @Test func writesEmoji() {
        let address = "https://s.w.org/images/core/emoji/15.0.3/72x72/1f6b2.png"
        let html = "<p>On the <img src='\(address)' alt='🚲' class='wp-smiley' style='height: 1em;' /> again</p>"
        #expect(lines(html) == ["On the 🚲 again"] && pictures(html).isEmpty)
        let other = "https://a.example/emoji/v2/1f6b2.svg"
        #expect(lines("<p><img src='\(other)' alt='🚲'> <img src=x alt='🏔' class='Emoji'></p>") == ["🚲 🏔"])
        #expect(pictures("<img src=x class=emoji>") == ["https://a.example/dir/x"])
    }

    /// Items have the numbers that the list gives them.
    @Test func numbersItems() {
        for (html, numbers) in [
            ("<ol><li>a<li value=7>b<li>c</ol>", ["1. a", "7. b", "8. c"]),
            ("<ol type=a start=26><li>a<li>b</ol>", ["z. a", "aa. b"]),
            ("<ol type=A><li>a<li>b</ol>", ["A. a", "B. b"]),
            ("<ol type=i start=4><li>a<li>b</ol>", ["iv. a", "v. b"]),
            ("<ol type=I start=1999><li>a</ol>", ["MCMXCIX. a"]), ("<ol type=i start=0><li>a</ol>", ["0. a"]),
            ("<ol type=x><li>a</ol>", ["1. a"]), ("<ol reversed start=3><li>a<li>b</ol>", ["3. a", "2. b"]),
            (
                "<ol reversed><li>a<li>b<ol reversed><li>c<li>d</ol><li value=9>e</ol>",
                ["3. a", "2. b", "   2. c", "   1. d", "9. e"]
            ),
            (
                "<table><tr><td>x<ol reversed><li>a</ol><td>y</table><ol reversed type=a><li>b<li>c</ol>",
                ["x", "", "1. a", "", "y", "", "b. b", "a. c"]
            ),
            ("<ol><li type=I>a<li>b</ol>", ["I. a", "II. b"]),
            ("<ol start=9223372036854775807><li>a<li>b</ol>", ["9223372036854775807. a", "-9223372036854775808. b"]),
            ("<ol><li value=x>a</ol>", ["1. a"]), ("<ul><li value=5>a</ul>", ["• a"]),
        ] { #expect(lines(html) == numbers, "\(html): \(lines(html))") }
    }

    /// A style keeps the lines of a text, but not in cells, which have one line.
    @Test func keepsLinesWithAStyle() {
        for style in ["white-space: pre-wrap", "color: red; WHITE-SPACE:pre-line", "white-space: break-spaces"] {
            #expect(
                lines("<p style='\(style)'>\none  two\nthree\n\nfour\n</p><p>five\nsix</p>")
                    == ["one two", "three", "", "four", "", "five six"])
            #expect(lines("a <span style='\(style)'>b\nc</span> d\ne") == ["a b", "c d e"])
        }
        #expect(lines("<p style='white-space: nowrap'>a\nb</p>") == ["a b"])
        let table = "<table><tr><td>a\nb<td>c<tr><td>d<td>e</table>"
        #expect(lines("<div style='white-space: pre-wrap'>\(table)</div>") == lines(table))
    }

    /// Web addresses in plain text are links, without the punctuation of their sentence.
    @Test(
        arguments: [
            ("see https://a.example/x.", ["https://a.example/x"]), ("(http://a.example/b)", ["http://a.example/b"]),
            (
                "https://a.example/w_(x), www.b.example/?q=1!",
                ["https://a.example/w_(x)", "https://www.b.example/?q=1"]
            ),
            ("<https://a.example>", ["https://a.example"]), ("https://", []), ("xhttps://a.example", []),
            ("awww.b.example", []), ("HTTPS://A.example/", ["HTTPS://A.example/"]),
            ("https://a.example https://a.example", ["https://a.example"]),
        ] as [(String, [String])])
    func linksAddressesInPlainText(text: String, links: [String]) {
        let article = HTMLRenderer.render(plainText: text)
        #expect(article.links.map(\.url) == links)
        let written = article.paragraphs.flatMap(\.spans).filter { $0.role != .secondary }.map(\.text.string).joined()
        #expect(written == text)
    }

    /// Plain text keeps its lines and its angle brackets.
    @Test func keepsPlainText() {
        let article = HTMLRenderer.render(plainText: "one\n\n<b>two</b> & three")
        #expect(article.paragraphs.map { $0.spans.map(\.text.string).joined() } == ["one", "", "<b>two</b> & three"])
    }
}
