import CommonTesting
import TerminalUITesting
import Testing

@testable import TerminalUI
@testable import TerminalUIExtras

/// Rows in sections: their positions, batch updates, and the effects of mouse and keys.
@MainActor @Suite struct KeepsRows {
    // MARK: Places

    @Test func countsRowsOverSections() {
        for counts in [[], [0], [3], [2, 3], [0, 2, 0, 0, 3, 0], [1, 1, 1], [0, 0, 4]] as [[Int]] {
            let sections = TableSections(counts: counts)
            #expect(sections.count == counts.count && sections.numberOfRows == counts.reduce(0, +))
            var row = 0
            for (section, count) in counts.enumerated() {
                #expect(sections.numberOfRows(in: section) == count)
                for index in 0..<count {
                    let path = RowPath(section: section, row: index)
                    #expect(sections.path(of: row) == path && sections.row(at: path) == row, "\(counts) \(row)")
                    #expect(sections.isLast(path) == (index == count - 1))
                    row += 1
                }
            }
            // Beyond the end, the last row.
            #expect(sections.row(at: RowPath(section: counts.count, row: 0)) == row - 1)
            #expect(sections.row(at: RowPath(section: max(0, counts.count - 1), row: 99)) == row - 1)
        }
    }

    @Test func findsTheNextRowAroundTheEnd() {
        let rows = (0..<5).map { RowPath(row: $0) }
        func next(_ start: Int, _ step: Int, _ wanted: Set<Int>) -> Int? {
            RowPath.next(in: rows, from: RowPath(row: start), step: step) { wanted.contains($0.row) }?.row
        }
        for (start, step, wanted, found) in [
            (2, 0, [0, 2, 4], 2), (2, 1, [0, 2, 4], 4), (2, -1, [0, 2, 4], 0), (4, 1, [0, 2, 4], 0),
            (0, -1, [0, 2, 4], 4), (3, 0, [0, 2], 0), (1, 1, [1], 1), (1, -1, [1], 1), (1, 0, [], nil),
            (0, 1, [1, 3], 1), (4, -1, [1, 3], 3), (2, 0, [3, 1], 3),
        ] as [(Int, Int, Set<Int>, Int?)] { #expect(next(start, step, wanted) == found, "\(start) \(step) \(wanted)") }
        #expect(RowPath(section: 0, row: 9) < RowPath(section: 1, row: 0) && RowPath(row: 1) < RowPath(row: 2))
    }

    @Test func placesTheScrollThumb() {
        for (total, visible) in [(100, 10), (11, 10), (1000, 10), (20, 10), (10, 10), (5, 10)] {
            let track = 10
            var last = -1
            for first in 0...max(0, total - visible) {
                let thumb = ScrollIndicator.thumb(first: first, visible: visible, total: total, track: track)
                #expect(thumb.lowerBound >= 0 && thumb.upperBound <= track && !thumb.isEmpty)
                #expect(thumb.lowerBound >= last)
                if total > visible {
                    // At an end only when the rows are.
                    #expect((thumb.lowerBound == 0) == (first == 0), "\(first) of \(total)")
                    if first == total - visible { #expect(thumb.upperBound == track) }
                    #expect(thumb.count == max(1, track * visible / total))
                } else {
                    #expect(thumb == 0..<track)
                }
                last = thumb.lowerBound
            }
        }
        #expect(ScrollIndicator.thumb(first: 3, visible: 2, total: 9, track: 0).isEmpty)
        #expect(ScrollIndicator.thumb(first: 5, visible: 1, total: 9, track: 1) == 0..<1)
    }

    // MARK: Batches

    /// Sections of names with random changes: each remaining row is found at its position.
    @Test(arguments: 1...40) func mapsEveryRowOfABatch(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func number(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }
        var name = 0
        func fresh() -> Int {
            name += 1
            return name
        }
        let old = (0..<number(5) + 1).map { _ in (0..<number(6)).map { _ in fresh() } }
        var changes = TableChanges()
        var kept: [(old: Int, rows: [Int])] = []
        for (section, rows) in old.enumerated() {
            if number(5) == 0 {
                changes.deletedSections.insert(section)
                continue
            }
            var staying: [Int] = []
            for (row, value) in rows.enumerated() {
                if number(4) == 0 {
                    changes.deletedRows.insert(RowPath(section: section, row: row))
                } else {
                    staying.append(value)
                }
            }
            kept.append((section, staying))
        }
        var new: [[Int]] = kept.map(\.rows)
        for _ in 0..<number(3) { new.insert([fresh()], at: number(new.count + 1)) }
        // New sections have new names.
        let names = Set(old.flatMap { $0 })
        var origins: [Int?] = []
        var next = 0
        for rows in new {
            if rows.count == 1, !names.contains(rows[0]) {
                origins.append(nil)
            } else {
                origins.append(kept[next].old)
                next += 1
            }
        }
        for (section, origin) in origins.enumerated() where origin == nil { changes.insertedSections.insert(section) }
        for section in new.indices where origins[section] != nil {
            for _ in 0..<number(3) { new[section].insert(fresh(), at: number(new[section].count + 1)) }
            for (row, value) in new[section].enumerated() where !names.contains(value) {
                changes.insertedRows.insert(RowPath(section: section, row: row))
            }
        }
        let mapping = TableChanges.Mapping(changes)
        for (section, rows) in old.enumerated() {
            #expect(mapping.section(section) == origins.firstIndex(of: section))
            for (row, value) in rows.enumerated() {
                let place = new.enumerated().compactMap { other, values in
                    values.firstIndex(of: value).map { RowPath(section: other, row: $0) }
                }.first
                #expect(mapping.path(RowPath(section: section, row: row)) == place, "\(changes)")
            }
            if let to = mapping.section(section) {
                #expect(mapping.growth(old: section, new: to) == new[to].count - rows.count)
            }
        }
    }

    @Test func findsTheMovesBetweenTwoOrders() {
        let changes = TableChanges.difference(from: ["a", "b", "c", "d"], to: ["d", "b", "x", "c"], section: 2)
        #expect(changes.deletedRows == [RowPath(section: 2, row: 0)])
        #expect(changes.insertedRows == [RowPath(section: 2, row: 2)])
        #expect(changes.movedRows == [.init(from: RowPath(section: 2, row: 3), to: RowPath(section: 2, row: 0))])
        #expect(TableChanges.difference(from: [1, 2], to: [1, 2]) == TableChanges())
    }

    // MARK: A table

    /// Sections of rows with headings, which records its calls.
    private final class Source: ViewController, TableViewDataSource, TableViewDelegate {
        let table = TableView()
        var sections: [[String]]
        var headers: [DisplayText?] = []
        var headings: (String) -> DisplayText? = { _ in nil }
        var footers: [DisplayText?] = []
        var calls: [String] = []
        var canDrag: (RowPath) -> Bool = { _ in false }
        var style = TableViewCell.CellStyle.basic

        init(_ sections: [[String]]) {
            self.sections = sections
            super.init()
            table.dataSource = self
            table.delegate = self
        }
        override func makeView() -> View { table }
        func numberOfSections(in table: TableView) -> Int { sections.count }
        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].count }
        func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
            let cell = table.dequeueCell(style: style)
            cell.title = DisplayText(sections[path.section][path.row])
            return cell
        }
        func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
            headers.indices.contains(section) ? headers[section] : nil
        }
        func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText? {
            footers.indices.contains(section) ? footers[section] : nil
        }
        func tableView(_ table: TableView, headingForRowAt path: RowPath) -> DisplayText? {
            headings(sections[path.section][path.row])
        }
        func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
            sections[path.section][path.row]
        }
        func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
            for (section, rows) in sections.enumerated() {
                if let row = rows.firstIndex(where: { AnyHashable($0) == identifier }) {
                    return RowPath(section: section, row: row)
                }
            }
            return nil
        }
        func tableView(_ table: TableView, didSelectRowAt path: RowPath) { calls.append("select \(path.row)") }
        func tableView(_ table: TableView, didActivateRowAt path: RowPath) { calls.append("open \(path.row)") }
        func tableViewDidChangeMarks(_ table: TableView) { calls.append("marks \(table.markedPaths.map(\.row))") }
        func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool { canDrag(path) }
        func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath) {
            calls.append("drag \(path.row) to \(target.row)")
        }
        func take() -> [String] {
            defer { calls = [] }
            return calls
        }
    }

    private func show(_ source: Source, _ width: Int = 30, _ height: Int = 10) -> TestScreen {
        let screen = TestScreen(root: source, size: Size(width: width, height: height))
        source.table.select(RowPath(row: 0))
        screen.application.render()
        return screen
    }

    private func rows(_ count: Int) -> [String] { (0..<count).map { "row \($0)" } }

    private func shown(_ screen: TestScreen) -> [String] {
        screen.lines.map { $0.trimmingCharacters(in: [" ", "▌", "┃", "─"]) }
    }

    @Test func goesByPagesAndToTheEnds() {
        let source = Source([rows(100)])
        let screen = show(source)
        let steps: [(String, Int)] = [
            ("pagedown", 9), ("ctrl-f", 18), ("ctrl-d", 27), ("pageup", 18), ("ctrl-b", 9), ("ctrl-u", 0),
            ("pageup", 0), ("k", 0), ("end", 99), ("j", 99), ("pagedown", 99), ("home", 0), ("G", 99), ("g g", 0),
            ("down", 1), ("up", 0),
        ]
        for (key, row) in steps {
            screen.press(key)
            #expect(source.table.selectedRow == row, "\(key)")
            #expect(screen.lines.contains { $0.hasPrefix("▌row \(row) ") || $0 == "▌row \(row)" }, "\(key)")
        }
        // Choosing the selected row again selects nothing.
        _ = source.take()
        screen.press("k", "home")
        #expect(source.take().isEmpty)
        screen.press("j", "enter")
        #expect(source.take() == ["select 1", "open 1"])
    }

    /// With one row selected or none, in lists of none, one and two.
    @Test func movesInShortLists() {
        for count in 0...2 {
            let source = Source([rows(count)])
            let screen = TestScreen(root: source, size: Size(width: 30, height: 5))
            #expect(source.table.selectedRow == -1 && source.table.selectedPath == nil)
            screen.press("enter")
            #expect(source.take().isEmpty)
            screen.press("k")
            #expect(source.table.selectedRow == (count == 0 ? -1 : 0), "\(count)")
            if count == 0 {
                screen.press("j", "G", "pagedown", "enter")
                #expect(source.take().isEmpty)
            }
            screen.press("j", "j")
            #expect(source.table.selectedRow == count - 1, "\(count)")
            source.table.select(nil)
            #expect(source.table.selectedRow == -1)
            source.table.select(RowPath(row: 99))
            #expect(source.table.selectedRow == count - 1)
        }
    }

    @Test func scrollsByTheWheelWithoutChoosing() {
        let source = Source([rows(40)])
        let screen = show(source)
        screen.mouse(.wheel(1), 3, 3)
        #expect(shown(screen)[0] == "row 3" && source.table.selectedRow == 0 && source.take().isEmpty)
        screen.mouse(.wheel(-1), 3, 3)
        screen.mouse(.wheel(-1), 3, 3)
        #expect(shown(screen)[0] == "row 0")
        for _ in 0..<30 { screen.mouse(.wheel(1), 3, 3) }
        #expect(shown(screen)[9] == "row 39" && shown(screen)[0] == "row 30")
        // A redraw keeps the scroll position; a key scrolls back to the selected row.
        source.table.setNeedsLayout()
        screen.application.render()
        #expect(shown(screen)[0] == "row 30")
        screen.press("j")
        #expect(shown(screen)[0] == "row 1" && source.table.selectedRow == 1)
        // With the scroll indicator.
        screen.drag(from: Point(x: 29, y: 0), to: Point(x: 29, y: 5))
        #expect(shown(screen)[0] == "row 20" && source.table.selectedRow == 1)
        screen.drag(from: Point(x: 29, y: 5), to: Point(x: 29, y: 9))
        #expect(shown(screen)[9] == "row 39")
        source.table.scroll(by: -100)
        screen.application.render()
        #expect(shown(screen)[0] == "row 0")
    }

    @Test func choosesAndOpensByClicks() {
        let source = Source([rows(9)])
        let screen = show(source)
        screen.click(3, 2)
        #expect(source.take() == ["select 2"])
        screen.click(3, 2)
        #expect(source.take() == ["open 2"])
        screen.click(3, 9)
        #expect(source.take().isEmpty && source.table.selectedRow == 2)
        // The right button selects, and leaves the menu to the window.
        var menus: [Point] = []
        screen.application.window.contextMenu = { menus.append($0) }
        screen.mouse(.press(.right), 4, 5)
        #expect(source.take() == ["select 5"] && menus == [Point(x: 4, y: 5)])
        source.table.opensAtFirstClick = true
        screen.click(3, 7)
        #expect(source.take() == ["select 7", "open 7"])
        #expect(source.table.selectedRowRect == Rect(x: 0, y: 7, width: 30, height: 1))
        #expect(source.table.rect(ofRowWith: "row 3") == Rect(x: 0, y: 3, width: 30, height: 1))
        #expect(source.table.rect(ofRowWith: "row 99") == nil)
    }

    @Test func dragsRowsThatCanBeDragged() {
        let source = Source([rows(9)])
        source.canDrag = { $0.row != 4 }
        let screen = show(source)
        screen.drag(from: Point(x: 3, y: 1), to: Point(x: 3, y: 6))
        #expect(source.take() == ["select 1", "drag 1 to 6"] && source.table.selectedRow == 1)
        // Released in place, it is a click; a second click on the selected row opens it.
        screen.click(3, 2)
        #expect(source.take() == ["select 2"])
        screen.click(3, 2)
        #expect(source.take() == ["open 2"])
        // A slight movement on the row is still a click.
        screen.drag(from: Point(x: 3, y: 2), to: Point(x: 3, y: 2))
        #expect(source.take() == ["open 2"])
        screen.mouse(.press(.left), 3, 2)
        screen.mouse(.drag(.left), 3, 5)
        #expect(source.table.selectedRow == 5)
        screen.mouse(.drag(.left), 3, 2)
        screen.mouse(.release, 3, 2)
        #expect(source.take().isEmpty && source.table.selectedRow == 2)
        screen.mouse(.press(.left), 3, 2)
        screen.mouse(.drag(.left), 3, 5)
        screen.mouse(.release, 3, 9)
        #expect(source.take().isEmpty && source.table.selectedRow == 2)
        screen.drag(from: Point(x: 3, y: 4), to: Point(x: 3, y: 6))
        #expect(source.take() == ["select 4"] && source.table.selectedRow == 4)
    }

    @Test func marksRowsForActions() {
        let source = Source([rows(9)])
        source.table.allowsMarking = true
        let screen = show(source)
        #expect(source.table.actionPaths == [RowPath(row: 0)] && source.table.markedPaths.isEmpty)
        // From the first row on, where nothing above is marked.
        screen.press("j", "j", "V")
        #expect(source.table.actionPaths.map(\.row) == [0, 1, 2] && source.table.selectedRow == 2)
        #expect(source.take() == ["select 1", "select 2", "marks [0, 1, 2]"])
        screen.press("v")
        #expect(source.table.markedPaths.map(\.row) == [0, 1] && source.table.selectedRow == 3)
        screen.press("j", "j", "V")
        #expect(source.table.markedPaths.map(\.row) == [0, 1, 2, 3, 4, 5])
        screen.press("G", "v")
        #expect(source.table.markedPaths.map(\.row).last == 8 && source.table.selectedRow == 8)
        _ = source.take()
        screen.press("esc")
        #expect(source.take() == ["marks []"] && source.table.actionPaths == [RowPath(row: 8)])
        source.table.clearMarks()
        #expect(source.take().isEmpty)
        // With all marked rows removed, actions apply to the selected one.
        screen.press("g g", "v")
        source.sections[0].removeFirst()
        source.table.reloadData()
        #expect(source.table.markedPaths.isEmpty && source.table.actionPaths == [source.table.selectedPath])
        _ = source.take()
        source.table.allowsMarking = false
        screen.press("v", "V")
        #expect(source.table.markedPaths.isEmpty && source.take().isEmpty)
    }

    @Test func showsHeadersHeadingsAndFooters() {
        let source = Source([["a1", "a2"], ["b1"], [], ["c1", "c2"]])
        source.headers = ["A", nil, "empty", "C"]
        source.footers = ["end of a", "end of b", nil, nil]
        let screen = show(source, 30, 12)
        #expect(shown(screen).prefix(8) == ["A", "a1", "a2", "end of a", "b1", "end of b", "C", "c1"])
        #expect(screen.lines[0] == " A " + String(repeating: "─", count: 25) && screen.lines[5] == "   end of b")
        screen.press("G")
        #expect(source.table.selectedPath == RowPath(section: 3, row: 1))
        // The first visible row has its header above.
        screen.resize(30, 3)
        #expect(shown(screen) == ["C", "c1", "c2"])
        screen.press("g g")
        #expect(shown(screen) == ["A", "a1", "a2"])
        screen.press("j", "j")
        #expect(shown(screen).contains("b1"))
        // Headings within a section, in lists of nine lines and more.
        let days = Source([["1 a", "1 b", "2 a", "2 b", "3 a"]])
        days.headers = ["all"]
        days.headings = { DisplayText("day \($0.prefix(1))") }
        days.table.hasHeadings = true
        let other = show(days, 30, 9)
        #expect(shown(other).prefix(8) == ["day 1", "1 a", "1 b", "day 2", "2 a", "2 b", "day 3", "3 a"])
        other.resize(30, 8)
        #expect(shown(other).prefix(6) == ["all", "1 a", "1 b", "2 a", "2 b", "3 a"])
        #expect(days.table.sizeThatFits(Size(width: 30, height: 40)) == Size(width: 30, height: 6))
        days.sections[0].append("4 a")
        days.table.reloadData()
        #expect(days.table.sizeThatFits(Size(width: 30, height: 40)) == Size(width: 30, height: 10))
        #expect(days.table.sizeThatFits(Size(width: 30, height: 5)) == Size(width: 30, height: 5))
        #expect(Source([]).table.sizeThatFits(Size(width: 30, height: 40)).height == 3)
    }

    @Test func keepsTheSelectionCentred() {
        let source = Source([rows(40)])
        let screen = show(source, 30, 9)
        source.table.select(RowPath(row: 20), inMiddle: true)
        screen.application.render()
        #expect(shown(screen)[4] == "row 20")
        source.table.select(RowPath(row: 1), inMiddle: true)
        screen.application.render()
        #expect(shown(screen)[0] == "row 0")
        source.table.select(RowPath(row: 39), inMiddle: true)
        screen.application.render()
        #expect(shown(screen)[8] == "row 39")
        source.table.select(RowPath(row: 20))
        screen.application.render()
        #expect(shown(screen)[0] == "row 20")
    }

    /// Inserting and deleting rows before the selected one keeps it on its line, wherever that is.
    @Test func keepsTheLineOfTheChosenRow() {
        for isBatch in [false, true] {
            for line in [0, 4, 8] {
                let source = Source([rows(40)])
                let screen = show(source, 30, 9)
                source.table.scroll(by: 20 - line)
                source.table.select(RowPath(row: 20), inMiddle: line == 4)
                if line == 8 {
                    source.table.select(RowPath(row: 12))
                    for _ in 12..<20 { screen.press("j") }
                }
                screen.application.render()
                let before = shown(screen).firstIndex(of: "row 20")
                source.sections[0].insert(contentsOf: ["new 1", "new 2"], at: 0)
                var changes = TableChanges()
                changes.insertedRows = [RowPath(row: 0), RowPath(row: 1)]
                if isBatch { source.table.performBatchUpdates(changes) } else { source.table.reloadData() }
                screen.application.render()
                #expect(shown(screen).firstIndex(of: "row 20") == before && before != nil, "\(line) \(isBatch)")
            }
        }
    }

    /// A pane that shrinks and grows back shows the same rows again.
    @Test func showsTheSameRowsAfterResizes() {
        let source = Source([rows(40)])
        let screen = show(source, 30, 9)
        source.table.select(RowPath(row: 20), inMiddle: true)
        screen.application.render()
        let before = shown(screen)
        for height in [3, 1, 20, 9, 2, 9] {
            screen.resize(30, height)
            #expect(shown(screen).contains("row 20"), "\(height)")
        }
        #expect(shown(screen) == before)
    }

    /// When the selected row is removed, the row in its place is selected, or none.
    @Test func selectsAnotherRowForARemovedOne() {
        for (row, gone, chosen) in [
            (0, 0, "row 1"), (3, 3, "row 4"), (8, 8, "row 7"), (3, 1, "row 3"), (3, 5, "row 3"),
        ] {
            for isBatch in [false, true] {
                let source = Source([rows(9)])
                let screen = show(source)
                source.table.select(RowPath(row: row))
                source.sections[0].remove(at: gone)
                var changes = TableChanges()
                changes.deletedRows = [RowPath(row: gone)]
                if isBatch { source.table.performBatchUpdates(changes) } else { source.table.reloadData() }
                screen.application.render()
                #expect(
                    source.table.selectedPath.map { source.sections[0][$0.row] } == chosen, "\(row) \(gone) \(isBatch)")
                source.sections = [[]]
                source.table.reloadData()
                #expect(source.table.selectedPath == nil && source.table.selectedRow == -1)
            }
        }
    }

    @Test func findsRowsWhileOneTypes() {
        let source = Source([["Asolo", "Bormio", "asolare"], ["Cles", "BASOLO"]])
        let screen = show(source)
        screen.press("j", "/")
        #expect(screen.lines[9].contains("Find"))
        screen.type("aso")
        #expect(source.table.selectedPath == RowPath(section: 0, row: 2) && source.table.findText == "aso")
        #expect(screen.terminal.cells[1, 2].style.attributes.contains(.underline))
        screen.press("enter", "n")
        #expect(source.table.selectedPath == RowPath(section: 1, row: 1))
        screen.press("n")
        #expect(source.table.selectedPath == RowPath(row: 0))
        screen.press("N")
        #expect(source.table.selectedPath == RowPath(section: 1, row: 1))
        screen.press("esc")
        // The found row stays selected after the search, and `n` no longer has a meaning.
        #expect(source.table.findText == "" && source.table.selectedPath == RowPath(section: 1, row: 1))
        screen.press("n")
        #expect(source.table.selectedPath == RowPath(section: 1, row: 1))
        screen.press("/")
        screen.type("corm", then: "backspace", "backspace", "backspace", "backspace")
        screen.type("bo")
        #expect(source.table.selectedPath == RowPath(row: 1))
        // Esc while typing returns to the previous row.
        screen.press("esc")
        #expect(source.table.selectedPath == RowPath(section: 1, row: 1))
        // Deleting part of the text searches from the original row.
        source.sections = [["one", "two", "three", "tree"]]
        source.table.reloadData()
        source.table.select(RowPath(row: 0))
        screen.press("/")
        screen.type("tr")
        #expect(source.table.selectedPath == RowPath(row: 3))
        screen.press("backspace")
        #expect(source.table.selectedPath == RowPath(row: 1))
        screen.press("esc")
        #expect(source.table.selectedPath == RowPath(row: 0))
        source.table.isFindEnabled = false
        screen.press("/")
        #expect(!screen.text.contains("Find"))
    }

    /// The last line says that there is no match: beside the field, then in its place, until the user moves on.
    @Test func saysThatThereIsNoMatch() {
        let source = Source([["Asolo", "Bormio", "Cles"]])
        let screen = show(source)
        let last = source.table.bounds.height - 1
        screen.press("/")
        screen.type("x")
        #expect(screen.lines[last].hasPrefix(" x") && screen.lines[last].hasSuffix("No match"))
        screen.press("backspace")
        #expect(!screen.text.contains("No match"))
        screen.type("cl")
        #expect(!screen.text.contains("No match") && source.table.selectedPath == RowPath(row: 2))
        screen.type("q")
        #expect(screen.lines[last].hasPrefix(" clq") && screen.lines[last].hasSuffix("No match"))
        screen.press("enter")
        #expect(screen.lines[last] == " No match for 'clq'")
        screen.press("j")
        #expect(!screen.text.contains("No match"))
        screen.press("n")
        #expect(screen.lines[last] == " No match for 'clq'")
        screen.press("N")
        #expect(screen.lines[last] == " No match for 'clq'")
        screen.press("esc")
        #expect(!screen.text.contains("No match"))
        // A match that is the selected row is one.
        screen.press("/")
        screen.type("bor", then: "enter", "n", "n")
        #expect(!screen.text.contains("No match") && source.table.selectedPath == RowPath(row: 1))
        screen.press("esc", "/")
        screen.type("zz")
        for (width, notice) in [
            (20, "No match"), (15, "No match"), (14, "none"), (11, "none"), (10, "0"), (8, "0"), (7, ""),
        ] {
            screen.resize(width, 6)
            let line = screen.lines[5]
            #expect(line.hasPrefix(" zz") && line.hasSuffix(notice.isEmpty ? "zz" : " " + notice), "\(width): \(line)")
        }
    }

    /// The last row may reach into the line of the search, and doesn't cover it.
    @Test(arguments: 6...9) func keepsTheSearchAboveTheRows(height: Int) {
        let source = Source([(0..<20).map { "Row \($0)" }])
        source.style = .subtitle
        source.table.rowHeight = 2
        let screen = show(source, 30, height)
        for _ in 0..<5 {
            screen.press("/")
            #expect(screen.lines[height - 1].contains("Find"), "\(screen.text)")
            screen.press("esc", "j")
        }
    }

    @Test func measuresTitlesThatWrap() {
        let source = Source([["one two three four five six", "short"]])
        let screen = show(source, 14, 8)
        #expect(source.table.height(fittingTitleOf: RowPath(row: 0), atMost: 5) == 3)
        #expect(source.table.height(fittingTitleOf: RowPath(row: 0), atMost: 2) == 2)
        #expect(source.table.height(fittingTitleOf: RowPath(row: 0), atMost: 1) == 1)
        #expect(source.table.height(fittingTitleOf: RowPath(row: 1), atMost: 5) == 1)
        #expect(source.table.shows("THREE", at: RowPath(row: 0)) && !source.table.shows("three", at: RowPath(row: 1)))
        source.table.rowHeight = 3
        screen.application.render()
        #expect(shown(screen).prefix(4) == ["one two", "three four", "five six", "short"])
    }

    // MARK: Outlines

    @Test func expandsAndCollapsesByKeys() {
        let inner = OutlineNode("Inner", children: [OutlineNode("Leaf", value: "v")])
        let outline = OutlineView()
        outline.roots = [OutlineNode("Root", children: [inner], isExpanded: true), OutlineNode("Last")]
        var opened: [String] = []
        outline.onActivate = { opened.append($0.title.string) }
        let screen = TestScreen(of: outline, width: 30, height: 6)
        #expect(shown(screen).prefix(3) == ["▾ Root", "▸ Inner", "Last"] && outline.selectedNode?.title == "Root")
        screen.press("l")
        #expect(outline.selectedNode?.title == "Root" && shown(screen)[1] == "▸ Inner")
        screen.press("j", "enter")
        #expect(inner.isExpanded && shown(screen)[1] == "▾ Inner" && shown(screen)[2].hasPrefix("Leaf"))
        screen.press("enter")
        #expect(!inner.isExpanded)
        screen.press("enter")
        screen.press("j", "h")
        #expect(outline.selectedNode === inner && inner.isExpanded)
        screen.press("h")
        #expect(outline.selectedNode === inner && !inner.isExpanded)
        screen.press("h")
        #expect(outline.selectedNode?.title == "Root" && outline.roots[0].isExpanded)
        screen.press("h", "h")
        #expect(outline.selectedNode?.title == "Root" && !outline.roots[0].isExpanded)
        screen.press("right")
        #expect(outline.roots[0].isExpanded)
        screen.press("G", "enter", "enter")
        #expect(opened == ["Last", "Last"])
    }
}
