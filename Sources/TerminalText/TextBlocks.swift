extension TextParagraph {
    /// The gap between columns, the maximum width of a block, and how many lines of a block must remain when it is cut.
    private static let gapOfBlocks = 3, maximumOfBlock = 72, minimumOfBlock = 4

    /// Returns blocks of text in columns: each block is below the one before it as long as there are lines, otherwise at the
    /// top of a new column. Columns are as wide as their text.
    ///
    /// - Parameters:
    ///   - columns: The width.
    ///   - rows: The height. Blocks are cut to it, and left out if there is no space for four of their lines. `nil` stands
    ///     for the lowest height in which all blocks are whole.
    public static func arranged(_ blocks: [[TextParagraph]], columns: Int, rows: Int? = nil) -> [TextParagraph] {
        let blocks = blocks.filter { !$0.isEmpty }
        let lines = blocks.map { $0.flatMap { $0.lines(columns: min(columns, maximumOfBlock)) } }
        let sizes = lines.map { Size(columns: $0.map(\.columns).max() ?? 0, rows: $0.count) }
        /// Joins the lines of each column, with an empty one between two blocks.
        func joined(_ columns: [Column]) -> [TextParagraph] {
            beside(
                columns.map { column in
                    Array(column.blocks.map { lines[$0.index].prefix($0.rows) }.joined(separator: [StyledLine()]))
                })
        }
        if let rows { return joined(placed(sizes, columns: columns, rows: max(0, rows), cuts: true) ?? []) }
        let tallest = sizes.map(\.rows).max() ?? 0
        for rows in tallest..<max(tallest, sizes.reduce(-1) { $0 + $1.rows + 1 }) {
            if let placed = placed(sizes, columns: columns, rows: rows, cuts: false) { return joined(placed) }
        }
        return Array(blocks.joined(separator: [.blank]))
    }

    private struct Size {
        var columns: Int
        var rows: Int
    }

    /// Blocks below each other, each with the number of rows that are shown.
    private struct Column {
        var size: Size
        var blocks: [(index: Int, rows: Int)]
    }

    /// Places blocks in columns, or returns `nil` if not all fit and none may be cut.
    private static func placed(_ blocks: [Size], columns: Int, rows: Int, cuts: Bool) -> [Column]? {
        var placed: [Column] = []
        for (index, block) in blocks.enumerated() {
            let used = placed.reduce(0) { $0 + $1.size.columns + gapOfBlocks }
            if let last = placed.last {
                let room = rows - last.size.rows - 1
                let width = max(block.columns, last.size.columns)
                let isLow = room < (cuts ? min(block.rows, minimumOfBlock) : block.rows)
                if !isLow, used - gapOfBlocks - last.size.columns + width <= columns {
                    let shown = min(block.rows, room)
                    placed[placed.count - 1] = Column(
                        size: Size(columns: width, rows: last.size.rows + 1 + shown),
                        blocks: last.blocks + [(index, shown)])
                    continue
                }
            }
            if used + block.columns <= columns {
                let shown = min(block.rows, rows)
                placed.append(Column(size: Size(columns: block.columns, rows: shown), blocks: [(index, shown)]))
            } else if !cuts {
                return nil
            }
        }
        return placed
    }

    private static func beside(_ columns: [[StyledLine]]) -> [TextParagraph] {
        var starts = [0]
        for lines in columns {
            starts.append(starts[starts.count - 1] + (lines.map(\.columns).max() ?? 0) + gapOfBlocks)
        }
        return (0..<(columns.map(\.count).max() ?? 0)).map { row in
            var line = StyledLine()
            for (lines, start) in zip(columns, starts) where row < lines.count && !lines[row].spans.isEmpty {
                if start > line.columns { line.spans.append(StyledSpan(.blanks(start - line.columns))) }
                line.spans += lines[row].spans
            }
            return line.spans.isEmpty ? .blank : TextParagraph(line.spans, wraps: false)
        }
    }
}
