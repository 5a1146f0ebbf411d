import Foundation

/// A colour with red, green and blue, and its contrast to others.
public struct RGB: Hashable, Sendable {
    /// The channels, 0 to 255.
    public var red: UInt8, green: UInt8, blue: UInt8

    /// Creates a colour from its channels.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `#rrggbb`, with or without `#`. Returns `nil` for anything else.
    public init?(hexadecimal text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    /// The colour as `#rrggbb`.
    public var hexadecimal: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Black.
    public static let black = RGB(0, 0, 0)
    /// White.
    public static let white = RGB(255, 255, 255)

    /// The relative luminance from 0 (black) to 1 (white), as defined by WCAG 2.2.
    public var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio to another colour, from 1 to 21, as defined by WCAG 2.2.
    public func contrast(with other: RGB) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Returns a colour of the xterm palette, with xterm's defaults for the first sixteen.
    public static func ofPalette(_ index: UInt8) -> RGB {
        let (red, green, blue) = ColorPalette.components(Int(index))
        return RGB(UInt8(red), UInt8(green), UInt8(blue))
    }

    /// The nearest of the 240 palette colours that are the same in every terminal, and its number.
    @MainActor
    public var nearestInPalette: (index: UInt8, color: RGB) {
        let index = ColorPalette.nearestPalette(Int(red), Int(green), Int(blue))
        return (UInt8(index), RGB.ofPalette(UInt8(index)))
    }

    /// Returns this colour, then steps towards white or black, whichever is further from the backgrounds, and then
    /// towards the other. The caller picks the first with enough contrast.
    public func steps(awayFrom grounds: [RGB], _ count: Int = 40) -> [RGB] {
        let isDark = grounds.reduce(0) { $0 + $1.luminance } / Double(max(1, grounds.count)) < 0.18
        return (isDark ? [RGB.white, .black] : [.black, .white]).flatMap { end in
            (0...count).map { mixed(with: end, Double($0) / Double(count)) }
        }
    }

    /// Whether it has a minimum contrast to each background.
    public func standsOut(from grounds: [RGB], _ contrast: Double) -> Bool {
        grounds.allSatisfy { self.contrast(with: $0) >= contrast }
    }

    /// Returns a mixture with another colour: this one at a share of 0, the other at 1.
    public func mixed(with other: RGB, _ share: Double) -> RGB {
        func part(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: (Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return RGB(part(red, other.red), part(green, other.green), part(blue, other.blue))
    }
}

/// The colours of a terminal as its user has set them.
public struct TerminalColors: Hashable, Sendable {
    /// The default text colour.
    public var foreground: RGB
    /// The default background.
    public var background: RGB
    /// The sixteen colours, without those that the terminal didn't report.
    public var ansi: [Int: RGB]

    /// Creates a set of colours.
    public init(foreground: RGB, background: RGB, ansi: [Int: RGB] = [:]) {
        self.foreground = foreground
        self.background = background
        self.ansi = ansi
    }
}

/// Queries a terminal for its colours: OSC 10 and 11 for text and background, OSC 4 for the sixteen
/// (<https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>, Operating System Commands).
///
/// The device attributes (DA1) are queried last. Nearly every terminal answers them, so a terminal that ignores the
/// rest need not be waited for.
struct ColorQuestion {
    private var foreground: RGB?
    private var background: RGB?
    private var ansi: [Int: RGB] = [:]
    /// The colours known before the query.
    private var previous: TerminalColors?
    private(set) var askedAt: ContinuousClock.Instant?

    /// The time after which a terminal counts as not answering.
    private static let answerTime = Duration.seconds(2)

    /// The requests for single colours.
    private static let requests: [String] = {
        let sixteen = (0..<16).map { ";\($0);?" }.joined()
        return ["\u{1B}]4\(sixteen)\u{07}", "\u{1B}]10;?\u{07}", "\u{1B}]11;?\u{07}"]
    }()

    /// The query.
    static let bytes = Array((requests.joined() + "\u{1B}[c").utf8)

    /// The query for the terminal around tmux. It has no end mark, because tmux takes device attributes for itself.
    static let passedThrough = Array(
        requests.map { "\u{1B}Ptmux;\u{1B}\($0)\u{1B}\\" }.joined().utf8)

    /// Whether a terminal of this type understands the query. Others would print it.
    static func isSuitable(term: String, isInTmux: Bool, isInScreen: Bool) -> Bool {
        if isInTmux { return true }
        if isInScreen { return false }
        return isLikeXterm(term)
    }

    /// Whether a terminal type is compatible with xterm.
    static func isLikeXterm(_ term: String) -> Bool {
        [
            "xterm", "rxvt", "kitty", "foot", "alacritty", "ghostty", "wezterm", "contour", "konsole", "st-", "iterm",
        ]
        .contains { term.lowercased().contains($0) }
    }

    /// Whether an answer is pending.
    var isAwaiting: Bool { askedAt.map { $0.duration(to: .now) < ColorQuestion.answerTime } ?? false }

    /// Starts a new query.
    mutating func ask() {
        previous = colors ?? previous
        askedAt = .now
        (foreground, background, ansi) = (nil, nil, [:])
    }

    /// Processes an answer. The device attributes must be those that end this query.
    ///
    /// Answers after the end are used too: those of the terminal around tmux arrive after tmux's own.
    ///
    /// - Returns: The colours as far as known, from the end of the query on.
    mutating func take(_ report: TerminalReport) -> TerminalColors? {
        switch report {
        case .color(.foreground, let color): foreground = color
        case .color(.background, let color): background = color
        case .color(.ansi(let index), let color): ansi[index] = color
        case .attributes where askedAt != nil: askedAt = nil
        default: return nil
        }
        // Before the end, the colours of two schemes might be mixed.
        return isAwaiting ? nil : colors
    }

    /// The colours, once those of text and background are known.
    ///
    /// If these are the same as before, so are the sixteen that haven't arrived yet.
    private var colors: TerminalColors? {
        guard let foreground, let background else { return nil }
        var colors = TerminalColors(foreground: foreground, background: background, ansi: ansi)
        if let previous, previous.foreground == foreground, previous.background == background {
            colors.ansi.merge(previous.ansi) { own, _ in own }
        }
        return colors
    }
}
