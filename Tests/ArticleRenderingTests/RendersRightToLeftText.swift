import Articles
import TerminalText
import Testing

/// Right-to-left text: lines align with the right edge and characters keep their order.
@Suite struct RendersRightToLeftText {
    private func lines(_ html: String, columns: Int = 24) -> [String] {
        HTMLRenderer.render(html).paragraphs.flatMap { $0.lines(columns: columns).map(\.string) }
    }

    @Test func alignsLinesToTheRight() {
        #expect(
            lines("<div dir='rtl'><h2>אבג</h2><p>אבג דהו זחט יכל מנס עפצ קרש</p></div><p>abc</p>") == [
                "                     אבג", "", " אבג דהו זחט יכל מנס עפצ", "                     קרש", "", "abc",
            ])
    }

    /// Items, quotations and columns are mirrored; code and blocks with their own direction are not.
    @Test func mirrorsBlocks() {
        #expect(
            lines(
                """
                <div dir="RTL"><ul><li>אב<ol><li>גד</li></ol></li></ul><blockquote>הו</blockquote>
                <table><tr><th>זח</th><th>טי</th></tr><tr><td>כ</td><td>12</td></tr><tr><td>למנ</td><td>3</td></tr></table>
                <pre>x</pre><p dir="ltr">abc</p><p><span dir="ltr">de</span> פ</p></div>
                """) == [
                    "                    אב •", "                 גד 1.  ", "", "                    הו ▏", "",
                    "                טי    זח", "                ────────", "                12     כ",
                    "                 3   למנ", "", "  x", "", "abc", "", "                    de פ",
                ])
    }

    @Test func takesTheDirectionFromTheFirstLetter() {
        #expect(
            lines("<div dir='auto'><p>1. אב</p><p>ab אב</p><p>?</p></div>") == [
                "                   1. אב", "", "ab אב", "", "?",
            ])
    }

    /// Without an edge, as in a file, nothing is aligned; a width that is too small drops no letter.
    @Test(arguments: [1, 2, 5, 20, Int.max]) func laysOutAtAnyWidth(columns: Int) {
        let html = "<blockquote dir='rtl'><ul><li>אבגדהוזחטי כלמ</ul></blockquote>"
        let text = lines(html, columns: columns).joined().filter { $0.isLetter }
        #expect(text == "אבגדהוזחטיכלמ")
        #expect(lines(html, columns: columns).allSatisfy { $0.count <= max(columns, 2) })
    }
}
