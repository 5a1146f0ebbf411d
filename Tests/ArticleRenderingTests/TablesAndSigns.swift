import TerminalText
import Testing

@testable import Articles

/// Aligned tables, superscripts, subscripts, deletions, hidden text and other languages.
@Suite struct TablesAndSigns {
    /// The lines without spaces at their ends.
    static func lines(_ html: String, columns: Int = 80) -> [String] {
        HTMLRenderer.render(html, base: "https://a.example/").paragraphs.flatMap { $0.lines(columns: columns) }
            .map { line in
                var text = line.string
                while text.hasSuffix(" ") { text.removeLast() }
                return text
            }
    }

    private func lines(_ html: String, columns: Int = 80) -> [String] { Self.lines(html, columns: columns) }

    @Test func alignsColumnsAndRightAlignsNumbers() {
        let html = """
            <table><thead><tr><th>Rider</th><th>Gap</th><th>Team</th></tr></thead>
            <tr><td>Ivan Basso</td><td>0:00</td><td>Liquigas</td></tr>
            <tr><td>David <b>Arroyo</b></td><td>1:51</td><td>Caisse d'Epargne</td></tr>
            <tr><td>Nibali</td><td>12:37</td><td></td></tr></table>
            """
        #expect(
            lines(html) == [
                "Rider            Gap   Team", "───────────────────────────────────────",
                "Ivan Basso      0:00   Liquigas", "David Arroyo    1:51   Caisse d'Epargne", "Nibali         12:37",
            ])
    }

    @Test func keepsSpannedColumnsFree() {
        let html = """
            <table><tr><th colspan=2>Both</th><th>C</th></tr><tr><td rowspan=2>a</td><td>b</td><td>1</td></tr>
            <tr><td>d</td><td>2</td></tr></table>
            """
        #expect(lines(html) == ["Both    C", "─────────", "a   b   1", "    d   2"])
        // Whatever numbers the attributes claim.
        let loud = lines("<table><tr><td rowspan=1000000 colspan=1000000>x</td></tr><tr><td>y</td></tr></table>")
        #expect(loud.count <= 4)
    }

    @Test func rendersWideTablesAsRecords() {
        let long = String(repeating: "word ", count: 16)
        let html = """
            <table><tr><th>Name</th><th>Story</th></tr><tr><td>One</td><td>\(long)</td></tr>
            <tr><td>Two</td><td>short</td></tr></table>
            """
        // The long column is wrapped until its words are too wide.
        let wrapped = lines(html, columns: 40)
        #expect(wrapped.first == "Name   Story" && wrapped.filter { $0.contains("   word") }.count == 3)
        #expect(wrapped.allSatisfy { $0.count <= 40 } && lines(html, columns: 19).first == "Name   Story")
        let found = lines(html, columns: 18)
        #expect(found.first == "Name: One" && found.contains("Name: Two") && found.contains("Story: short"))
        #expect(found.contains { $0.hasPrefix("Story: word word") } && found.allSatisfy { $0.count <= 18 })
    }

    @Test func readsLayoutTablesInOrder() {
        let html = """
            <table><tr><td><p>First part.</p></td><td><div>Second part.</div></td></tr></table>
            <table role="presentation"><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>
            <table><tr><td>alone</td></tr></table>
            """
        let found = lines(html)
        #expect(found.contains("First part.") && found.contains("Second part.") && found.contains("alone"))
        #expect(!found.contains { $0.contains("─") || $0.contains("First part. │") })
    }

    @Test func rendersTablesOfManyCells() {
        let row = "<tr>" + String(repeating: "<td>x</td>", count: 100) + "</tr>"
        let found = HTMLRenderer.render("<table>" + String(repeating: row, count: 1000) + "</table>")
        #expect(found.paragraphs.count < 100_001)
        let nested = String(repeating: "<table><tr><td>", count: 1000) + "x"
        _ = HTMLRenderer.render(nested)
    }

    @Test(arguments: [
        ("x<sup>2</sup> + y<sup>n+1</sup>", "x² + yⁿ⁺¹"), ("H<sub>2</sub>O", "H₂O"), ("e<sup>−x/2</sup>", "e^(−x/2)"),
        ("a<sub>Q</sub>", "a_(Q)"), ("was <s>100</s> <ins>80</ins>, <del>no</del>", "was ~~100~~ ++80++, ~~no~~"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></math>", "a / b=c²"),
        ("<math><msqrt><mi>x</mi></msqrt></math>", "√(x)"),
        ("<svg><title>A chart</title><text>1</text></svg> after", "[drawing: A chart] after"),
        ("<svg><path d='M0'/></svg>after", "after"),
        ("<span lang=de><q>Ja <q>nein</q></q></span> <q>yes</q>", "„Ja ‚nein‘“ “yes”"),
        ("seen<span hidden>a</span><b style='DISPLAY : none'>b</b><i aria-hidden=true>c</i>", "seen"),
        ("note<sup><a href='#fn'>1</a></sup>", "note¹"), ("note<a href='#fn'><sup>12</sup></a>", "note¹²"),
        ("note<sup><a href='#fn'>[1]</a></sup>", "note[1]"),
        ("x<sup><a href='https://a.example/'>1</a></sup>", "x1[1]"),
        ("so \\(x^2\\) is", "so x² is"), ("\\(a &lt; b\\)", "a < b"), ("$$\\frac{a}{b} = c_1$$", "a / b = c₁"),
        ("\\[\\sqrt{x+1} \\le \\alpha\\]", "√(x+1) ≤ α"), ("$$\\sum_{i=1}^n i^2$$", "∑ᵢ₌₁ⁿ i²"),
        ("<script type='math/tex; mode=display'>% <![CDATA[\ne^{i\\pi} < 1 %]]></script>!", "e^(iπ) < 1!"),
        ("\\(\\left( \\frac{a+b}{2} \\right.\\)", "( (a+b) / 2"),
        ("\\(\\mathbb{R} \\to \\text{if so}, \\foo\\)", "ℝ → if so, \\foo"),
        ("\\(f'(x) - \\hat{y}\\)", "f′(x) − y\u{302}"), ("<code>\\(x^2\\)</code>", "\\(x^2\\)"),
        ("\\(no <b>end\\)</b>", "\\(no end\\)"), ("costs $$ or $5", "costs $$ or $5"), ("\\\\(x\\)", "\\\\(x\\)"),
        ("\\(\\)", "\\(\\)"), ("$$ $$", "$$ $$"),
    ])
    func rendersSigns(html: String, text: String) {
        #expect(lines("<p>" + html + "</p>") == [text])
    }

    /// A footnote's mark is a link to it, and so is the way back.
    @Test func linksFootnotesBothWays() {
        let article = HTMLRenderer.render(
            """
            <p>Words<sup id="ref1"><a href="#fn1">1</a></sup> here.</p><p>More.</p>
            <ol><li id="fn1"><p>The note. <a href="#ref1">↩</a></p></li></ol>
            """)
        let marks = article.paragraphs.flatMap(\.spans).filter { $0.link < 0 }
        #expect(marks.map(\.text.string) == ["¹", "↩"])
        let targets = marks.map { article.target($0.link) }
        let note = article.paragraphs.firstIndex { $0.spans.contains { $0.text.string.contains("The note.") } }
        #expect(targets == [note.map { .paragraph($0) }, .paragraph(0)])
        #expect(article.hasTargets && !HTMLRenderer.render("<p>x</p>").hasTargets)
    }

    /// Classes of highlighters give code colours, and never its text.
    @Test func colorsHighlightedCode() {
        let spans = HTMLRenderer.render(
            """
            <pre><code><span class="hljs-keyword">let</span> x = <span class="s2">"a"</span> <span class="token comment">// c</span>
            <span class="nf">f</span></code></pre><p><span class="k">k</span></p>
            """
        ).paragraphs.flatMap(\.spans)
        func role(_ text: String) -> TextRole? { spans.first { $0.text.string.contains(text) }?.role }
        #expect(
            role("let") == [.code, .keyword] && role("\"a\"") == [.code, .string] && role("// c") == [.code, .comment])
        #expect(role("x = ") == .code)
        #expect(spans.last?.role == [])
    }

    /// Many beginnings without an end cost no more than their text.
    @Test(.timeLimit(.minutes(1))) func readsFormulasInLinearTime() {
        for text in ["\\(", "$$", "\\(\\[", "\\({", "<script type='math/tex'>"] {
            let page = String(repeating: text + "x", count: 200_000)
            #expect(!HTMLRenderer.render(page).paragraphs.isEmpty || text.hasPrefix("<"))
        }
        for nesting in ["{", "\\bm", "\\sqrt[", "x^\\hat"] {
            let deep = "$$" + String(repeating: nesting, count: 1_900 / nesting.utf8.count) + "x$$"
            #expect(!HTMLRenderer.render(deep).paragraphs.isEmpty)
        }
    }
}
