import TerminalUI

/// A message on its own lines over the content.
@MainActor
package final class MessageLine: View {
    /// The message, or `nil` to draw nothing.
    package var message: StyledSpan? { didSet { if message != oldValue { superview?.setNeedsLayout() } } }

    private func lines(_ width: Int) -> [DisplayText] {
        message.map { TextWrapping.wrap($0.text, columns: max(1, width - 2)) } ?? []
    }

    package override func sizeThatFits(_ limit: Size) -> Size {
        message == nil ? .zero : Size(width: limit.width, height: min(limit.height, lines(limit.width).count))
    }

    package override func draw(in surface: Surface) {
        guard let message else { return }
        surface.clear(style: theme[.text])
        let style = theme.style(for: message.role, base: theme[.text])
        let lines = lines(bounds.width)
        for (row, line) in lines.prefix(bounds.height).enumerated() {
            let isCut = row == bounds.height - 1 && lines.count > bounds.height
            surface.draw(
                (isCut ? line + "…" : line).truncated(to: bounds.width - 2), at: Point(x: 1, y: row), style: style)
        }
    }
}
