extension Window {
    /// Creates a window for a root controller.
    public convenience init(
        rootViewController: ViewController, size: Size, theme: Theme = .standard,
        capabilities: TerminalCapabilities = TerminalCapabilities()
    ) {
        self.init(
            rootViewController: rootViewController, size: size, theme: theme, capabilities: capabilities,
            presented: PresentationStack { Presentation(controller: $0, presenter: $1, window: $2) })
    }
}
