/// A colour. A terminal with fewer colours shows the nearest available one.
public struct Color: Hashable, Sendable {
    /// The kind in the upper byte and the value in the lower three.
    let bits: UInt32

    init(rawBits: UInt32) { bits = rawBits }

    /// The terminal's default foreground or background.
    public static let standard = Color(rawBits: 0)

    /// Returns one of the terminal's sixteen colours, 0 to 15, as the user has set them.
    public static func ansi(_ index: UInt8) -> Color { Color(rawBits: 1 << 24 | UInt32(index & 15)) }

    /// Returns one of the 256 colours of the xterm palette.
    public static func palette(_ index: UInt8) -> Color { Color(rawBits: 1 << 24 | UInt32(index)) }

    /// Returns a colour with red, green and blue from 0 to 255.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(rawBits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// Returns the colour that represents the number of a picture.
    static func picture(_ number: UInt8) -> Color { Color(rawBits: 3 << 24 | UInt32(number)) }

    /// The terminal's own black.
    public static let black = ansi(0)
    /// The terminal's own red.
    public static let red = ansi(1)
    /// The terminal's own green.
    public static let green = ansi(2)
    /// The terminal's own yellow.
    public static let yellow = ansi(3)
    /// The terminal's own blue.
    public static let blue = ansi(4)
    /// The terminal's own magenta.
    public static let magenta = ansi(5)
    /// The terminal's own cyan.
    public static let cyan = ansi(6)
    /// The terminal's own white.
    public static let white = ansi(7)
    /// The terminal's own grey (bright black).
    public static let grey = ansi(8)

    /// Returns its red, green and blue, or `nil` for the number of a picture.
    ///
    /// - Parameters:
    ///   - standard: The terminal's default colour.
    ///   - ansi: The terminal's sixteen colours as far as known.
    package func components(standard: RGB, ansi: [Int: RGB]) -> RGB? {
        switch kind {
        case .standard: standard
        case .palette(let index): ansi[index] ?? RGB.ofPalette(UInt8(index))
        case .rgb(let red, let green, let blue): RGB(UInt8(red), UInt8(green), UInt8(blue))
        case .picture: nil
        }
    }

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

/// The attributes of text.
public struct TextAttributes: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bold.
    public static let bold = TextAttributes(rawValue: 1)
    /// Reduced contrast.
    public static let dim = TextAttributes(rawValue: 2)
    /// Italic.
    public static let italic = TextAttributes(rawValue: 4)
    /// Underlined.
    public static let underline = TextAttributes(rawValue: 8)
    /// Foreground and background swapped.
    public static let reverse = TextAttributes(rawValue: 16)
    /// Struck through, in terminals that can do so.
    public static let struck = TextAttributes(rawValue: 32)

    /// The attributes as shown. Reversed text is never dim, because dim lowers the contrast of both colours.
    var shown: TextAttributes { contains(.reverse) ? subtracting(.dim) : self }
}

/// Colours and attributes of a cell.
public struct Style: Hashable, Sendable {
    /// The colour of the text.
    public var foreground: Color
    /// The colour of the background.
    public var background: Color
    /// The attributes.
    public var attributes: TextAttributes

    /// The terminal's default colours without attributes.
    public static let standard = Style()

    /// Whether the cell belongs to a picture drawn by the terminal, whose number is the colour.
    public var isPicture: Bool { if case .picture = foreground.kind { true } else { false } }

    /// Creates a style.
    public init(
        foreground: Color = .standard, background: Color = .standard, attributes: TextAttributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// Returns the style without attributes.
    public func removing(_ attributes: TextAttributes) -> Style { with(self.attributes.subtracting(attributes)) }

    /// Returns the style with attributes removed if it has them, and added otherwise.
    public func toggling(_ attributes: TextAttributes) -> Style {
        with(self.attributes.symmetricDifference(attributes))
    }

    /// Returns the style on another background.
    public func on(_ background: Color) -> Style {
        Style(foreground: foreground, background: background, attributes: attributes)
    }

    /// Returns the style with attributes added.
    public func adding(_ attributes: TextAttributes) -> Style { with(self.attributes.union(attributes)) }

    private func with(_ attributes: TextAttributes) -> Style {
        Style(foreground: foreground, background: background, attributes: attributes)
    }
}
