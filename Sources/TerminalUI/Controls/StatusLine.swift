/// One line that says how things stand: a message at the left that goes away by itself, and parts at the right that stay.
@MainActor
public final class StatusLine: View {
    /// What stays at the right edge, the most important last; the first give way when there is no room.
    public var parts: [DisplayText] = [] { didSet { if parts != oldValue { setNeedsDisplay() } } }
    /// The message of the moment.
    public private(set) var message: DisplayText = .empty
    private var role = ThemeRole.secondary
    private var clearing: Task<Void, Never>?

    /// Makes an empty line.
    public override init() { super.init() }

    /// Shows a message.
    ///
    /// - Parameters:
    ///   - message: The words, which are cut to the width.
    ///   - role: What it is, for its look.
    ///   - duration: How long it stays; `nil`: until the next.
    public func show(_ message: DisplayText, role: ThemeRole = .secondary, for duration: Duration? = .seconds(5)) {
        self.message = message
        self.role = role
        clearing?.cancel()
        clearing = nil
        setNeedsDisplay()
        guard let duration else { return }
        clearing = Task { [weak self] in
            try? await Task.sleep(for: duration)
            guard !Task.isCancelled else { return }
            self?.clear()
        }
    }

    /// Takes the message away.
    public func clear() {
        message = .empty
        setNeedsDisplay()
    }

    /// One line.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: limit.width, height: 1) }

    /// Draws the message and what there is room for beside it.
    public override func draw(in surface: Surface) {
        var shown = parts
        func width() -> Int { shown.reduce(0) { $0 + $1.columns + 2 } }
        while shown.count > 1, width() + message.columns + 2 > bounds.width { shown.removeFirst() }
        var right = bounds.width - 1
        for part in shown.reversed() {
            right -= part.columns
            surface.draw(part, at: Point(x: right, y: 0), style: theme[.secondary])
            right -= 2
        }
        surface.draw(message.truncated(to: right), at: Point(x: 1, y: 0), style: theme[role])
    }
}
