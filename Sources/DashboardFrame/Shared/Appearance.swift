import ModelCore
import TerminalUI

/// How screens write dates and draw pictures, and the themes to choose from.
@MainActor
package final class Appearance {
    private let settings: Settings
    private let clock: @Sendable () -> Instant
    private let keepThemeAction: @MainActor (_ name: String, TerminalColors) throws -> Theme
    /// The available themes: the toolkit's and the user's.
    package private(set) var themes: [Theme]

    /// - Parameters:
    ///   - themes: The user's own themes.
    ///   - keepTheme: Saves colours as a theme of the user and returns it.
    package init(
        settings: Settings, clock: @escaping @Sendable () -> Instant, themes: [Theme],
        keepTheme: @escaping @MainActor (_ name: String, TerminalColors) throws -> Theme
    ) {
        self.settings = settings
        self.clock = clock
        self.themes = Theme.all + themes
        keepThemeAction = keepTheme
    }

    package var dates: DateText {
        DateText(style: DateText.Style(rawValue: settings[.dateStyle]) ?? .relative, now: clock())
    }

    /// The resolution at which pictures are drawn.
    package var imageDetail: ImageDetail { ImageDetail(rawValue: settings[.pictureDetail]) ?? .halves }

    /// Returns the theme with a name, preferring the user's, or the default theme.
    package func theme(_ name: String) -> Theme { themes.last { $0.name == name } ?? .standard }

    /// Replaces the user's themes by those of a changed configuration.
    package func accept(themes new: [Theme]) {
        // If the theme in use can no longer be read, its colours stay.
        let used = themes.last { $0.name == settings[.theme] }
        themes = Theme.all + new
        if let used, !themes.contains(where: { $0.name == used.name }) { themes.append(used) }
    }

    /// Saves colours as a theme of the user, which is available at once.
    package func keepTheme(_ name: String, _ colors: TerminalColors) throws {
        let theme = try keepThemeAction(name, colors)
        themes.removeAll { $0.name == name && !Theme.all.map(\.name).contains(name) }
        themes.append(theme)
    }

    /// Returns the values that a setting offers if they have names.
    package func names(of definition: SettingDefinition) -> [String]? {
        switch definition.kind {
        case .choice(let names): names
        case .named(let names): names + themes.map(\.name).filter { !names.contains($0) }
        case .toggle: ["on", "off"]
        case .number, .text, .program, .hours, .places: nil
        }
    }
}
