import CommonTesting
import TerminalUITesting
import Testing

@testable import TerminalUI
@testable import TerminalUIExtras

/// Texts of any length are laid out piece by piece, with the same result as all at once.
@MainActor
@Suite struct LongTextTests {
    /// Paragraphs of all kinds, some with attachments: the lazy layout gives the same lines as the complete one.
    @Test(arguments: 1...30) func TXT_01_windowedLayoutMatchesTheWhole(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let words = ["a", "stage", "東京", "supercalifragilistic", "of", "km", "  "]
        let paragraphs = (0..<40).map { index -> TextParagraph in
            let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? ""
            }.joined(separator: " ")
            switch index % 4 {
            case 0: return TextParagraph([StyledSpan(DisplayText(text))], wraps: false)
            case 1:
                return TextParagraph(
                    [StyledSpan(DisplayText(text))], firstPrefix: StyledLine("A long name: "), isNamed: true)
            default: return TextParagraph(DisplayText(text))
            }
        }
        var layout = TextLayout(paragraphs)
        layout.attach([3, 3, 20, 39].map { TextAttachment(paragraph: $0, view: View()) { $0 % 5 } })
        let width = Int.random(in: 1...60, using: &generator)
        layout.wrap(columns: width)
        let first = TextLayout.Position(paragraph: 0, line: 0)
        let all = layout.lines(from: first, count: .max / 2)
        #expect(all.count == paragraphs.reduce(0) { $0 + $1.lines(columns: width).count } + 4 * (width % 5))
        var position = first
        var weight = -1
        for (index, line) in all.enumerated() {
            #expect(layout.position(first, movedBy: index) == position)
            #expect(layout.position(position, movedBy: -index) == first)
            #expect(layout.lines(from: position, count: 1).first?.content == line.content)
            // A position leads back to its line, and positions further down have more text above.
            #expect(layout.position(at: layout.place(at: position)) == position)
            let above = layout.weight(before: position)
            #expect(above > weight || line.content.columns == 0 || index == 0 || above == weight)
            #expect(layout.position(afterWeight: above) <= position)
            weight = above
            position = layout.position(position, movedBy: 1)
        }
        let height = Int.random(in: 1...all.count, using: &generator)
        #expect(layout.lastTop(height: height) == layout.position(first, movedBy: all.count - height))
        // Attachments are at their lines.
        for (range, attachment) in zip(layout.places(from: first, within: 10_000), layout.attachments) {
            #expect(range?.count == attachment.height(width))
            if let range, !range.isEmpty {
                #expect(all[range.lowerBound].paragraph == attachment.paragraph)
                #expect(all[range.lowerBound].content.columns == 0)
            }
        }
        #expect(layout.places(from: first, within: 0).last == .some(nil))
    }

    /// Only visible text is wrapped: at each size no more paragraphs than nearby lines.
    @Test func TXT_01_wrapsOnlyVisibleParagraphs() {
        let view = TextView()
        let paragraph = TextParagraph("A paragraph of some words that is wrapped where the pane is narrow.")
        view.setParagraphs(Array(repeating: paragraph, count: 500_000))
        let screen = TestScreen(of: view, width: 60, height: 10)
        screen.press("G")
        #expect(view.progress == 1)
        screen.press("g g", "pagedown")
        let place = view.place
        for width in 20...70 {
            screen.resize(width, 10)
            #expect(view.place == place)
            #expect(view.layout.wrappedCount < 200)
        }
        #expect((view.progress ?? 1) < 0.001)
        // The indicator can be dragged to any position of the text.
        screen.drag(from: Point(x: 69, y: 0), to: Point(x: 69, y: 5))
        #expect(abs((view.progress ?? 0) - 0.5) < 0.01)
    }

    /// In a text area, a key gives the same text and rows in a line of a million characters as in a short one.
    @Test func TXT_01_laysOutALineOfAMillionCharacters() {
        let area = TextArea()
        area.text = String(repeating: "0123456789", count: 100_000)
        let screen = TestScreen(of: area, width: 41, height: 5)
        #expect(screen.lines.last == "0123456789012345678901234567890123456789")
        screen.type("x")
        #expect(screen.lines.last == "x" && screen.terminal.cursor == Point(x: 1, y: 4))
        screen.press("backspace", "ctrl-home")
        screen.type("東y")
        #expect(screen.lines.first == "東y0123456789012345678901234567890123456")
        #expect(screen.lines[1].hasPrefix("789"))
        screen.press("down", "down", "end")
        #expect(area.text.count == 1_000_002)
        screen.press("enter", "ctrl-z", "ctrl-z", "ctrl-z")
        #expect(area.text == String(repeating: "0123456789", count: 100_000))
        area.text = ""
        screen.application.send(.paste(String(repeating: "abcdefghijklmnopqrs\n", count: TextArea.maximumLength / 10)))
        #expect(area.text.count == TextArea.maximumLength)
        screen.type("b")
        #expect(area.text.count == TextArea.maximumLength)
        screen.press("enter")
        #expect(area.text.count == TextArea.maximumLength)
    }

    /// Rows of wrapped lines are the same whichever line they are reached from.
    @Test(arguments: 1...10) func TXT_01_windowedRowsMatchTheWhole(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let signs: [Character] = ["a", "b", "東", "é", " "]
        let lines = (0..<12).map { _ in
            (0..<Int.random(in: 0...40, using: &generator)).map { _ in signs.randomElement(using: &generator) ?? "a" }
        }
        var wrapping = LineWrapping()
        wrapping.columns = Int.random(in: 1...12, using: &generator)
        var rows: [LineWrapping.Row] = []
        var row = LineWrapping.Row(line: 0, index: 0)
        while rows.last != row {
            rows.append(row)
            row = wrapping.row(row, movedBy: 1, in: lines)
        }
        for (line, characters) in lines.enumerated() {
            let ranges = rows.filter { $0.line == line }.map { wrapping.range(of: $0, in: lines) }
            #expect(ranges.flatMap { Array(characters[$0]) } == characters)
            for range in ranges {
                let columns = characters[range].reduce(0) { $0 + $1.columns }
                #expect(columns <= wrapping.columns || range.count == 1)
            }
        }
        for (index, start) in rows.enumerated() {
            var fresh = LineWrapping()
            fresh.columns = wrapping.columns
            for (other, end) in rows.enumerated() {
                #expect(fresh.row(start, movedBy: other - index, in: lines) == end)
                guard other >= index else { continue }
                #expect(
                    fresh.distance(from: start, to: end, within: 20, in: lines)
                        == (other - index < 20 ? other - index : nil))
            }
        }
    }
}
