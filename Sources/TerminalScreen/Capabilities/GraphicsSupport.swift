import TerminalText

/// A protocol for showing a picture's pixels instead of characters.
public enum GraphicsProtocol: String, Hashable, Sendable, CaseIterable {
    /// kitty's graphics protocol with Unicode placeholders, which also works inside tmux:
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders>.
    case kitty
    /// DEC's sixels, for terminals without tmux: <https://vt100.net/docs/vt3xx-gp/chapter14.html>.
    case sixel
}

/// The pictures that a terminal can show, as far as known.
public struct GraphicsSupport: Hashable, Sendable {
    /// The supported protocols.
    public var protocols: Set<GraphicsProtocol>
    /// The size of a cell in pixels, or `nil` if the terminal doesn't report it.
    public var cellSize: Size?
    /// The maximum number of colours in a sixel picture.
    public var sixelColors: Int
    /// The result in a sentence. Parts of it come from outside.
    public var explanation: String

    /// The maximum number of pixels in a picture.
    package static let maximumPixels = 1_500_000

    /// The state before any query.
    public static let unknown = GraphicsSupport(explanation: "")

    /// Creates a result.
    public init(
        protocols: Set<GraphicsProtocol> = [], cellSize: Size? = nil, sixelColors: Int = 256, explanation: String
    ) {
        self.protocols = protocols
        self.cellSize = cellSize
        self.sixelColors = sixelColors
        self.explanation = explanation
    }
}

/// A picture that was transmitted to the terminal, to be shown in cells.
public struct TerminalPicture: Hashable, Sendable {
    /// Identifies the picture in this program. It is the palette colour of its cells.
    let number: UInt8
    /// Distinguishes this program's pictures from those of others in the same terminal.
    let group: UInt8
    /// The size in cells.
    public let size: Size

    /// The style of its cells.
    public var style: Style { Style(foreground: .picture(number)) }

    /// Returns the glyph for a cell of the picture.
    public func glyph(row: Int, column: Int) -> Glyph {
        Glyph(PicturePlaceholder(row: row, column: column, group: group))
    }
}
