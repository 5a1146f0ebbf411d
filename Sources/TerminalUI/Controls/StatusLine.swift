/// A status line with a temporary message on the left and permanent parts on the right.
@MainActor
public final class StatusLine: View {
    /// The parts at the right edge, the most important last. The first are omitted if there isn't enough space.
    public var parts: [DisplayText] = [] { didSet { if parts != oldValue { setNeedsDisplay() } } }
    /// The current message.
    public private(set) var message: DisplayText = .empty
    private var role = ThemeRole.secondary
    private var clearing: Task<Void, Never>?

    /// Creates an empty line.
    public override init() { super.init() }

    /// Shows a message.
    ///
    /// - Parameters:
    ///   - message: The text, which is truncated to the width.
    ///   - role: The role that determines its style.
    ///   - duration: How long it is shown, or `nil` until the next message.
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

    /// Removes the message.
    public func clear() {
        message = .empty
        setNeedsDisplay()
    }

    /// One line.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: limit.width, height: 1) }

    /// Draws the message, and as many parts as fit.
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
