import TerminalUITesting
import Testing

@testable import TerminalUI

/// Links in texts are followed by click and by hint, and lead within a text and back.
@MainActor
@Suite struct TextLinkTests {
    private final class Followed { var list: [String] = [] }

    private func text(_ followed: Followed, links: Int = 2) -> TextView {
        let view = TextView()
        view.setParagraphs(
            (1...links).map { number in
                TextParagraph([
                    StyledSpan("see "),
                    StyledSpan(DisplayText("page \(number) of many" as String), .link, link: Int32(number)),
                    StyledSpan(DisplayText("[\(number)]"), .secondary, link: Int32(number)), StyledSpan(" end"),
                ])
            } + (0..<30).map { (number: Int) in TextParagraph(DisplayText("line \(number)")) })
        view.onFollow = { followed.list.append("\($0)\($1 ? " other" : "")") }
        return view
    }

    @Test func TXT_03_aClickFollowsAndADragDoesNot() {
        let followed = Followed()
        let screen = TestScreen(of: text(followed), width: 40, height: 8)
        screen.click(8, 1)
        screen.click(2, 1)
        #expect(followed.list == ["2"])
        screen.drag(from: Point(x: 6, y: 0), to: Point(x: 10, y: 0))
        #expect(followed.list == ["2"])
    }

    @Test func digitsFollowLinksWhileWanted() {
        let followed = Followed()
        let view = text(followed)
        let screen = TestScreen(of: view, width: 40, height: 8)
        screen.application.window.focus(view)
        screen.press("2", "j")
        #expect(followed.list.isEmpty)
        view.links.hasDigits = { true }
        screen.press("2", "0", "1")
        #expect(followed.list == ["2", "1"])
        // A number without a link begins a count.
        screen.press("9", "j")
        #expect(followed.list.count == 2 && screen.text.contains("line 14"), "\(screen.text)")
    }

    /// A link beyond the right edge of a line that isn't wrapped has no hint until the line is scrolled there.
    @Test func hintsAreForVisibleLinks() {
        let view = TextView()
        let code = StyledSpan(DisplayText(String(repeating: "code ", count: 12)), .code)
        view.setParagraphs([TextParagraph([code, StyledSpan("page", .link, link: 1)], wraps: false)])
        view.onFollow = { _, _ in }
        let screen = TestScreen(of: view, width: 40, height: 4)
        #expect(!view.showLinkHints())
        for _ in 0..<20 { screen.press("shift-right") }
        #expect(view.showLinkHints())
    }

    @Test func TXT_03_hintsFollowALinkOrEnd() {
        let followed = Followed()
        let view = text(followed)
        let screen = TestScreen(of: view, width: 40, height: 8)
        #expect(view.showLinkHints())
        screen.application.render()
        // Each link has one letter, even if its words and number are two spans.
        #expect(screen.text.contains("seeapage 1 of many[1] end") && screen.text.contains("seespage 2 of many[2] end"))
        #expect(screen.text.contains("A letter opens its link. Esc cancels."))
        // Hints differ from the text by more than their letters, even without colours.
        #expect(screen.terminal.cells[4, 0].style.attributes.contains(.reverse))
        screen.press("s")
        #expect(followed.list == ["2"])
        view.showLinkHints()
        screen.press("A")
        #expect(followed.list == ["2", "1 other"])
        view.showLinkHints()
        screen.press("z", "s")
        #expect(followed.list.count == 2)
        view.showLinkHints()
        screen.press("esc")
        #expect(view.links.hints == nil && screen.text.contains("see page 1 of many[1] end"))
        // Scrolling ends them.
        view.showLinkHints()
        view.scroll(by: 1)
        screen.application.render()
        #expect(view.links.hints == nil)
    }

    @Test func TXT_03_labelsManyLinksWithTwoLetters() {
        let followed = Followed()
        let view = text(followed, links: 40)
        let screen = TestScreen(of: view, width: 40, height: 44)
        view.showLinkHints()
        screen.application.render()
        #expect(screen.text.contains("sesipage 40 of many"))
        screen.press("s", "i")
        #expect(followed.list == ["40"])
    }

    @Test func TXT_03_treatsAWrappedLinkAsOne() {
        let view = TextView()
        view.setParagraphs([TextParagraph([StyledSpan("one two three four five six", .link, link: 7)])])
        view.onFollow = { _, _ in }
        let screen = TestScreen(of: view, width: 16, height: 6)
        view.showLinkHints()
        screen.application.render()
        #expect(view.links.hints?.items.count == 1)
    }

    @Test func TXT_03_aJumpLeadsBack() {
        let view = text(Followed())
        let screen = TestScreen(of: view, width: 40, height: 5)
        view.jump(toParagraph: 20)
        screen.application.render()
        #expect(screen.lines[0] == " line 18")
        screen.press("ctrl-o")
        #expect(screen.lines[0].hasPrefix(" see page 1"))
    }

    @Test func hyphenatesOnlyTooLongWords() {
        func lines(_ text: DisplayText, _ columns: Int) -> [String] {
            TextParagraph(text).lines(columns: columns).map(\.string)
        }
        #expect(lines("a Donaudampfschiff b", 10) == ["a", "Donaudamp-", "fschiff b"])
        #expect(lines("https://a.example/b", 10) == ["https://a.", "example/b"])
        #expect(lines("shorter words", 10) == ["shorter", "words"])
        // A mouse selection has none.
        let view = TextView()
        view.setParagraphs([TextParagraph("Donaudampfschiff")])
        let screen = TestScreen(of: view, width: 10, height: 4)
        screen.stopClock()
        for _ in 0..<3 { screen.click(2, 0) }
        #expect(screen.terminal.copied == "Donaudampfschiff")
    }
}
