/// Lines of text that are not scrolled.
@MainActor
public final class Label: View {
    /// The paragraphs.
    public var paragraphs: [TextParagraph] = [] { didSet { setNeedsLayout() } }
    /// Whether the lines stand in the middle, across and from top to bottom.
    public var isCentered = false { didSet { setNeedsDisplay() } }

    /// Makes a label of a text.
    public convenience init(_ text: DisplayText, _ role: TextRole = []) {
        self.init()
        paragraphs = [TextParagraph(text, role)]
    }

    /// Makes an empty label.
    public override init() { super.init() }

    private func lines(_ columns: Int) -> [StyledLine] { paragraphs.flatMap { $0.lines(columns: max(1, columns)) } }

    /// The lines for the width.
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
