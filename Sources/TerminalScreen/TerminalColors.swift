import Foundation

/// A colour of red, green and blue, and how it stands out from others.
public struct RGB: Hashable, Sendable {
    /// The parts, 0 to 255.
    public var red: UInt8, green: UInt8, blue: UInt8

    /// Makes a colour of its parts.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#rrggbb`, with or without its sign; `nil`: it is something else.
    public init?(hexadecimal text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    /// Written as `#rrggbb`.
    public var hexadecimal: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Black.
    public static let black = RGB(0, 0, 0)
    /// White.
    public static let white = RGB(255, 255, 255)

    /// The relative luminance, 0 (black) to 1 (white), as WCAG 2.2 defines it.
    public var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio of two colours, 1 to 21, as WCAG 2.2 defines it.
    public func contrast(with other: RGB) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// A colour of the xterm palette; the first sixteen as xterm has them by itself.
    public static func ofPalette(_ index: UInt8) -> RGB {
        let (red, green, blue) = ColorPalette.components(Int(index))
        return RGB(UInt8(red), UInt8(green), UInt8(blue))
    }

    /// The nearest of the 240 colours of the xterm palette that every terminal has alike, and its number.
    @MainActor
    public var nearestInPalette: (index: UInt8, color: RGB) {
        let index = ColorPalette.nearestPalette(Int(red), Int(green), Int(blue))
        return (UInt8(index), RGB.ofPalette(UInt8(index)))
    }

    /// This colour and others, each nearer to white or black, whichever is further from the grounds, and then those towards the
    /// other: for the first that stands out enough.
    public func steps(awayFrom grounds: [RGB], _ count: Int = 40) -> [RGB] {
        let isDark = grounds.reduce(0) { $0 + $1.luminance } / Double(max(1, grounds.count)) < 0.18
        return (isDark ? [RGB.white, .black] : [.black, .white]).flatMap { end in
            (0...count).map { mixed(with: end, Double($0) / Double(count)) }
        }
    }

    /// Whether it has at least a contrast with each of the grounds.
    public func standsOut(from grounds: [RGB], _ contrast: Double) -> Bool {
        grounds.allSatisfy { self.contrast(with: $0) >= contrast }
    }

    /// A colour between two: at a share of 0 this one, at 1 the other.
    public func mixed(with other: RGB, _ share: Double) -> RGB {
        func part(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: (Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return RGB(part(red, other.red), part(green, other.green), part(blue, other.blue))
    }
}

/// The colours of a terminal as its user has set them.
public struct TerminalColors: Hashable, Sendable {
    /// The colour of text that asks for none.
    public var foreground: RGB
    /// The ground that it stands on.
    public var background: RGB
    /// The sixteen; those that the terminal has not told are missing.
    public var ansi: [Int: RGB]

    /// Makes a set of colours.
    public init(foreground: RGB, background: RGB, ansi: [Int: RGB] = [:]) {
        self.foreground = foreground
        self.background = background
        self.ansi = ansi
    }
}

/// Asks a terminal for its colours: OSC 10 and 11 for the text's and the ground's, OSC 4 for the sixteen
/// (<https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>, Operating System Commands).
///
/// The device's attributes (DA1) are asked for last: nearly every terminal answers that, so that one that knows nothing of
/// the rest is known not to be waited for.
struct ColorQuestion {
    private var foreground: RGB?
    private var background: RGB?
    private var ansi: [Int: RGB] = [:]
    private(set) var askedAt: ContinuousClock.Instant?

    /// After this a terminal that has not answered is taken for one that does not.
    private static let answerTime = Duration.seconds(2)

    /// The bytes to send.
    static let bytes: [UInt8] = {
        let sixteen = (0..<16).map { ";\($0);?" }.joined()
        return Array("\u{1B}]4\(sixteen)\u{07}\u{1B}]10;?\u{07}\u{1B}]11;?\u{07}\u{1B}[c".utf8)
    }()

    /// Whether a terminal of that kind takes the question as one: others would write it on the screen.
    static func isSuitable(term: String, isInTmux: Bool, isInScreen: Bool) -> Bool {
        if isInTmux { return true }
        if isInScreen { return false }
        return isLikeXterm(term)
    }

    /// Whether a type of terminal takes what xterm takes.
    static func isLikeXterm(_ term: String) -> Bool {
        [
            "xterm", "rxvt", "kitty", "foot", "alacritty", "ghostty", "wezterm", "contour", "konsole", "st-", "iterm",
        ]
        .contains { term.lowercased().contains($0) }
    }

    /// Whether the terminal still owes an answer.
    var isAwaiting: Bool { askedAt.map { $0.duration(to: .now) < ColorQuestion.answerTime } ?? false }

    /// Begins anew.
    mutating func ask() {
        askedAt = .now
        (foreground, background, ansi) = (nil, nil, [:])
    }

    /// Takes a report.
    ///
    /// - Parameter isOnly: Whether nothing else was asked meanwhile that ends with the device's attributes.
    /// - Returns: Whether it belongs to this question, and the colours once the last answer is there.
    mutating func take(_ report: TerminalReport, isOnly: Bool = true) -> (isOwn: Bool, colors: TerminalColors?) {
        switch report {
        case .color(.foreground, let color): foreground = color
        case .color(.background, let color): background = color
        case .color(.ansi(let index), let color): ansi[index] = color
        case .attributes where askedAt != nil:
            // It may end another question, which was asked before; else the terminal does not tell.
            if isOnly || foreground != nil && background != nil { askedAt = nil }
            guard let foreground, let background else { return (true, nil) }
            return (true, TerminalColors(foreground: foreground, background: background, ansi: ansi))
        default: return (false, nil)
        }
        return (true, nil)
    }
}
