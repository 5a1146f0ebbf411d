/// A paragraph of styled text with a prefix before its lines.
public struct TextParagraph: Hashable, Sendable {
    /// The text.
    public var spans: [StyledSpan]
    /// The prefix of the first line, such as a bullet.
    public var firstPrefix: StyledLine
    /// The prefix of the other lines.
    public var prefix: StyledLine
    /// Whether lines are wrapped at words. Code isn't wrapped, so that its columns stay aligned.
    public var wraps: Bool
    /// Whether ``firstPrefix`` is a name. It gets its own lines if the text beside it would be too narrow.
    public var isNamed: Bool
    /// Whether it is read from right to left: lines are aligned right, with prefixes at their ends. The characters keep
    /// their order, because terminals that support such scripts reorder them.
    public var isRightToLeft = false
    /// A table, which becomes records if it doesn't fit.
    private var table: Table?

    private struct Table: Hashable, Sendable {
        var content: TextTable
        var records: [TextParagraph]
        var isAlwaysRecords = false
    }

    /// Whether it is a table.
    public var isTable: Bool { table != nil }

    /// The minimum width of text that doesn't fit on a line. The prefix is dropped to reach it.
    private static let minimumColumns = 12
    /// The maximum width of a right edge that can be visible.
    private static let maximumColumns = 4_096
    /// The indentation of a value below its name.
    private static let valueIndent = 1

    /// Creates a paragraph.
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

    /// Creates a paragraph from a table.
    ///
    /// - Parameter records: The paragraphs to show instead if the table doesn't fit.
    public init(_ content: TextTable, orRecords records: [TextParagraph]) {
        self.init(content.unwrapped.flatMap(\.spans), wraps: false)
        table = Table(content: content, records: records)
    }

    /// Creates a paragraph of one span.
    public init(_ text: DisplayText, _ role: TextRole = []) { self.init([StyledSpan(text, role)]) }

    /// The paragraph for screen readers and braille displays: tables become records, quotations start with `>` and items
    /// with `-` as in mail, and there are no drawn lines.
    public var readLineByLine: TextParagraph {
        var result = self
        result.table?.isAlwaysRecords = true
        result.firstPrefix = TextParagraph.withoutDrawings(firstPrefix)
        result.prefix = TextParagraph.withoutDrawings(prefix)
        for index in result.spans.indices where result.spans[index].text == TextParagraph.cellSeparator {
            result.spans[index].text = "; "
        }
        return result
    }

    /// The paragraph for a terminal that strikes through deleted text, without the signs around it.
    public var withoutDeletionSigns: TextParagraph {
        guard spans.contains(where: { $0.role.contains(.deleted) }) else { return self }
        func isSign(_ span: StyledSpan) -> Bool { span.role.contains(.deleted) && span.text == TextRole.deletionSign }
        var result = self
        result.spans.removeAll(where: isSign)
        guard var content = table?.content else { return result }
        for row in content.rows.indices {
            for column in content.rows[row].indices { content.rows[row][column]?.spans.removeAll(where: isSign) }
        }
        result.table?.content = content
        return result
    }

    /// The separator between cells that are parts of a line of text.
    public static let cellSeparator: DisplayText = " │ "
    /// The prefix of each line of a quotation.
    public static let quotationBar: DisplayText = "▏ "
    /// The prefix of an item of a list.
    public static let bullet: DisplayText = "• "

    private static func withoutDrawings(_ line: StyledLine) -> StyledLine {
        StyledLine(
            line.spans.map { span in
                var span = span
                if span.text == quotationBar { span.text = "> " }
                if span.text == bullet { span.text = "- " }
                return span
            })
    }

    /// An empty line.
    public static let blank = TextParagraph([])

    /// A wrapped line, with the amount of the paragraph's text in it.
    public struct WrappedLine: Hashable, Sendable {
        /// The displayed line.
        public var line: StyledLine
        /// The length of its text in UTF-8, without spaces and prefix. The sum over all lines is the same in every
        /// width, although line breaks remove spaces.
        public var textBytes: Int
        /// The width of the prefix.
        public var prefixColumns: Int
        /// Whether it ends with a hyphen that is not part of the text.
        public var isHyphenated = false
    }

    /// Returns the lines in a width.
    public func lines(columns: Int) -> [StyledLine] { wrappedLines(columns: columns).map(\.line) }

    /// Returns the lines in a width with the amount of text in each.
    public func wrappedLines(columns: Int) -> [WrappedLine] {
        var lines: [WrappedLine] = []
        wrap(columns: columns) { lines.append($0) }
        return lines
    }

    /// Passes the lines in a width to `take`, one after the other.
    public func wrap(columns: Int, _ take: (WrappedLine) -> Void) {
        if let table { return wrap(table, columns: columns, take) }
        let indent = indent
        let room = columns - indent
        let isTight =
            indent > 0 && StyledLine(spans).columns > room
            && (room < TextParagraph.minimumColumns || isNamed && needsOwnLine(room: room, columns: columns))
        guard isTight, wraps else { return wrap(columns: room, after: firstPrefix, prefix, take) }
        if isNamed {
            for name in TextWrapping.wrap(firstPrefix.spans, columns: columns) {
                take(WrappedLine(line: name, textBytes: 0, prefixColumns: name.columns))
            }
            let blanks = StyledLine(DisplayText.blanks(TextParagraph.valueIndent))
            return wrap(columns: columns - TextParagraph.valueIndent, after: blanks, blanks, take)
        }
        let kept = max(0, columns - TextParagraph.minimumColumns)
        wrap(columns: columns - kept, after: firstPrefix.suffix(columns: kept), prefix.suffix(columns: kept), take)
    }

    /// Whether a word of a named value, such as a date, is whole only below the name.
    private func needsOwnLine(room: Int, columns: Int) -> Bool {
        let words = spans.map(\.text.string).joined().split(separator: " ")
        let longest = words.map { DisplayText(String($0)).columns }.max() ?? 0
        return longest > room && longest <= columns - TextParagraph.valueIndent
    }

    private var indent: Int { max(firstPrefix.columns, prefix.columns) }

    /// Returns the width of a table in lines with its prefix, or `nil` for a text or a table that doesn't fit.
    public func tableColumns(fitting columns: Int) -> Int? {
        guard let table, !table.isAlwaysRecords else { return nil }
        return table.content.width(fitting: columns - indent).map { $0 + indent }
    }

    private func wrap(_ table: Table, columns: Int, _ take: (WrappedLine) -> Void) {
        func add(_ part: TextParagraph, _ index: Int, _ take: (WrappedLine) -> Void) {
            var part = part
            part.firstPrefix = index == 0 ? firstPrefix : prefix
            part.prefix = prefix
            part.isRightToLeft = isRightToLeft
            part.wrap(columns: columns, take)
        }
        let content = table.isAlwaysRecords ? nil : table.content
        guard let lines = content?.lines(fitting: columns - indent) ?? content?.linesOfManyColumns else {
            for (index, record) in table.records.enumerated() { add(record, index, take) }
            return
        }
        for (index, line) in lines.enumerated() {
            add(TextParagraph(line.content.spans, wraps: false), index) { wrapped in
                var wrapped = wrapped
                wrapped.textBytes = line.textBytes
                take(wrapped)
            }
        }
    }

    private func wrap(
        columns: Int, after first: StyledLine, _ others: StyledLine, _ take: (WrappedLine) -> Void
    ) {
        var isFirst = true
        func add(_ line: StyledLine, _ isHyphenated: Bool) {
            let prefix = isFirst ? first : others
            isFirst = false
            let isMirrored = isRightToLeft && columns <= TextParagraph.maximumColumns
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

    /// Whether the first letter belongs to a script written from right to left (Unicode Standard Annex 9, rule P2, by
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

    /// Returns names with their values in a second column, or below the names if there isn't enough space.
    ///
    /// - Parameters:
    ///   - rows: The names and values.
    ///   - nameRole: The role of the names.
    ///   - minimumName: The minimum width of the names, to align the values of several lists.
    ///   - maximumName: The maximum width of the names. A longer name moves its value to the right.
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
    /// The prefix as it appears at the end of a line: reversed, with its spaces next to the text.
    fileprivate var mirrored: StyledLine {
        StyledLine(
            spans.reversed().map { span in
                let words = span.text.trimmed().padded(to: span.text.columns, isTrailing: true)
                return StyledSpan(words, span.role, link: span.link)
            })
    }
}
