import TerminalUI

/// A colour that a theme is mixed from, as its user gives it.
enum ThemeColor: String, CaseIterable {
    case text, ground, accent, red, green, yellow, blue

    /// What it is seen as.
    var role: ThemeRole {
        switch self {
        case .text, .ground: .text
        case .accent: .accent
        case .red: .failure
        case .green: .good
        case .yellow: .warm
        case .blue: .cool
        }
    }

    /// What it is for.
    var purpose: DisplayText {
        switch self {
        case .text: "text"
        case .ground: "background"
        case .accent: "selection and headings"
        case .red: "errors"
        case .green: "success"
        case .yellow: "code, marks and matches"
        case .blue: "links"
        }
    }

    /// The number of those that are among the terminal's sixteen.
    private var index: Int {
        switch self {
        case .text, .ground: 7
        case .accent: 6
        case .red: 1
        case .green: 2
        case .yellow: 3
        case .blue: 4
        }
    }

    /// The colour of a theme; the text's where it has none of its own.
    subscript(_ colors: TerminalColors) -> RGB {
        switch self {
        case .text: colors.foreground
        case .ground: colors.background
        default: colors.ansi[index] ?? colors.foreground
        }
    }

    /// A theme's colours with another one in its place.
    func setting(_ color: RGB, in colors: TerminalColors) -> TerminalColors {
        var colors = colors
        switch self {
        case .text: colors.foreground = color
        case .ground: colors.background = color
        default: colors.ansi[index] = color
        }
        return colors
    }
}
