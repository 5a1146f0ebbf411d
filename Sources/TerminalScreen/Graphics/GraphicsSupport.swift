import TerminalText

/// A way to show the pixels of a picture instead of characters.
public enum GraphicsProtocol: String, Hashable, Sendable, CaseIterable {
    /// kitty's graphics protocol with Unicode placeholders, which works through tmux:
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders>.
    case kitty
    /// DEC's sixels, for terminals without tmux between: <https://vt100.net/docs/vt3xx-gp/chapter14.html>.
    case sixel
}

/// Which pictures a terminal can show, as far as it is known.
public struct GraphicsSupport: Hashable, Sendable {
    /// The ways that work.
    public var protocols: Set<GraphicsProtocol>
    /// Pixels of a cell; `nil` when the terminal does not tell.
    public var cellSize: Size?
    /// Colours that a picture in sixels can have.
    public var sixelColors: Int
    /// What was found, in a sentence for people; parts of it come from outside.
    public var explanation: String

    /// Before anything was asked.
    public static let unknown = GraphicsSupport(explanation: "")

    /// Makes a finding.
    public init(
        protocols: Set<GraphicsProtocol> = [], cellSize: Size? = nil, sixelColors: Int = 256, explanation: String
    ) {
        self.protocols = protocols
        self.cellSize = cellSize
        self.sixelColors = sixelColors
        self.explanation = explanation
    }
}

/// A picture that the terminal was given, to be shown in cells.
public struct TerminalPicture: Hashable, Sendable {
    /// Tells the picture apart from others of this program: the colour of its cells, one of the palette's.
    let number: UInt8
    /// Tells it apart from those of other programs in the same terminal.
    let group: UInt8
    /// Columns and rows that it takes.
    public let size: Size

    /// The look of its cells.
    public var style: Style { Style(foreground: .picture(number)) }

    /// What stands in a cell of it, from its upper left corner.
    public func glyph(row: Int, column: Int) -> Glyph {
        Glyph(PicturePlaceholder(row: row, column: column, group: group))
    }
}
