/// How many colours are used, and how that is known.
struct ColorSupport: Hashable {
    var depth: TerminalCapabilities.ColorDepth
    /// The reason, in a sentence.
    var explanation: String
}

/// Works out how many colours a terminal has from what the settings, the environment, terminfo and the terminal say.
struct ColorDetection {
    /// The value of a variable, empty where it is not set.
    let environment: (String) -> String
    /// What the user asks for; `nil`: whatever there is.
    let requested: TerminalCapabilities.ColorDepth?
    /// The number of colours in the terminal's description.
    let described: Int
    /// Whether that has 24-bit colours.
    let isDescribedAsDirect: Bool
    /// Whether 24-bit colours can be written at all.
    let canWriteDirect: Bool

    /// What is known before the terminal was asked.
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
        let most: TerminalCapabilities.ColorDepth = canWriteDirect ? .direct : ofDescription.depth
        let taken = min(depth, most)
        let names: [TerminalCapabilities.ColorDepth: String] = [
            .none: "none", .sixteen: "16", .palette: "256", .direct: "24 bits",
        ]
        let name = names[taken] ?? ""
        return ColorSupport(
            depth: taken,
            explanation: taken == depth
                ? "As set: \(name)." : "According to terminfo's description of \(name).")
    }

    /// What terminfo tells.
    private var ofDescription: ColorSupport {
        let depth: TerminalCapabilities.ColorDepth = described >= 256 ? .palette : described >= 8 ? .sixteen : .none
        return ColorSupport(
            depth: depth, explanation: "\(described): terminfo says so of '\(environment("TERM"))'.")
    }

    private var isInTmux: Bool { !environment("TMUX").isEmpty }
    private var isInScreen: Bool { !environment("STY").isEmpty }

    /// Why 24-bit colours are there, as far as the environment and terminfo tell.
    private var directReason: String? {
        // What tmux and screen stand in is not what they were started from.
        if isInTmux || isInScreen { return nil }
        if isDescribedAsDirect { return "terminfo says so of '\(environment("TERM"))'" }
        let told = environment("COLORTERM").lowercased()
        if told == "truecolor" || told == "24bit" { return "COLORTERM says so" }
        if let known = KnownTerminal.name(environment) { return "\(known) has them" }
        // VTE has them since 0.36, and writes its version as 3600 then.
        if let version = Int(environment("VTE_VERSION")), version >= 3600 { return "VTE has them" }
        if !environment("WT_SESSION").isEmpty { return "Windows Terminal supports them" }
        return nil
    }

    /// Whether more can be found out by asking.
    var isOpen: Bool { requested == nil && environment("NO_COLOR").isEmpty && canWriteDirect }

    /// Whether the terminal itself is asked: Apple's before 24-bit colours writes such a question on the screen.
    var asksTerminal: Bool {
        isOpen && !isInTmux && !isInScreen && directReason == nil && environment("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// What an answer of the terminal tells; `nil` when it is about something else, or tells nothing.
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

    /// What tmux's answer tells: it passes 24-bit colours on to terminals that it knows to have them.
    func support(after answer: GraphicsDetection.TmuxAnswer?) -> ColorSupport? {
        guard isOpen, isInTmux, let answer, !answer.clients.isEmpty else { return nil }
        if answer.clients.allSatisfy({ $0.features.split(separator: ",").contains("RGB") }) {
            return ColorSupport(depth: .direct, explanation: "24 bits: tmux passes them on to its terminal.")
        }
        var result = ofDescription
        result.explanation =
            "\(described): tmux does not know that its terminal has more (set -as terminal-features ',*:RGB')."
        return result
    }

    /// XTGETTCAP for `RGB` and `Tc`; and a colour that is set, asked back (DECRQSS) and put back with the cursor's place.
    static let question =
        "\u{1B}P+q524742;5463\u{1B}\\" + "\u{1B}7\u{1B}[38;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}8"
}
