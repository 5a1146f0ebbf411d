import Testing

@testable import FeedParsing

/// Plain text of markup: what titles show and the index takes.
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
            // What stands in a line parts no word, whatever its name begins with.
            ("un<b>be</b>liev<em>able</em>", "unbelievable"),
            ("H<sub>2</sub>O, E=mc<sup>2</sup>", "H2O, E=mc2"),
            ("super<wbr>cali<unknown>fragil</unknown>", "supercalifragil"),
            ("<path>a</path><dialogue>b</dialogue><pb/>c", "abc"),
            ("a<script>x</script>b<!-- y -->c", "abc"),
            // Entities after tags: what they stand for is text.
            ("&lt;p&gt;a&lt;p&gt;&amp;b", "<p>a<p>&b"),
            ("a < b > c <", "a < b > c <"), ("</", "</"), ("a</p", "a</p"),
        ])
    func blocksPartWordsAndLinesDoNot(markup: String, text: String) { #expect(Markup.plainText(markup) == text) }

    @Test func runsOfBlanksAreOneAndNoneIsAtTheEnds() {
        var random = SystemRandomNumberGenerator()
        let pieces = ["a", "é", "\u{A0}", " ", "\t", "\r\n", "\u{B}", "\u{C}", "\u{1C}", "\0", "🚲"]
        for _ in 0..<1_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement() ?? "" }.joined()
            let words = text.utf8.split { $0 == 0x20 || (9...13).contains($0) }.map { String(Substring($0)) }
            #expect(Markup.foldBlanks(text) == words.joined(separator: " "))
        }
    }
}
