import TerminalText

/// The title of the terminal's window or tmux pane (OSC 2).
struct WindowTitle {
    private var title: DisplayText = ""

    /// Returns the bytes that change the title. An empty one restores that of before the start.
    mutating func change(to title: DisplayText) -> [UInt8] {
        guard title != self.title else { return [] }
        self.title = title
        // The previous title is on the terminal's stack, from which it is restored and pushed again.
        return title.isEmpty ? Array("\u{1B}[23;2t\u{1B}[22;2t".utf8) : bytes
    }

    /// The bytes that set the title again, after another program had the terminal.
    var bytes: [UInt8] { title.isEmpty ? [] : Array("\u{1B}]2;\(title.string)\u{1B}\\".utf8) }
}
