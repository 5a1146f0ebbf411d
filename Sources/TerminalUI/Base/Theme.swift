/// What something on the screen is; a theme says how that looks.
public enum ThemeRole: Int, CaseIterable, Sendable {
    /// Ordinary text.
    case text
    /// What stands beside it: dates, counts, hints.
    case secondary
    /// What is meant now: the focused title, the keys of hints.
    case accent
    /// A title of something without the focus.
    case title
    /// Lines between columns and under bars.
    case rule
    /// The chosen row where keys go.
    case selection
    /// The chosen row where keys do not go.
    case selectionUnfocused
    /// What is new: unread entries.
    case unread
    /// The chosen segment.
    case segment
    /// A problem, or what is hard.
    case failure
    /// What went well, or is easy.
    case good
    /// What takes another hue than the accent, a problem or what is good.
    case cool, warm
    /// A heading in text.
    case heading
    /// Program text.
    case code
    /// The words of a link.
    case link
    /// Somebody else's words.
    case quote
    /// What a search found.
    case match
    /// The inside of popovers and sheets.
    case popover
    /// The border of popovers and sheets.
    case popoverBorder
    /// The part of a bar that is done.
    case progress
}

/// The looks of a program, by what things are.
public struct Theme: Sendable {
    /// The name, as it is chosen by.
    public var name: String { origin.name }
    private let origin: Origin

    /// What a theme is made of; in one place, as views ask for looks at each cell and a theme is handed on as it is.
    private final class Origin: Sendable {
        let name: String
        let styles: [Style]
        let colors: TerminalColors?
        let strength: Double

        init(name: String, styles: [Style], colors: TerminalColors? = nil, strength: Double = 1) {
            self.name = name
            self.styles = styles
            self.colors = colors
            self.strength = strength
        }
    }

    /// The colours that it is mixed from; `nil` for those that are looks already, and for the terminal's own.
    public var colors: TerminalColors? { origin.colors }
    /// How much more contrast there is than text needs.
    var strength: Double { origin.strength }

    /// Makes a theme; roles that are not given look like text.
    public init(name: String, _ styles: [ThemeRole: Style]) {
        let text = styles[.text] ?? .standard
        origin = Origin(name: name, styles: ThemeRole.allCases.map { styles[$0] ?? text })
    }

    /// Makes a theme that is mixed from a few colours, each made firmer until it can be read on all that it may stand on. In sixteen
    /// colours it is the terminal's own, and without colours there are attributes alone.
    ///
    /// - Parameters:
    ///   - name: The name, as it is chosen by.
    ///   - colors: The text's, the ground's, and of the others red, yellow, blue and cyan, which is the accent (1, 3, 4 and 6).
    ///   - strength: How much more contrast there is than text needs (4.5 to 1).
    public init(name: String, colors: TerminalColors, strength: Double = 1) {
        origin = Origin(name: name, styles: Theme.standard.origin.styles, colors: colors, strength: strength)
    }

    private init(_ origin: Origin) { self.origin = origin }

    private init(name: String, looksOf other: Theme) {
        origin = Origin(name: name, styles: other.origin.styles)
    }

    /// Another theme's looks under this one's name.
    func renamed(_ looks: Theme) -> Theme {
        Theme(Origin(name: name, styles: looks.origin.styles, colors: colors, strength: strength))
    }

    /// The look of a role.
    public subscript(role: ThemeRole) -> Style { origin.styles[role.rawValue] }

    /// The grounds that its looks stand on.
    var grounds: Set<Color> { Set(origin.styles.map(\.background)) }

    /// The look of a piece of text over a base style.
    public func style(for role: TextRole, base: Style) -> Style {
        var style = base
        func take(_ themeRole: ThemeRole) {
            let other = self[themeRole]
            style.foreground = other.foreground
            style.attributes.formUnion(other.attributes)
            if other.background != .standard { style.background = other.background }
        }
        if role.contains(.quote) { take(.quote) }
        if role.contains(.secondary) { take(.secondary) }
        if role.contains(.heading) { take(.heading) }
        if role.contains(.code) { take(.code) }
        if role.contains(.link) { take(.link) }
        if role.contains(.failure) { take(.failure) }
        if role.contains(.match) { take(.match) }
        if role.contains(.strong) { style.attributes.insert(.bold) }
        if role.contains(.emphasis) { style.attributes.insert(.italic) }
        return style
    }

    /// The terminal's own colours: mixed from those that it tells (``ThemeMixing``), and until it has told them the colour of its
    /// text alone, since nobody knows what any other looks like on its ground.
    public static let standard = Theme(
        name: "terminal",
        [
            .secondary: Style(attributes: .dim),
            .accent: Style(attributes: .bold),
            .title: Style(attributes: .dim),
            .rule: Style(attributes: .dim),
            .selection: Style(attributes: .reverse),
            .selectionUnfocused: Style(attributes: .bold),
            .unread: Style(attributes: .bold),
            .segment: Style(attributes: [.bold, .reverse]),
            .failure: Style(attributes: .bold),
            .good: Style(),
            .cool: Style(),
            .warm: Style(),
            .heading: Style(attributes: .bold),
            .link: Style(attributes: .underline),
            .quote: Style(attributes: .italic),
            .match: Style(attributes: [.bold, .underline]),
        ])

    /// Light text on a dark ground.
    public static let dark = Theme(
        name: "dark",
        colors: TerminalColors(
            foreground: RGB(0xD0, 0xD0, 0xD0), background: RGB(0x1C, 0x1C, 0x1C),
            ansi: [
                1: RGB(0xFF, 0x5F, 0x5F), 2: RGB(0x87, 0xAF, 0x5F), 3: RGB(0xD7, 0xAF, 0x5F), 4: RGB(0x87, 0xAF, 0xD7),
                5: RGB(0xD7, 0x87, 0xAF), 6: RGB(0x5F, 0xAF, 0xD7),
            ]))

    /// Dark text on a light ground.
    public static let light = Theme(
        name: "light",
        colors: TerminalColors(
            foreground: RGB(0x26, 0x26, 0x26), background: RGB(0xFA, 0xFA, 0xFA),
            ansi: [
                1: RGB(0xC0, 0, 0), 2: RGB(0x3A, 0x77, 0x1A), 3: RGB(0x87, 0x5F, 0), 4: RGB(0, 0x5F, 0xAF),
                5: RGB(0xA0, 0x30, 0x80), 6: RGB(0, 0x5F, 0xAF),
            ]))

    /// Pink on dark: the leader's jersey of the Giro.
    public static let rosa = Theme(
        name: "rosa",
        colors: TerminalColors(
            foreground: RGB(0xE0, 0xD8, 0xDC), background: RGB(0x1A, 0x16, 0x1C),
            ansi: [
                1: RGB(0xFF, 0x5F, 0x5F), 2: RGB(0x9A, 0xC0, 0x8A), 3: RGB(0xFF, 0xD7, 0x87), 4: RGB(0x9A, 0xB8, 0xE8),
                5: RGB(0xD0, 0x9A, 0xE8), 6: RGB(0xFF, 0x87, 0xAF),
            ]))

    /// The strongest contrast there is: 7 to 1 at least for all text (WCAG 2.2, 1.4.6).
    public static let highContrast = Theme(
        name: "high contrast",
        colors: TerminalColors(
            foreground: .white, background: .black,
            ansi: [
                1: RGB(0xFF, 0x80, 0x80), 2: RGB(0x80, 0xFF, 0x80), 3: RGB(0xFF, 0xFF, 0), 4: RGB(0x80, 0xC0, 0xFF),
                5: RGB(0xFF, 0x90, 0xFF), 6: RGB(0xFF, 0xFF, 0),
            ]), strength: 7 / ThemeMixing.textContrast)

    /// Bold, dim, underline and reverse only, whatever colours there are.
    public static let monochrome = Theme(name: "monochrome", looksOf: standard)

    /// All themes that the library brings.
    public static let all = [standard, dark, light, rosa, highContrast, monochrome]
}

/// The symbols that bars, rules and borders are drawn with.
public struct Symbols: Sendable {
    /// Horizontal and vertical rules, and where they meet.
    public let horizontal: Glyph, vertical: Glyph, teeDown: Glyph
    /// The corners of a box: upper left, upper right, lower left, lower right.
    public let corners: [Glyph]
    /// The arrows of popovers: up, down, left, right.
    public let arrowUp: Glyph, arrowDown: Glyph, arrowLeft: Glyph, arrowRight: Glyph
    /// The mark of the chosen row.
    public let selection: Glyph
    /// The mark of unread entries.
    public let dot: Glyph
    /// The mark of rows that a change is not stored of yet.
    public let pending: Glyph
    /// The mark of rows that an action on several is for.
    public let check: Glyph
    /// The mark of the row that the detail shows.
    public let shown: Glyph
    /// Where a line goes on to the right, and to the left.
    public let more: Glyph, before: Glyph
    /// What puts a column away to the left, and to the right.
    public let toLeft: DisplayText, toRight: DisplayText
    /// What stands before the name of the level below.
    public let back: DisplayText
    /// The ends of the chosen segment.
    public let segmentLeft: DisplayText, segmentRight: DisplayText
    /// The done and the open part of a progress bar.
    public let progressDone: Glyph, progressOpen: Glyph
    /// The thumb of a scroll indicator: in the middle of its cell, since terminals leave what reaches over the edge.
    public let scrollThumb: Glyph
    /// What strips and bars of colour are made of.
    public let bar: Glyph
    /// The frames of an activity indicator.
    public let activity: [Glyph]
    /// The shadow beside what slides over something; ASCII has none.
    public let shade: Glyph?
    /// Whether the screen is read from top to bottom (``Window/isLinear``): then words tell what a mark does elsewhere.
    public var isLinear = false

    /// Lines and symbols of Unicode that every terminal font has.
    public static let unicode = Symbols(
        horizontal: glyph("─"), vertical: glyph("│"), teeDown: glyph("┬"),
        corners: [glyph("╭"), glyph("╮"), glyph("╰"), glyph("╯")], arrowUp: glyph("△"), arrowDown: glyph("▽"),
        arrowLeft: glyph("◁"), arrowRight: glyph("▷"), selection: glyph("▌"), dot: glyph("●"), pending: glyph("…"),
        check: glyph("✓"), shown: glyph("▸"), more: glyph("›"), before: glyph("‹"),
        toLeft: "«", toRight: "»", back: "‹ ",
        segmentLeft: "▐", segmentRight: "▌", progressDone: glyph("━"), progressOpen: glyph("─"),
        scrollThumb: glyph("┃"), bar: glyph("▀"), activity: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".unicodeScalars.map(glyph),
        shade: glyph("▒"))

    /// ASCII only.
    public static let ascii = Symbols(
        horizontal: glyph("-"), vertical: glyph("|"), teeDown: glyph("+"),
        corners: [glyph("+"), glyph("+"), glyph("+"), glyph("+")], arrowUp: glyph("^"), arrowDown: glyph("v"),
        arrowLeft: glyph("<"), arrowRight: glyph(">"), selection: glyph(">"), dot: glyph("*"), pending: glyph("~"),
        check: glyph("x"), shown: glyph(">"), more: glyph(">"), before: glyph("<"),
        toLeft: "<<", toRight: ">>", back: "< ",
        segmentLeft: "[", segmentRight: "]", progressDone: glyph("="), progressOpen: glyph("-"),
        scrollThumb: glyph("#"), bar: glyph("="), activity: "|/-\\".unicodeScalars.map(glyph), shade: nil)

    /// No lines, and marks that are read as what they are.
    public static let linear: Symbols = {
        let blank = glyph(" ")
        return Symbols(
            horizontal: blank, vertical: blank, teeDown: blank, corners: [blank, blank, blank, blank], arrowUp: blank,
            arrowDown: blank, arrowLeft: blank, arrowRight: blank, selection: glyph(">"), dot: blank,
            pending: glyph("~"), check: glyph("x"), shown: blank, more: glyph(">"), before: glyph("<"), toLeft: "<",
            toRight: ">", back: "back: ", segmentLeft: "[", segmentRight: "]", progressDone: blank,
            progressOpen: blank, scrollThumb: blank, bar: blank, activity: [glyph("~")], shade: nil, isLinear: true)
    }()

    private static func glyph(_ scalar: Unicode.Scalar) -> Glyph { Glyph(scalar) ?? .replacement }
}

extension View {
    /// The symbols that the terminal can show.
    public var symbols: Symbols {
        if window?.isLinear == true { return .linear }
        return window?.traits.capabilities.hasUnicode ?? true ? .unicode : .ascii
    }
}
