/// Text that doesn't scroll.
@MainActor
public final class Label: View {
    /// The paragraphs.
    public var paragraphs: [TextParagraph] = [] { didSet { setNeedsLayout() } }
    /// Whether the lines are centred horizontally and vertically.
    public var isCentered = false { didSet { setNeedsDisplay() } }

    /// Creates a label with a text.
    public convenience init(_ text: DisplayText, _ role: TextRole = []) {
        self.init()
        paragraphs = [TextParagraph(text, role)]
    }

    /// Creates an empty label.
    public override init() { super.init() }

    private func lines(_ columns: Int) -> [StyledLine] { paragraphs.flatMap { $0.lines(columns: max(1, columns)) } }

    /// Returns the size of the lines in a width.
    public override func sizeThatFits(_ limit: Size) -> Size {
        let lines = lines(limit.width)
        return Size(width: lines.map(\.columns).max() ?? 0, height: min(limit.height, lines.count))
    }

    /// Draws the lines that fit.
    public override func draw(in surface: Surface) {
        let lines = lines(bounds.width - (isCentered ? 2 : 0))
        let top = isCentered ? max(0, (bounds.height - lines.count) / 2) : 0
        for (index, line) in lines.enumerated() {
            var column = isCentered ? max(0, (bounds.width - line.columns) / 2) : 0
            for span in line.spans {
                let style = theme.style(for: span.role, base: theme[.text])
                column = surface.draw(span.text, at: Point(x: column, y: top + index), style: style)
            }
        }
    }
}
