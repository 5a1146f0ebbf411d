/// A theme, and its version for a terminal's colours.
@MainActor
struct ShownTheme {
    /// The theme as it was chosen.
    let chosen: Theme
    /// The theme in the colours that the terminal has.
    let adapted: Theme

    init(_ theme: Theme, for capabilities: TerminalCapabilities) {
        chosen = theme
        adapted = theme.adapted(to: capabilities)
    }
}
