/// The capabilities of a terminal.
public struct TerminalCapabilities: Hashable, Sendable {
    /// The number of colours.
    public enum ColorDepth: Int, Hashable, Sendable, Comparable {
        /// None: attributes only.
        case none
        /// The sixteen of the terminal's palette.
        case sixteen
        /// The 256 of the xterm palette.
        case palette
        /// Any red, green and blue.
        case direct

        /// Fewer colours come first.
        public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
    }

    /// The number of colours.
    public var colors: ColorDepth
    /// The reason for this number as a sentence; empty if it wasn't detected.
    public var colorsExplanation = ""
    /// Whether the eight bright colours can be backgrounds.
    public var hasBrightColors = true
    /// Whether lines and symbols beyond ASCII can be shown.
    public var hasUnicode: Bool
    /// Whether text can be struck through.
    public var strikesText = false
    /// The supported pictures.
    public var graphics: GraphicsSupport
    /// The terminal's own colours, once it has reported them.
    public var ownColors: TerminalColors?

    /// Creates capabilities.
    public init(colors: ColorDepth = .palette, hasUnicode: Bool = true, graphics: GraphicsSupport = .unknown) {
        self.colors = colors
        self.hasUnicode = hasUnicode
        self.graphics = graphics
    }
}
