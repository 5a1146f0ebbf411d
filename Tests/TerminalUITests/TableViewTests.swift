import ScreenTesting
import TerminalUI
import Testing

/// Rows that can be inserted and removed.
@MainActor
final class Rows: TableViewDataSource, TableViewDelegate {
    var names: [String]
    var asked = 0
    var heights: [String: Int] = [:]
    var activated: [RowPath] = []

    init(_ names: [String]) { self.names = names }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { names.count }
    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { names[path.row] }
    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        names.firstIndex { AnyHashable($0) == identifier }.map { RowPath(row: $0) }
    }
    func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int { heights[names[path.row]] ?? 1 }
    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { activated.append(path) }
    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        asked += 1
        let cell = table.dequeueCell()
        cell.title = DisplayText(names[path.row])
        return cell
    }
}

@MainActor
@Suite struct TableViewTests {
    let table = TableView()

    private final class Host: ViewController {
        let table: TableView
        init(_ table: TableView) {
            self.table = table
            super.init()
        }
        override func makeView() -> View { table }
    }

    private func show(_ rows: Rows, height: Int = 10) -> TestScreen {
        table.dataSource = rows
        table.delegate = rows
        let screen = TestScreen(root: Host(table), size: Size(width: 30, height: height))
        table.select(RowPath(row: 0))
        screen.application.render()
        return screen
    }

    @Test func TAB_01_keysMoveAndScroll() {
        let rows = Rows((0..<100).map { "row \($0)" })
        let screen = show(rows)
        screen.press("j", "down", "k")
        #expect(table.selectedPath?.row == 1)
        screen.press("G")
        #expect(table.selectedPath?.row == 99)
        #expect(screen.lines.last?.contains("row 99") == true)
        screen.press("g g")
        #expect(screen.lines.first?.contains("row 0") == true)
        screen.press("pagedown", "enter")
        #expect(rows.activated == [RowPath(row: 9)])
        screen.application.send(.mouse(MouseEvent(.wheel(1), at: Point(x: 3, y: 3))))
        #expect(table.selectedPath?.row == 9)
    }

    @Test func TAB_01_rowsMayHaveDifferentHeights() {
        let rows = Rows((0..<50).map { "row \($0)" })
        for index in stride(from: 0, to: 50, by: 3) { rows.heights["row \(index)"] = 2 }
        let screen = show(rows, height: 7)
        for index in 1..<50 {
            screen.press("j")
            #expect(screen.text.contains("▌row \(index)") || screen.text.contains("▌ row \(index)"))
        }
    }

    @Test func TAB_02_theSelectedRowStaysUnderTheEye() {
        let rows = Rows((0..<40).map { "row \($0)" })
        let screen = show(rows)
        for _ in 0..<20 { screen.press("j") }
        let line = screen.lines.firstIndex { $0.contains("row 20") }
        rows.names.insert(contentsOf: ["new 1", "new 2", "new 3"], at: 0)
        table.reloadData()
        screen.application.render()
        #expect(screen.lines.firstIndex { $0.contains("row 20") } == line)
        #expect(table.selectedPath?.row == 23)
        rows.names.removeAll { $0 == "row 20" }
        table.reloadData()
        screen.application.render()
        #expect(rows.names[table.selectedPath?.row ?? 0] == "row 21")
    }

    @Test func TAB_01_aMillionRowsCostWhatTheVisibleOnesCost() {
        let rows = Rows([])
        let screen = show(rows)
        rows.names = (0..<1_000_000).map { _ in "row" }
        rows.asked = 0
        table.reloadData()
        screen.application.render()
        screen.press("G", "g g", "pagedown")
        #expect(rows.asked <= 4 * 11)
    }

    @Test func TAB_06_anEmptyListSaysWhy() {
        table.emptyText = "Nothing here. a adds one."
        let screen = show(Rows([]))
        #expect(screen.text.contains("Nothing here. a adds one."))
        screen.press("j", "k", "G", "enter", "pagedown")
    }
}
