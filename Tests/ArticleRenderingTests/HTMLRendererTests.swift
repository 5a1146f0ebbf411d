import Testing

@testable import Articles

@Suite struct HTMLRendererTests {
    private func lines(_ html: String, columns: Int = 40) -> [String] {
        HTMLRenderer.render(html, base: "https://example.org/a/").paragraphsWithLinks.flatMap {
            $0.lines(columns: columns)
        }
        .map(\.string)
    }

    @Test func rendersBlocks() {
        let html = """
            before<h2>Heading</h2><p>One <b>bold</b>\n  and <a href="../x">a link</a>.</p><ul><li>first<li><p>second</p>
            <ol><li>deep</li></ol></li></ul><blockquote><p>said</p><p>again</p></blockquote><pre>a  b\n  c</pre>
            <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><script>no()</script>
            """
        #expect(
            lines(html) == [
                "before", "", "Heading", "", "One bold and a link[1].", "", "• first", "• second", "", "  1. deep", "",
                "▏ said", "", "▏ again", "", "  a  b", "    c", "", "A   B", "─────", "1   2", "",
                "1  https://example.org/x",
            ])
    }

    @Test func namesPicturesAndLeavesOutTrackingPixels() {
        #expect(lines("<img src='p.png' alt='A hill'><img src='t.gif' width=1 height=1>") == ["[picture: A hill]"])
    }

    @Test func removesControlSequences() {
        let text = lines("a&#x1b;[31m&#x9b;2J&#x202e;b").joined()
        #expect(
            text.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
            })
    }

    @Test func parsesDeepAndBrokenMarkup() {
        let deep = String(repeating: "<div><blockquote>", count: 5000) + "x"
        _ = HTMLRenderer.render(deep)
        #expect(lines("<p>open <b>bold <i>both</b> rest").joined(separator: " ").contains("open bold both rest"))
    }

    @Test func placesPicturesByParagraphAndLimitsThem() {
        let html = """
            <p>One.</p><p>Two <img src="/a.png" alt=" A "> and <img src="b.png"></p><ul><li><img src="c.png"></li></ul>
            <img src="track.gif" width="1"><img src="data:image/png;base64,AA">
            """
        let article = HTMLRenderer.render(html, base: "https://example.org/x/")
        #expect(
            article.images.map(\.url) == [
                "https://example.org/a.png", "https://example.org/x/b.png", "https://example.org/x/c.png",
            ])
        let texts = article.images.map { image in
            article.paragraphs[image.paragraph].spans.map(\.text.string).joined()
        }
        #expect(texts == ["Two [picture: A] and [picture]", "Two [picture: A] and [picture]", "[picture]"])
        let many = HTMLRenderer.render(
            String(repeating: "<img src='/x.png'>", count: 10_000), base: "https://example.org")
        #expect(many.images.count == 200)
    }

    @Test func addsWhatTheFeedGivesBesideTheText() {
        var article = HTMLRenderer.render("<p>Text <a href='https://example.org/a'>a</a></p>")
        article.prepend([article.addLink("https://example.org/1.mp3", "Audio", note: " · 4:05")])
        article.prependImage("https://example.org/1.jpg")
        article.paragraphs.append(article.addLink("https://example.org/a", "Comments"))
        #expect(article.images.map(\.url) == ["https://example.org/1.jpg"])
        #expect(article.links.map(\.number) == [1, 2])
        let texts = article.paragraphs.map { $0.spans.map(\.text.string).joined() }
        #expect(texts == ["[picture]", "", "Audio[2] · 4:05", "Text a[1]", "Comments[1]"])
    }

    @Test func movesPicturesWithTheirParagraphs() {
        var article = HTMLRenderer.render("<p>One.</p><p><img src='https://example.org/1.png' alt='A'></p>")
        article.prepend([.blank, .blank])
        let lines = article.images.map { article.paragraphs[$0.paragraph].spans.map(\.text.string).joined() }
        #expect(lines == ["[picture: A]"])
    }

    /// A large amount of one kind of markup in front of a paragraph.
    struct Flood: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rest: String
        var text: @Sendable () -> String
    }

    @Test(arguments: [
        Flood(
            testDescription: "attributes", rest: "A tag of the article has too many attributes; the rest is left out."
        ) {
            "<p>Text</p><p " + (0..<100_000).map { "a\($0)=1" }.joined(separator: " ") + ">"
        },
        Flood(testDescription: "quotes", rest: "A tag of the article has too many attributes; the rest is left out.") {
            "<p>Text</p><p " + (0..<100_000).map { "a\($0)='1'" }.joined() + ">"
        },
        Flood(testDescription: "lines", rest: "The article has more than 100,000 lines; the rest is left out.") {
            "<p>Text</p><pre>" + String(repeating: "a\n", count: 200_000) + "</pre>"
        },
        Flood(testDescription: "links", rest: "The end.") {
            "<p>Text</p>" + (0..<50_000).map { "<a href='https://example.org/\($0)'>x</a>" }.joined() + "<p>The end."
        },
    ])
    func truncatesFloodsAndSaysSo(flood: Flood) {
        let article = HTMLRenderer.render(flood.text())
        let texts = article.paragraphs.map { $0.spans.map(\.text.string).joined() }
        #expect(texts.first == "Text")
        #expect(texts.last == flood.rest)
        #expect(article.links.count <= 10_000)
    }

    @Test(arguments: ["one\ntwo\n\nthree", "one\r\ntwo\r\n\r\nthree", "one\rtwo\r\rthree"])
    func acceptsEveryLineEndingInPlainText(text: String) {
        let article = HTMLRenderer.render(plainText: text)
        #expect(article.paragraphs.map { $0.spans.map(\.text.string).joined() } == ["one", "two", "", "three"])
        #expect(article.wordCount == 3)
    }

    @Test func treatsBlankTextAsEmpty() {
        #expect(HTMLRenderer.render(plainText: " \n\t\n").paragraphs.isEmpty)
    }
}
