import Platform

/// The progress of work in the window's frame, tab or task bar (OSC 9;4).
///
/// Only terminals that know it get the sequence: others take it for a notification. tmux has it from 3.7 on.
struct TerminalProgress {
    private var percent: Int?

    /// Returns the bytes that change the progress to a share of the work, from 0 to 1, or end it.
    mutating func change(to share: Double?) -> [UInt8] {
        let percent = share.map { Int(clamping: ($0 * 100).rounded()).limited(0, 100) }
        guard percent != self.percent else { return [] }
        self.percent = percent
        return percent == nil ? Array("\u{1B}]9;4;0\u{1B}\\".utf8) : bytes
    }

    var isShown: Bool { percent != nil }

    /// The bytes that show the progress again, after another program had the terminal.
    var bytes: [UInt8] { percent.map { Array("\u{1B}]9;4;1;\($0)\u{1B}\\".utf8) } ?? [] }

    static func isKnown(_ environment: (String) -> String) -> Bool {
        let version = environment("TERM_PROGRAM_VERSION")
        guard environment("TMUX").isEmpty else {
            return environment("TERM_PROGRAM") == "tmux" && isVersion(version, atLeast: [3, 7])
        }
        guard environment("STY").isEmpty else { return false }
        if !environment("WT_SESSION").isEmpty || Int(environment("VTE_VERSION")) ?? 0 >= 7900 { return true }
        switch KnownTerminal.name(environment) {
        case "kitty", "ghostty": return true
        case "iterm": return isVersion(version, atLeast: [3, 6, 6])
        case "wezterm": return isVersion(version, atLeast: [20_250_000])
        default: return false
        }
    }

    /// Compares the numbers in a version such as `next-3.7` or `3.6a`.
    private static func isVersion(_ text: String, atLeast least: [Int]) -> Bool {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
        return !numbers.isEmpty && !numbers.lexicographicallyPrecedes(least)
    }
}
