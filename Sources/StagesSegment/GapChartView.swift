import ModelCore
import RaceModel
import Races
import TerminalUI

extension [GapLine] {
    /// The numbers of the stages after which gaps are known.
    var stages: Set<Int> { Set(flatMap { $0.points.map(\.stage) }) }
}

/// The gaps of the first riders of the general classification, a line for each over the stages.
@MainActor
final class GapChartView: View {
    var lines: [GapLine] = [] { didSet { setNeedsDisplay() } }
    /// The minimum width for names at the ends of the lines instead of places.
    private static let minimumForNames = 60
    /// The width of the scale.
    private static let scale = 7

    override func sizeThatFits(_ limit: Size) -> Size { limit }

    override func draw(in surface: Surface) {
        let ends = ends
        let labels = ends.map(\.columns).max() ?? 0
        let plot = Rect(
            x: GapChartView.scale, y: 0, width: bounds.width - GapChartView.scale - labels - 2,
            height: bounds.height - 1)
        let points = lines.flatMap(\.points)
        guard plot.width >= 4, plot.height >= 2, let first = points.map(\.stage).min(),
            let last = points.map(\.stage).max(), let maximum = points.map(\.gap).max()
        else { return }
        drawScale(in: surface, plot, first: first, last: last, maximum: maximum)
        var canvas = BrailleCanvas(size: plot.size)
        // The leader's line is drawn last, so that no other hides it.
        for (place, line) in lines.enumerated().reversed() {
            let style = style(place)
            let dots = line.points.map { point in
                (
                    x: GapChartView.share(point.stage - first, of: last - first) * Double(canvas.width - 1),
                    y: GapChartView.share(point.gap, of: maximum) * Double(canvas.height - 1)
                )
            }
            for dot in dots { canvas.set(Int(clamping: dot.x), Int(clamping: dot.y), style: style) }
            for (from, to) in zip(dots, dots.dropFirst()) { canvas.line(from: from, to: to, style: style) }
        }
        canvas.draw(in: surface, at: plot.origin, isASCII: !traits.capabilities.hasUnicode)
        let rows = GapChartView.rows(
            lines.map { line in
                guard let end = line.points.last, end.stage == last else { return nil }
                return Int(clamping: GapChartView.share(end.gap, of: maximum) * Double(plot.height - 1))
            }, height: plot.height)
        for (place, row) in rows.enumerated() {
            guard let row else { continue }
            surface.draw(ends[place], at: Point(x: plot.maxX + 1, y: row), style: style(place))
        }
    }

    private static func share(_ part: Int, of whole: Int) -> Double { whole > 0 ? Double(part) / Double(whole) : 0 }

    /// Returns the rows of labels in their order, near the wanted ones. Labels without space have none.
    nonisolated static func rows(_ wanted: [Int?], height: Int) -> [Int?] {
        let shown = wanted.indices.filter { wanted[$0] != nil }.prefix(max(0, height))
        var rows = [Int?](repeating: nil, count: wanted.count)
        var next = 0
        for index in shown {
            let row = max(wanted[index] ?? 0, next)
            rows[index] = row
            next = row + 1
        }
        var last = height - 1
        for index in shown.reversed() {
            let row = min(rows[index] ?? 0, last)
            rows[index] = row
            last = row - 1
        }
        return rows
    }

    private func style(_ place: Int) -> Style {
        LeaderStrip.style(ofRider: place, in: theme, traits.capabilities.colors)
    }

    /// The labels at the ends of the lines.
    private var ends: [DisplayText] {
        let names = lines.map(\.name)
        return lines.map { line in
            guard bounds.width >= GapChartView.minimumForNames else { return DisplayText("\(line.place)") }
            return DisplayText("\(line.place) ") + StandingText.short(line.name, among: names).truncated(to: 14)
        }
    }

    private func drawScale(in surface: Surface, _ plot: Rect, first: Int, last: Int, maximum: Int) {
        for (row, gap) in [(plot.minY, 0), (plot.maxY - 1, maximum)] {
            let label = DisplayText((gap > 0 ? "+" : "") + RaceTime.text(gap))
            surface.draw(label, at: Point(x: max(0, plot.minX - 1 - label.columns), y: row), style: theme[.secondary])
        }
        let end = DisplayText("stage \(last)")
        surface.draw(DisplayText("\(first)"), at: Point(x: plot.minX, y: plot.maxY), style: theme[.secondary])
        guard last > first else { return }
        surface.draw(end, at: Point(x: plot.maxX - end.columns, y: plot.maxY), style: theme[.secondary])
    }
}
