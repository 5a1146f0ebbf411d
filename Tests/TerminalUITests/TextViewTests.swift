import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Suite struct TextViewTests {
    private final class Host: ViewController {
        let text = TextView()
        override func makeView() -> View { text }
    }

    /// One paragraph of numbered words between two others.
    private static let paragraphs = [
        TextParagraph("before"), TextParagraph(DisplayText((1000..<1400).map { "\($0)" }.joined(separator: " "))),
        TextParagraph("after"),
    ]

    private func firstWord(_ screen: TestScreen) -> Int {
        screen.lines[0].split(separator: " ").first.flatMap { Int($0) } ?? -1
    }

    @Test(arguments: [5, 17, 40])
    func keepsTheLineBeingReadOnTop(down: Int) {
        let host = Host()
        let screen = TestScreen(root: host, size: Size(width: 60, height: 6))
        host.text.setParagraphs(TextViewTests.paragraphs)
        screen.application.render()
        for _ in 0..<down { screen.press("j") }
        let word = firstWord(screen)
        #expect(word > 1000)
        for width in [30, 24, 47, 33] {
            screen.resize(width, 6)
            // The word being read is in the first line.
            #expect(screen.lines[0].contains("\(word)"), "\(width)")
        }
        screen.resize(60, 6)
        #expect(firstWord(screen) == word)
        let place = host.text.place
        let other = Host()
        let again = TestScreen(root: other, size: Size(width: 35, height: 6))
        other.text.setParagraphs(TextViewTests.paragraphs)
        other.text.restore(place)
        again.application.render()
        #expect(again.lines[0].contains("\(word)"))
    }

    /// `/` finds while typing, even across line breaks; `n` and `N` wrap around; `Esc` returns to the previous
    /// position.
    @Test func findsTextWhileTyping() {
        let host = Host()
        let screen = TestScreen(root: host, size: Size(width: 30, height: 8))
        host.text.setParagraphs(TextViewTests.paragraphs)
        screen.press("j", "j", "/")
        let top = firstWord(screen)
        screen.type("1200 1201")
        #expect(screen.text.contains("1200") && screen.lines[7].contains("1200 1201"))
        screen.press("esc")
        #expect(firstWord(screen) == top && host.text.place.offset > 0)
        screen.press("/")
        screen.type("9")
        #expect(screen.text.contains("1009"))
        screen.press("enter")
        // Each of the matches, in both directions and around the end.
        for _ in 0..<200 { screen.press("n") }
        let after = host.text.place
        screen.press("n", "N")
        #expect(host.text.place == after)
        screen.press("esc", "/")
        screen.type("BEFORE")
        #expect(screen.lines[0].hasPrefix(" before"))
        screen.press("enter", "N", "n")
        #expect(screen.lines[0].hasPrefix(" before"))
        screen.press("esc", "/")
        screen.type("not there")
        #expect(screen.lines[0].hasPrefix(" before"))
        // Matches are highlighted.
        screen.press("esc", "/")
        screen.type("aft", then: "enter")
        let row = screen.lines.firstIndex { $0.hasPrefix(" after") } ?? 0
        #expect(screen.terminal.cells[1, row].style != screen.terminal.cells[4, row].style)
    }

    /// The last line says that there is no match, until there is one or the user scrolls.
    @Test func saysThatThereIsNoMatch() {
        let host = Host()
        let screen = TestScreen(root: host, size: Size(width: 30, height: 8))
        host.text.setParagraphs(TextViewTests.paragraphs)
        screen.press("/")
        screen.type("12x")
        #expect(screen.lines[7].hasPrefix(" 12x") && screen.lines[7].hasSuffix("No match"))
        screen.press("enter")
        #expect(screen.lines[7] == " No match for '12x'")
        screen.press("j")
        #expect(!screen.text.contains("No match"))
        screen.press("n")
        #expect(screen.lines[7] == " No match for '12x'")
        screen.press("esc", "/")
        screen.type("12")
        #expect(!screen.text.contains("No match"))
    }
}
