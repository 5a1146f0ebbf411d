/// Terminals that have 24-bit colours and open links themselves, and do not always say so; known by TERM and by TERM_PROGRAM.
enum KnownTerminal {
    private static let names = [
        "kitty", "foot", "alacritty", "ghostty", "wezterm", "contour", "iterm", "konsole", "vscode", "rio",
    ]

    /// Which of them it is; `nil`: none that is known.
    static func name(_ environment: (String) -> String) -> String? {
        for variable in ["TERM", "TERM_PROGRAM"] {
            let own = environment(variable).lowercased()
            if let known = names.first(where: { own.contains($0) }) { return known }
        }
        return nil
    }
}
