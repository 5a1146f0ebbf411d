import TerminalUITesting
import Testing

@testable import TerminalUI

/// Rows in each style, and data tables by keys and clicks.
@MainActor @Suite struct DrawsRows {
    /// Rows of all styles.
    private final class Source: ViewController, TableViewDataSource, TableViewDelegate {
        let table = TableView()
        var height = 1
        private typealias Fill = (TableViewCell) -> Void

        override func makeView() -> View { table }

        override func viewDidLoad() {
            table.dataSource = self
            table.delegate = self
            table.hasMarks = true
            table.allowsMarking = true
            table.select(RowPath(row: 1))
        }

        private let fills: [(TableViewCell.CellStyle, Fill)] = [
            (.basic, { $0.title = "A title of some words" }),
            (
                .basic,
                {
                    $0.title = "A title of some words"
                    $0.value = "12 km"
                    $0.mark = $0.symbols.dot
                }
            ),
            (
                .basic,
                {
                    $0.title = "Ferrara to Asolo"
                    $0.titleTruncation = .middle
                    $0.titleRole = .unread
                    $0.value = "a long value"
                    $0.indentation = 2
                }
            ),
            (
                .subtitle,
                {
                    $0.title = "Title"
                    $0.value = "value"
                    $0.detail = "a detail of more words than one line has"
                    $0.detailValue = "3"
                    $0.isShown = true
                }
            ),
            (
                .subtitle,
                {
                    $0.title = "Other"
                    $0.detail = "detail"
                    $0.detailRole = .failure
                    $0.mark = $0.symbols.pending
                    $0.markRole = .failure
                }
            ),
            (
                .value,
                {
                    $0.title = "Name"
                    $0.value = "its value in words"
                }
            ),
        ]

        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 12 }
        func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int { height }
        func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
            let (style, fill) = fills[path.row % fills.count]
            let cell = table.dequeueCell(style: style)
            fill(cell)
            return cell
        }
    }

    /// Reused cells show nothing of their previous rows.
    @Test(arguments: 1...3) func drawsRowsInEveryStyleAndWidth(height: Int) {
        let source = Source()
        let screen = TestScreen(root: source, size: Size(width: 40, height: 6))
        source.height = height
        let story = ScreenStory(of: screen)
        for width in [24, 14, 6] {
            screen.resize(width, 6)
            story.note("\(width) columns, \(height) lines a row")
        }
        for keys in [["v", "j", "j", "V"], ["pagedown", "j"], ["G"], ["g g", "esc"]] { story.press(together: keys) }
        #expect(story.difference(from: "table-cells-\(height)") == nil)
    }

    @Test func drawsRowsWithoutFocusAndInASCII() {
        let source = Source()
        let screen = TestScreen(root: source, size: Size(width: 30, height: 9))
        let story = ScreenStory(of: screen)
        story.press("/", "t")
        story.press(together: ["i", "t"])
        story.press("enter", "esc")
        // Without focus the selected row looks different.
        source.present(HostController(Label("over it")))
        story.note("beneath a sheet")
        screen.application.window.capabilities.hasUnicode = false
        story.note("in ASCII")
        #expect(story.difference(from: "table-cells") == nil)
    }

    @Test func sortsMovesAndOpens() {
        let table = DataTableView(columns: [DataColumn("Name"), DataColumn("Days", width: 6, isTrailing: true)])
        table.value = { row, column in DisplayText(column == 0 ? "row \(row)" : "\(row * 10)") }
        var (sorts, opened): ([String], [Int]) = ([], [])
        table.onSort = { sorts.append("\($0) \($1)") }
        table.onActivate = { opened.append($0) }
        let screen = TestScreen(of: table, width: 30, height: 6)
        screen.press("enter", "j", "k")
        #expect(opened.isEmpty && table.selectedRow == -1)
        table.reload(rows: 20)
        screen.application.render()
        for (key, row) in [
            ("j", 1), ("down", 2), ("k", 1), ("up", 0), ("k", 0), ("pagedown", 5), ("ctrl-f", 10), ("ctrl-d", 15),
            ("pageup", 10),
            ("ctrl-b", 5), ("ctrl-u", 0), ("G", 19), ("j", 19), ("pagedown", 19), ("g g", 0), ("end", 19), ("home", 0),
        ] {
            screen.press(key)
            #expect(table.selectedRow == row && screen.text.contains("row \(row)"), "\(key)")
        }
        screen.press("enter")
        screen.click(3, 2)
        #expect(table.selectedRow == 1 && opened == [0])
        screen.click(3, 2)
        #expect(opened == [0, 1])
        screen.click(1, 0)
        screen.click(1, 0)
        screen.click(28, 0)
        screen.press("alt-2", "alt-2", "alt-1", "alt-3")
        #expect(sorts == ["0 true", "0 false", "1 true", "1 false", "1 true", "0 true"])
        #expect(table.sorting?.column == 0 && screen.lines[0].hasPrefix("Name ▲"))
        table.sort(by: 7)
        #expect(sorts.count == 6)
        screen.mouse(.wheel(1), 3, 3)
        #expect(table.selectedRow == 4)
        // With fewer rows the last is selected; equal columns keep the order, other ones have none.
        table.reload(rows: 3)
        #expect(table.selectedRow == 2)
        let same = table.columns
        table.columns = same
        #expect(table.sorting != nil)
        table.columns = [DataColumn("Other")]
        #expect(table.sorting == nil)
        table.reload(rows: 0)
        #expect(table.selectedRow == -1)
        // Numbers are aligned right and words left, truncated where too long.
        table.columns = [
            DataColumn("Name", width: 5), DataColumn("Days", width: 6, isTrailing: true), DataColumn("Rest"),
        ]
        table.value = { _, column in ["a long name", "7", "what is left"][column] }
        table.reload(rows: 1)
        screen.application.render()
        #expect(screen.lines.prefix(2) == ["Name    Days Rest", "a lo…      7 what is left"])
    }

    @Test func knowsTheTransitionBetweenStacks() {
        let (a, b, c) = (ViewController(), ViewController(), ViewController())
        for (old, new, expected) in [
            ([], [], .none), ([], [a], .push), ([a], [], .pop), ([a], [a], .none), ([a], [a, b], .push),
            ([a, b], [a], .pop),
            ([a, b], [b, a], .pop), ([a, b], [c], .push), ([a, b], [b], .none), ([a, b, c], [a], .pop),
        ] as [([ViewController], [ViewController], NavigationTransition)] {
            #expect(NavigationTransition(from: old, to: new) == expected, "\(old.count) \(new.count)")
        }
    }
}
