import Testing

@testable import TerminalText

/// The signs of the program where the locale isn't UTF-8.
@Suite struct ASCIISignsTests {
    @Test(
        arguments: [
            ([:], false), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true),
            (["LANG": "en_US.UTF-8@euro"], true),
            (["LANG": "C"], false), (["LANG": "POSIX"], false), (["LANG": "de_DE"], false),
            (["LANG": "de_DE.ISO-8859-1"], false), (["LANG": "utf8"], false),
            (["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "C", "LANG": "C.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "", "LANG": "C.UTF-8"], true),
            (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"], true), (["LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
        ] as [([String: String], Bool)])
    func readsTheLocale(variables: [String: String], hasUnicode: Bool) {
        #expect(ASCIISigns.hasUnicode { variables[$0] } == hasUnicode)
    }

    @Test func replacesSignsAndKeepsLetters() {
        #expect(ASCIISigns.text("plain text") == "plain text")
        #expect(ASCIISigns.text("12 unread · every 60 min …") == "12 unread - every 60 min ...")
        #expect(ASCIISigns.text("Tirana → Vlorë, 5 × 3, ± 2") == "Tirana -> Vlorë, 5 x 3, +/- 2")
        #expect(ASCIISigns.text("1\u{A0}min") == "1 min")
        #expect(ASCIISigns.text("“Évora” – ⏎") == "\"Évora\" - enter")
        #expect(
            ASCIISigns.sign(for: "é") == nil && ASCIISigns.sign(for: "漢") == nil && ASCIISigns.sign(for: "a") == nil)
    }

    /// Lines, blocks and patterns of dots are all replaced, and by signs of one column.
    @Test func replacesEveryDrawnSign() throws {
        for value in [0x2500...0x259F, 0x2800...0x28FF].joined() {
            let scalar = try #require(Unicode.Scalar(UInt32(value)))
            let sign = try #require(ASCIISigns.sign(for: scalar), "\(scalar)")
            #expect(sign.isASCII && sign.value >= 0x20)
        }
        for scalar in "·…—–−“”„‘’«»‹›•●○◆◇★◉◷◶▲△▼▽◁▷▸▾✓✕×⊘⚑⌕⟳←↑→↓⏎⇥▬°±⋯".unicodeScalars {
            #expect(ASCIISigns.sign(for: scalar)?.isASCII == true, "\(scalar)")
        }
    }
}
