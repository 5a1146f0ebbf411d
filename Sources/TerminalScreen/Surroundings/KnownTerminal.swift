/// Terminals that support 24-bit colours and links without always reporting it, recognised by TERM and TERM_PROGRAM.
enum KnownTerminal {
    private static let names = [
        "kitty", "foot", "alacritty", "ghostty", "wezterm", "contour", "iterm", "konsole", "vscode", "rio",
    ]

    static func name(_ environment: (String) -> String) -> String? {
        for variable in ["TERM", "TERM_PROGRAM"] {
            let own = environment(variable).lowercased()
            if let known = names.first(where: { own.contains($0) }) { return known }
        }
        return nil
    }
}
