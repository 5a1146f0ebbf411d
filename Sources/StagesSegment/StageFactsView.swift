import DashboardFrame
import TerminalUI

/// The facts of a stage below a heading. Where there is space, a drawing is between the two; large panes also show the
/// standings beside them and the gaps below.
@MainActor
final class StageFactsView: View {
    /// The text that scrolls: the facts, with their heading unless a drawing is between the two.
    let text = TextView()
    private let heading = TextView()
    private let ranking = TextView()
    private let chart = GapChartView()
    private var overview = StageOverview()
    /// The size of the standings in a pane with so many rows, or `nil` if they have changed.
    private var ranked: (pane: Size, rows: Int, size: Size)?
    private var facts: [TextParagraph] = []
    /// Whether a drawing is between the heading and the facts.
    private(set) var hasDrawing = false

    /// The minimum size of a pane with standings, the minimum height of a drawing, and the heights of the chart.
    private static let large = Size(width: 64, height: 20), minimumDrawing = 6, minimumChart = 7, maximumChart = 18
    /// The minimum number of rows of the standings, and the minimum width of the text beside them.
    private static let minimumRows = 10, minimumText = 40

    override init() {
        super.init()
        for view in [heading, text, ranking, chart] { addSubview(view) }
        heading.isScrollEnabled = false
        ranking.isScrollEnabled = false
        ranking.margin = 2
    }

    func show(heading: [TextParagraph], facts: [TextParagraph]) {
        self.heading.setParagraphs(heading)
        self.facts = facts
        showText()
    }

    func show(_ overview: StageOverview) {
        self.overview = overview
        ranked = nil
        chart.lines = overview.gaps
        setNeedsLayout()
    }

    private func showText() {
        let paragraphs = hasDrawing ? facts : heading.paragraphs + facts
        if paragraphs != text.paragraphs { text.setParagraphs(paragraphs, keepsPlace: true) }
    }

    /// Leaves clicks beside its parts to the drawing.
    override func hitTest(_ point: Point) -> View? {
        let hit = super.hitTest(point)
        return hit === self ? nil : hit
    }

    /// Whether there is space for standings.
    var isLarge: Bool {
        bounds.width >= StageFactsView.large.width && bounds.height >= StageFactsView.large.height && !symbols.isLinear
    }

    /// Returns the size of the standings.
    ///
    /// - Parameter isHalf: Whether a drawing or a chart needs the other half of the pane.
    private func sizeOfRanking(isHalf: Bool) -> Size {
        let rows = max(StageFactsView.minimumRows, (isHalf ? bounds.height / 2 : bounds.height) - 2)
        if let ranked, ranked.pane == bounds.size, ranked.rows == rows { return ranked.size }
        let columns = bounds.width - StageFactsView.minimumText - 2 * ranking.margin
        ranking.maximumColumns = columns
        ranking.setParagraphs(overview.paragraphs(columns: columns, rows: rows + 1))
        let size = ranking.sizeThatFits(bounds.size)
        ranked = (bounds.size, rows, size)
        return size
    }

    private var hasChart: Bool { chart.lines.stages.count > 1 }

    /// Places the parts.
    ///
    /// - Parameter canDraw: Whether there is a drawing of the stage.
    /// - Returns: The place of the drawing in the superview, or `nil` if there is no space for it.
    func placeParts(canDraw: Bool) -> Rect? {
        let side = isLarge ? sizeOfRanking(isHalf: canDraw || hasChart) : .zero
        let width = bounds.width - side.width
        func height(_ view: TextView, _ width: Int) -> Int {
            view.sizeThatFits(Size(width: width, height: .max)).height
        }
        let (headHeight, narrowHead) = (height(heading, bounds.width), height(heading, width))
        let ownHeight = height(text, width) - (hasDrawing ? 0 : narrowHead)
        /// Divides what is left beside the text.
        func divide(hasDrawing: Bool) -> (drawing: Int, chart: Int) {
            let textHeight =
                hasDrawing ? headHeight + max(ownHeight, side.height) : max(narrowHead + ownHeight, side.height)
            let room = bounds.height - textHeight - 1
            let spare = isLarge && hasChart ? (hasDrawing ? room / 2 : room) : 0
            let chart = spare >= StageFactsView.minimumChart ? min(spare, StageFactsView.maximumChart) : 0
            return (hasDrawing ? room - chart : 0, chart)
        }
        var space = divide(hasDrawing: canDraw && !symbols.isLinear)
        hasDrawing = space.drawing >= StageFactsView.minimumDrawing
        if !hasDrawing { space = divide(hasDrawing: false) }
        showText()
        heading.isHidden = !hasDrawing
        heading.frame = Rect(x: 0, y: 0, width: bounds.width, height: headHeight)
        let drawing = Rect(x: 0, y: headHeight, width: bounds.width, height: space.drawing)
        var rest = bounds.inset(top: hasDrawing ? drawing.maxY : 0, bottom: space.chart)
        // Without a drawing the chart follows what is above it.
        if !hasDrawing, space.chart > 0 { rest.size.height = max(narrowHead + ownHeight, side.height) + 1 }
        text.frame = Rect(x: 0, y: rest.minY, width: width, height: rest.height)
        ranking.frame = Rect(x: width, y: rest.minY, width: side.width, height: rest.height)
        chart.frame = Rect(x: 0, y: rest.maxY, width: bounds.width, height: space.chart)
        guard hasDrawing else { return nil }
        return Rect(x: frame.minX, y: frame.minY + drawing.minY, width: drawing.width, height: drawing.height)
    }
}
