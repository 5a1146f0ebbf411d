import TerminalText
import Testing

@testable import TerminalScreen

/// Links that the terminal opens itself (OSC 8).
@MainActor @Suite struct HyperlinkTests {
    private let palette = ColorPalette(depth: .palette)

    private func written(_ grid: CellGrid, rows: Set<Int>) -> String {
        String(decoding: HyperlinkWriter.bytes(of: grid, rows: rows, palette: palette), as: UTF8.self)
    }

    @Test func writesTheAddressWithTheLink() throws {
        let grid = CellGrid(size: Size(width: 20, height: 2))
        let surface = Surface(grid)
        let style = Style(foreground: .palette(33), attributes: .underline)
        surface.draw("see 日本 now", at: Point(x: 0, y: 1), style: style)
        surface.link(4..<8, row: 1, to: try #require(Hyperlink("https://example.org/a", number: 3)))
        #expect(
            written(grid, rows: [1])
                == "\u{1B}7\u{1B}[2;5H\u{1B}]8;id=3;https://example.org/a\u{1B}\\\u{1B}[0;4;38;5;33m日本\u{1B}]8;;\u{1B}\\\u{1B}8"
        )
        #expect(written(grid, rows: [0]).isEmpty)
    }

    @Test func drawingOverALinkRemovesIt() throws {
        let grid = CellGrid(size: Size(width: 20, height: 1))
        let surface = Surface(grid)
        surface.draw("abcdefgh", at: .zero, style: .standard)
        surface.link(0..<8, row: 0, to: try #require(Hyperlink("https://example.org", number: 1)))
        surface.draw("XX", at: Point(x: 3, y: 0), style: .standard)
        // A changed style, such as a shadow's, keeps the link.
        surface.restyle(Rect(x: 0, y: 0, width: 2, height: 1)) { $0.adding(.dim) }
        let text = written(grid, rows: [0])
        #expect(text.contains("ab") && text.contains("c\u{1B}]8;;") && text.contains("fgh") && !text.contains("X"))
        #expect(grid[0, 0].style == Style(attributes: .dim))
    }

    @Test(arguments: [
        "https://e.org/\u{1B}]8;;", "https://e.org/a b", "javascript:alert(1)", "file:///etc/passwd", "https://e.org/ü",
        "https://e.org/" + String(repeating: "a", count: 2100),
    ])
    func rejectsAddressesThatEndTheSequence(address: String) {
        #expect(Hyperlink(address, number: 1) == nil)
    }

    @Test func recognizesTerminalsByName() {
        func isKnown(_ variables: [String: String]) -> Bool { HyperlinkSupport.isKnown { variables[$0] ?? "" } }
        #expect(isKnown(["TERM": "xterm-kitty"]))
        #expect(isKnown(["TERM": "xterm-256color", "VTE_VERSION": "6003"]))
        #expect(!isKnown(["TERM": "xterm-256color"]))
        #expect(!isKnown(["TERM": "xterm-kitty", "TMUX": "/tmp/tmux"]))
        #expect(HyperlinkSupport.isKnown(TmuxAnswer("on|1|1|0\n/dev/pts/1|kitty|RGB,hyperlinks,title\n")))
        #expect(!HyperlinkSupport.isKnown(TmuxAnswer("on|1|1|0\n/dev/pts/1|xterm|RGB,title\n")))
    }
}
