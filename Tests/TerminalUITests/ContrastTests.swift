import TerminalUITesting
import Testing

@testable import TerminalScreen
@testable import TerminalUI

/// A theme is readable on any colours of the terminal's user (WCAG 2.2, 1.4.3 and 1.4.11).
@MainActor
@Suite struct ContrastTests {
    private struct Palette: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var colors: TerminalColors

        nonisolated init(_ name: String, _ foreground: UInt32, _ background: UInt32, _ ansi: [UInt32]) {
            func rgb(_ value: UInt32) -> RGB {
                RGB(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
            }
            testDescription = name
            colors = TerminalColors(
                foreground: rgb(foreground), background: rgb(background),
                ansi: Dictionary(uniqueKeysWithValues: ansi.enumerated().map { ($0.offset, rgb($0.element)) }))
        }
    }

    /// Text, background and the first eight of the sixteen colours, as published by their authors.
    nonisolated private static let palettes: [Palette] = [
        Palette(
            "Solarized dark", 0x839496, 0x002b36,
            [0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5]),
        Palette(
            "Solarized light", 0x657b83, 0xfdf6e3,
            [0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5]),
        Palette(
            "Nord", 0xd8dee9, 0x2e3440,
            [0x3b4252, 0xbf616a, 0xa3be8c, 0xebcb8b, 0x81a1c1, 0xb48ead, 0x88c0d0, 0xe5e9f0]),
        Palette(
            "Gruvbox dark", 0xebdbb2, 0x282828,
            [0x282828, 0xcc241d, 0x98971a, 0xd79921, 0x458588, 0xb16286, 0x689d6a, 0xa89984]),
        Palette(
            "Gruvbox light", 0x3c3836, 0xfbf1c7,
            [0xfbf1c7, 0xcc241d, 0x98971a, 0xd79921, 0x458588, 0xb16286, 0x689d6a, 0x7c6f64]),
        Palette(
            "Dracula", 0xf8f8f2, 0x282a36,
            [0x21222c, 0xff5555, 0x50fa7b, 0xf1fa8c, 0xbd93f9, 0xff79c6, 0x8be9fd, 0xf8f8f2]),
        Palette(
            "Catppuccin Mocha", 0xcdd6f4, 0x1e1e2e,
            [0x45475a, 0xf38ba8, 0xa6e3a1, 0xf9e2af, 0x89b4fa, 0xf5c2e7, 0x94e2d5, 0xbac2de]),
        Palette(
            "Catppuccin Latte", 0x4c4f69, 0xeff1f5,
            [0x5c5f77, 0xd20f39, 0x40a02b, 0xdf8e1d, 0x1e66f5, 0xea76cb, 0x179299, 0xacb0be]),
        Palette(
            "Tango dark", 0xd3d7cf, 0x2e3436,
            [0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf]),
        Palette(
            "Tango light", 0x2e3436, 0xeeeeec,
            [0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf]),
        Palette(
            "xterm", 0xe5e5e5, 0x000000,
            [0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5]),
        Palette(
            "xterm on white", 0x000000, 0xffffff,
            [0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5]),
        Palette(
            "VGA", 0xaaaaaa, 0x000000, [0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa]),
        Palette(
            "Windows console", 0xcccccc, 0x0c0c0c,
            [0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc]),
        Palette(
            "One Dark", 0xabb2bf, 0x282c34,
            [0x282c34, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xabb2bf]),
        Palette(
            "Tomorrow", 0x4d4d4c, 0xffffff,
            [0x000000, 0xc82829, 0x718c00, 0xeab700, 0x4271ae, 0x8959a8, 0x3e999f, 0xffffff]),
        Palette(
            "Monokai", 0xf8f8f2, 0x272822,
            [0x272822, 0xf92672, 0xa6e22e, 0xf4bf75, 0x66d9ef, 0xae81ff, 0xa1efe4, 0xf8f8f2]),
        Palette(
            "Tokyo Night", 0xa9b1d6, 0x1a1b26,
            [0x32344a, 0xf7768e, 0x9ece6a, 0xe0af68, 0x7aa2f7, 0xad8ee6, 0x449dab, 0x787c99]),
        Palette(
            "Rosé Pine Dawn", 0x575279, 0xfaf4ed,
            [0xf2e9e1, 0xb4637a, 0x286983, 0xea9d34, 0x56949f, 0x907aa9, 0xd7827e, 0x575279]),
        Palette(
            "Everforest light", 0x5c6a72, 0xfdf6e3,
            [0x5c6a72, 0xf85552, 0x8da101, 0xdfa000, 0x3a94c5, 0xdf69ba, 0x35a77c, 0xdfddc8]),
        Palette(
            "GitHub light", 0x1f2328, 0xffffff,
            [0x24292f, 0xcf222e, 0x116329, 0x4d2d00, 0x0969da, 0x8250df, 0x1b7c83, 0x6e7781]),
        Palette(
            "grey on grey", 0x909090, 0x808080,
            [0x808080, 0x909090, 0x888888, 0x858585, 0x8a8a8a, 0x828282, 0x999999, 0xa0a0a0]),
    ]

    private func shown(_ color: Color, _ standard: RGB, _ colors: TerminalColors) -> RGB {
        switch color.kind {
        case .standard: return standard
        case .rgb(let red, let green, let blue): return RGB(UInt8(red), UInt8(green), UInt8(blue))
        case .palette(let index) where index < 16: return colors.ansi[index] ?? standard
        case .palette(let index):
            let (red, green, blue) = XtermPalette.components(index)
            return RGB(UInt8(red), UInt8(green), UInt8(blue))
        case .picture: return standard
        }
    }

    private static let lines: Set<ThemeRole> = [.thumb, .popoverBorder, .progress]

    /// Every role on the background, in a popover and on the selected row.
    private func tooWeak(
        _ theme: Theme, _ colors: TerminalColors, depth: TerminalCapabilities.ColorDepth = .direct,
        text: Double = 4.5
    ) -> [String] {
        var weak: [String] = []
        let grounds = [ThemeRole.text, .popover, .selection].map { role in
            (
                role,
                theme[role].attributes.contains(.reverse)
                    ? colors.background : shown(theme[role].background, colors.background, colors)
            )
        }
        // Rules are decorations.
        for role in ThemeRole.allCases where role != .rule {
            let style = theme[role]
            let own =
                style.background == theme[.text].background ? nil : shown(style.background, colors.background, colors)
            let color = shown(style.foreground, colors.foreground, colors)
            let limit = ContrastTests.lines.contains(role) ? 3.0 : text
            for (name, ground) in own.map({ [(role, $0)] }) ?? grounds {
                // Thumbs are beside rows, not on them.
                if role == .thumb, name != .text { continue }
                // If all sixteen colours are too close, the terminal's dimmed text can't be measured.
                if depth == .sixteen, style.attributes.contains(.dim) { continue }
                let contrast = color.contrast(with: ground)
                if contrast < limit - 0.001 { weak.append("\(role) on \(name): \(contrast)") }
            }
        }
        return weak
    }

    @Test(arguments: palettes, [TerminalCapabilities.ColorDepth.direct, .palette, .sixteen])
    private func TER_08_terminalTheme(palette: Palette, depth: TerminalCapabilities.ColorDepth) throws {
        var colors = palette.colors
        let theme = try #require(ThemeMixing(colors, depth: depth).theme())
        // With only the user's own colours, text that is unreadable in the shell stays so.
        if depth == .sixteen, colors.foreground.contrast(with: colors.background) < 4.5 {
            colors.foreground = colors.background.luminance < 0.18 ? .white : .black
        }
        #expect(tooWeak(theme, colors, depth: depth) == [])
        // No two roles look the same.
        if depth != .sixteen {
            #expect(theme[.selection].background != .standard && theme[.popover].background != .standard)
            #expect(theme[.selection].background != theme[.popover].background)
        }
        #expect(theme[.secondary] != theme[.text])
        for role in ThemeRole.allCases { #expect(theme[role].foreground != .grey) }
    }

    /// Themes with their own colours have their own background, whatever the terminal's; with sixteen colours they use
    /// the terminal's.
    @Test(arguments: [Theme.dark, .light, .rosa, .highContrast], [TerminalCapabilities.ColorDepth.direct, .palette])
    private func TER_08_otherThemes(theme: Theme, depth: TerminalCapabilities.ColorDepth) {
        for own in [RGB.white, .black] {
            let colors = TerminalColors(foreground: own, background: own)
            var capabilities = TerminalCapabilities(colors: depth)
            capabilities.ownColors = colors
            let shown = theme.adapted(to: capabilities)
            #expect(shown.name == theme.name)
            #expect(tooWeak(shown, colors) == [])
            for role in ThemeRole.allCases { #expect(shown[role].background != .standard) }
            if theme.name == Theme.highContrast.name {
                #expect(tooWeak(shown, colors, text: 7).isEmpty)
            }
        }
    }

    /// User themes: any palette can be a theme.
    @Test(arguments: palettes, [TerminalCapabilities.ColorDepth.direct, .palette])
    private func TER_08_userThemes(palette: Palette, depth: TerminalCapabilities.ColorDepth) {
        let shown = Theme(name: "mine", colors: palette.colors).adapted(to: TerminalCapabilities(colors: depth))
        #expect(tooWeak(shown, TerminalColors(foreground: .black, background: .black)) == [])
    }

    @Test(arguments: [Theme.dark, .light, .rosa, .highContrast])
    private func TER_08_withFewColors(theme: Theme) {
        var capabilities = TerminalCapabilities(colors: .sixteen)
        #expect(ThemeRole.allCases.allSatisfy { theme.adapted(to: capabilities)[$0] == Theme.accented[$0] })
        let own = ContrastTests.palettes[0].colors
        capabilities.ownColors = own
        let mixed = ThemeMixing(own, depth: .sixteen).theme()
        #expect(ThemeRole.allCases.allSatisfy { theme.adapted(to: capabilities)[$0] == mixed?[$0] })
        // Without colours, secondary text is still less prominent.
        capabilities.colors = .none
        #expect(theme.adapted(to: capabilities)[.secondary] == Style(attributes: .dim))
        capabilities.colors = .direct
        let plain = Theme.monochrome.adapted(to: capabilities)
        #expect(ThemeRole.allCases.allSatisfy { plain[$0] == Theme.standard[$0] })
    }

    /// Without an answer, all text has the terminal's own contrast: it may show little of dim text.
    @Test(arguments: [TerminalCapabilities.ColorDepth.sixteen, .palette, .direct])
    private func TER_08_withoutAnAnswer(depth: TerminalCapabilities.ColorDepth) {
        let theme = Theme.standard.adapted(to: TerminalCapabilities(colors: depth))
        for role in [ThemeRole.text, .secondary, .title, .unread, .heading, .code, .link, .quote] {
            #expect(!theme[role].attributes.contains(.dim), "\(role)")
        }
        #expect(theme[.rule].attributes.contains(.dim) && theme[.accent].foreground == .magenta)
    }

    /// Late or changed colours apply at once, also in popovers; a chosen theme stays.
    @Test func theWindowFollowsTheTerminal() {
        let root = ViewController()
        let screen = TestScreen(root: root, size: Size(width: 40, height: 10))
        let dark = TerminalColors(foreground: .white, background: .black)
        let light = TerminalColors(foreground: .black, background: .white)
        func look() -> Style { screen.application.window.theme[.secondary] }
        #expect(look() == .standard)
        screen.terminal.capabilities.ownColors = dark
        screen.application.send(.colors)
        let first = look()
        screen.terminal.capabilities.ownColors = light
        screen.application.send(.colors)
        #expect(first.foreground != .standard && look().foreground != first.foreground)
        let prompt = TextPromptViewController(title: "Ask", message: "words") { _ in }
        screen.present(prompt, over: root)
        let row = screen.lines.firstIndex { $0.contains("words") } ?? 0
        let column = screen.lines[row].distance(
            from: screen.lines[row].startIndex,
            to: screen.lines[row].firstIndex(of: "w") ?? screen.lines[row].startIndex)
        #expect(
            screen.terminal.cells[column, row].style.background == screen.application.window.theme[.popover].background)
        #expect(screen.terminal.cells[column, row].style.background != .standard)
        screen.application.window.theme = .rosa
        screen.terminal.capabilities.ownColors = dark
        screen.application.send(.colors)
        #expect(screen.application.window.theme.name == "rosa")
    }

    /// Before the terminal answers, running text has its default colours, and only accents have one of the eight.
    @Test(arguments: [TerminalCapabilities.ColorDepth.sixteen, .palette, .direct])
    func asksNothingOfUnknownThemes(depth: TerminalCapabilities.ColorDepth) {
        let shown = Theme.standard.adapted(to: TerminalCapabilities(colors: depth))
        #expect(shown.name == Theme.standard.name)
        let eight = Set((0..<8).map { Color.ansi($0) })
        for role in ThemeRole.allCases {
            #expect(Theme.standard[role].foreground == .standard && Theme.standard[role].background == .standard)
            // Terminals show bold colours as bright ones, so nothing coloured is bold.
            let isPlain = [.secondary, .title, .accent, .failure].contains(role)
            let attributes = isPlain ? [] : Theme.standard[role].attributes
            #expect(shown[role].background == .standard && shown[role].attributes == attributes, "\(role)")
        }
        for role in [.text, .secondary, .title, .rule, .selection, .selectionUnfocused, .unread, .link, .heading]
            as [ThemeRole]
        {
            #expect(shown[role].foreground == .standard, "\(role)")
        }
        for role in [.accent, .segment, .failure, .good, .warm, .cool, .popoverBorder] as [ThemeRole] {
            #expect(eight.contains(shown[role].foreground), "\(role)")
            #expect(!shown[role].attributes.contains(.bold), "\(role)")
        }
        let none = Theme.standard.adapted(to: TerminalCapabilities(colors: .none))
        #expect(ThemeRole.allCases.allSatisfy { none[$0] == Theme.standard[$0] })
    }

    /// The accent is the same colour whether the terminal reports its colours, only text and ground, or nothing.
    @Test func theAccentIsOneColor() throws {
        for palette in ContrastTests.palettes {
            let theme = try #require(ThemeMixing(palette.colors, depth: .direct).theme())
            let wish = try #require(palette.colors.ansi[5])
            let accent = shown(theme[.accent].foreground, palette.colors.foreground, palette.colors)
            #expect(wish.steps(awayFrom: [palette.colors.background]).contains(accent) || accent == wish, "\(palette)")
            var reported = palette.colors
            reported.ansi = [:]
            let partly = try #require(ThemeMixing(reported, depth: .direct).theme())
            #expect(partly[.accent].foreground == Theme.accented[.accent].foreground)
        }
    }

    /// Three greys can be told apart: secondary text, thumbs and rules.
    @Test(arguments: palettes, [TerminalCapabilities.ColorDepth.direct, .palette])
    private func TER_08_greysKeepTheirDistance(palette: Palette, depth: TerminalCapabilities.ColorDepth) throws {
        let colors = palette.colors
        let theme = try #require(ThemeMixing(colors, depth: depth).theme())
        func contrast(_ role: ThemeRole) -> Double {
            shown(theme[role].foreground, colors.foreground, colors).contrast(with: colors.background)
        }
        // The 256 colours have few greys.
        let slack = depth == .palette ? 0.35 : 0.01
        #expect((1.6 - slack...2.2 + slack).contains(contrast(.rule)), "\(contrast(.rule))")
        #expect((3...3.5 + slack).contains(contrast(.thumb)), "\(contrast(.thumb))")
        #expect(contrast(.secondary) > contrast(.thumb) + 1, "\(contrast(.secondary))")
        let share = contrast(.secondary) / contrast(.text)
        // Secondary text that is only just readable may be stronger.
        let grounds = [ThemeRole.popover, .selection].map {
            shown(theme[$0].background, colors.background, colors)
        }
        let minimum = grounds.map { shown(theme[.secondary].foreground, .black, colors).contrast(with: $0) }.min() ?? 0
        #expect(share < 0.6 + slack || minimum < 4.9 + 2 * slack, "\(share) \(minimum)")
        #expect(share > 0.55 - slack, "\(share)")
    }

    /// Behind a popover text has less contrast, and nothing gets more.
    @Test(arguments: palettes, [TerminalCapabilities.ColorDepth.direct, .palette])
    private func TER_08_fadesBehindPopovers(palette: Palette, depth: TerminalCapabilities.ColorDepth) throws {
        let colors = palette.colors
        let theme = try #require(ThemeMixing(colors, depth: depth).theme())
        let fading = try #require(theme.fading)
        var text = colors
        text.foreground = shown(theme[.text].foreground, colors.foreground, colors)
        func contrast(_ style: Style) -> Double {
            shown(style.foreground, text.foreground, colors)
                .contrast(with: shown(style.background, colors.background, colors))
        }
        for role in ThemeRole.allCases {
            let (before, after) = (contrast(theme[role]), contrast(fading.faded(theme[role])))
            #expect(after <= before + 0.001, "\(role)")
            #expect(after >= min(before, 3) - 0.001, "\(role)")
            if before > 5, depth == .direct { #expect(after < before * 0.65, "\(role)") }
            let twice = fading.faded(fading.faded(theme[role]))
            #expect(contrast(twice) >= min(before, 3) - 0.001)
            // Under a shadow the ground is darker, unless it is black, and text still readable.
            let shade = fading.shaded(theme[role])
            let ground = shown(theme[role].background, colors.background, colors)
            let shaded = shown(shade.background, colors.background, colors)
            #expect(shaded.luminance <= ground.luminance, "\(role)")
            #expect(contrast(shade) >= min(before, 3) - 0.001, "\(role)")
            if depth == .direct, ground.contrast(with: .black) > 1.3 {
                #expect(shaded.contrast(with: ground) >= 1.04, "\(role)")
            }
        }
        #expect(fading.faded(Style(attributes: [.bold, .reverse, .dim])).attributes == .reverse)
    }

    /// The shadow of a sheet is one cell wide, darker than the ground, and cuts no words.
    @Test func shadowsKeepWords() {
        let root = HostController(Label("words under everything, from one edge to the other of it all"))
        let screen = TestScreen(root: root, size: Size(width: 60, height: 9))
        screen.terminal.capabilities.ownColors = TerminalColors(foreground: .black, background: RGB(220, 220, 220))
        screen.application.send(.colors)
        let before = screen.lines
        screen.present(TextPromptViewController(title: "Ask", message: "Why?") { _ in }, over: root)
        let cells = screen.terminal.cells
        let dark = (0..<9).map { y in
            (0..<60).filter { x in
                let ground = cells[x, y].style.background
                return ![.standard, screen.application.window.theme[.popover].background].contains(ground)
                    && screen.application.window.theme.fading?.shaded(.standard).background == ground
            }
        }
        #expect(dark.contains { $0.count == 1 } && dark.contains { $0.count > 5 })
        for y in 0..<9 {
            let (old, new) = (Array(before[y]), Array(screen.lines[y]))
            for x in dark[y] where x < old.count { #expect(x < new.count && new[x] == old[x], "\(x), \(y)") }
        }
        #expect(!screen.text.contains("▒"))
    }
}

extension Theme: CustomTestStringConvertible {
    /// The name of the palette.
    public var testDescription: String { name }
}
