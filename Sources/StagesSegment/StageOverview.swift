import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// What a large pane shows with the facts of a stage: the general classification beside them, and the gaps from stage
/// to stage below. Before a stage has its own, those after the last one.
struct StageOverview {
    /// The lines of the general classification, or none without standings.
    private(set) var ranking: [TextParagraph] = []
    private(set) var gaps: [GapLine] = []
    private static let maximumRows = 10, maximumName = 18

    /// Creates the overview of a race without standings.
    init() {}

    /// Reads the standings up to a stage.
    init(_ stage: Stage, of race: Race, in library: Library) throws {
        gaps = try library.races.gapLines(upTo: stage.number, in: race.id)
        guard let newest = gaps.stages.max() else { return }
        let shown = try library.races.standings(.general, of: newest, in: race.id).prefix(StageOverview.maximumRows)
        let names = shown.map(\.name)
        let rows = shown.map { row in
            (
                place: DisplayText(String(row.place)),
                name: StandingText.short(row.name, among: names).truncated(to: StageOverview.maximumName),
                time: StandingText.time(row)
            )
        }
        func width(_ column: (Int) -> DisplayText) -> Int { rows.indices.map { column($0).columns }.max() ?? 0 }
        let places = width { rows[$0].place }
        let rest = width { rows[$0].name } + width { rows[$0].time } + 2
        let lines = rows.map { row in
            DisplayText.blanks(places - row.place.columns) + row.place + " " + row.name
                + .blanks(rest - row.name.columns - row.time.columns) + row.time
        }
        guard !lines.isEmpty else { return }
        ranking =
            [TextParagraph(DisplayText("General after stage \(newest)"), .secondary), .blank]
            + lines.map { TextParagraph($0) }
    }
}
