import DashboardFrame
import ModelCore
import RaceModel
import TerminalUI

/// What a large pane shows with the facts of a stage: the general classification beside them, and the gaps from stage
/// to stage below. Before a stage has its own, those after the last one.
@MainActor
final class StageOverview {
    let ranking = TextView()
    let chart = GapChartView()
    /// The size of the ranking, zero without standings.
    private(set) var size = Size.zero

    /// The least size of a pane that shows the standings beside the facts, and the least height of a drawing above them
    /// and of the gaps below.
    static let large = Size(width: 64, height: 20), minimumDrawing = 6, minimumChart = 7, maximumChart = 14
    private static let maximumRows = 10, maximumName = 18

    init() {
        ranking.isScrollEnabled = false
        ranking.margin = 2
    }

    /// Whether the gaps of several stages are known.
    var hasChart: Bool { chart.stages.count > 1 }

    /// Reads the standings up to a stage.
    func load(_ stage: Stage, of race: Race, _ access: LibraryAccess) {
        chart.lines = access.read([]) { try $0.races.gapLines(upTo: stage.number, in: race.id) }
        let newest = chart.stages.max()
        let all =
            newest.map { number in access.read([]) { try $0.races.standings(.general, of: number, in: race.id) } } ?? []
        let shown = all.prefix(StageOverview.maximumRows)
        let names = shown.map(\.name)
        let rows = shown.map { row in
            (
                place: DisplayText(String(row.place)),
                name: StandingText.short(row.name, among: names).truncated(to: StageOverview.maximumName),
                time: StandingText.time(row)
            )
        }
        let widths = rows.reduce((place: 0, name: 0, time: 0)) { widths, row in
            (
                max(widths.place, row.place.columns), max(widths.name, row.name.columns),
                max(widths.time, row.time.columns)
            )
        }
        let title = DisplayText("General after stage \(newest ?? 0)")
        let lines = rows.map { row in
            DisplayText.blanks(widths.place - row.place.columns) + row.place + " " + row.name
                + .blanks(widths.name - row.name.columns + widths.time - row.time.columns + 2) + row.time
        }
        ranking.setParagraphs(
            lines.isEmpty ? [] : [TextParagraph(title, .secondary), .blank] + lines.map { TextParagraph($0) })
        let widest = ([title] + lines).map(\.columns).max() ?? 0
        size = lines.isEmpty ? .zero : Size(width: widest + 2 * ranking.margin, height: lines.count + 2)
    }
}
