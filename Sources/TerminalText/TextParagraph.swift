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

    /// Makes a paragraph.
    public init(
        _ spans: [StyledSpan], firstPrefix: StyledLine = StyledLine(), prefix: StyledLine = StyledLine(),
        wraps: Bool = true
    ) {
        self.spans = spans
        self.firstPrefix = firstPrefix
        self.prefix = prefix
        self.wraps = wraps
    }

    /// Makes a paragraph of one span.
    public init(_ text: DisplayText, _ role: TextRole = []) { self.init([StyledSpan(text, role)]) }

    /// An empty line.
    public static let blank = TextParagraph([])

    /// The lines for a width.
    public func lines(columns: Int) -> [StyledLine] {
        let indent = max(firstPrefix.columns, prefix.columns)
        let room = max(1, columns - indent)
        let wrapped = wraps ? TextWrapping.wrap(spans, columns: room) : [StyledLine(spans)]
        return wrapped.enumerated().map { index, line in
            StyledLine((index == 0 ? firstPrefix : prefix).spans + line.spans)
        }
    }

    /// Names with their values in a second column, a paragraph each.
    ///
    /// - Parameters:
    ///   - rows: Names and values.
    ///   - nameRole: What the names are, for their look.
    ///   - maximumName: The most columns that the names get; a longer one pushes its value to the right.
    public static func facts(
        _ rows: [(name: DisplayText, value: DisplayText)], nameRole: TextRole = .secondary, maximumName: Int = .max
    ) -> [TextParagraph] {
        let widest = min(maximumName, rows.map(\.name.columns).max() ?? 0)
        func blanks(_ count: Int) -> DisplayText { DisplayText(String(repeating: " ", count: max(1, count))) }
        return rows.map { row in
            TextParagraph(
                [StyledSpan(row.value)],
                firstPrefix: StyledLine([
                    StyledSpan(row.name, nameRole), StyledSpan(blanks(widest - row.name.columns + 2)),
                ]), prefix: StyledLine(blanks(widest + 2)))
        }
    }
}
