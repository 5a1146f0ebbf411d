/// The rows of a table or some of them, which can be laid out in different widths: if they don't fit, the longest
/// columns are wrapped.
public struct TextTable: Hashable, Sendable {
    /// A cell.
    public struct Cell: Hashable, Sendable {
        /// The text.
        public var spans: [StyledSpan]
        /// The number of columns that it spans.
        public var across: Int

        /// Creates a cell.
        public init(_ spans: [StyledSpan], across: Int = 1) {
            self.spans = spans
            self.across = across
        }
    }

    /// The measures of a column, which all parts of a table share.
    public struct Column: Hashable, Sendable {
        /// The width of the longest cell.
        public private(set) var width: Int
        /// The minimum width, below which the table doesn't fit.
        var minimum: Int
        /// Whether cells are aligned right, and never wrapped.
        var isNumeric: Bool

        /// Creates the measures of a column.
        ///
        /// - Parameters:
        ///   - cells: The texts of its cells.
        ///   - isNumeric: Whether they are numbers.
        public init(_ cells: [[StyledSpan]], isNumeric: Bool) {
            var (width, word) = (0, 0)
            for spans in cells {
                width = max(width, StyledLine(spans).columns)
                word = max(word, Column.longestWord(spans))
            }
            self.width = width
            self.isNumeric = isNumeric
            let readable = width > Column.longText ? Column.minimumOfLongText : Column.minimumOfText
            minimum = isNumeric ? width : min(width, max(readable, min(word, Column.maximumOfWord)))
        }

        /// The minimum widths of columns with short and long texts, and the width of a long text.
        private static let minimumOfText = 12, minimumOfLongText = 24, longText = 96
        /// The maximum width of a word that isn't split.
        private static let maximumOfWord = 32

        /// Makes room for a cell that spans several columns, of which this is the last.
        public mutating func widen(by columns: Int) { width += max(0, columns) }

        private static func longestWord(_ spans: [StyledSpan]) -> Int {
            var (longest, current) = (0, 0)
            for span in spans {
                for glyph in span.text.glyphs {
                    current = glyph == .space ? 0 : current + glyph.columns
                    longest = max(longest, current)
                }
            }
            return longest
        }
    }

    /// A line of a layout, with the length of its text as in ``TextParagraph/WrappedLine/textBytes``.
    struct Line {
        var content: StyledLine
        var textBytes: Int
    }

    /// The cells of each row by column, `nil` where another cell extends.
    var rows: [[Cell?]]
    var columns: [Column]
    var ruledRow: Int?
    /// The rows with a ground of their own.
    var shaded: Set<Int>
    var isRightToLeft: Bool

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - rows: The cells of each row by column, `nil` where another cell extends.
    ///   - columns: The measures of the columns.
    ///   - headings: The number of rows at the top that are headings, with a rule below them.
    ///   - firstRow: The number of rows in earlier parts of the table, not counting headings. Every second row is
    ///     shaded.
    ///   - isRightToLeft: Whether the first column is on the right.
    public init(
        rows: [[Cell?]], columns: [Column], headings: Int = 0, firstRow: Int = 0, isRightToLeft: Bool = false
    ) {
        self.rows = rows
        self.columns = columns
        self.isRightToLeft = isRightToLeft
        ruledRow = headings > 0 && headings < rows.count ? headings - 1 : nil
        shaded = Set(rows.indices.filter { $0 >= headings && ($0 - headings + firstRow) % 2 == 1 })
    }

    private static let separator: DisplayText = .blanks(TextParagraph.cellSeparator.columns)

    private var gaps: Int { max(0, columns.count - 1) * TextTable.separator.columns }

    /// Returns the widths of the columns in a width, or `nil` if they don't fit.
    ///
    /// The longest columns become narrower first.
    func widths(fitting room: Int) -> [Int]? {
        let available = room - gaps
        let natural = columns.map(\.width)
        guard natural.reduce(0, +) > available else { return natural }
        guard columns.reduce(0, { $0 + $1.minimum }) <= available else { return nil }
        func limited(to limit: Int) -> [Int] { columns.map { max($0.minimum, min($0.width, limit)) } }
        var (low, high) = (0, natural.max() ?? 0)
        while low < high {
            let middle = (low + high + 1) / 2
            if limited(to: middle).reduce(0, +) <= available { low = middle } else { high = middle - 1 }
        }
        var widths = limited(to: low)
        var rest = available - widths.reduce(0, +)
        for index in widths.indices where rest > 0 && widths[index] < natural[index] {
            widths[index] += 1
            rest -= 1
        }
        return widths
    }

    /// Returns the width of the layout, or `nil` if the table doesn't fit.
    func width(fitting room: Int) -> Int? { widths(fitting: room).map { $0.reduce(gaps, +) } }

    /// The lines of all rows without wrapping and shading.
    public var unwrapped: [StyledLine] { lines(columns.map(\.width), isShaded: false).map(\.content) }

    /// The number of columns from which lines that scroll sideways are easier to read than records.
    private static let manyColumns = 8

    /// The narrowest lines of a table with many columns, which don't fit but can be scrolled, or `nil` with fewer.
    var linesOfManyColumns: [Line]? {
        columns.count < TextTable.manyColumns ? nil : lines(columns.map(\.minimum), isShaded: true)
    }

    /// Returns the lines in a width, or `nil` if the table doesn't fit.
    func lines(fitting room: Int) -> [Line]? { widths(fitting: room).map { lines($0, isShaded: true) } }

    private func lines(_ widths: [Int], isShaded: Bool) -> [Line] {
        let natural = rule(columns.map(\.width)).textBytes
        return rows.indices.flatMap { row in
            let lines = lines(of: row, widths, isShaded: isShaded && shaded.contains(row))
            return row == ruledRow
                ? lines + [Line(content: StyledLine(rule(widths), .rule), textBytes: natural)] : lines
        }
    }

    private func rule(_ widths: [Int]) -> DisplayText {
        let widths = isRightToLeft ? widths.reversed() : widths
        let gap = String(repeating: "─", count: TextTable.separator.columns)
        return DisplayText(widths.map { String(repeating: "─", count: $0) }.joined(separator: gap))
    }

    /// A cell with its lines, its width and its alignment.
    private struct Placed {
        var lines: [StyledLine]
        var width: Int
        var isAtRight: Bool
    }

    private func lines(of row: Int, _ widths: [Int], isShaded: Bool) -> [Line] {
        var placed: [Placed] = []
        var column = 0
        while column < widths.count {
            let cell = column < rows[row].count ? rows[row][column] : nil
            let across = max(1, min(cell?.across ?? 1, widths.count - column))
            let gaps = (across - 1) * TextTable.separator.columns
            let width = widths[column..<column + across].reduce(gaps, +)
            let lines = cell.map { TextWrapping.wrap($0.spans, columns: max(1, width)) } ?? []
            placed.append(Placed(lines: lines, width: width, isAtRight: columns[column].isNumeric || isRightToLeft))
            column += across
        }
        if isRightToLeft { placed.reverse() }
        return (0..<max(1, placed.map(\.lines.count).max() ?? 1)).map { line($0, of: placed, isShaded: isShaded) }
    }

    private func line(_ index: Int, of cells: [Placed], isShaded: Bool) -> Line {
        var spans: [StyledSpan] = []
        var textBytes = 0
        for (place, cell) in cells.enumerated() {
            if place > 0 { spans.append(StyledSpan(TextTable.separator)) }
            let own = index < cell.lines.count ? cell.lines[index] : StyledLine()
            textBytes += own.spans.reduce(0) { $0 + $1.text.textBytes }
            // The last column needs no padding, except for its ground.
            let isPadded = place < cells.count - 1 || cell.isAtRight || isShaded
            let blanks = isPadded ? [StyledSpan(.blanks(max(0, cell.width - own.columns)))] : []
            spans += cell.isAtRight ? blanks + own.spans : own.spans + blanks
        }
        if isShaded { for place in spans.indices { spans[place].role.insert(.shaded) } }
        return Line(content: StyledLine(spans), textBytes: textBytes)
    }
}
