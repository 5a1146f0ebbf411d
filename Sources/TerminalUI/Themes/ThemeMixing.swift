/// Mixes a theme from colours so that everything stays readable, whatever colours the user has chosen.
///
/// Text has a contrast of at least 4.5 to 1, marks 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11; row TER-08). Three greys are less
/// prominent than text: secondary text, the thumbs of scroll indicators, and decorative rules. Contrasts are measured with the colours that the terminal can show: the cube and greys with 256 colours, the terminal's own
/// with sixteen.
@MainActor
struct ThemeMixing {
    /// The minimum contrast of text, and of marks.
    nonisolated static let textContrast = 4.5, markContrast = 3.0
    /// The preferred contrast of secondary text as a share of the text's.
    private static let secondaryShare = 0.575
    /// The preferred contrast of decorative rules, and of thumbs.
    private static let ruleContrast = 1.9, thumbContrast = 3.2
    /// The contrast above which the text colour isn't changed, and the contrast it gets otherwise, which leaves a
    /// margin for secondary text.
    private static let plainContrast = 5.6, firmContrast = 6.5

    private var colors: TerminalColors
    private let depth: TerminalCapabilities.ColorDepth
    /// Whether the colours are the terminal's own, so that text and background can stay at their defaults.
    private let isOwn: Bool
    /// The factor by which contrasts exceed the minimum for text.
    private let strength: Double

    init(
        _ colors: TerminalColors, depth: TerminalCapabilities.ColorDepth, isOwn: Bool = true, strength: Double = 1
    ) {
        self.depth = depth
        self.isOwn = isOwn
        self.strength = strength
        self.colors = colors
        // Contrasts are measured against the background that the terminal shows.
        if !isOwn { self.colors.background = available(colors.background).shown }
    }

    // MARK: What the terminal shows

    /// Returns the nearest available colour, and what it looks like.
    private func available(_ color: RGB) -> (color: Color, shown: RGB) {
        switch depth {
        case .direct: return (.rgb(color.red, color.green, color.blue), color)
        case .palette:
            let (index, shown) = color.nearestInPalette
            return (.palette(index), shown)
        case .sixteen, .none: return (.standard, colors.foreground)
        }
    }

    /// Returns the first colour, from the requested one towards black or white, with enough contrast to all
    /// backgrounds.
    private func readable(_ wish: RGB, on grounds: [RGB], _ minimum: Double) -> Color? {
        let limit = minimum * strength
        if depth == .sixteen { return readableOfSixteen(near: wish, on: grounds, limit) }
        return wish.steps(awayFrom: grounds).lazy.map(available).first { $0.shown.standsOut(from: grounds, limit) }?
            .color
    }

    /// - Parameter indexes: The suitable colours, which for colourless roles are black and white.
    private func readableOfSixteen(
        near wish: RGB, on grounds: [RGB], _ limit: Double, among indexes: [Int] = Array(0..<8)
    ) -> Color? {
        func distance(_ color: RGB) -> Int {
            let parts = [
                Int(color.red) - Int(wish.red), Int(color.green) - Int(wish.green), Int(color.blue) - Int(wish.blue),
            ]
            return parts.reduce(0) { $0 + $1 * $1 }
        }
        // Terminals with eight colours use bold for the bright ones, but not all do, so those are left out.
        let fitting = colors.ansi.filter { index, color in
            indexes.contains(index) && color.standsOut(from: grounds, limit)
        }
        return fitting.min { (distance($0.value), $0.key) < (distance($1.value), $1.key) }
            .map { .ansi(UInt8($0.key)) }
    }

    // MARK: Mixing

    /// Returns the theme, or `nil` if the terminal has too few colours for one.
    func theme() -> Theme? {
        guard depth != .none else { return nil }
        let ground = colors.background
        let canMixGrounds = depth != .sixteen
        let floating = canMixGrounds ? self.ground(0.07) : nil
        let shaded = canMixGrounds ? self.ground(0.04) : nil
        let footer = canMixGrounds ? self.ground(0.06) : nil
        let chosen =
            canMixGrounds
            ? self.ground(0.16, towards: colors.ansi[accentIndex] ?? colors.ansi[4], butNot: floating?.color) : nil
        // Text must be readable on all of these.
        let grounds = [ground] + [shaded?.shown, footer?.shown, floating?.shown, chosen?.shown].compactMap { $0 }
        let isReadable = isOwn && colors.foreground.standsOut(from: grounds, ThemeMixing.plainContrast)
        let text =
            isReadable
            ? Color.standard
            : readable(colors.foreground, on: grounds, ThemeMixing.firmContrast)
                ?? readable(colors.foreground, on: grounds, ThemeMixing.textContrast)
        func hue(_ index: Int, _ fallback: RGB, _ limit: Double = ThemeMixing.textContrast) -> Color {
            readable(colors.ansi[index] ?? fallback, on: grounds, limit) ?? text ?? .standard
        }
        let accent = accent(on: grounds, text, ThemeMixing.textContrast)
        let warm = hue(3, RGB(180, 140, 0))
        let muted = secondary(on: grounds, text: text)
        func on(_ color: Color?, _ attributes: TextAttributes = []) -> Style {
            Style(foreground: color ?? .standard, attributes: attributes)
        }
        // Where all contrasts are high, rules are too.
        let lines = strength > 1 ? ThemeMixing.thumbContrast : ThemeMixing.ruleContrast
        let rule = canMixGrounds ? on(grey(lines, on: ground)) : on(text, .dim)
        let thumb =
            canMixGrounds
            ? on(grey(ThemeMixing.thumbContrast, minimum: ThemeMixing.markContrast, on: ground)) : on(text, .dim)
        let secondary = muted.flatMap { $0 == text ? nil : on($0) } ?? on(text, .dim)
        var styles: [ThemeRole: Style] = [
            .text: on(text), .secondary: secondary, .title: secondary, .accent: on(accent), .rule: rule,
            .thumb: thumb, .unread: on(text, .bold), .selectionUnfocused: on(text), .segment: on(accent, .reverse),
            .failure: on(hue(1, RGB(200, 0, 0))), .good: on(hue(2, RGB(0, 140, 0))),
            .cool: on(hue(4, RGB(40, 90, 220))), .warm: on(warm), .code: on(warm),
            // Terminals with sixteen colours show bold ones as bright ones.
            .heading: depth == .sixteen ? on(text, .bold) : on(accent, .bold),
            .link: on(hue(4, RGB(40, 90, 220)), .underline),
            .quote: Style(foreground: secondary.foreground, attributes: .italic),
            .match: on(warm, depth == .sixteen ? .underline : [.bold, .underline]), .popover: on(text),
            .popoverBorder: on(accent),
            .progress: on(self.accent(on: grounds, text, ThemeMixing.markContrast)), .selection: on(text, .reverse),
            .shaded: on(text), .footer: secondary,
        ]
        if let chosen { styles[.selection] = Style(foreground: text ?? .standard, background: chosen.color) }
        if let shaded { styles[.shaded]?.background = shaded.color }
        if let footer { styles[.footer]?.background = footer.color }
        if let floating {
            styles[.code]?.background = floating.color
            styles[.popover] = Style(foreground: text ?? .standard, background: floating.color)
            styles[.popoverBorder] = Style(foreground: accent, background: floating.color)
        }
        if !isOwn {
            let ground = available(colors.background).color
            for role in styles.keys {
                if styles[role]?.background == .standard { styles[role]?.background = ground }
                if styles[role]?.foreground == .standard { styles[role]?.foreground = text ?? .standard }
            }
        }
        return Theme(name: Theme.standard.name, styles, fading: canMixGrounds ? fading(text) : nil)
    }

    /// The number of the accent: of the terminal's own colours magenta, which ``Theme/accented`` uses too, so that
    /// the accent is the same whether the terminal reports its colours or not; of a theme's colours cyan.
    private var accentIndex: Int { isOwn ? 5 : 6 }

    /// Returns the accent. Without a report of the terminal's magenta, that colour itself is used.
    private func accent(on grounds: [RGB], _ text: Color?, _ limit: Double) -> Color {
        guard let wish = colors.ansi[accentIndex] else { return isOwn ? .magenta : text ?? .standard }
        return readable(wish, on: grounds, limit) ?? text ?? .standard
    }

    /// - Parameter text: The colour of text.
    private func fading(_ text: Color?) -> ThemeFading {
        var shown = colors
        shown.foreground = shownText(text)
        return ThemeFading(colors: shown) { available($0) }
    }

    /// Returns what the colour of text looks like.
    private func shownText(_ text: Color?) -> RGB {
        (text ?? .standard).components(standard: colors.foreground, ansi: colors.ansi) ?? colors.foreground
    }

    /// Returns the mixture of ground and text, or else white or black, whose contrast is nearest to an aim.
    private func grey(_ aim: Double, minimum: Double = 1, on ground: RGB) -> Color {
        let isDark = ground.luminance < 0.18
        let ends = [colors.foreground, isDark ? RGB.white : .black]
        let mixtures = ends.flatMap { end in (1...60).map { available(ground.mixed(with: end, Double($0) / 60)) } }
        let best = mixtures.filter { $0.shown.contrast(with: ground) >= minimum }.min {
            abs($0.shown.contrast(with: ground) - aim) < abs($1.shown.contrast(with: ground) - aim)
        }
        return best?.color ?? .standard
    }

    /// Returns the colour for secondary text: readable, and clearly weaker than text.
    private func secondary(on grounds: [RGB], text: Color?) -> Color? {
        guard depth != .sixteen else {
            // Never stronger than the text itself.
            let text = colors.foreground.contrast(with: colors.background)
            let weaker = [0, 7].filter { (colors.ansi[$0]?.contrast(with: colors.background) ?? 21) < text }
            return readableOfSixteen(
                near: colors.foreground.mixed(with: colors.background, 0.4), on: grounds, ThemeMixing.textContrast,
                among: weaker)
        }
        let strongest = shownText(text)
        let aim = strongest.contrast(with: colors.background) * ThemeMixing.secondaryShare
        let fitting = (1...80).map { available(strongest.mixed(with: colors.background, Double($0) / 100)) }
            .filter { $0.shown.standsOut(from: grounds, ThemeMixing.textContrast * strength) }
        let best = fitting.min {
            abs($0.shown.contrast(with: colors.background) - aim)
                < abs($1.shown.contrast(with: colors.background) - aim)
        }
        return best?.color ?? readable(colors.foreground, on: grounds, ThemeMixing.textContrast)
    }

    /// Returns a background that differs from the terminal's by a share of the text colour or another.
    private func ground(
        _ share: Double, towards hue: RGB? = nil, butNot taken: Color? = nil
    ) -> (color: Color, shown: RGB)? {
        let towards = hue.map { $0.mixed(with: colors.foreground, 0.5) } ?? colors.foreground
        // With few colours the nearest may be the background itself, so the share grows until another is found.
        for end in [towards, .white, .black] {
            for step in 0...6 {
                let found = available(colors.background.mixed(with: end, share + Double(step) * 0.04))
                if found.color != taken, found.shown.contrast(with: colors.background) >= 1.04 { return found }
            }
        }
        return nil
    }
}

@MainActor
extension Theme {
    /// Returns the theme for a terminal, mixed from this theme's colours or those that the terminal reported. Without
    /// colours it has only attributes.
    func adapted(to capabilities: TerminalCapabilities) -> Theme {
        guard colors != nil || name == Theme.standard.name else { return self }
        let depth = capabilities.colors
        if let colors, depth > .sixteen {
            return renamed(ThemeMixing(colors, depth: depth, isOwn: false, strength: strength).theme() ?? self)
        }
        guard depth != .none else { return renamed(Theme.standard) }
        guard let own = capabilities.ownColors else { return renamed(Theme.accented) }
        return renamed(ThemeMixing(own, depth: depth).theme() ?? Theme.standard)
    }
}
