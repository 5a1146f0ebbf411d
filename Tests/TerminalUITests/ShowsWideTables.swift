import TerminalUI
import TerminalUITesting
import Testing

@testable import TerminalScreen

/// Tables in a text view: they may be wider than the text, and every second row has a ground of its own.
@MainActor
@Suite struct ShowsWideTables {
    private func text(_ long: String, linked: Bool = false) -> TextView {
        let rows = [["1", "short"], ["2", long]].map { $0.map { TextTable.Cell([StyledSpan(DisplayText($0))]) } }
        var cells = rows
        if linked { cells[1][1].spans[0].link = 7 }
        let columns = (0..<2).map { column in TextTable.Column(cells.map { $0[column].spans }, isNumeric: false) }
        let view = TextView()
        view.maximumColumns = 40
        view.isCentered = true
        view.setParagraphs([
            TextParagraph(DisplayText(String(repeating: "prose ", count: 20))),
            TextParagraph(TextTable(rows: cells, columns: columns), orRecords: [TextParagraph("a record")]),
        ])
        return view
    }

    @Test func usesTheViewBeyondTheText() {
        let long = String(repeating: "word ", count: 14) + "end"
        let screen = TestScreen(of: text(long), width: 120, height: 12)
        let prose = screen.lines[0].prefix { $0 == " " }.count
        #expect(prose == 40)
        // 77 columns in the middle of 120.
        #expect(screen.text.contains("\n" + String(repeating: " ", count: 21) + "2   " + long))
        screen.resize(60, 12)
        #expect(screen.lines[0].prefix { $0 == " " }.count == 10)
        #expect(screen.lines.contains { $0.hasPrefix(" 2   word") } && screen.lines.contains { $0.hasSuffix("end") })
        #expect(screen.lines.allSatisfy { $0.count <= 60 })
        screen.resize(15, 12)
        #expect(screen.text.contains("a record"))
    }

    /// From eight columns on, lines that scroll sideways replace records.
    @Test(arguments: [(7, true), (8, false)]) func manyColumnsScrollSideways(count: Int, isRecord: Bool) {
        let row = (0..<count).map { TextTable.Cell([StyledSpan(DisplayText("word\($0)"))]) }
        let columns = row.map { TextTable.Column([$0.spans], isNumeric: false) }
        let view = TextView()
        view.setParagraphs([
            TextParagraph(TextTable(rows: [row], columns: columns), orRecords: [TextParagraph("a record")])
        ])
        let screen = TestScreen(of: view, width: 20, height: 4)
        #expect(screen.text.contains("a record") == isRecord)
    }

    /// A link is where it is drawn.
    @Test func followsLinksInWideTables() {
        let view = text(String(repeating: "word ", count: 14) + "end", linked: true)
        var followed: Int32 = 0
        view.onFollow = { link, _ in followed = link }
        let screen = TestScreen(of: view, width: 120, height: 12)
        screen.click(22, 4)
        #expect(followed == 0)
        screen.click(on: "word")
        #expect(followed == 7)
    }

    @Test func shadesEverySecondRow() {
        let palette = TerminalColors(foreground: RGB(0xD0, 0xD0, 0xD0), background: RGB(0x1C, 0x1C, 0x1C), ansi: [:])
        var capabilities = TerminalCapabilities()
        capabilities.colors = .direct
        capabilities.ownColors = palette
        let screen = TestScreen(
            root: HostController(text("long")), size: Size(width: 60, height: 12), capabilities: capabilities)
        let theme = screen.application.window.theme
        let ground = theme[.shaded].background
        #expect(ground != theme[.text].background && ground != theme[.popover].background)
        let row = screen.lines.firstIndex { $0.contains("2   long") } ?? 0
        let column = screen.lines[row].prefix { $0 == " " }.count
        let grounds = { (row: Int) in (column..<column + 9).map { screen.terminal.cells[$0, row].style.background } }
        #expect(grounds(row).allSatisfy { $0 == ground } && grounds(row - 1).allSatisfy { $0 != ground })
    }
}
