extension GraphicsDetection.TmuxAnswer {
    /// Queries tmux about a pane with its own program. Nothing is sent to the terminal. This blocks, so don't call it
    /// on the main thread.
    static func ask(pane: String) -> GraphicsDetection.TmuxAnswer? {
        TmuxProgram.run(question(pane: pane)).flatMap { $0.isEmpty ? nil : Self($0) }
    }
}
