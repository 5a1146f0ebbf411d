/// A paragraph of styled text, with what stands before its lines.
public struct TextParagraph: Hashable, Sendable {
    /// The text.
    public var spans: [StyledSpan]
    /// What stands before the first line, such as a bullet.
    public var firstPrefix: StyledLine
    /// What stands before the other lines.
    public var prefix: StyledLine
    /// Whether lines are wrapped at words; program text is cut instead, so that its columns stay.
    public var wraps: Bool
    /// Whether ``firstPrefix`` is a name, which gets lines of its own where the text would be too narrow beside it.
    public var isNamed: Bool
    /// Whether it is read from the right: its lines end at the right edge, and what stands before them stands behind. The
    /// characters keep their order, as terminals that know these scripts put them right themselves.
    public var isRightToLeft = false
    /// The lines of a table, which stand as they are where they fit, and else as records.
    private var table: Table?

    private struct Table: Hashable, Sendable {
        var lines: [StyledLine]
        var records: [TextParagraph]
        var columns: Int
    }

    /// Whether it is lines of a table.
    public var isTable: Bool { table != nil }

    /// Columns that text has at least where it does not fit, or the whole line has no more: what stands before it gives way.
    private static let leastColumns = 12
    /// Columns beyond which there is no right edge to be seen.
    private static let mostColumns = 4_096
    /// Columns before a value that stands below its name.
    private static let valueIndent = 1

    /// Makes a paragraph.
    public init(
        _ spans: [StyledSpan], firstPrefix: StyledLine = StyledLine(), prefix: StyledLine = StyledLine(),
        wraps: Bool = true, isNamed: Bool = false
    ) {
        self.spans = spans
        self.firstPrefix = firstPrefix
        self.prefix = prefix
        self.wraps = wraps
        self.isNamed = isNamed
    }

    /// Makes a paragraph of a table's lines, which are not wrapped.
    ///
    /// - Parameter records: What is shown instead where the widest line does not fit.
    public init(lines: [StyledLine], orRecords records: [TextParagraph]) {
        self.init(lines.flatMap(\.spans), wraps: false)
        table = Table(lines: lines, records: records, columns: lines.reduce(0) { max($0, $1.columns) })
    }

    /// Makes a paragraph of one span.
    public init(_ text: DisplayText, _ role: TextRole = []) { self.init([StyledSpan(text, role)]) }

    /// The paragraph for being read line by line, as screen readers and braille lines do: a table is records at every width,
    /// a quotation has a `>` before its lines as in mail, and no line is drawn.
    public var readLineByLine: TextParagraph {
        var result = self
        result.table?.columns = .max
        result.firstPrefix = TextParagraph.withoutDrawings(firstPrefix)
        result.prefix = TextParagraph.withoutDrawings(prefix)
        for index in result.spans.indices where result.spans[index].text == TextParagraph.cellSeparator {
            result.spans[index].text = "; "
        }
        return result
    }

    /// What stands between cells of a table.
    public static let cellSeparator: DisplayText = " │ "
    /// What stands before each line of a quotation.
    public static let quotationBar: DisplayText = "▏ "

    private static func withoutDrawings(_ line: StyledLine) -> StyledLine {
        StyledLine(
            line.spans.map { span in
                var span = span
                if span.text == quotationBar { span.text = "> " }
                return span
            })
    }

    /// An empty line.
    public static let blank = TextParagraph([])

    /// A line as it is shown, and how much of the paragraph's text is in it.
    public struct WrappedLine: Hashable, Sendable {
        /// What is shown.
        public var line: StyledLine
        /// The bytes of the text in it, as UTF-8, without blanks and without what stands before it: summed over the lines it is
        /// the same at every width, though each break takes a blank away.
        public var textBytes: Int
        /// The columns of what stands before the text.
        public var prefixColumns: Int
        /// Whether it ends with a hyphen that the text has not.
        public var isHyphenated = false
    }

    /// The lines for a width.
    public func lines(columns: Int) -> [StyledLine] { wrappedLines(columns: columns).map(\.line) }

    /// The lines for a width, with the text in each.
    public func wrappedLines(columns: Int) -> [WrappedLine] {
        var lines: [WrappedLine] = []
        wrap(columns: columns) { lines.append($0) }
        return lines
    }

    /// Hands on the lines for a width, one after the other.
    public func wrap(columns: Int, _ take: (WrappedLine) -> Void) {
        if let table { return wrap(table, columns: columns, take) }
        let indent = max(firstPrefix.columns, prefix.columns)
        let room = columns - indent
        let isTight = indent > 0 && room < TextParagraph.leastColumns && StyledLine(spans).columns > room
        guard isTight, wraps else { return wrap(columns: room, after: firstPrefix, prefix, take) }
        if isNamed {
            for name in TextWrapping.wrap(firstPrefix.spans, columns: columns) {
                take(WrappedLine(line: name, textBytes: 0, prefixColumns: name.columns))
            }
            let blanks = StyledLine(DisplayText.blanks(TextParagraph.valueIndent))
            return wrap(columns: columns - TextParagraph.valueIndent, after: blanks, blanks, take)
        }
        let kept = max(0, columns - TextParagraph.leastColumns)
        wrap(columns: columns - kept, after: firstPrefix.suffix(columns: kept), prefix.suffix(columns: kept), take)
    }

    private func wrap(_ table: Table, columns: Int, _ take: (WrappedLine) -> Void) {
        let room = columns - max(firstPrefix.columns, prefix.columns)
        let parts = table.columns <= room ? table.lines.map { TextParagraph($0.spans, wraps: false) } : table.records
        for (index, part) in parts.enumerated() {
            var part = part
            part.firstPrefix = index == 0 ? firstPrefix : prefix
            part.prefix = prefix
            part.isRightToLeft = isRightToLeft
            part.wrap(columns: columns, take)
        }
    }

    private func wrap(
        columns: Int, after first: StyledLine, _ others: StyledLine, _ take: (WrappedLine) -> Void
    ) {
        var isFirst = true
        func add(_ line: StyledLine, _ isHyphenated: Bool) {
            let prefix = isFirst ? first : others
            isFirst = false
            let isMirrored = isRightToLeft && columns <= TextParagraph.mostColumns
            let before = isMirrored ? max(0, columns - line.columns - (isHyphenated ? 1 : 0)) : prefix.columns
            var spans = isMirrored ? [StyledSpan(.blanks(before))] : prefix.spans
            if spans.isEmpty || before == 0 { spans = line.spans } else { spans += line.spans }
            if isHyphenated, let last = spans.last { spans.append(StyledSpan("-", last.role, link: last.link)) }
            if isMirrored { spans += prefix.mirrored.spans }
            take(
                WrappedLine(
                    line: StyledLine(spans), textBytes: line.spans.reduce(0) { $0 + $1.text.textBytes },
                    prefixColumns: before, isHyphenated: isHyphenated))
        }
        if wraps {
            TextWrapping.wrap(spans, columns: columns, hyphenates: true, add)
        } else {
            add(StyledLine(spans), false)
        }
    }

    /// Whether the first letter of the text is of a script that is read from the right (Unicode Standard Annex 9, rule P2, by
    /// blocks).
    public var beginsRightToLeft: Bool {
        for span in spans {
            for scalar in span.text.string.unicodeScalars where scalar.properties.isAlphabetic {
                switch scalar.value {
                case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
                    return true
                default: return false
                }
            }
        }
        return false
    }

    /// Names with their values in a second column, a paragraph each; below their names where there is little room.
    ///
    /// - Parameters:
    ///   - rows: Names and values.
    ///   - nameRole: What the names are, for their look.
    ///   - minimumName: The least columns that the names get, so that the values of several lists stand under each other.
    ///   - maximumName: The most columns that the names get; a longer one pushes its value to the right.
    public static func facts(
        _ rows: [(name: DisplayText, value: DisplayText)], nameRole: TextRole = .secondary, minimumName: Int = 0,
        maximumName: Int = .max
    ) -> [TextParagraph] {
        let widest = min(maximumName, max(minimumName, rows.map(\.name.columns).max() ?? 0))
        return rows.map { row in
            TextParagraph(
                [StyledSpan(row.value)],
                firstPrefix: StyledLine([
                    StyledSpan(row.name, nameRole),
                    StyledSpan(.blanks(max(1, widest - row.name.columns + 2))),
                ]), prefix: StyledLine(.blanks(widest + 2)), isNamed: true)
        }
    }
}

extension StyledLine {
    /// What stands before lines as it stands behind them: the other way round, its blanks between it and the text.
    fileprivate var mirrored: StyledLine {
        StyledLine(
            spans.reversed().map { span in
                let words = span.text.trimmed()
                return StyledSpan(.blanks(span.text.columns - words.columns) + words, span.role, link: span.link)
            })
    }
}
