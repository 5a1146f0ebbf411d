import TerminalUI

/// A colour of a theme that the user can edit.
enum ThemeColor: String, CaseIterable {
    case text, ground, accent, red, green, yellow, blue

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

    /// The index of a colour among the terminal's sixteen.
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

    /// The colour in a theme, or the text colour if it has none.
    subscript(_ colors: TerminalColors) -> RGB {
        switch self {
        case .text: colors.foreground
        case .ground: colors.background
        default: colors.ansi[index] ?? colors.foreground
        }
    }

    /// Returns a theme's colours with this colour replaced.
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
