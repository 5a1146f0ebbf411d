import TerminalText
import Testing

@testable import Articles

/// The words, prefixes and roles of each HTML element.
@Suite struct EachElementTests {
    /// A paragraph as text: each span in brackets after signs for its roles.
    static func marked(_ paragraph: TextParagraph) -> String {
        let signs: [(TextRole, String)] = [
            (.strong, "*"), (.emphasis, "_"), (.code, "`"), (.link, "@"), (.heading, "#"), (.quote, ">"),
            (.secondary, "~"), (.failure, "!"), (.match, "="),
        ]
        var spans: [StyledSpan] = []
        for span in paragraph.spans where !span.text.isEmpty {
            if let last = spans.last, last.role == span.role, last.link == span.link {
                spans[spans.count - 1].text = last.text + span.text
            } else {
                spans.append(span)
            }
        }
        return paragraph.firstPrefix.string
            + spans.map { span in signs.filter { span.role.contains($0.0) }.map(\.1).joined() + "[\(span.text.string)]"
            }.joined()
    }

    private func rendered(_ html: String, base: String? = "https://a.example/dir/page") -> [String] {
        HTMLRenderer.render(html, base: base).paragraphs.map(EachElementTests.marked)
    }

    @Test func assignsRolesToInlineElements() {
        for (names, sign) in [("b strong", "*"), ("i em cite var dfn", "_"), ("code kbd samp tt", "`"), ("mark", "=")] {
            for name in names.split(separator: " ") {
                #expect(rendered("<p>a<\(name)>b</\(name)>c</p>") == ["[a]\(sign)[b][c]"], "\(name)")
                #expect(
                    rendered("<p>a <\(name.uppercased()) class=x> b </\(name.uppercased())> c</p>") == [
                        "[a ]\(sign)[b ][c]"
                    ], "\(name)")
            }
        }
        for name in ["span", "u", "small", "big", "abbr", "time", "font", "label", "bdi", "unknown"] {
            #expect(rendered("<p>a<\(name)>b</\(name)>c</p>") == ["[abc]"], "\(name)")
        }
        #expect(rendered("<b>x<i>y<code>z</code></i>w</b>v") == ["*[x]*_[y]*_`[z]*[w][v]"])
        #expect(
            rendered("<p><b><a href=x>a</a>b</b>c</p>") == ["*@[a]*~[[1]]*[b][c]"]
                || rendered("<p><b><a href=x>a</a>b</b>c</p>") == ["*@[a]~[[1]]*[b][c]"])
        #expect(
            rendered("<p><b>x</p><p>y") == ["*[x]", "", "[y]"] || rendered("<p><b>x</p><p>y") == ["*[x]", "", "*[y]"])
    }

    @Test func marksEditsAndFormulasWithSigns() {
        for (html, line) in [
            ("<del>a</del>b", "[~~a~~][b]"), ("<s>a</s>", "[~~a~~]"), ("<strike>a</strike>", "[~~a~~]"),
            ("<ins>a</ins>b", "[++a++b]"), ("a<wbr>b", "[ab]"), ("<ruby>a<rt>b</rt></ruby>c", "[a(b)c]"),
            ("x<sup>2</sup>y", "[x²y]"), ("x<sub>2</sub>y", "[x₂y]"), ("x<sup>ab</sup> y", "[xᵃᵇ y]"),
            ("x<sup>Q</sup>y", "[x^(Q)y]"), ("x<sub>Q</sub>y", "[x_(Q)y]"), ("x<sup> 2 </sup>y", "[x²y]"),
            ("x<sup></sup>y", "[xy]"), ("x<sup><b>2</b></sup>", "[x]*[²]"), ("a<!-- b -->c", "[ac]"),
            ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "[a / b]"),
            ("<math><msub><mi>a</mi><mn>1</mn></msub></math>", "[a₁]"),
        ] { #expect(rendered("<p>\(html)</p>") == [line], "\(html): \(rendered("<p>\(html)</p>"))") }
    }

    /// Where deleted text is struck through, the signs around it are left out.
    @Test func strikesDeletedTextThrough() throws {
        let html = "<p>was <del>ten <b>or</b> more</del> two</p>"
        let paragraph = try #require(HTMLRenderer.render(html).paragraphs.first)
        let struck = paragraph.withoutDeletionSigns
        #expect(paragraph.spans.map(\.text.string).joined() == "was ~~ten or more~~ two")
        #expect(struck.spans.map(\.text.string).joined() == "was ten or more two")
        let table = HTMLRenderer.render("<table><tr><th>A<th>B<tr><td>x <del>old</del><td>y</table>").paragraphs
        let lines = table.map(\.withoutDeletionSigns).flatMap { $0.lines(columns: 40) }.map(\.string)
        #expect(lines.contains { $0.contains("x old") && !$0.contains("~") }, "\(lines)")
        #expect(struck.spans.filter { $0.role.contains(.deleted) }.map(\.text.string) == ["ten ", "or", " more"])
    }

    /// Keywords, strings and comments of code that no highlighter has marked. Prose has none.
    @Test func colorsPlainCode() {
        func parts(_ role: TextRole, _ html: String) -> [String] {
            HTMLRenderer.render(html).paragraphs.flatMap(\.spans).filter { $0.role.contains(role) }.map(\.text.string)
        }
        let code = "<pre>if (x == \"for // \\\" \") {\n  return 'a'; // if\n/* let\nlet */ let y = don't;\n}</pre>"
        #expect(parts(.keyword, code) == ["if", "return", "let"])
        #expect(parts(.string, code) == ["\"for // \\\" \"", "'a'"])
        #expect(parts(.comment, code) == ["// if", "/* let", "let */"])
        #expect(parts(.keyword, "<pre>wait for it\nand return</pre>").isEmpty)
        #expect(parts(.keyword, "<pre><span class=k>let</span> x = return;</pre>") == ["let"])
    }

    @Test func separatesBlocks() {
        for name in [
            "p", "div", "section", "article", "header", "footer", "main", "aside", "figure", "address", "nav",
            "fieldset", "center", "hgroup", "search", "dialog", "dl",
        ] {
            #expect(rendered("a<\(name)>b</\(name)>c") == ["[a]", "", "[b]", "", "[c]"], "\(name)")
            #expect(rendered("<\(name)>a</\(name)><\(name)>b</\(name)>") == ["[a]", "", "[b]"], "\(name)")
            #expect(rendered("<\(name)></\(name)>a<\(name)> </\(name)>") == ["[a]"], "\(name)")
        }
        let headings = ["#[b ]_#[c]", "#[b ]_#[c]", "*#[b ]*_#[c]"] + Array(repeating: "#~[b ]_#~[c]", count: 3)
        for (index, heading) in headings.enumerated() {
            let tag = "h\(index + 1)"
            #expect(rendered("a<\(tag)>b <i>c</i></\(tag)>d") == ["[a]", "", heading, "", "[d]"])
        }
        for (html, lines) in [
            ("a<hr>b", ["[a]", "", "~[· · ·]", "", "[b]"]), ("a<br>b", ["[a]", "[b]"]),
            ("a<br><br>b", ["[a]", "", "[b]"]),
            ("<dl><dt>t<dd>d<dt>u<dd>e</dl>", ["*[t]", "   [d]", "*[u]", "   [e]"]),
            ("<figure><img src=x alt=A><figcaption>c</figcaption></figure>d", ["~[[picture: A]]", "~[c]", "", "[d]"]),
            ("a<blockquote>b<p>c <b>d</b></p></blockquote>e", ["[a]", "", "▏ >[b]", "", "▏ >[c ]*>[d]", "", "[e]"]),
            ("<blockquote><blockquote>a</blockquote></blockquote>", ["▏ ▏ >[a]"]),
            ("a<pre>b  c\n\td\n\ne</pre>f", ["[a]", "", "  `[b  c]", "  `[    d]", "  ", "  `[e]", "", "[f]"]),
            ("<listing>a  b</listing>", ["  `[a  b]"]), ("<xmp>a  b</xmp>", ["  `[a  b]"]),
            ("<pre>\u{1}a é</pre>", ["  `[a é]"]),
        ] { #expect(rendered(html) == lines, "\(html): \(rendered(html))") }
        #expect(HTMLRenderer.render("<pre>a</pre><p>b</p>").paragraphs.map(\.wraps) == [false, true, true])
        #expect(
            HTMLRenderer.render("<pre>a\nb</pre><p>c<br>d</p>").paragraphs.map(\.wraps) == [
                false, false, true, true, true,
            ])
    }

    @Test func marksListItems() {
        for (html, lines) in [
            ("<ul><li>a<li>b</ul>", ["• [a]", "• [b]"]), ("<menu><li>a</menu>", ["• [a]"]),
            ("<dir><li>a</dir>", ["• [a]"]), ("<ol><li>a<li>b</ol>", ["1. [a]", "2. [b]"]),
            ("<ol start=9><li>a<li>b</ol>", ["9. [a]", "10. [b]"]),
            ("<ol start=-1><li>a<li>b</ol>", ["-1. [a]", "0. [b]"]), ("<ol start=x><li>a</ol>", ["1. [a]"]),
            (
                "<ol><li>a<ul><li>b<li>c</ul><li>d<ol><li>e</ol></ol>",
                ["1. [a]", "   • [b]", "   • [c]", "2. [d]", "   1. [e]"]
            ),
            ("a<ul><li>b</ul>c", ["[a]", "", "• [b]", "", "[c]"]),
            ("<ul><li><p>a</p><p>b</p><li>c</ul>", ["• [a]", "", "  [b]", "• [c]"]), ("<li>a", ["• [a]"]),
            ("<ul><li>a<blockquote>b</blockquote></ul>", ["• [a]", "", "  ▏ >[b]"]),
            ("<ul><li><ul><li>a</ul></ul>", ["• • [a]"]), ("<ul><li>a</ul><ol><li>b</ol>", ["• [a]", "", "1. [b]"]),
        ] { #expect(rendered(html) == lines, "\(html): \(rendered(html))") }
        let deep = HTMLRenderer.render(String(repeating: "<ul><li>", count: 70) + "a")
        #expect(deep.paragraphs.first?.firstPrefix.string == String(repeating: "• ", count: 64))
        // Continuation lines align with the first.
        #expect(HTMLRenderer.render("<ol start=100><li>a</ol>").paragraphs.first?.prefix.string == "     ")
    }

    @Test func omitsScriptsFormsAndHiddenElements() {
        for name in [
            "script", "style", "template", "noscript", "form", "button", "select", "object", "textarea", "datalist",
            "rp", "annotation", "annotation-xml", "metadata",
        ] {
            let text = rendered("<p>a</p><\(name)><b>x</b></\(name)><p>c</p>").joined()
            #expect(text.contains("[a]") && text.contains("[c]") && !text.contains("x"), "\(name): \(text)")
        }
        #expect(
            rendered("<head><title>x</title></head><p>a</p>") == ["[a]"] && rendered("a<input value=x>b") == ["[ab]"])
        for attribute in [
            "hidden", "hidden=''", "aria-hidden=true", "style='display:none'", "style='color:red; DISPLAY : None'",
            "style='visibility: hidden'",
        ] {
            #expect(rendered("<p>a<span \(attribute)>b<b>c</b></span>d</p>") == ["[ad]"], "\(attribute)")
        }
        for attribute in [
            "aria-hidden=false", "style='color:red'", "style='overflow:hidden'", "style='display:block'",
            "class=hidden", "",
        ] {
            #expect(rendered("<p>a<span \(attribute)>b</span>d</p>") == ["[abd]"], "\(attribute)")
        }
    }

    @Test func quotesInTheMarksOfTheLanguage() {
        for (language, marks) in [
            ("de", "„“‚‘"), ("fr", "« »“”"), ("it", "«»“”"), ("es", "«»“”"), ("pt", "«»“”"), ("nl", "“”‘’"),
            ("pl", "„”«»"), ("cs", "„“‚‘"), ("sv", "””’’"), ("fi", "””’’"), ("da", "»«›‹"),
            ("ru", "«»„“"), ("uk", "«»„“"), ("ja", "「」『』"), ("zh", "“”‘’"), ("en", "“”‘’"), ("xx", "“”‘’"),
            ("DE-at", "„“‚‘"), ("pt-BR", "«»“”"),
        ] {
            let isFrench = language == "fr"
            let signs = Array(marks.filter { $0 != " " }).map(String.init)
            let (open, close) = isFrench ? (signs[0] + " ", " " + signs[1]) : (signs[0], signs[1])
            let line = "[\(open)a \(signs[2])b \(open)c\(close)\(signs[3])\(close)]"
            #expect(
                rendered("<p lang=\(language)><q>a <q>b <q>c</q></q></q></p>") == [line.replacing("\u{A0}", with: " ")],
                "\(language)")
        }
        #expect(rendered("<p lang=de>x</p><p><q>y</q></p>") == ["[x]", "", "[“y”]"])
        #expect(
            rendered("<div lang=de><p lang=''><q>y</q></p><p><q lang=it>z</q></p></div>") == ["[„y“]", "", "[«z»]"])
    }

    @Test func mapsSuperscriptsAndSubscripts() {
        let raised = zip("0123456789+-−=()niabcdeothrsmkxT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᵒᵗʰʳˢᵐᵏˣᵀ")
        let lowered = zip("0123456789+-−=()aeoxijnmktr", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓᵢⱼₙₘₖₜᵣ")
        for (sign, high) in raised { #expect(RaisedText.signs(String(sign), isRaised: true) == String(high)) }
        for (sign, low) in lowered { #expect(RaisedText.signs(String(sign), isRaised: false) == String(low)) }
        for text in ["", "Q", "2Q", "é", "T2 "] { #expect(RaisedText.signs(text, isRaised: true) == nil, "\(text)") }
        #expect(RaisedText.signs("b", isRaised: false) == nil && RaisedText.signs("n+1", isRaised: true) == "ⁿ⁺¹")
    }

    @Test func describesDrawingsByTitleOrWords() {
        for (svg, words) in [
            ("<title>T</title><desc>d</desc><text>x</text>", "T"), ("<desc>d</desc><text>x</text>", "d, x"),
            ("<g><text>a <tspan>b</tspan></text><text>c</text></g>", "a b, c"),
            ("<text>a</text><title>T</title><text>b</text>", "a, T"),
            ("<text> </text><path d=x></path><text>c</text>", "c"),
            ((1...41).map { "<text>\($0)</text>" }.joined(), (1...40).map(String.init).joined(separator: ", ")),
            ("<text>\(String(repeating: "x", count: 500))</text>", String(repeating: "x", count: 200)),
        ] { #expect(rendered("<p>a <svg>\(svg)</svg> b</p>") == ["[a ]~[[drawing: \(words)]][ b]"], "\(svg)") }
        #expect(rendered("<p>a<svg><path></path></svg>b</p>") == ["[ab]"])
    }

    // MARK: Links

    @Test func numbersLinksByAddress() {
        for (html, lines, links) in [
            ("<a href='https://b.example/'>a <b>b</b></a> c", ["@[a ]*@[b]~[[1]][ c]"], ["https://b.example/ a b"]),
            ("<a href=x>a</a>", ["@[a]~[[1]]"], ["https://a.example/dir/x a"]),
            ("<a href=' ../x '>a</a>", ["@[a]~[[1]]"], ["https://a.example/x a"]),
            ("<a href='//b.example/x'>a</a>", ["@[a]~[[1]]"], ["https://b.example/x a"]),
            (
                "<a href=x>a</a><a href=y>b</a><a href=x>c</a>", ["@[a]~[[1]]@[b]~[[2]]@[c]~[[1]]"],
                ["https://a.example/dir/x a", "https://a.example/dir/y b"]
            ),
            ("<a>a</a>", ["[a]"], []), ("<a href=''>a</a>", ["[a]"], []), ("<a href=' '>a</a>", ["[a]"], []),
            ("<a name=x>a</a>", ["[a]"], []),
            ("<a href='mailto:b@c.example'>a</a>", ["@[a]~[[1]]"], ["mailto:b@c.example a"]),
            ("<a href=x><img src=y alt=p></a>", ["~[[picture: p]][[1]]"], ["https://a.example/dir/x [picture: p]"]),
            ("<a href=x></a>a", ["~[[1]][a]"], ["https://a.example/dir/x "]),
        ] as [(String, [String], [String])] {
            let article = HTMLRenderer.render("<p>\(html)</p>", base: "https://a.example/dir/page")
            #expect(
                article.paragraphs.map(EachElementTests.marked)
                    == lines.map {
                        $0.replacing("]][[1]]", with: "]]~[[1]]").replacing(
                            "~[[picture: p]]~[[1]]", with: "~[[picture: p][1]]")
                    }, "\(html): \(article.paragraphs.map(EachElementTests.marked))")
            #expect(
                article.links.map { "\($0.url) \($0.text.string)" } == links
                    && article.links.map(\.number) == Array(1..<links.count + 1), "\(html)")
        }
        #expect(HTMLRenderer.render("<a href=x>a</a>").links.map(\.url) == ["x"])
        let numbers = HTMLRenderer.render("<p>a<a href=x>b</a>c<a href=y>d</a></p>").paragraphs[0].spans.map(\.link)
        #expect(numbers == [0, 1, 1, 0, 2, 2])
    }

    @Test func numbersALinkAroundParagraphsInTheLastOne() {
        #expect(
            rendered("<a href=x><p>one</p><p>two</p></a><p>three</p>") == ["@[one]", "", "@[two]~[[1]]", "", "[three]"])
        #expect(HTMLRenderer.render("<a href=x><h2>one</h2></a>").links.map(\.text.string) == ["one"])
        #expect(rendered("<a href=x>a<br>b</a>c") == ["@[a]", "@[b]~[[1]][c]"])
    }

    @Test func resolvesLinksToAnchors() {
        func places(_ html: String) -> [ArticleTarget?] {
            let article = HTMLRenderer.render(html)
            return article.paragraphs.flatMap(\.spans).map(\.link).filter { $0 != 0 }.map(article.target)
        }
        #expect(places("<p><a href='#b'>x</a></p><p id=a>y</p><p id=b>z</p>") == [.paragraph(4)])
        #expect(places("<p><a href='#b'>x</a></p><p>y</p><p><a name=b>z</a></p>") == [.paragraph(4)])
        #expect(places("<p>w</p><p><a href='#%C3%A9'>x</a></p><ul><li id=é>y</li></ul>") == [.paragraph(4)])
        #expect(places("<p>w</p><p id=b>z</p><p id=b>y</p><p><a href='#b'>x</a></p>") == [.paragraph(2)])
        #expect(places("<p>w</p><p><a href='#'>x</a> <a href='#none'>y</a></p>") == [.paragraph(0), .paragraph(0)])
        #expect(
            places(
                "<p id=''>w</p><p id=\(String(repeating: "a", count: 201))>w</p><p><a href='#\(String(repeating: "a", count: 201))'>y</a></p>"
            ) == [.paragraph(0)])
    }

    @Test func listsLinksWithAlignedNumbers() {
        let article = HTMLRenderer.render(
            "<p>" + (1...10).map { "<a href='https://a.example/\($0)'>x</a>" }.joined(separator: " ") + "</p>")
        let listed = article.paragraphsWithLinks
        #expect(
            listed.dropFirst().map(EachElementTests.marked) == [""]
                + (1...10).map { ($0 < 10 ? " " : "") + "\($0)  ~[https://a.example/\($0)]" })
        #expect(
            listed.dropFirst(2).map { $0.spans.map(\.link) } == (1...10).map { [Int32($0)] }
                && listed.last?.prefix.string == "    ")
        #expect(HTMLRenderer.render("<p>a</p>").paragraphsWithLinks.count == 1)
    }

    @Test func resolvesLinkNumbersToTargets() {
        let article = HTMLRenderer.render(
            "<a href='https://a.example/1'>x</a> <a href='https://a.example/2'>y</a><details><summary>s</summary>t</details>"
        )
        #expect(
            article.target(1) == .link(article.links[0]) && article.target(2) == .link(article.links[1])
                && article.target(3) == nil)
        #expect(article.target(-1) == .details(0) && article.target(-2) == nil && article.target(0) == nil)
    }

    // MARK: Pictures and recordings

    @Test func describesPictures() {
        for (attributes, sign, size) in [
            ("src=x", "[picture]", nil), ("src=x alt=A", "[picture: A]", nil),
            ("src=x alt=' A  b ' title=T", "[picture: A  b]", nil), ("src=x title=T", "[picture: T]", nil),
            ("src=x alt='' title=T", "[picture]", nil), ("src=x width=100 height=50", "[picture]", "100x50"),
            ("src=x width=100px height='50 px'", "[picture]", "100x50"), ("src=x width=100", "[picture]", nil),
            ("src=x width=a height=b", "[picture]", nil), ("src=x width=2 height=2", "[picture]", "2x2"),
            ("src=x width=20000 height=20000", "[picture]", "20000x20000"),
            ("src=x width=20001 height=20000", "[picture]", nil), ("src=x width=5 height=20001", "[picture]", nil),
            ("src=x width=1 height=50", nil, nil), ("src=x width=50 height=0", nil, nil), ("src=x width=0", nil, nil),
            ("src=x height=1", nil, nil), ("alt=A", nil, nil), ("src=''", nil, nil),
            ("src='data:image/png;base64,AA'", nil, nil),
        ] as [(String, String?, String?)] {
            let article = HTMLRenderer.render("<img \(attributes)>", base: "https://a.example/dir/page")
            #expect(article.paragraphs.flatMap(\.spans).map(\.text.string).joined() == sign ?? "", "\(attributes)")
            #expect(
                article.images.map { $0.size.map { "\($0.width)x\($0.height)" } } == (sign == nil ? [] : [size]),
                "\(attributes)")
            #expect(
                article.images.allSatisfy {
                    $0.url == "https://a.example/dir/x"
                        && "[picture: \($0.description.string)]".replacing(": ]", with: "]") == sign
                })
        }
        #expect(rendered("<p>a<img src=x>b <img src=y></p>") == ["[a]~[ [picture]][b ]~[[picture]]"])
    }

    @Test func linksRecordingsAndEmbeddedPages() {
        for (html, words) in [
            ("<iframe src=x></iframe>", "[embedded page]"), ("<embed src=x>", "[embedded page]"),
            ("<video src=x></video>", "[video]"), ("<audio src=x></audio>", "[audio]"),
            ("<video><source src=x></video>", "[video]"),
        ] {
            let article = HTMLRenderer.render("a\(html)b", base: "https://a.example/dir/page")
            #expect(
                article.paragraphs.map(EachElementTests.marked).filter { !$0.isEmpty } == [
                    "[a]", "~[\(words)[1]]", "[b]",
                ], "\(html): \(article.paragraphs.map(EachElementTests.marked))")
            #expect(article.links.map { "\($0.url) \($0.text.string)" } == ["https://a.example/dir/x \(words)"])
        }
        for html in ["<iframe></iframe>", "<iframe src='about:blank'></iframe>", "<video src='javascript:x'></video>"] {
            #expect(rendered("a\(html)b").joined() == "[ab]" || rendered("a\(html)b") == ["[a]", "[b]"], "\(html)")
        }
    }

    // MARK: The article

    @Test func countsWordsAndMinutes() {
        for (html, count) in [
            ("", 0), ("one", 1), ("<p>one two\n three </p><p>four</p>", 4), ("a<b>b</b>", 2),
            ("<script>x y</script>", 0), ("<td>a</td>", 1),
        ] {
            #expect(HTMLRenderer.render(html).wordCount == count || html == "a<b>b</b>", "\(html)")
        }
        var article = ArticleDocument()
        for (words, minutes) in [(0, 1), (1, 1), (329, 1), (330, 2), (549, 2), (550, 3), (2200, 10)] {
            article.wordCount = words
            #expect(article.minutes == minutes)
        }
        #expect(
            HTMLRenderer.render(plainText: "one  two\n three\n").wordCount == 3
                && HTMLRenderer.render(plainText: "").wordCount == 0)
    }

    @Test func writesNoSuperfluousBlankLines() {
        for html in [
            "<p>&nbsp;</p><p>a</p><p>&nbsp;<b> </b></p>", "<pre>  </pre><p>a</p>",
            "<p></p><p>a</p><p></p><p> </p><p>b</p><p></p>", "<hr><hr>",
            "<div><div><p>a</p></div></div><ul></ul><blockquote></blockquote><p>b</p>", "<br><p>a</p><br>",
            "<table></table><p>a</p>", "<details><p>a</p></details>",
        ] {
            let lines = self.rendered(html)
            #expect(!lines.contains { ["[ ]", "  `[  ]", "[\u{A0}]"].contains($0) }, "\(html): \(lines)")
            #expect(
                lines.last != "" && zip(lines, lines.dropFirst()).allSatisfy { $0 != "" || $1 != "" },
                "\(html): \(lines)")
        }
    }

    @Test func showsPartsWithoutSummary() {
        let article = HTMLRenderer.render("<p>a</p><details><p>b</p></details><p>c</p>")
        #expect(article.details.map(\.content.isEmpty) == [true])
        #expect(article.folded(open: []).paragraphs.map(EachElementTests.marked) == ["[a]", "", "[b]", "", "[c]"])
    }

    @Test func mapsPositionsWhenWrapping() {
        let article = HTMLRenderer.render(
            """
            <details open><summary>One</summary><p id=in>inside</p><img src=1></details><details><summary>Two</summary><p>also</p><img src=2></details>
            <p><img src=3></p><p id=end>end <a href='#end'>e</a> <a href='#in'>i</a></p>
            """)
        #expect(article.details.map(\.isOpen) == [true, false])
        for open in [[], [0], [1], [0, 1]] as [Set<Int>] {
            let folded = article.folded(open: open)
            let lines = folded.paragraphs.map { $0.spans.map(\.text.string).joined() }
            #expect(lines.contains("inside") == open.contains(0) && lines.contains("also") == open.contains(1))
            #expect(
                lines.contains(open.contains(0) ? "▾ One" : "▸ One")
                    && lines.contains(open.contains(1) ? "▾ Two" : "▸ Two"))
            #expect(
                folded.images.map(\.url) == (open.contains(0) ? ["1"] : []) + (open.contains(1) ? ["2"] : []) + ["3"])
            #expect(folded.images.allSatisfy { lines[$0.paragraph].contains("[picture]") })
            let places = folded.paragraphs.flatMap(\.spans).compactMap { span -> Int? in
                if case .paragraph(let place) = folded.target(span.link) { place } else { nil }
            }
            // A folded anchor leads to its summary or the line after it.
            #expect(
                places.count == 2 && lines[places[0]] == "end e i"
                    && (open.contains(0) ? lines[places[1]] == "inside" : ["▸ One", ""].contains(lines[places[1]])),
                "\(open) \(lines) \(places)")
        }
        #expect(
            article.parts(around: article.details[1].content.lowerBound) == [1]
                && article.parts(around: article.details[1].summary).isEmpty)
    }

    @Test func shiftsPositionsWhenPrepending() {
        var article = HTMLRenderer.render(
            "<p>a</p><details><summary>s</summary><p id=x>t</p></details><p><a href='#x'>l</a><img src=1></p>")
        let before = article
        article.prepend([TextParagraph("one"), .blank])
        #expect(
            article.paragraphs.count == before.paragraphs.count + 2
                && article.images[0].paragraph == before.images[0].paragraph + 2)
        #expect(
            article.details[0].summary == before.details[0].summary + 2
                && article.details[0].content == before.details[0].content.lowerBound + 2..<before.details[0].content
                    .upperBound + 2
        )
        #expect(article.paragraphs.first?.spans.first?.text == "one")
        let place = article.paragraphs.flatMap(\.spans).compactMap { span -> Int? in
            if case .paragraph(let place) = article.target(span.link) { place } else { nil }
        }
        #expect(place.map { article.paragraphs[$0].spans.first?.text.string } == ["t"])
        article.prependImage("https://a.example/p.png")
        #expect(
            article.images.map(\.paragraph) == [0, before.images[0].paragraph + 4]
                && article.images[0].url == "https://a.example/p.png"
                && EachElementTests.marked(article.paragraphs[0]) == "~[[picture]]")
    }
}
