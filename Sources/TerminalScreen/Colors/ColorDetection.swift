/// The number of colours to use, and the reason.
struct ColorSupport: Hashable {
    var depth: TerminalCapabilities.ColorDepth
    /// The reason as a sentence.
    var explanation: String
}

/// Determines the number of colours from settings, environment, terminfo and the terminal's answers.
struct ColorDetection {
    /// Returns the value of an environment variable, or an empty text.
    let environment: (String) -> String
    /// The number that the user requested, or `nil` for all available colours.
    let requested: TerminalCapabilities.ColorDepth?
    /// The number of colours in the terminal's terminfo entry.
    let described: Int
    /// Whether the terminfo entry supports 24-bit colours.
    let isDescribedAsDirect: Bool
    let canWriteDirect: Bool

    /// The result before the terminal was queried.
    var atStart: ColorSupport {
        if let requested { return wanted(requested) }
        if !environment("NO_COLOR").isEmpty {
            return ColorSupport(depth: .none, explanation: "None, because NO_COLOR is set.")
        }
        if let reason = directReason, canWriteDirect {
            return ColorSupport(depth: .direct, explanation: "24 bits: \(reason).")
        }
        return ofDescription
    }

    private func wanted(_ depth: TerminalCapabilities.ColorDepth) -> ColorSupport {
        let taken = min(depth, canWriteDirect ? .direct : ofDescription.depth)
        let name =
            switch taken {
            case .none: "none"
            case .sixteen: "16"
            case .palette: "256"
            case .direct: "24 bits"
            }
        let source = taken == depth ? "As set: " : "According to terminfo's description of "
        return ColorSupport(depth: taken, explanation: source + name + ".")
    }

    private var ofDescription: ColorSupport {
        let depth: TerminalCapabilities.ColorDepth = described >= 256 ? .palette : described >= 8 ? .sixteen : .none
        return ColorSupport(
            depth: depth, explanation: "\(described): terminfo says so of '\(environment("TERM"))'.")
    }

    private var isInTmux: Bool { !environment("TMUX").isEmpty }
    private var isInScreen: Bool { !environment("STY").isEmpty }

    /// The evidence for 24-bit colours in environment and terminfo, if any.
    private var directReason: String? {
        // Inside tmux and screen, the environment describes where they were started, not where they are now.
        if isInTmux || isInScreen { return nil }
        if isDescribedAsDirect { return "terminfo says so of '\(environment("TERM"))'" }
        let told = environment("COLORTERM").lowercased()
        if told == "truecolor" || told == "24bit" { return "COLORTERM says so" }
        if let known = KnownTerminal.name(environment) { return "\(known) has them" }
        // VTE supports them since 0.36, whose version is written as 3600.
        if let version = Int(environment("VTE_VERSION")), version >= 3600 { return "VTE has them" }
        if !environment("WT_SESSION").isEmpty { return "Windows Terminal supports them" }
        return nil
    }

    /// Whether queries may change the result.
    var isOpen: Bool { requested == nil && environment("NO_COLOR").isEmpty && canWriteDirect }

    /// Whether the terminal itself is queried. Older versions of Apple's Terminal would print the query.
    var asksTerminal: Bool {
        isOpen && !isInTmux && !isInScreen && directReason == nil && environment("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// Returns the result of a terminal's answer, or `nil` if it contains no information about colours.
    func support(after report: TerminalReport) -> ColorSupport? {
        guard asksTerminal else { return nil }
        switch report {
        case .capability("RGB"), .capability("Tc"):
            return ColorSupport(depth: .direct, explanation: "24 bits: the terminal says so (XTGETTCAP).")
        case .style(let text) where text.contains("38:2:") || text.contains("38;2;"):
            return ColorSupport(depth: .direct, explanation: "24 bits: the terminal supports them (DECRQSS).")
        case .style(let text) where text.contains("38:5:") || text.contains("38;5;"):
            return ColorSupport(
                depth: .palette, explanation: "256: the terminal rounds other colours to these (DECRQSS).")
        default: return nil
        }
    }

    /// Returns the result of tmux's answer. tmux forwards 24-bit colours to terminals that it knows to support them.
    func support(after answer: TmuxAnswer?) -> ColorSupport? {
        guard isOpen, isInTmux, let answer, !answer.clients.isEmpty else { return nil }
        if answer.allClientsHave("RGB") {
            return ColorSupport(depth: .direct, explanation: "24 bits: tmux passes them on to its terminal.")
        }
        return ColorSupport(
            depth: ofDescription.depth,
            explanation:
                "\(described): tmux does not know that its terminal has more (set -as terminal-features ',*:RGB').")
    }

    /// XTGETTCAP for `RGB` and `Tc`, then setting a colour, querying it (DECRQSS), and restoring the cursor's state.
    static let question =
        "\u{1B}P+q524742;5463\u{1B}\\" + "\u{1B}7\u{1B}[38;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}8"
}
