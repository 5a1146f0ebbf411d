import HTMLReading
import TerminalText

/// Tables, either of data or for the layout of a page.
extension ArticleWriter {
    /// An open table. Its cells are collected until it is complete, unless it turns out to be for layout.
    struct Table {
        var isCollecting: Bool
        /// Whether it is marked as a data table. Then blocks in its cells become plain text.
        var isData = false
        var rows: [[ArticleTable.Cell]] = []
        var row: [ArticleTable.Cell] = []
        var cell: ArticleTable.Cell?
        /// Whether it waits for its next cell.
        var isWaiting: Bool { isCollecting && cell == nil && !isInCaption }
        var isInCaption = false
        /// Whether some of its rows were already written.
        var isContinued = false
        var cells = 0
        /// The number of written cells in the current row.
        var written = 0
    }

    /// The maximum number of rows or cells that are laid out together.
    private static let mostRows = 1_000
    private static let mostCells = 10_000

    /// Whether text goes into a collected cell.
    var isInCell: Bool { tableOfCell != nil }

    func beginTable(_ attributes: HTMLAttributes) -> Ending {
        beginBlock()
        if !isInCell { separate() }
        let isPlace = attributes["role"] == "presentation" || attributes["role"] == "none"
        var table = Table(isCollecting: !isPlace && !isInCell)
        let names = attributes["class"]?.lowercased() ?? ""
        table.isData =
            attributes["summary"]?.isEmpty == false || names.contains("infobox") || names.contains("wikitable")
        tables.append(table)
        return .table
    }

    /// Starts a block in a cell. In a data table a space separates it; in a layout table it becomes a paragraph.
    func breakInCell() {
        guard let table = tableOfCell else { return }
        if tables[table].isData {
            cellNeedsBlank = true
            endsInBlank = true
        } else {
            abandonTable(table)
            endParagraph()
        }
    }

    /// Writes the collected content of a layout table.
    func abandonTable(_ index: Int) {
        flushSpan()
        let current = spans
        spans = []
        for row in tables[index].rows { write(row) }
        spans = ArticleWriter.joined(tables[index].row)
        tables[index].written = tables[index].row.count
        if !current.isEmpty, !spans.isEmpty { spans.append(StyledSpan(TextParagraph.cellSeparator, .secondary)) }
        spans += current
        tables[index].isCollecting = false
        tables[index].cell = nil
        if tableOfCell == index { tableOfCell = nil }
        tables[index].rows = []
        tables[index].row = []
        cellNeedsBlank = false
    }

    private func write(_ row: [ArticleTable.Cell]) {
        spans = ArticleWriter.joined(row)
        endParagraph()
    }

    private static func joined(_ row: [ArticleTable.Cell]) -> [StyledSpan] {
        var result: [StyledSpan] = []
        for cell in row where !cell.spans.isEmpty {
            if !result.isEmpty { result.append(StyledSpan(TextParagraph.cellSeparator, .secondary)) }
            result += cell.spans
        }
        return result
    }

    func beginCaption() -> Ending {
        guard let index = tables.indices.last, !isInCell else { return .block }
        tables[index].isData = true
        tables[index].isInCaption = true
        endParagraph()
        setRole(role.union(.secondary))
        return .caption
    }

    func beginRow() -> Ending {
        guard let index = tables.indices.last else {
            beginBlock()
            return .block
        }
        tables[index].isInCaption = false
        if !tables[index].isCollecting { beginBlock() }
        tables[index].written = 0
        return .row
    }

    func endRow() {
        guard let index = tables.indices.last else { return }
        guard tables[index].isCollecting else {
            if isInCell { return cellNeedsBlank = true }
            endParagraph()
            needsBlank = false
            return
        }
        tables[index].rows.append(tables[index].row)
        tables[index].row = []
        if tables[index].rows.count >= ArticleWriter.mostRows { writeRows(of: index) }
    }

    /// Writes the collected rows of a table that continues.
    private func writeRows(of index: Int) {
        writeTable(tables[index])
        tables[index].rows = []
        tables[index].cells = 0
        tables[index].isContinued = true
    }

    func beginCell(isHeading: Bool, _ attributes: HTMLAttributes) -> Ending {
        guard let index = tables.indices.last else {
            setRole(isHeading ? role.union(.strong) : role)
            return .inline
        }
        if isHeading { tables[index].isData = true }
        tables[index].isInCaption = false
        if tables[index].isCollecting {
            var cell = ArticleTable.Cell(spans: [], isHeading: isHeading)
            cell.across = attributes["colspan"].flatMap { Int($0) } ?? 1
            cell.down = attributes["rowspan"].flatMap { Int($0) } ?? 1
            tables[index].cell = cell
            tableOfCell = index
            endsInBlank = true
            cellNeedsBlank = false
        } else if isInCell {
            cellNeedsBlank = true
        } else {
            flushSpan()
            if tables[index].written > 0, !spans.isEmpty {
                spans.append(StyledSpan(TextParagraph.cellSeparator, .secondary))
                endsInBlank = true
            }
            tables[index].written += 1
        }
        setRole(isHeading ? role.union(.strong) : role)
        return .cell
    }

    func endCell(_ roleBefore: TextRole) {
        setRole(roleBefore)
        guard let index = tables.indices.last, tables[index].isCollecting, var cell = tables[index].cell else { return }
        flushSpan()
        cell.spans = ArticleWriter.trimmed(spans)
        spans = []
        tables[index].cell = nil
        tableOfCell = nil
        tables[index].row.append(cell)
        tables[index].cells += 1
        if tables[index].cells >= ArticleWriter.mostCells {
            tables[index].rows.append(tables[index].row)
            tables[index].row = []
            writeRows(of: index)
        }
        endsInBlank = true
        cellNeedsBlank = false
    }

    private static func trimmed(_ spans: [StyledSpan]) -> [StyledSpan] {
        guard let last = spans.last, last.text.glyphs.last == .space else { return spans }
        var result = spans
        result[result.count - 1].text = last.text.trimmed()
        if result.count > 1, last.text.glyphs.first == .space {
            result[result.count - 1].text = " " + last.text.trimmed()
        }
        return result
    }

    func endTable() {
        guard let table = tables.popLast() else { return }
        guard !isInCell else { return cellNeedsBlank = true }
        if table.isCollecting {
            var table = table
            if !table.row.isEmpty { table.rows.append(table.row) }
            writeTable(table)
        }
        endParagraph()
        separate()
    }

    private func writeTable(_ table: Table) {
        let laidOut = ArticleTable(table.rows, isRightToLeft: direction == .fromRight)
        if laidOut.isTable || table.isContinued && laidOut.hasColumns {
            for paragraph in laidOut.paragraphs where !isFull { add(paragraph) }
        } else {
            for cell in table.rows.joined() {
                spans = cell.spans
                endParagraph()
            }
        }
    }
}
