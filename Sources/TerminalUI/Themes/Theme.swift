/// The role of something on the screen. A theme assigns a style to each role.
public enum ThemeRole: Int, CaseIterable, Sendable {
    /// Ordinary text.
    case text
    /// Text of less importance: dates, counts, hints.
    case secondary
    /// Emphasis: the focused title, the keys of hints.
    case accent
    /// A title without the focus.
    case title
    /// Lines between columns and under bars.
    case rule
    /// The thumb of a scroll indicator.
    case thumb
    /// The selected row with the focus.
    case selection
    /// The selected row without the focus.
    case selectionUnfocused
    /// Something new: unread entries.
    case unread
    /// The selected segment.
    case segment
    /// An error, or a difficult level.
    case failure
    /// A success, or an easy level.
    case good
    /// Additional hues, distinct from the accent, errors and successes.
    case cool, warm
    /// A heading in text.
    case heading
    /// Source code.
    case code
    /// The text of a link.
    case link
    /// A quotation.
    case quote
    /// A search match.
    case match
    /// Every second row of a table in text.
    case shaded
    /// The line of keys at the bottom.
    case footer
    /// The background of popovers and sheets.
    case popover
    /// The border of popovers and sheets.
    case popoverBorder
    /// The completed part of a progress bar.
    case progress
}

/// A set of styles by role.
public struct Theme: Sendable {
    /// The name by which the theme is selected.
    public var name: String { origin.name }
    private let origin: Origin

    /// The content of a theme in one shared object, since views look up styles for every cell and themes are passed by
    /// value.
    private final class Origin: Sendable {
        let name: String
        let styles: [Style]
        let colors: TerminalColors?
        let strength: Double
        let fading: ThemeFading?

        init(
            name: String, styles: [Style], colors: TerminalColors? = nil, strength: Double = 1,
            fading: ThemeFading? = nil
        ) {
            self.name = name
            self.styles = styles
            self.colors = colors
            self.strength = strength
            self.fading = fading
        }
    }

    /// The colours from which the theme is mixed, or `nil` for themes with fixed styles and for the terminal's own
    /// colours.
    public var colors: TerminalColors? { origin.colors }
    /// The factor by which contrasts exceed the minimum for text.
    var strength: Double { origin.strength }

    /// How what is behind a popover fades, or `nil` if only attributes can show it.
    var fading: ThemeFading? { origin.fading }

    /// Creates a theme. Roles without a style look like text.
    public init(name: String, _ styles: [ThemeRole: Style]) { self.init(name: name, styles, fading: nil) }

    init(name: String, _ styles: [ThemeRole: Style], fading: ThemeFading?) {
        let text = styles[.text] ?? .standard
        origin = Origin(name: name, styles: ThemeRole.allCases.map { styles[$0] ?? text }, fading: fading)
    }

    /// Creates a theme mixed from a few colours.
    ///
    /// Each colour is adjusted until it is readable on every background where it appears. With sixteen colours the
    /// theme uses the terminal's own, and without colours only attributes.
    ///
    /// - Parameters:
    ///   - name: The name by which the theme is selected.
    ///   - colors: The colours of text and background, and red, yellow, blue and cyan, which is the accent (1, 3, 4 and
    ///     6).
    ///   - strength: The factor by which contrasts exceed the minimum for text (4.5 to 1).
    public init(name: String, colors: TerminalColors, strength: Double = 1) {
        origin = Origin(name: name, styles: Theme.standard.origin.styles, colors: colors, strength: strength)
    }

    private init(_ origin: Origin) { self.origin = origin }

    /// - Parameter plain: The roles that have no attributes.
    private init(name: String, looksOf other: Theme, inks: [ThemeRole: Color] = [:], plain: [ThemeRole] = []) {
        var styles = other.origin.styles
        for (role, color) in inks { styles[role.rawValue].foreground = color }
        for role in plain { styles[role.rawValue].attributes = [] }
        origin = Origin(name: name, styles: styles)
    }

    /// Returns another theme's styles under this theme's name.
    func renamed(_ looks: Theme) -> Theme {
        Theme(
            Origin(
                name: name, styles: looks.origin.styles, colors: colors, strength: strength,
                fading: looks.origin.fading))
    }

    /// The style of a role.
    public subscript(role: ThemeRole) -> Style { origin.styles[role.rawValue] }

    /// The backgrounds of its styles.
    var grounds: Set<Color> { Set(origin.styles.map(\.background)) }

    /// Returns the style of a piece of text over a base style.
    public func style(for role: TextRole, base: Style) -> Style {
        var style = base
        func take(_ themeRole: ThemeRole) {
            let other = self[themeRole]
            style.foreground = other.foreground
            style.attributes.formUnion(other.attributes)
            if other.background != .standard { style.background = other.background }
        }
        if role.contains(.shaded) { take(.shaded) }
        if role.contains(.quote) { take(.quote) }
        if role.contains(.secondary) { take(.secondary) }
        if role.contains(.heading) {
            // The levels differ without colours too.
            if role.contains(.minorHeading) { style.attributes.insert(.italic) } else { take(.heading) }
            if role.contains(.majorHeading) { style.attributes.insert(.underline) }
        }
        if role.contains(.rule) { take(.rule) }
        if role.contains(.code) { take(.code) }
        if role.contains(.keyword) { take(.accent) }
        if role.contains(.string) { take(.good) }
        if role.contains(.comment) { take(.secondary) }
        if role.contains(.link) { take(.link) }
        if role.contains(.failure) { take(.failure) }
        if role.contains(.match) { take(.match) }
        if role.contains(.strong) { style.attributes.insert(.bold) }
        if role.contains(.emphasis) { style.attributes.insert(.italic) }
        if role.contains(.deleted) { style.attributes.insert(.struck) }
        return style
    }

    /// The terminal's own colours.
    ///
    /// The theme is mixed from the colours that the terminal reports (``ThemeMixing``). Until then it is ``accented``,
    /// and without colours it has only these attributes.
    public static let standard = Theme(
        name: "terminal",
        [
            .secondary: Style(attributes: .dim),
            .accent: Style(attributes: .bold),
            .title: Style(attributes: .dim),
            .rule: Style(attributes: .dim),
            .thumb: Style(attributes: .dim),
            .selection: Style(attributes: .reverse),
            .selectionUnfocused: Style(attributes: .bold),
            .unread: Style(attributes: .bold),
            .segment: Style(attributes: .reverse),
            .failure: Style(attributes: .bold),
            .good: Style(),
            .cool: Style(),
            .warm: Style(),
            .heading: Style(attributes: .bold),
            .link: Style(attributes: .underline),
            .quote: Style(attributes: .italic),
            .match: Style(attributes: [.bold, .underline]),
        ])

    /// The theme for a terminal that hasn't reported its colours, such as tmux before 3.4.
    ///
    /// The sixteen colours are accents on the default text and background. All running text has the default colour,
    /// because any other might be unreadable. Magenta is the accent because it is readable both on black and on white;
    /// cyan and yellow, which are not on white, only colour marks. Nothing coloured is bold, because terminals show bold
    /// magenta as bright magenta. No text is dim, because terminals differ in how much of it they show: kitty 0.41 shows
    /// 40 %, which has a contrast of 1.4 in Solarized's colours.
    static let accented = Theme(
        name: standard.name,
        looksOf: standard,
        inks: [
            .accent: .magenta, .segment: .magenta, .popoverBorder: .magenta, .progress: .magenta,
            .cool: .cyan, .failure: .red, .good: .green, .warm: .yellow,
        ],
        plain: [.secondary, .title, .accent, .failure])

    /// Light text on a dark background.
    public static let dark = Theme(
        name: "dark",
        colors: TerminalColors(
            foreground: RGB(0xD0, 0xD0, 0xD0), background: RGB(0x1C, 0x1C, 0x1C),
            ansi: [
                1: RGB(0xFF, 0x5F, 0x5F), 2: RGB(0x87, 0xAF, 0x5F), 3: RGB(0xD7, 0xAF, 0x5F), 4: RGB(0x87, 0xAF, 0xD7),
                5: RGB(0xD7, 0x87, 0xAF), 6: RGB(0x5F, 0xAF, 0xD7),
            ]))

    /// Dark text on a light background.
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

    /// A theme with maximum contrast, at least 7 to 1 for all text (WCAG 2.2, 1.4.6).
    public static let highContrast = Theme(
        name: "high contrast",
        colors: TerminalColors(
            foreground: .white, background: .black,
            ansi: [
                1: RGB(0xFF, 0x80, 0x80), 2: RGB(0x80, 0xFF, 0x80), 3: RGB(0xFF, 0xFF, 0), 4: RGB(0x80, 0xC0, 0xFF),
                5: RGB(0xFF, 0x90, 0xFF), 6: RGB(0xFF, 0xFF, 0),
            ]), strength: 7 / ThemeMixing.textContrast)

    /// A theme with bold, dim, underlined and reversed text only, on any terminal.
    public static let monochrome = Theme(name: "monochrome", looksOf: standard)

    /// All built-in themes.
    public static let all = [standard, dark, light, rosa, highContrast, monochrome]
}
