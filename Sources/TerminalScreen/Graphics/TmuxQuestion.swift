extension GraphicsDetection.TmuxAnswer {
    /// Asks tmux about a pane, by its own program; nothing is sent to the terminal. Not for the main thread.
    static func ask(pane: String) -> GraphicsDetection.TmuxAnswer? {
        TmuxProgram.run(question(pane: pane)).flatMap { $0.isEmpty ? nil : Self($0) }
    }
}
