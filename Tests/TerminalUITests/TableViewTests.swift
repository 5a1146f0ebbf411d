import CommonTesting
import TerminalUI
import TerminalUIExtras
import TerminalUITesting
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

    private func show(_ rows: Rows, height: Int = 10) -> TestScreen {
        table.dataSource = rows
        table.delegate = rows
        let screen = TestScreen(of: table, width: 30, height: height)
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
        screen.mouse(.wheel(1), 3, 3)
        #expect(table.selectedPath?.row == 9)
    }

    @Test func TAB_01_supportsDifferentHeights() {
        let rows = Rows((0..<50).map { "row \($0)" })
        for index in stride(from: 0, to: 50, by: 3) { rows.heights["row \(index)"] = 2 }
        let screen = show(rows, height: 7)
        for index in 1..<50 {
            screen.press("j")
            #expect(screen.text.contains("▌row \(index)") || screen.text.contains("▌ row \(index)"))
        }
    }

    @Test func TAB_02_keepsTheSelectedRowInPlace() {
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

    @Test func TAB_02_selectsARowAgainWhenItsDeletionIsUndone() {
        let rows = Rows(["a", "b", "c", "d"])
        let screen = show(rows)
        func selected(after names: [String], undo isUndone: Bool = false) -> String {
            rows.names = names
            if isUndone { table.lostRows.isReturning = true }
            table.reloadData()
            return rows.names[table.selectedPath?.row ?? 0]
        }
        screen.press("j")
        // Undone one after the other, each row is selected again.
        #expect([selected(after: ["a", "c", "d"]), selected(after: ["a", "d"])] == ["c", "d"])
        #expect(selected(after: ["a", "c", "d"], undo: true) == "c")
        #expect(selected(after: ["a", "b", "c", "d"], undo: true) == "b")
        // What returns by itself, or after the user went elsewhere, is not selected.
        #expect(selected(after: ["a", "c", "d"]) == "c" && selected(after: ["a", "b", "c", "d"]) == "c")
        #expect(selected(after: ["a", "b", "d"]) == "d")
        screen.press("k")
        #expect(selected(after: ["a", "b", "c", "d"], undo: true) == "b")
    }

    @Test func TAB_01_aMillionRowsCostOnlyTheVisible() {
        let rows = Rows([])
        let screen = show(rows)
        rows.names = (0..<1_000_000).map { _ in "row" }
        rows.asked = 0
        table.reloadData()
        screen.application.render()
        screen.press("G", "g g", "pagedown")
        #expect(rows.asked <= 4 * 11)
    }

    @Test func TAB_06_explainsAnEmptyList() {
        table.emptyText = "Nothing here. a adds one."
        let screen = show(Rows([]))
        #expect(screen.text.contains("Nothing here. a adds one."))
        screen.press("j", "k", "G", "enter", "pagedown")
    }

    @Test func TAB_02_appliesAnyBatch() {
        var generator = SeededGenerator(seed: 11)
        func random(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }
        let rows = Rows((0..<30).map { "row \($0)" })
        let screen = show(rows)
        var next = 30
        for _ in 0..<300 {
            table.select(rows.names.isEmpty ? nil : RowPath(row: random(rows.names.count)))
            screen.application.render()
            let chosen = table.selectedPath.map { rows.names[$0.row] }
            var new = rows.names.filter { _ in random(10) > 1 }
            for _ in 0..<random(4) {
                new.insert("row \(next)", at: random(new.count + 1))
                next += 1
            }
            if new.count > 2, random(2) == 0 { new.insert(new.remove(at: random(new.count)), at: random(new.count)) }
            let changes = TableChanges.difference(from: rows.names, to: new)
            rows.names = new
            table.performBatchUpdates(changes)
            screen.application.render()
            if let chosen, new.contains(chosen) {
                #expect(table.selectedPath.map { new[$0.row] } == chosen)
            } else {
                #expect((table.selectedPath == nil) == new.isEmpty)
            }
        }
    }

    @Test func TAB_02_rejectsInconsistentBatches() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let rows = Rows(["a", "b"])
                let table = TableView()
                table.dataSource = rows
                rows.names = ["a", "b", "c"]
                table.performBatchUpdates(TableChanges())
            }
        }
    }

    @Test func TAB_02_insertsAndRemovesSections() {
        final class Sections: TableViewDataSource {
            var sections = [["a", "b"], ["c"], ["d", "e"]]
            func numberOfSections(in table: TableView) -> Int { sections.count }
            func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].count }
            func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
                let cell = table.dequeueCell()
                cell.title = DisplayText(sections[path.section][path.row])
                return cell
            }
            func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText? {
                section == 0 ? "two letters" : nil
            }
        }
        let data = Sections()
        table.dataSource = data
        let screen = TestScreen(of: table, width: 30, height: 10)
        #expect(screen.lines.prefix(4) == [" a", " b", "   two letters", " c"])
        table.select(RowPath(section: 2, row: 1))
        data.sections = [["x"], ["a", "b"], ["e", "d"]]
        var changes = TableChanges()
        changes.deletedSections = [1]
        changes.insertedSections = [0]
        changes.movedRows = [.init(from: RowPath(section: 2, row: 1), to: RowPath(section: 2, row: 0))]
        table.performBatchUpdates(changes)
        #expect(table.selectedPath == RowPath(section: 2, row: 0))
    }

    @Test func TAB_02_pinsTheSectionHeader() {
        final class Named: TableViewDataSource {
            func numberOfSections(in table: TableView) -> Int { 3 }
            func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 20 }
            func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
                let cell = table.dequeueCell()
                cell.title = DisplayText("row \(path.section).\(path.row)")
                return cell
            }
            func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
                DisplayText("head \(section)")
            }
        }
        let data = Named()
        table.dataSource = data
        let screen = TestScreen(of: table, width: 30, height: 8)
        table.select(RowPath(row: 0))
        for _ in 0..<58 {
            screen.press("j")
            let selected = "row \(table.selectedPath?.section ?? 9).\(table.selectedPath?.row ?? 99)"
            let lines = screen.lines
            #expect(lines.contains { $0.hasPrefix("▌\(selected)") })
            // The first line names the section of the row below it, at every scroll position.
            let first = lines[1].drop { !$0.isNumber }.prefix { $0.isNumber }
            #expect(!first.isEmpty && lines[0].hasPrefix(" head \(first)"))
        }
    }

    @Test func TAB_04_marksSeveralRows() {
        let rows = Rows((0..<20).map { "row \($0)" })
        table.allowsMarking = true
        let screen = show(rows)
        screen.press("v", "j", "v")
        #expect(table.markedPaths == [RowPath(row: 0), RowPath(row: 2)])
        #expect(screen.lines[0].hasPrefix("✓row 0 "))
        screen.press("j", "V")
        #expect(table.markedPaths.map(\.row) == [0, 2, 3, 4])
        rows.names.removeFirst(3)
        table.reloadData()
        #expect(table.markedPaths.map(\.row) == [0, 1])
        screen.press("esc")
        #expect(table.actionPaths == [table.selectedPath])
    }

    @Test func TAB_01_wrapsASecondLineWhereItFits() {
        let rows = Rows(["head"])
        rows.heights = ["head": 3]
        final class Long: TableViewDataSource {
            func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 1 }
            func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
                let cell = table.dequeueCell(style: .subtitle)
                cell.title = "head"
                cell.detail = "a text that is rather longer than two lines of thirty columns can ever be"
                return cell
            }
        }
        let data = Long()
        table.delegate = rows
        table.dataSource = data
        let screen = TestScreen(of: table, width: 30, height: 6)
        #expect(screen.lines.prefix(3) == [" head", " a text that is rather", " longer than two lines of…"])
    }

    @Test func spacePreviewsARow() {
        final class Peeking: TableViewDelegate {
            let rows: Rows
            init(_ rows: Rows) { self.rows = rows }
            func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController? {
                LoggedController("Preview \(path.row)", log: LifeCycleLog())
            }
        }
        let rows = Rows((0..<20).map { "row \($0)" })
        table.allowsPeeking = true
        let screen = show(rows, height: 20)
        let delegate = Peeking(rows)
        table.delegate = delegate
        #expect(screen.press("space", shows: "view of Preview 0"))
        #expect(screen.press("J", shows: "view of Preview 1"))
        screen.press("space")
        #expect(!screen.text.contains("view of Preview"))
        #expect(table.selectedPath == RowPath(row: 1))
        #expect(screen.application.window.focusedView === table)
    }
}
