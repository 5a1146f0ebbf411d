import TerminalUITesting
import Testing

@testable import TerminalUI
@testable import TerminalUIExtras

/// The mouse selects text by characters, words and lines, and releasing the button copies it.
@MainActor
@Suite struct SelectionTests {
    /// Clicks a cell this many times quickly.
    private func click(_ screen: TestScreen, _ x: Int, _ y: Int, times: Int) {
        for _ in 0..<times { screen.click(x, y) }
    }

    private func look(_ screen: TestScreen, _ y: Int) -> String {
        String(
            (0..<screen.terminal.cells.size.width).map {
                screen.terminal.cells[$0, y].style.attributes.contains(.reverse) ? "r" : "."
            })
    }

    private var text: TextView {
        let view = TextView()
        view.setParagraphs([
            TextParagraph("Stage one: see https://example.org/a?b=1. Then rest"), .blank,
            TextParagraph(
                [StyledSpan("a point 東京 of a list")], firstPrefix: StyledLine("• "), prefix: StyledLine("  ")),
            TextParagraph([StyledSpan("    let code = 1")], wraps: false),
        ])
        return view
    }

    @Test func TXT_02_aDragSelectsTheTextBetween() {
        let view = text
        let screen = TestScreen(of: view, width: 24, height: 9)
        screen.stopClock()
        var copied = 0
        screen.application.window.onCopy = { count, _ in copied = count }
        #expect(screen.lines[0] == " Stage one: see")
        screen.drag(from: Point(x: 7, y: 0), to: Point(x: 4, y: 2))
        // Wrapped lines of one paragraph become one line again; a hyphenated word is complete.
        #expect(screen.terminal.copied == "one: see https://example.org/a?b=1")
        #expect(copied == 34)
        #expect(look(screen, 0).hasPrefix(".......rrrrrrrr.") && look(screen, 2).hasPrefix(".rrr."))
        // Backwards, over a wide character, with the prefix of the item.
        let row = screen.lines.firstIndex { $0.contains("•") } ?? 0
        screen.drag(from: Point(x: 15, y: row), to: Point(x: 5, y: 2))
        #expect(screen.terminal.copied == " Then rest\n\n• a point 東京")
        screen.press("esc")
        #expect(!look(screen, row).contains("r"))
        screen.click(3, 0)
        #expect(view.selection == nil)
    }

    /// A drag that returns deselects what it no longer covers.
    @Test func draggingBackSelectsLess() {
        let screen = TestScreen(of: text, width: 60, height: 9)
        var clock = ContinuousClock.now
        screen.application.window.now = { clock }
        for (action, x) in [(.press(.left), 7), (.drag(.left), 30), (.drag(.left), 10), (.release, 10)]
            as [(MouseEvent.Action, Int)]
        { screen.mouse(action, x, 0) }
        #expect(screen.terminal.copied == "one")
        clock += .seconds(1)
        for (action, x) in [(.press(.left), 7), (.drag(.left), 30), (.drag(.left), 1), (.release, 1)]
            as [(MouseEvent.Action, Int)]
        { screen.mouse(action, x, 0) }
        #expect(screen.terminal.copied == "Stage ")
    }

    @Test func TXT_02_twoClicksSelectAWordThreeAParagraph() {
        let screen = TestScreen(of: text, width: 60, height: 9)
        screen.stopClock()
        click(screen, 20, 0, times: 2)
        #expect(screen.terminal.copied == "https://example.org/a?b=1")
        screen.application.send(.key(KeyPress(.escape)))
        click(screen, 3, 0, times: 3)
        #expect(screen.terminal.copied == "Stage one: see https://example.org/a?b=1. Then rest")
        click(screen, 3, 3, times: 3)
        #expect(screen.terminal.copied == "    let code = 1")
        // A drag after two clicks continues by words.
        screen.click(3, 0)
        screen.drag(from: Point(x: 3, y: 0), to: Point(x: 9, y: 0))
        #expect(screen.terminal.copied == "Stage one")
    }

    @Test func draggingBeyondTheEdgeScrolls() {
        let view = TextView()
        view.setParagraphs((0..<60).map { TextParagraph(DisplayText("line \($0)")) })
        let screen = TestScreen(of: view, width: 20, height: 5)
        screen.mouse(.press(.left), 1, 3)
        for _ in 0..<4 { screen.mouse(.drag(.left), 8, 6) }
        screen.mouse(.release, 8, 6)
        #expect(screen.lines.first == " line 8")
        #expect(screen.terminal.copied == (3...12).map { "line \($0)" }.joined(separator: "\n"))
    }

    @Test func slowClicksAreSingleClicks() {
        let screen = TestScreen(of: text, width: 40, height: 9)
        var clock = ContinuousClock.now
        screen.application.window.now = { clock }
        for _ in 0..<3 {
            screen.click(3, 0)
            clock += .milliseconds(500)
        }
        #expect(screen.terminal.copied == nil)
    }

    /// Typing and pasting replace the selection of a field; a secure field reveals nothing.
    @Test(arguments: [false, true]) func TXT_02_replacesTheSelectionOfAField(isArea: Bool) {
        let (field, area) = (TextField(), TextArea())
        let view: View = isArea ? area : field
        let screen = TestScreen(of: view, width: 30, height: 3)
        screen.stopClock()
        func text() -> String { isArea ? area.text : field.text }
        screen.type("one two three")
        screen.drag(from: Point(x: 4, y: 0), to: Point(x: 7, y: 0))
        #expect(screen.terminal.copied == "two")
        #expect(look(screen, 0).hasPrefix("....rrr."))
        screen.type("2")
        #expect(text() == "one 2 three" && screen.terminal.cursor == Point(x: 5, y: 0))
        click(screen, 1, 0, times: 2)
        screen.press("backspace")
        #expect(text() == " 2 three")
        screen.drag(from: Point(x: 0, y: 0), to: Point(x: 2, y: 0))
        screen.application.send(.paste("pasted"))
        #expect(text() == "pasted three")
        screen.press("ctrl-z", "ctrl-z", "ctrl-z", "ctrl-z")
        #expect(text() == "one two thre" || text() == "one two three")
        screen.click(4, 0)
        screen.type("x")
        #expect(text().hasPrefix("one xtwo"))
    }

    @Test func FRM_02_aSecureFieldRevealsNothing() {
        let field = TextField()
        field.isSecure = true
        let screen = TestScreen(of: field, width: 20, height: 2)
        screen.stopClock()
        screen.type("東 x")
        #expect(screen.lines[0] == "•••" && screen.terminal.cursor == Point(x: 3, y: 0))
        click(screen, 1, 0, times: 2)
        click(screen, 1, 0, times: 1)
        #expect(screen.terminal.copied == nil && field.text == "東 x")
        screen.type("y")
        #expect(field.text == "y")
    }
}
