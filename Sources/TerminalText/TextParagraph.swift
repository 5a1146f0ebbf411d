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
}
