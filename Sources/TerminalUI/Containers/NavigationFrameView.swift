/// The view of a navigation controller, with bars, lines and content.
@MainActor
final class NavigationFrameView: View {
    var place: () -> Void = {}
    var fit: (Size) -> Size = { $0 }
    var drawLines: (Surface) -> Void = { _ in }

    override func layoutSubviews() { place() }
    override func sizeThatFits(_ limit: Size) -> Size { fit(limit) }
    /// A stack may cover something else, such as a list that slides over a detail.
    override func draw(in surface: Surface) { surface.clear(style: theme[.text]) }
    override func drawOver(in surface: Surface) { drawLines(surface) }
}

/// The lines between the bar of a navigation controller and its content.
struct NavigationLines {
    var rule: Int?
    /// The line that shows the reading progress.
    var progress: Int?
    /// The rule beside the column at the right.
    var side: Rect?

    /// - Parameter verticalRules: The columns in which rules below touch the rule.
    @MainActor
    func draw(in surface: Surface, of view: View, progress reading: ReadingProgress?, verticalRules: [Int]) {
        let width = view.bounds.width
        let (symbols, style) = (view.symbols, view.theme[.rule])
        if let progress, let reading {
            let done = Int(clamping: (Double(width) * reading.share).rounded()).limited(0, width)
            view.drawProgress(done, on: Rect(x: 0, y: progress, width: width, height: 1), in: surface)
            for heading in reading.headings {
                let column = Int(clamping: Double(width) * heading)
                guard column >= done, column < width else { continue }
                surface.draw(symbols.progressMark, at: Point(x: column, y: progress), style: style)
            }
        }
        if let side, !view.symbols.isLinear { surface.fill(side, with: symbols.vertical, style: style) }
        guard let rule else { return }
        if let side { surface.draw(symbols.teeDown, at: Point(x: side.minX, y: rule), style: style) }
        surface.fill(Rect(x: 0, y: rule, width: width, height: 1), with: symbols.horizontal, style: style)
        for column in verticalRules { surface.draw(symbols.teeDown, at: Point(x: column, y: rule), style: style) }
    }
}
