/// How far work has come, as numbers and a bar.
@MainActor
public final class ProgressView: View {
    /// What is done and what there is to do; `nil`: nothing is going on and nothing is drawn.
    public var progress: (done: Int, total: Int)? { didSet { setNeedsLayout() } }
    /// A text instead of numbers, such as a message.
    public var message: StyledSpan? { didSet { setNeedsLayout() } }
    private static let barColumns = 15

    /// Makes a view that shows nothing.
    public override init() { super.init() }

    private var text: DisplayText {
        guard let progress else { return .empty }
        let total = String(progress.total)
        let done = String(progress.done)
        // Numbers that change keep their width.
        return DisplayText("⟳ " + String(repeating: " ", count: max(0, total.count - done.count)) + done + "/" + total)
    }

    /// As wide as the numbers and the bar, or the message.
    public override func sizeThatFits(_ limit: Size) -> Size {
        if progress != nil {
            let full = text.columns + 1 + ProgressView.barColumns
            return Size(width: limit.width >= 60 ? full : text.columns, height: 1)
        }
        return Size(width: message?.text.columns ?? 0, height: message == nil ? 0 : 1)
    }

    /// Draws numbers and bar, or the message.
    public override func draw(in surface: Surface) {
        guard let progress else {
            if let message {
                surface.draw(
                    message.text.truncated(to: bounds.width), at: .zero,
                    style: theme.style(for: message.role, base: theme[.secondary]))
            }
            return
        }
        let column = surface.draw(text, at: .zero, style: theme[.secondary]) + 1
        let room = bounds.width - column
        guard room >= 5 else { return }
        let done = progress.total == 0 ? room : room * progress.done / progress.total
        surface.fill(Rect(x: column, y: 0, width: done, height: 1), with: symbols.progressDone, style: theme[.progress])
        surface.fill(
            Rect(x: column + done, y: 0, width: room - done, height: 1), with: symbols.progressOpen, style: theme[.rule]
        )
    }
}
