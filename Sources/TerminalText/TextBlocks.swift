extension TextParagraph {
    /// The blanks between blocks beside each other, the maximum width of one, and the minimum number of lines of one that
    /// is cut.
    private static let gapOfBlocks = 3, maximumOfBlock = 72, minimumOfBlock = 4

    /// Returns blocks of text below and, where they fit, beside each other: each below the one before it as long as there
    /// are lines, otherwise in a column of its own, as wide as its text.
    ///
    /// - Parameters:
    ///   - columns: The width.
    ///   - rows: The height, to which blocks are cut and without space for four lines left out, or `nil` for the least
    ///     height in which all blocks are whole.
    public static func arranged(_ blocks: [[TextParagraph]], columns: Int, rows: Int? = nil) -> [TextParagraph] {
        let blocks = blocks.filter { !$0.isEmpty }
        let lines = blocks.map { $0.flatMap { $0.lines(columns: min(columns, maximumOfBlock)) } }
        if let rows { return beside(placed(lines, columns: columns, rows: rows, cuts: true) ?? []) }
        let tallest = lines.map(\.count).max() ?? 0
        for rows in tallest..<max(tallest, lines.reduce(-1) { $0 + $1.count + 1 }) {
            if let placed = placed(lines, columns: columns, rows: rows, cuts: false) { return beside(placed) }
        }
        return Array(blocks.joined(separator: [.blank]))
    }

    /// Places blocks in columns, or returns `nil` if not all fit and none may be cut.
    private static func placed(_ blocks: [[StyledLine]], columns: Int, rows: Int, cuts: Bool) -> [[StyledLine]]? {
        var placed: [(width: Int, lines: [StyledLine])] = []
        for block in blocks {
            let width = block.map(\.columns).max() ?? 0
            let used = placed.reduce(0) { $0 + $1.width + gapOfBlocks }
            if let last = placed.last {
                let room = rows - last.lines.count - 1
                let isLow = room < (cuts ? min(block.count, minimumOfBlock) : block.count)
                if !isLow, used - gapOfBlocks - last.width + max(width, last.width) <= columns {
                    placed[placed.count - 1] = (
                        max(width, last.width), last.lines + [StyledLine()] + block.prefix(room)
                    )
                    continue
                }
            }
            if used + width <= columns {
                placed.append((width, Array(block.prefix(rows))))
            } else if !cuts {
                return nil
            }
        }
        return placed.map(\.lines)
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
