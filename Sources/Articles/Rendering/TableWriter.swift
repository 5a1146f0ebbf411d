import TerminalText

/// Writes tables, either of data or for the layout of a page.
final class TableWriter {
    private let paragraphs: ParagraphWriter
    private var tables: [Table] = []
    private var tableOfCell: Int?

    /// An open table. Its cells are collected until it is complete, unless it turns out to be for layout.
    private struct Table {
        var isCollecting: Bool
        /// Whether it is marked as a data table. Then blocks in its cells become plain text.
        var isData = false
        var rows: [[ArticleTable.Cell]] = []
        var row: [ArticleTable.Cell] = []
        var cell: ArticleTable.Cell?
        var isWaiting: Bool { isCollecting && cell == nil && !isInCaption }
        var isInCaption = false
        /// Whether some of its rows were already written.
        var isContinued = false
        var cells = 0
        /// The number of written cells in the current row.
        var written = 0
    }

    /// The maximum number of rows or cells that are laid out together.
    private static let maximumRows = 1_000
    private static let maximumCells = 10_000

    init(_ paragraphs: ParagraphWriter) { self.paragraphs = paragraphs }

    var isInCell: Bool { tableOfCell != nil }

    // MARK: Blocks

    /// Ends the paragraph before a block, or the line of a cell.
    ///
    /// - Returns: Whether the block is outside of collected cells, so that it can consist of paragraphs of its own.
    @discardableResult
    func beginBlock() -> Bool {
        if isInCell { breakInCell() } else { paragraphs.end() }
        return !isInCell
    }

    func endBlock() {
        if isInCell { paragraphs.needsSpace = true } else { paragraphs.end() }
    }

    /// Starts a block in a cell. In a data table a space separates it; in a layout table it becomes a paragraph.
    private func breakInCell() {
        guard let table = tableOfCell else { return }
        if tables[table].isData {
            paragraphs.needsSpace = true
            paragraphs.endsInBlank = true
        } else {
            abandonTable(table)
            paragraphs.end()
        }
    }

    /// Prepares for text, and returns whether it is content: white space between cells is only source formatting.
    func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let index = tables.indices.last, tables[index].isWaiting else { return true }
        guard bytes.contains(where: { $0 > 0x20 }) else { return false }
        abandonTable(index)
        return true
    }

    // MARK: Elements

    /// Starts a table or a part of one, or returns `nil` for other elements.
    func begin(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> ElementEnding? {
        switch tag {
        case .table: return beginTable(attributes)
        case .thead, .tbody, .tfoot:
            if tag == .thead { tables.indices.last.map { tables[$0].isData = true } }
            return .nothing
        case .tr: return beginRow()
        case .td, .th: return beginCell(isHeading: tag == .th, attributes)
        case .caption where !tables.isEmpty: return beginCaption()
        default: return nil
        }
    }

    private func beginTable(_ attributes: HTMLAttributes) -> ElementEnding {
        if beginBlock() { paragraphs.separate() }
        let isPlace = attributes["role"] == "presentation" || attributes["role"] == "none"
        var table = Table(isCollecting: !isPlace && !isInCell)
        let names = attributes["class"]?.lowercased() ?? ""
        table.isData =
            attributes["summary"]?.isEmpty == false || names.contains("infobox") || names.contains("wikitable")
        tables.append(table)
        return .table
    }

    /// Writes the collected content of a layout table.
    private func abandonTable(_ index: Int) {
        paragraphs.flushSpan()
        let current = paragraphs.spans
        paragraphs.spans = []
        for row in tables[index].rows {
            paragraphs.spans = TableWriter.joined(row)
            paragraphs.end()
        }
        paragraphs.spans = TableWriter.joined(tables[index].row)
        tables[index].written = tables[index].row.count
        if !current.isEmpty, !paragraphs.spans.isEmpty {
            paragraphs.spans.append(StyledSpan(TextParagraph.cellSeparator, .secondary))
        }
        paragraphs.spans += current
        tables[index].isCollecting = false
        tables[index].cell = nil
        if tableOfCell == index { tableOfCell = nil }
        tables[index].rows = []
        tables[index].row = []
        paragraphs.needsSpace = false
    }

    private static func joined(_ row: [ArticleTable.Cell]) -> [StyledSpan] {
        var result: [StyledSpan] = []
        for cell in row where !cell.spans.isEmpty {
            if !result.isEmpty { result.append(StyledSpan(TextParagraph.cellSeparator, .secondary)) }
            result += cell.spans
        }
        return result
    }

    private func beginCaption() -> ElementEnding {
        guard let index = tables.indices.last, !isInCell else { return .block(.plain) }
        tables[index].isData = true
        tables[index].isInCaption = true
        paragraphs.end()
        paragraphs.addRole(.secondary)
        return .block(.caption)
    }

    private func beginRow() -> ElementEnding {
        guard let index = tables.indices.last else {
            beginBlock()
            return .block(.plain)
        }
        tables[index].isInCaption = false
        if !tables[index].isCollecting { beginBlock() }
        tables[index].written = 0
        return .row
    }

    func endRow() {
        guard let index = tables.indices.last else { return }
        guard tables[index].isCollecting else {
            if isInCell { return paragraphs.needsSpace = true }
            paragraphs.end()
            paragraphs.needsBlank = false
            return
        }
        tables[index].rows.append(tables[index].row)
        tables[index].row = []
        if tables[index].rows.count >= TableWriter.maximumRows { writeRows(of: index) }
    }

    /// Writes the collected rows of a table that continues.
    private func writeRows(of index: Int) {
        writeTable(tables[index])
        tables[index].rows = []
        tables[index].cells = 0
        tables[index].isContinued = true
    }

    private func beginCell(isHeading: Bool, _ attributes: HTMLAttributes) -> ElementEnding {
        guard let index = tables.indices.last else {
            if isHeading { paragraphs.addRole(.strong) }
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
            paragraphs.endsInBlank = true
            paragraphs.needsSpace = false
        } else if isInCell {
            paragraphs.needsSpace = true
        } else {
            paragraphs.flushSpan()
            if tables[index].written > 0, !paragraphs.spans.isEmpty {
                paragraphs.spans.append(StyledSpan(TextParagraph.cellSeparator, .secondary))
                paragraphs.endsInBlank = true
            }
            tables[index].written += 1
        }
        if isHeading { paragraphs.addRole(.strong) }
        return .cell
    }

    func endCell(roleBefore: TextRole) {
        paragraphs.setRole(roleBefore)
        guard let index = tables.indices.last, tables[index].isCollecting, var cell = tables[index].cell else { return }
        paragraphs.flushSpan()
        cell.spans = TableWriter.trimmed(paragraphs.spans)
        paragraphs.spans = []
        tables[index].cell = nil
        tableOfCell = nil
        tables[index].row.append(cell)
        tables[index].cells += 1
        if tables[index].cells >= TableWriter.maximumCells {
            tables[index].rows.append(tables[index].row)
            tables[index].row = []
            writeRows(of: index)
        }
        paragraphs.endsInBlank = true
        paragraphs.needsSpace = false
    }

    private static func trimmed(_ spans: [StyledSpan]) -> [StyledSpan] {
        guard let last = spans.last, last.text.glyphs.last == .space else { return spans }
        var result = spans
        let keepsFirst = result.count > 1 && last.text.glyphs.first == .space
        result[result.count - 1].text = keepsFirst ? " " + last.text.trimmed() : last.text.trimmed()
        return result
    }

    func endTable() {
        guard var table = tables.popLast() else { return }
        guard !isInCell else { return paragraphs.needsSpace = true }
        if table.isCollecting {
            if !table.row.isEmpty { table.rows.append(table.row) }
            writeTable(table)
        }
        paragraphs.end()
        paragraphs.separate()
    }

    private func writeTable(_ table: Table) {
        let laidOut = ArticleTable(table.rows, isRightToLeft: paragraphs.direction == .fromRight)
        if laidOut.isTable || table.isContinued && laidOut.hasColumns {
            for paragraph in laidOut.paragraphs where !paragraphs.isFull { paragraphs.add(paragraph) }
        } else {
            for cell in table.rows.joined() {
                paragraphs.spans = cell.spans
                paragraphs.end()
            }
        }
    }
}
