/// The role of a piece of text. A theme decides how it looks.
public struct TextRole: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt32

    /// Creates a role from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Strong text.
    public static let strong = TextRole(rawValue: 1)
    /// Emphasised text.
    public static let emphasis = TextRole(rawValue: 2)
    /// Source code.
    public static let code = TextRole(rawValue: 4)
    /// The text of a link.
    public static let link = TextRole(rawValue: 8)
    /// A heading.
    public static let heading = TextRole(rawValue: 16)
    /// A quotation.
    public static let quote = TextRole(rawValue: 32)
    /// Text of less importance: numbers of links, bullets, notes.
    public static let secondary = TextRole(rawValue: 64)
    /// An error.
    public static let failure = TextRole(rawValue: 128)
    /// A search match.
    public static let match = TextRole(rawValue: 256)
    /// A row of a table with a ground of its own.
    public static let shaded = TextRole(rawValue: 512)
    /// A keyword in source code.
    public static let keyword = TextRole(rawValue: 1024)
    /// A string in source code.
    public static let string = TextRole(rawValue: 2048)
    /// A comment in source code.
    public static let comment = TextRole(rawValue: 4096)
    /// A drawn line, such as that below the head of a table.
    public static let rule = TextRole(rawValue: 8192)
    /// A heading of the first level, and of a level below the second.
    public static let majorHeading = TextRole(rawValue: 16_384), minorHeading = TextRole(rawValue: 32_768)
    /// Deleted text, which ``deletionSign`` surrounds where it can't be struck through.
    public static let deleted = TextRole(rawValue: 65_536)

    /// The sign before and after deleted text.
    public static let deletionSign: DisplayText = "~~"
}

/// A piece of text with a role.
public struct StyledSpan: Hashable, Sendable {
    /// The text.
    public var text: DisplayText
    /// The role.
    public var role: TextRole
    /// The number of the link that the text belongs to, or 0 for none. The displaying view knows its address.
    public var link: Int32

    /// Creates a span.
    public init(_ text: DisplayText, _ role: TextRole = [], link: Int32 = 0) {
        self.text = text
        self.role = role
        self.link = link
    }
}

/// A line of spans.
public struct StyledLine: Hashable, Sendable {
    /// The spans from left to right.
    public var spans: [StyledSpan]

    /// Creates a line of spans.
    public init(_ spans: [StyledSpan] = []) { self.spans = spans }

    /// Creates a line of one span.
    public init(_ text: DisplayText, _ role: TextRole = []) { spans = [StyledSpan(text, role)] }

    /// The width of all spans.
    public var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    /// Returns the longest end of the line that fits into a width.
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

    /// The text of all spans.
    public var string: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of all spans as UTF-8.
    package func append(to bytes: inout [UInt8]) { for span in spans { span.text.append(to: &bytes) } }
}
