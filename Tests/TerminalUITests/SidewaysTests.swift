import TerminalUI
import TerminalUITesting
import Testing

/// Rows, tables and code wider than their view scroll sideways, by keys and the wheel.
@MainActor
@Suite struct SidewaysTests {
    private final class Rows: ViewController, TableViewDataSource {
        let table = TableView()
        override func makeView() -> View { table }
        override func viewDidLoad() {
            table.dataSource = self
            table.select(RowPath(row: 0))
        }
        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 3 }
        func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
            let cell = table.dequeueCell()
            cell.title = path.row == 1 ? "short" : "A title that is much longer than the pane is wide"
            cell.value = "12 km"
            return cell
        }
    }

    @Test func TAB_07_scrollsListRows() {
        let screen = TestScreen(root: Rows(), size: Size(width: 30, height: 4))
        #expect(screen.lines[0] == "▌A title that is much …  12 km" || screen.lines[0].contains("…"))
        screen.press("shift-right")
        #expect(screen.lines[0].contains("that is much longer") && screen.lines[0].hasSuffix("12 km"))
        for _ in 0..<9 { screen.press("shift-right") }
        // No further than the end of the longest.
        #expect(screen.lines[0].contains("than the pane is wide 12 km"))
        screen.press("shift-left")
        #expect(!screen.lines[0].contains("wide"))
        for _ in 0..<9 { screen.mouse(.horizontalWheel(-1), 3, 0) }
        #expect(screen.lines[1].contains("short"))
        screen.application.send(.mouse(MouseEvent(.wheel(1), at: Point(x: 3, y: 0), .shift)))
        #expect(screen.lines[0].contains("tle that is") && !screen.lines[0].contains("A title"))
        // Once everything fits, nothing is scrolled.
        screen.resize(80, 4)
        #expect(screen.lines[0].contains("A title that"))
    }

    @Test func TAB_07_scrollsTableColumns() {
        let table = DataTableView(columns: (0..<8).map { DataColumn(DisplayText("Column \($0)"), width: 12) })
        table.value = { row, column in DisplayText("\(row)/\(column)") }
        table.reload(rows: 20)
        let screen = TestScreen(of: table, width: 40, height: 5)
        #expect(screen.lines[0].contains("Column 0") && !screen.lines[0].contains("Column 4"))
        for _ in 0..<20 { screen.press("shift-right") }
        #expect(screen.lines[0].hasSuffix("Column 7") && screen.lines[1].contains("0/7"))
        // A click on a heading refers to the column visible there.
        var sorted = -1
        table.onSort = { column, _ in sorted = column }
        screen.click(30, 0)
        #expect(sorted == 7)
        screen.resize(120, 5)
        #expect(screen.lines[0].hasPrefix("Column 0"))
        let open = DataTableView(columns: (0..<8).map { DataColumn(DisplayText("Column \($0)")) })
        let narrow = TestScreen(of: open, width: 40, height: 5)
        #expect(narrow.lines[0].hasPrefix("Column 0     Column 1"))
    }

    @Test func TAB_07_scrollsCode() {
        let text = TextView()
        let line = "let total = " + (1...20).map(String.init).joined(separator: " + ")
        text.setParagraphs([
            TextParagraph("Words that are wrapped where the line ends stay where they are."),
            TextParagraph([StyledSpan(DisplayText(line), .code)], wraps: false),
        ])
        let screen = TestScreen(of: text, width: 30, height: 6)
        let row = screen.lines.firstIndex { $0.contains("let") } ?? 0
        #expect(screen.lines[row].hasSuffix("›"))
        screen.press("shift-right")
        #expect(screen.lines[row].contains("‹") && !screen.lines[row].contains("let"))
        #expect(screen.lines[0].hasPrefix(" Words that"))
        for _ in 0..<20 { screen.press("shift-right") }
        #expect(screen.lines[row].hasSuffix("+ 20"))
        // Selecting there selects the visible text.
        screen.drag(from: Point(x: 25, y: row), to: Point(x: 29, y: row))
        #expect(screen.terminal.copied == "+ 20")
        let selected = (0..<30).filter { screen.terminal.cells[$0, row].style.attributes.contains(.reverse) }
        #expect(selected == Array(25..<29))
    }
}
