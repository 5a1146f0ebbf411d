import TerminalUI

/// A message on a line of its own, over what stands there.
@MainActor
final class MessageLine: View {
    /// What is said; `nil`: nothing, and nothing is drawn.
    var message: StyledSpan? { didSet { if message != oldValue { superview?.setNeedsLayout() } } }

    override func sizeThatFits(_ limit: Size) -> Size {
        message.map { Size(width: min(limit.width, $0.text.columns + 2), height: 1) } ?? .zero
    }

    override func draw(in surface: Surface) {
        guard let message else { return }
        surface.clear(style: theme[.text])
        let style = theme.style(for: message.role, base: theme[.text])
        surface.draw(message.text.truncated(to: bounds.width - 2), at: Point(x: 1, y: 0), style: style)
    }
}
