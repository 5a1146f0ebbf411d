/// The progress of work as numbers and a bar.
@MainActor
public final class ProgressView: View {
    /// The completed and total amounts, or `nil` to draw nothing.
    public var progress: (done: Int, total: Int)? { didSet { setNeedsLayout() } }
    /// A message that is shown instead of the progress while it is set.
    public var message: StyledSpan? { didSet { setNeedsLayout() } }
    private static let barColumns = 15

    /// Creates a view that shows nothing.
    public override init() { super.init() }

    private var text: DisplayText {
        guard let progress else { return .empty }
        let (done, total) = (DisplayText(String(progress.done)), DisplayText(String(progress.total)))
        // A fixed width for changing numbers.
        return (symbols.isLinear ? .empty : "⟳ ") + done.padded(to: total.columns, isTrailing: true) + "/" + total
    }

    /// Returns the width of the message, or of numbers and bar.
    public override func sizeThatFits(_ limit: Size) -> Size {
        if let message { return Size(width: message.text.columns, height: 1) }
        guard progress != nil else { return .zero }
        let full = text.columns + 1 + ProgressView.barColumns
        return Size(width: limit.width >= 60 ? full : text.columns, height: 1)
    }

    /// Draws the message, or numbers and bar.
    public override func draw(in surface: Surface) {
        if let message {
            let style = theme.style(for: message.role, base: theme[.secondary])
            surface.draw(message.text.truncated(to: bounds.width), at: .zero, style: style)
            return
        }
        guard let progress else { return }
        let column = surface.draw(text, at: .zero, style: theme[.secondary]) + 1
        let room = bounds.width - column
        guard room >= 5 else { return }
        let done = progress.total == 0 ? room : room * progress.done / progress.total
        drawProgress(done, on: Rect(x: column, y: 0, width: room, height: 1), in: surface)
    }
}
