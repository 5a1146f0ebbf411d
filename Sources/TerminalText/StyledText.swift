/// What a piece of text is, as its writer meant it; a theme decides how it looks.
public struct TextRole: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt16

    /// A role from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Important words.
    public static let strong = TextRole(rawValue: 1)
    /// Stressed words.
    public static let emphasis = TextRole(rawValue: 2)
    /// Program text.
    public static let code = TextRole(rawValue: 4)
    /// The words that a link is on.
    public static let link = TextRole(rawValue: 8)
    /// A heading.
    public static let heading = TextRole(rawValue: 16)
    /// Somebody else's words.
    public static let quote = TextRole(rawValue: 32)
    /// What stands beside the text: numbers of links, bullets, notes.
    public static let secondary = TextRole(rawValue: 64)
    /// What went wrong.
    public static let failure = TextRole(rawValue: 128)
    /// What a search found.
    public static let match = TextRole(rawValue: 256)
}

/// Text of one role.
public struct StyledSpan: Hashable, Sendable {
    /// The words.
    public var text: DisplayText
    /// What they are.
    public var role: TextRole
    /// The link that they are on, by a number that whoever shows them knows; 0 for none.
    public var link: Int32

    /// Makes a span.
    public init(_ text: DisplayText, _ role: TextRole = [], link: Int32 = 0) {
        self.text = text
        self.role = role
        self.link = link
    }
}

/// One line of spans.
public struct StyledLine: Hashable, Sendable {
    /// The spans from left to right.
    public var spans: [StyledSpan]

    /// Makes a line of spans.
    public init(_ spans: [StyledSpan] = []) { self.spans = spans }

    /// Makes a line of one span.
    public init(_ text: DisplayText, _ role: TextRole = []) { spans = [StyledSpan(text, role)] }

    /// The columns of all spans together.
    public var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    /// The end of the line, as far as it fits into columns.
    func suffix(columns limit: Int) -> StyledLine {
        var room = limit
        var kept: [StyledSpan] = []
        for span in spans.reversed() where room > 0 {
            let end = StyledSpan(span.text.suffix(columns: room), span.role, link: span.link)
            room = end.text == span.text ? room - end.text.columns : 0
            kept.insert(end, at: 0)
        }
        return StyledLine(kept)
    }

    /// The words of all spans.
    public var string: String { spans.map(\.text.string).joined() }
}
