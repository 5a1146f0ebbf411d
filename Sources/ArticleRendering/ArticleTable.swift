import TerminalText

/// A data table as text with aligned columns, a rule below the headings, and numbers aligned right. If it is too wide
/// for the pane, it becomes records.
struct ArticleTable {
    /// The content of a cell.
    struct Cell {
        var spans: [StyledSpan]
        var isHeading: Bool
        /// The number of columns and rows that it spans.
        var across = 1
        var down = 1

        var columns: Int { StyledLine(spans).columns }
        var words: String { StyledLine(spans).string }
    }

    /// The number of rows in one paragraph, which are laid out together.
    private static let rowsAtOnce = 40
    private static let mostAcross = 64
    private static let mostDown = 1000
    private static let separator = TextParagraph.cellSeparator

    /// The rows with an optional cell for each column.
    private let rows: [[Cell?]]
    private let width: Int
    /// Whether the first column is on the right.
    private let isRightToLeft: Bool

    /// Lays out cells, reserving the positions that spanning cells cover.
    init(_ source: [[Cell]], isRightToLeft: Bool = false) {
        var rows: [[Cell?]] = []
        // The number of rows for which each column is covered from above.
        var taken: [Int] = []
        for cells in source {
            var row: [Cell?] = []
            var column = 0
            func isFree(_ column: Int) -> Bool { column >= taken.count || taken[column] == 0 }
            for cell in cells {
                while !isFree(column) {
                    row.append(nil)
                    column += 1
                }
                let across = max(1, min(cell.across, ArticleTable.mostAcross - column))
                guard column < ArticleTable.mostAcross else { break }
                let down = max(1, min(cell.down, ArticleTable.mostDown))
                for offset in 0..<across {
                    while taken.count <= column + offset { taken.append(0) }
                    taken[column + offset] = max(taken[column + offset], down)
                    row.append(offset == 0 ? cell : nil)
                }
                column += across
            }
            for column in taken.indices where taken[column] > 0 { taken[column] -= 1 }
            rows.append(row)
        }
        width = rows.map(\.count).max() ?? 0
        self.rows = rows
        self.isRightToLeft = isRightToLeft
    }

    /// Whether it has enough rows and columns to be a table.
    var isTable: Bool { rows.count > 1 && hasColumns }

    /// Whether it has more than one column.
    var hasColumns: Bool { width > 1 }

    private func cell(_ row: Int, _ column: Int) -> Cell? { column < rows[row].count ? rows[row][column] : nil }

    /// The number of rows at the top that contain only headings.
    private var headingRows: Int {
        rows.prefix { row in
            let cells = row.compactMap { $0 }
            return !cells.isEmpty && cells.allSatisfy(\.isHeading)
        }.count
    }

    /// The paragraphs of some rows each: lines if they fit, otherwise records.
    var paragraphs: [TextParagraph] {
        let lines = self.lines(widths)
        let headings = headingRows
        let names = (0..<width).map { column in
            // A heading over several columns names none of them.
            (0..<headings).reversed().lazy.compactMap { cell($0, column) }.filter { $0.across == 1 }.map(\.words)
                .first { !$0.isEmpty } ?? ""
        }
        var result: [TextParagraph] = []
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + ArticleTable.rowsAtOnce)
            let records = self.records(max(start, min(headings, end))..<end, names)
            let own = Array(lines[start..<end].joined())
            result.append(
                TextParagraph(lines: own, orRecords: records.isEmpty ? own.map { TextParagraph($0.spans) } : records))
            start = end
        }
        return result
    }

    /// The widths of the columns. Spanning cells use what these have.
    private var widths: [Int] {
        (0..<width).map { column in
            rows.indices.map { row in cell(row, column).map { $0.across > 1 ? 0 : $0.columns } ?? 0 }.max() ?? 0
        }
    }

    private func isNumeric(_ column: Int) -> Bool {
        let words = rows.indices.dropFirst(headingRows).compactMap { cell($0, column)?.words }.filter { !$0.isEmpty }
        return !words.isEmpty && words.allSatisfy(ArticleTable.isNumber)
    }

    /// Whether a text is a number such as `-1,234.5`, `12 %`, `€ 30` or `—`.
    static func isNumber(_ text: String) -> Bool {
        let digits = text.unicodeScalars.filter { ("0"..."9").contains($0) }.count
        let others = text.unicodeScalars.filter { $0.properties.isAlphabetic }.count
        return digits > 0 && others <= 2 && text.count <= 24 || ["-", "–", "—"].contains(text)
    }

    /// Returns the lines of each row, with the rule below it.
    private func lines(_ widths: [Int]) -> [[StyledLine]] {
        let numeric = (0..<width).map(isNumeric)
        let headings = headingRows
        var result: [[StyledLine]] = []
        for row in rows.indices {
            var pieces: [[StyledSpan]] = []
            var column = 0
            while column < width {
                let present = cell(row, column)
                let across = max(1, min(present?.across ?? 1, width - column))
                var room = widths[column..<column + across].reduce(0, +)
                room += (across - 1) * ArticleTable.separator.columns
                let own = present?.spans ?? []
                let blanks = max(0, room - (present?.columns ?? 0))
                let isLast = column + across >= width
                // The last column needs no padding.
                let filling = isLast && !isRightToLeft && !numeric[column] ? [] : [StyledSpan(.blanks(blanks))]
                pieces.append(numeric[column] || isRightToLeft ? filling + own : own + filling)
                column += across
            }
            if isRightToLeft { pieces.reverse() }
            let separator = [StyledSpan(ArticleTable.separator, .secondary)]
            result.append([StyledLine(Array(pieces.joined(separator: separator)))])
            if row + 1 == headings, row + 1 < rows.count {
                let widths = isRightToLeft ? widths.reversed() : widths
                let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─")
                result[row].append(StyledLine(DisplayText(rule), .secondary))
            }
        }
        return result
    }

    /// Returns a line for each cell with its heading, and an empty line between rows.
    private func records(_ rows: Range<Int>, _ headings: [String]) -> [TextParagraph] {
        var result: [TextParagraph] = []
        for row in rows {
            if !result.isEmpty { result.append(.blank) }
            // Without column headings, the heading of the row names its cells.
            let first = cell(row, 0)
            let rowName = first?.isHeading == true && headings.allSatisfy(\.isEmpty) ? first?.words : nil
            for column in 0..<width {
                guard let present = cell(row, column), present.columns > 0 else { continue }
                if column == 0, rowName != nil, self.rows[row].count > 1 { continue }
                let heading = column > 0 ? rowName ?? headings[column] : headings[column]
                let isNamed = !heading.isEmpty && heading != present.words
                let name = isNamed ? [StyledSpan(DisplayText(heading + ": "), .secondary)] : []
                result.append(TextParagraph(name + present.spans))
            }
        }
        return result
    }
}
