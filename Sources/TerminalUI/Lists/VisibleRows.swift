/// The cells of a table's visible rows, and the titles between them.
@MainActor
struct VisibleRows {
    /// The visible rows from top to bottom.
    private(set) var cells: [(row: Int, cell: TableViewCell)] = []
    private var headers: [(line: Int, title: DisplayText)] = []
    private var footers: [(line: Int, title: DisplayText)] = []
    private var pool: [TableViewCell] = []

    mutating func dequeue() -> TableViewCell { pool.popLast() ?? TableViewCell() }

    /// Returns a cell that shows no row.
    mutating func recycle(_ cell: TableViewCell) { pool.append(cell) }

    /// Removes all rows and titles. Their cells stay in the table until ``removeUnusedCells()``, since most are used again,
    /// the first one first, so that few of them move.
    mutating func removeAll() {
        pool += cells.reversed().map(\.cell)
        cells.removeAll(keepingCapacity: true)
        headers.removeAll(keepingCapacity: true)
        footers.removeAll(keepingCapacity: true)
    }

    /// Removes the cells without a row from the table.
    func removeUnusedCells() { for cell in pool { cell.removeFromSuperview() } }

    mutating func add(_ cell: TableViewCell, for row: Int) { cells.append((row, cell)) }

    mutating func addHeader(_ title: DisplayText, at line: Int) { headers.append((line, title)) }

    mutating func addFooter(_ title: DisplayText, at line: Int) { footers.append((line, title)) }

    func row(at point: Point) -> Int? { cells.first { $0.cell.frame.contains(point) }?.row }

    /// Returns the frame of a row if it is visible.
    func frame(of row: Int) -> Rect? { cells.first { $0.row == row }?.cell.frame }

    func drawTitles(of table: TableView, in surface: Surface) {
        let (theme, width) = (table.theme, table.bounds.width)
        for header in headers {
            let title = header.title.truncated(to: width - 2)
            let end =
                title.isEmpty ? 0 : surface.draw(title, at: Point(x: 1, y: header.line), style: theme[.secondary])
            let rule = Rect(x: end + 1, y: header.line, width: width - end - 3, height: 1)
            if rule.width > 2 { surface.fill(rule, with: table.symbols.horizontal, style: theme[.rule]) }
        }
        for footer in footers {
            surface.draw(
                footer.title.truncated(to: width - 4), at: Point(x: 3, y: footer.line), style: theme[.secondary])
        }
    }
}
