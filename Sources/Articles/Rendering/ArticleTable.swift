import TerminalText

/// A data table as text with aligned columns, a rule below the headings, and numbers aligned right. If it is too wide
/// for the pane, its longest columns are wrapped, and if they don't fit either, it becomes records.
struct ArticleTable {
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
    private static let maximumAcross = 64
    private static let maximumDown = 1000

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
                let across = max(1, min(cell.across, ArticleTable.maximumAcross - column))
                guard column < ArticleTable.maximumAcross else { break }
                let down = max(1, min(cell.down, ArticleTable.maximumDown))
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

    var hasColumns: Bool { width > 1 }

    private func cell(_ row: Int, _ column: Int) -> Cell? { column < rows[row].count ? rows[row][column] : nil }

    /// The number of rows at the top that contain only headings.
    private var headingRows: Int {
        rows.prefix { row in
            let cells = row.compactMap { $0 }
            return !cells.isEmpty && cells.allSatisfy(\.isHeading)
        }.count
    }

    /// The paragraphs of some rows each: tables if they fit, otherwise records.
    var paragraphs: [TextParagraph] {
        let columns = columns
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
            let part = TextTable(
                rows: rows[start..<end].map { row in row.map { $0.map { TextTable.Cell($0.spans, across: $0.across) } }
                },
                columns: columns, headings: max(0, min(headings, end) - start), firstRow: max(0, start - headings),
                isRightToLeft: isRightToLeft)
            result.append(
                TextParagraph(
                    part, orRecords: records.isEmpty ? part.unwrapped.map { TextParagraph($0.spans) } : records))
            start = end
        }
        return result
    }

    /// The measures of the columns. The last of several columns that a cell spans gets the space that the cell lacks.
    private var columns: [TextTable.Column] {
        var columns = (0..<width).map { column in
            TextTable.Column(
                rows.indices.compactMap { row in cell(row, column).flatMap { $0.across > 1 ? nil : $0.spans } },
                isNumeric: isNumeric(column))
        }
        for row in rows.indices {
            for column in 0..<width {
                guard let cell = cell(row, column), cell.across > 1 else { continue }
                let spanned = column..<column + min(cell.across, width - column)
                let gaps = (spanned.count - 1) * TextParagraph.cellSeparator.columns
                let room = columns[spanned].reduce(gaps) { $0 + $1.width }
                columns[spanned.upperBound - 1].widen(by: cell.columns - room)
            }
        }
        return columns
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
