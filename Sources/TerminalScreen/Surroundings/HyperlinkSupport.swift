/// Whether the terminal opens links itself. Terminals can't be queried about it, so known ones are recognised by name,
/// and tmux from 3.4 on reports what its terminals support.
enum HyperlinkSupport {
    static func isKnown(_ environment: (String) -> String) -> Bool {
        guard environment("TMUX").isEmpty, environment("STY").isEmpty else { return false }
        if KnownTerminal.name(environment) != nil { return true }
        return Int(environment("VTE_VERSION")) ?? 0 >= 5000 || !environment("WT_SESSION").isEmpty
    }

    /// Whether the terminals around tmux support links according to its answer.
    static func isKnown(_ answer: TmuxAnswer?) -> Bool {
        answer?.allClientsHave("hyperlinks") ?? false
    }
}
