import Testing

@testable import FeedParsing

/// Plain text from markup, for titles and the index.
@Suite struct PlainTextTests {
    @Test(
        arguments: [
            ("<ul><li>one</li><li>two</li></ul>", "one two"),
            ("<p>one.</p><p>two</p>", "one. two"),
            ("one<br>two<BR/>three<br />four", "one two three four"),
            ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
            ("<h2>Head</h2>Text", "Head Text"),
            ("a<img src='x>y'>b", "a b"),
            ("a<hr>b<blockquote>c</blockquote>d", "a b c d"),
            // Inline elements separate no words, whatever their names start with.
            ("un<b>be</b>liev<em>able</em>", "unbelievable"),
            ("H<sub>2</sub>O, E=mc<sup>2</sup>", "H2O, E=mc2"),
            // The mark of a footnote isn't part of the word before it.
            ("hill<sup id='r'><a href='#n'>1</a></sup> and", "hill 1 and"),
            ("hill<a href='#n'><sup>1</sup></a>", "hill 1"), ("a<sup><b>n</b></sup><a href='#n'>c</a>", "anc"),
            ("super<wbr>cali<unknown>fragil</unknown>", "supercalifragil"),
            ("<path>a</path><dialogue>b</dialogue><pb/>c", "abc"), ("a<script>x</script>b<!-- y -->c", "abc"),
            // Entities after tags stand for text.
            ("&lt;p&gt;a&lt;p&gt;&amp;b", "<p>a<p>&b"), ("a < b > c <", "a < b > c <"), ("</", "</"), ("a</p", "a</p"),
        ])
    func separatesWordsAtBlocksNotAtInlines(markup: String, text: String) { #expect(Markup.plainText(markup) == text) }

    /// Double escapes are decoded twice, except for markup characters, which titles mention.
    @Test(
        arguments: [
            ("a &amp;#8230;", "a \u{2026}"), ("a &amp;hellip; b &amp;rsquo;", "a \u{2026} b \u{2019}"),
            ("&amp;#x2026;&amp;#39;&amp;quot;", "\u{2026}'\""), ("&amp;lt;b&amp;gt; &amp;#60;", "&lt;b&gt; &#60;"),
            ("a &amp; b &amp;amp; c", "a & b &amp; c"), ("&amp;nothing; &amp;#; &amp;", "&nothing; &#; &"),
        ])
    func resolvesDoublyEscapedReferences(markup: String, text: String) { #expect(Markup.plainText(markup) == text) }

    @Test(
        arguments: [
            ("<p>a &amp;#8230; b &amp;nbsp;</p>", "<p>a &#8230; b &nbsp;</p>"),
            ("a &amp; b", "a & b".replacing("&", with: "&amp;")),
            ("<code>&amp;#8230;</code> &amp;#8230;", "<code>&amp;#8230;</code> &#8230;"),
            (
                "<PRE class=x>\n<b>&amp;hellip;</b></PRE>&amp;hellip;",
                "<PRE class=x>\n<b>&amp;hellip;</b></PRE>&hellip;"
            ),
            ("&amp;lt;p&amp;gt;", "&amp;lt;p&amp;gt;"),
        ])
    func removesOneLevelOfEscaping(html: String, result: String) {
        #expect(Markup.withoutDoubleEscapes(html) == result)
    }

    @Test func unescapesADoublyEscapedFeed() throws {
        let item =
            "<title>a &amp;amp;#8230;</title><description>&lt;p&gt;b &amp;amp;#8230;&lt;/p&gt;</description><guid>1</guid>"
        let feed = try FeedParser.parse(Array("<rss><channel><item>\(item)</item></channel></rss>".utf8)).feed
        #expect(feed.entries.first?.title == "a \u{2026}" && feed.entries.first?.contentHTML == "<p>b &#8230;</p>")
    }

    /// In linear time, however many there are.
    @Test func unescapesManyTextsInLinearTime() {
        let html = String(repeating: "&amp;#8230;", count: 200_000)
        #expect(Markup.withoutDoubleEscapes(html).utf8.count == 200_000 * 7)
    }

    @Test func collapsesAndTrimsWhitespace() {
        var random = SystemRandomNumberGenerator()
        let pieces = ["a", "é", "\u{A0}", " ", "\t", "\r\n", "\u{B}", "\u{C}", "\u{1C}", "\0", "🚲"]
        for _ in 0..<1_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement() ?? "" }.joined()
            let words = text.utf8.split { $0 == 0x20 || (9...13).contains($0) }.map { String(Substring($0)) }
            #expect(Markup.collapseSpaces(text) == words.joined(separator: " "))
        }
    }
}
