/// Mixes a look from the terminal's own colours: what stands on what keeps a contrast that can be read, whatever colours its
/// user has chosen.
///
/// Text and what stands beside it have a contrast of 4.5 to 1 at least, rules and marks one of 3 to 1 (WCAG 2.2, 1.4.3 and
/// 1.4.11; row TER-08), measured as the terminal shows the colours: with 256 of them those of the cube and the greys, with sixteen its own.
@MainActor
struct ThemeMixing {
    /// The least contrast of text, and of lines and marks.
    nonisolated static let textContrast = 4.5, markContrast = 3.0
    /// What is aimed at for text beside the text, where there is room between the two.
    private static let secondaryContrast = 6.0
    /// The contrast from which on the text is left as its user has it, and that which it gets below that: something weaker has
    /// to find room beneath it.
    private static let plainContrast = 5.6, firmContrast = 6.5

    private var colors: TerminalColors
    private let depth: TerminalCapabilities.ColorDepth
    /// Whether the terminal's text and ground are meant, so that nothing has to be said of them.
    private let isOwn: Bool
    private let strength: Double

    /// - Parameters:
    ///   - colors: What is mixed.
    ///   - depth: How many colours the terminal has.
    ///   - isOwn: Whether these are the terminal's.
    ///   - strength: How much more contrast there is than text needs.
    init(
        _ colors: TerminalColors, depth: TerminalCapabilities.ColorDepth, isOwn: Bool = true, strength: Double = 1
    ) {
        self.depth = depth
        self.isOwn = isOwn
        self.strength = strength
        self.colors = colors
        // What stands on what is measured by what is shown.
        if !isOwn { self.colors.background = available(colors.background).shown }
    }

    // MARK: What the terminal shows

    /// The colour nearest to one that can be asked for, and what it looks like.
    private func available(_ color: RGB) -> (color: Color, shown: RGB) {
        switch depth {
        case .direct: return (.rgb(color.red, color.green, color.blue), color)
        case .palette:
            let (index, shown) = color.nearestInPalette
            return (.palette(index), shown)
        case .sixteen, .none: return (.standard, colors.foreground)
        }
    }

    /// The first of a row of colours, each nearer to black or white than the last, that stands out enough from all grounds.
    private func readable(_ wish: RGB, on grounds: [RGB], _ least: Double) -> Color? {
        let limit = least * strength
        if depth == .sixteen { return readableOfSixteen(near: wish, on: grounds, limit) }
        return wish.steps(awayFrom: grounds).lazy.map(available).first { $0.shown.standsOut(from: grounds, limit) }?
            .color
    }

    /// - Parameter indexes: Those that suit: black and white for what has no hue.
    private func readableOfSixteen(
        near wish: RGB, on grounds: [RGB], _ limit: Double, among indexes: [Int] = Array(0..<8)
    ) -> Color? {
        func distance(_ color: RGB) -> Int {
            let parts = [
                Int(color.red) - Int(wish.red), Int(color.green) - Int(wish.green), Int(color.blue) - Int(wish.blue),
            ]
            return parts.reduce(0) { $0 + $1 * $1 }
        }
        // With eight colours bold stands for the bright ones, which not every terminal does: those are left out.
        let fitting = colors.ansi.filter { index, color in
            indexes.contains(index) && color.standsOut(from: grounds, limit)
        }
        return fitting.min { (distance($0.value), $0.key) < (distance($1.value), $1.key) }
            .map { .ansi(UInt8($0.key)) }
    }

    // MARK: Mixing

    /// The look; `nil` where the terminal has too few colours for one.
    func theme() -> Theme? {
        guard depth != .none else { return nil }
        let ground = colors.background
        let canMixGrounds = depth != .sixteen
        let floating = canMixGrounds ? self.ground(0.07) : nil
        let chosen =
            canMixGrounds ? self.ground(0.16, towards: colors.ansi[6] ?? colors.ansi[4], butNot: floating?.color) : nil
        // What may stand on any of these has to be read on each.
        let grounds = [ground] + [floating?.shown, chosen?.shown].compactMap { $0 }
        let isReadable = isOwn && colors.foreground.standsOut(from: grounds, ThemeMixing.plainContrast)
        let text =
            isReadable
            ? Color.standard
            : readable(colors.foreground, on: grounds, ThemeMixing.firmContrast)
                ?? readable(colors.foreground, on: grounds, ThemeMixing.textContrast)
        func hue(_ index: Int, _ fallback: RGB, _ limit: Double = ThemeMixing.textContrast) -> Color {
            readable(colors.ansi[index] ?? fallback, on: grounds, limit) ?? text ?? .standard
        }
        let accent = hue(6, RGB(0, 150, 170))
        let warm = hue(3, RGB(180, 140, 0))
        let muted = secondary(on: grounds)
        func on(_ color: Color?, _ attributes: TextAttributes = []) -> Style {
            Style(foreground: color ?? .standard, attributes: attributes)
        }
        let line =
            canMixGrounds
            ? readable(ground.mixed(with: colors.foreground, 0.35), on: grounds, ThemeMixing.markContrast) : nil
        let rule = line.map { on($0) } ?? on(text, .dim)
        let secondary = muted.flatMap { $0 == text ? nil : on($0) } ?? on(text, .dim)
        var styles: [ThemeRole: Style] = [
            .text: on(text), .secondary: secondary, .title: secondary, .accent: on(accent), .rule: rule,
            .unread: on(text, .bold), .selectionUnfocused: on(text), .segment: on(accent, .reverse),
            .failure: on(hue(1, RGB(200, 0, 0))), .good: on(hue(2, RGB(0, 140, 0))),
            .cool: on(hue(4, RGB(40, 90, 220))), .warm: on(warm), .heading: on(accent, .bold), .code: on(warm),
            .link: on(hue(4, RGB(40, 90, 220)), .underline),
            .quote: Style(foreground: secondary.foreground, attributes: .italic),
            .match: on(warm, [.bold, .underline]), .popover: on(text), .popoverBorder: on(accent),
            .progress: on(hue(6, RGB(0, 150, 170), ThemeMixing.markContrast)), .selection: on(text, .reverse),
        ]
        if let chosen { styles[.selection] = Style(foreground: text ?? .standard, background: chosen.color) }
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
        return Theme(name: Theme.standard.name, styles)
    }

    /// Text that steps back from the text, as far as it can still be read.
    private func secondary(on grounds: [RGB]) -> Color? {
        guard depth != .sixteen else {
            // Never firmer than the text.
            let text = colors.foreground.contrast(with: colors.background)
            let weaker = [0, 7].filter { (colors.ansi[$0]?.contrast(with: colors.background) ?? 21) < text }
            return readableOfSixteen(
                near: colors.foreground.mixed(with: colors.background, 0.4), on: grounds, ThemeMixing.textContrast,
                among: weaker)
        }
        for aim in [ThemeMixing.secondaryContrast, ThemeMixing.textContrast] {
            for step in (0...14).reversed() {
                let (color, shown) = available(colors.foreground.mixed(with: colors.background, Double(step) / 20))
                if step > 0, shown.standsOut(from: grounds, aim * strength) { return color }
            }
        }
        return readable(colors.foreground, on: grounds, ThemeMixing.textContrast)
    }

    /// A ground that lifts itself from the terminal's by a share of the text's colour, or of another.
    private func ground(
        _ share: Double, towards hue: RGB? = nil, butNot taken: Color? = nil
    ) -> (color: Color, shown: RGB)? {
        let towards = hue.map { $0.mixed(with: colors.foreground, 0.5) } ?? colors.foreground
        // With few colours the nearest may be the ground itself: further then, until another is there.
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
    /// The look for a terminal: mixed from this theme's colours, or from those that the terminal has told, as far as it has
    /// enough of them; without any there are attributes alone.
    func adapted(to capabilities: TerminalCapabilities) -> Theme {
        guard colors != nil || name == Theme.standard.name else { return self }
        let depth = capabilities.colors
        if let colors, depth > .sixteen {
            return renamed(ThemeMixing(colors, depth: depth, isOwn: false, strength: strength).theme() ?? self)
        }
        guard let own = capabilities.ownColors else { return renamed(Theme.standard) }
        return renamed(ThemeMixing(own, depth: depth).theme() ?? Theme.standard)
    }
}
