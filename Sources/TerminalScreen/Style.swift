/// A colour as a program asks for it; a terminal that has fewer shows the nearest it has.
public struct Color: Hashable, Sendable {
    /// The kind in the upper byte, the value in the lower three.
    let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    /// The terminal's own foreground or background.
    public static let standard = Color(bits: 0)

    /// One of the terminal's sixteen colours, 0 to 15, as the user has set them.
    public static func ansi(_ index: UInt8) -> Color { Color(bits: 1 << 24 | UInt32(index & 15)) }

    /// One of the 256 colours of the xterm palette.
    public static func palette(_ index: UInt8) -> Color { Color(bits: 1 << 24 | UInt32(index)) }

    /// A colour of red, green and blue, 0 to 255 each.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// The number of a picture, sent as a colour of that number and no other.
    static func picture(_ number: UInt8) -> Color { Color(bits: 3 << 24 | UInt32(number)) }

    /// Black, red, green, yellow, blue, magenta, cyan and white of the terminal's own sixteen.
    public static let black = ansi(0)
    /// Red of the terminal's own sixteen.
    public static let red = ansi(1)
    /// Green of the terminal's own sixteen.
    public static let green = ansi(2)
    /// Yellow of the terminal's own sixteen.
    public static let yellow = ansi(3)
    /// Blue of the terminal's own sixteen.
    public static let blue = ansi(4)
    /// Magenta of the terminal's own sixteen.
    public static let magenta = ansi(5)
    /// Cyan of the terminal's own sixteen.
    public static let cyan = ansi(6)
    /// White of the terminal's own sixteen.
    public static let white = ansi(7)
    /// Grey (bright black) of the terminal's own sixteen.
    public static let grey = ansi(8)

    enum Kind {
        case standard
        case palette(Int)
        case rgb(red: Int, green: Int, blue: Int)
        case picture(Int)
    }

    var kind: Kind {
        switch bits >> 24 {
        case 0: .standard
        case 1: .palette(Int(bits & 0xFF))
        case 3: .picture(Int(bits & 0xFF))
        default: .rgb(red: Int(bits >> 16 & 0xFF), green: Int(bits >> 8 & 0xFF), blue: Int(bits & 0xFF))
        }
    }
}

/// How a cell looks beside its colours.
public struct TextAttributes: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt16

    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Heavier strokes.
    public static let bold = TextAttributes(rawValue: 1)
    /// Less contrast.
    public static let dim = TextAttributes(rawValue: 2)
    /// Slanted strokes.
    public static let italic = TextAttributes(rawValue: 4)
    /// A line beneath.
    public static let underline = TextAttributes(rawValue: 8)
    /// Foreground and background exchanged.
    public static let reverse = TextAttributes(rawValue: 16)
}

/// Colours and attributes of a cell.
public struct Style: Hashable, Sendable {
    /// The colour of the strokes.
    public var foreground: Color
    /// The colour behind them.
    public var background: Color
    /// The attributes.
    public var attributes: TextAttributes

    /// The terminal's own colours without attributes.
    public static let standard = Style()

    /// Whether a picture that the terminal shows itself has it: its colour is the picture's number.
    public var isPicture: Bool { if case .picture = foreground.kind { true } else { false } }

    /// Makes a style.
    public init(
        foreground: Color = .standard, background: Color = .standard, attributes: TextAttributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The style without attributes.
    public func removing(_ attributes: TextAttributes) -> Style {
        Style(foreground: foreground, background: background, attributes: self.attributes.subtracting(attributes))
    }

    /// The style with attributes taken away where it has them, added where it has not.
    public func toggling(_ attributes: TextAttributes) -> Style {
        Style(
            foreground: foreground, background: background,
            attributes: self.attributes.symmetricDifference(attributes))
    }

    /// The style with attributes added.
    public func adding(_ attributes: TextAttributes) -> Style {
        Style(foreground: foreground, background: background, attributes: self.attributes.union(attributes))
    }
}
