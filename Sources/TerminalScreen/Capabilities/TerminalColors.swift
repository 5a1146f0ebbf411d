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
