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
    /// A problem.
    case failure
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
    public let name: String
    private var styles: [Style]

    /// Makes a theme; roles that are not given look like text.
    public init(name: String, _ styles: [ThemeRole: Style]) {
        self.name = name
        let text = styles[.text] ?? .standard
        self.styles = ThemeRole.allCases.map { styles[$0] ?? text }
    }

    /// The look of a role.
    public subscript(role: ThemeRole) -> Style { styles[role.rawValue] }

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
            .heading: Style(attributes: .bold),
            .link: Style(attributes: .underline),
            .quote: Style(attributes: .italic),
            .match: Style(attributes: [.bold, .underline]),
        ])

    /// Light text on a dark ground.
    public static let dark = colored(
        "dark", text: RGB(0xD0, 0xD0, 0xD0), ground: RGB(0x1C, 0x1C, 0x1C), muted: RGB(0x80, 0x80, 0x80),
        accent: RGB(0x5F, 0xAF, 0xD7), selection: RGB(0x30, 0x40, 0x50), warm: RGB(0xD7, 0xAF, 0x5F),
        failure: RGB(0xFF, 0x5F, 0x5F), floating: RGB(0x26, 0x26, 0x26))

    /// Dark text on a light ground.
    public static let light = colored(
        "light", text: RGB(0x26, 0x26, 0x26), ground: RGB(0xFA, 0xFA, 0xFA), muted: RGB(0x76, 0x76, 0x76),
        accent: RGB(0x00, 0x5F, 0xAF), selection: RGB(0xD0, 0xE0, 0xF0), warm: RGB(0x87, 0x5F, 0x00),
        failure: RGB(0xC0, 0x00, 0x00), floating: RGB(0xEE, 0xEE, 0xEE))

    /// Pink on dark: the leader's jersey of the Giro.
    public static let rosa = colored(
        "rosa", text: RGB(0xE0, 0xD8, 0xDC), ground: RGB(0x1A, 0x16, 0x1C), muted: RGB(0x8A, 0x80, 0x8A),
        accent: RGB(0xFF, 0x87, 0xAF), selection: RGB(0x4A, 0x2A, 0x3A), warm: RGB(0xFF, 0xD7, 0x87),
        failure: RGB(0xFF, 0x5F, 0x5F), floating: RGB(0x26, 0x20, 0x28))

    /// The strongest contrast there is.
    public static let highContrast = Theme(
        name: "high contrast",
        [
            .text: Style(foreground: .ansi(15), background: .black),
            .accent: Style(foreground: .ansi(11), background: .black, attributes: .bold),
            .title: Style(foreground: .ansi(15), background: .black, attributes: .bold),
            .selection: Style(foreground: .black, background: .ansi(11), attributes: .bold),
            .selectionUnfocused: Style(foreground: .ansi(15), background: .black, attributes: [.bold, .underline]),
            .unread: Style(foreground: .ansi(15), background: .black, attributes: .bold),
            .segment: Style(foreground: .black, background: .ansi(11), attributes: .bold),
            .failure: Style(foreground: .ansi(9), background: .black, attributes: .bold),
            .heading: Style(foreground: .ansi(11), background: .black, attributes: .bold),
            .link: Style(foreground: .ansi(14), background: .black, attributes: .underline),
            .match: Style(foreground: .black, background: .ansi(14), attributes: .bold),
        ])

    /// Bold, underline and reverse only.
    public static let plain = Theme(
        name: "plain",
        [
            .accent: Style(attributes: .bold),
            .selection: Style(attributes: .reverse),
            .selectionUnfocused: Style(attributes: .bold),
            .unread: Style(attributes: .bold),
            .segment: Style(attributes: [.bold, .reverse]),
            .heading: Style(attributes: .bold),
            .link: Style(attributes: .underline),
            .failure: Style(attributes: .bold),
            .match: Style(attributes: [.bold, .underline]),
        ])

    /// The theme of a name; the terminal's own for any other.
    public static func named(_ name: String) -> Theme { all.first { $0.name == name } ?? standard }

    /// All themes that the library brings.
    public static let all = [standard, dark, light, rosa, highContrast, plain]

    /// A theme of given colours, each made firmer until it can be read on the ground, in popovers and on the chosen row.
    private static func colored(
        _ name: String, text: RGB, ground: RGB, muted: RGB, accent: RGB, selection: RGB, warm: RGB, failure: RGB,
        floating: RGB
    ) -> Theme {
        func color(_ value: RGB) -> Color { .rgb(value.red, value.green, value.blue) }
        func firm(_ wish: RGB) -> Color {
            let grounds = [ground, floating, selection]
            let steps = wish.steps(awayFrom: grounds, 20)
            return color(steps.first { $0.standsOut(from: grounds, ThemeMixing.textContrast) } ?? wish)
        }
        func on(_ wish: RGB, _ attributes: TextAttributes = []) -> Style {
            Style(foreground: firm(wish), background: color(ground), attributes: attributes)
        }
        return Theme(
            name: name,
            [
                .text: on(text), .secondary: on(muted), .accent: on(accent, .bold), .title: on(muted),
                .rule: on(muted), .selection: Style(foreground: firm(text), background: color(selection)),
                .selectionUnfocused: on(text, .bold), .unread: on(text, .bold),
                .segment: Style(foreground: color(ground), background: firm(accent), attributes: .bold),
                .failure: on(failure), .heading: on(accent, .bold), .code: on(warm), .link: on(accent, .underline),
                .quote: on(muted, .italic), .match: on(warm, [.bold, .underline]),
                .popover: Style(foreground: firm(text), background: color(floating)),
                .popoverBorder: Style(foreground: firm(accent), background: color(floating)), .progress: on(accent),
            ])
    }
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
    /// The thumb of a scroll indicator.
    public let scrollThumb: Glyph
    /// The frames of an activity indicator.
    public let activity: [Glyph]
    /// The shadow beside what slides over something; ASCII has none.
    public let shade: Glyph?

    /// Lines and symbols of Unicode that every terminal font has.
    public static let unicode = Symbols(
        horizontal: glyph("─"), vertical: glyph("│"), teeDown: glyph("┬"),
        corners: [glyph("╭"), glyph("╮"), glyph("╰"), glyph("╯")], arrowUp: glyph("△"), arrowDown: glyph("▽"),
        arrowLeft: glyph("◁"), arrowRight: glyph("▷"), selection: glyph("▌"), dot: glyph("●"), pending: glyph("…"),
        check: glyph("✓"), shown: glyph("▸"), more: glyph("›"), before: glyph("‹"),
        toLeft: "«", toRight: "»", back: "‹ ",
        segmentLeft: "▐", segmentRight: "▌", progressDone: glyph("━"), progressOpen: glyph("─"),
        scrollThumb: glyph("▕"), activity: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".unicodeScalars.map(glyph),
        shade: glyph("▒"))

    /// ASCII only.
    public static let ascii = Symbols(
        horizontal: glyph("-"), vertical: glyph("|"), teeDown: glyph("+"),
        corners: [glyph("+"), glyph("+"), glyph("+"), glyph("+")], arrowUp: glyph("^"), arrowDown: glyph("v"),
        arrowLeft: glyph("<"), arrowRight: glyph(">"), selection: glyph(">"), dot: glyph("*"), pending: glyph("~"),
        check: glyph("x"), shown: glyph(">"), more: glyph(">"), before: glyph("<"),
        toLeft: "<<", toRight: ">>", back: "< ",
        segmentLeft: "[", segmentRight: "]", progressDone: glyph("="), progressOpen: glyph("-"),
        scrollThumb: glyph("#"), activity: "|/-\\".unicodeScalars.map(glyph), shade: nil)

    private static func glyph(_ scalar: Unicode.Scalar) -> Glyph { Glyph(scalar) ?? .replacement }
}

extension View {
    /// The symbols that the terminal can show.
    public var symbols: Symbols { window?.traits.capabilities.hasUnicode ?? true ? .unicode : .ascii }
}
