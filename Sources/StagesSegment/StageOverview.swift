import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// What a large pane shows with the facts of a stage: the general classification beside them, and the gaps from stage
/// to stage below. Before a stage has its own, those after the last one; without any, the winners and leaders.
struct StageOverview {
    private(set) var gaps: [GapLine] = []
    private var title = DisplayText.empty
    private var lines: [DisplayText] = []
    /// The line that stays among those that are shown.
    private var marked = 0
    private static let maximumRows = 40, maximumName = 18, maximumShortName = 11

    /// Creates the overview of a race without standings.
    init() {}

    /// Reads the standings up to a stage.
    init(_ stage: Stage, of race: Race, in library: Library) throws {
        self.init(winnersOf: race, around: stage)
        gaps = try library.races.gapLines(upTo: stage.number, in: race.id)
        guard let newest = gaps.stages.max() else { return }
        let shown = try library.races.standings(.general, of: newest, in: race.id).prefix(StageOverview.maximumRows)
        let names = shown.map(\.name)
        marked = 0
        title = DisplayText("General after stage \(newest)")
        lines = StageOverview.columns(
            shown.map { ($0.place, StandingText.short($0.name, among: names), StandingText.time($0)) })
    }

    /// Lists the winners and leaders of a race.
    init(winnersOf race: Race, around stage: Stage) {
        let known = race.stages.filter { $0.winner != nil }
        let names = Array(Set(known.flatMap { [$0.winner, $0.leaderAfter] }.compactMap { $0 }))
        func name(_ name: String?) -> DisplayText {
            let short = name.map { StandingText.short($0, among: names) } ?? .empty
            return short.truncated(to: StageOverview.maximumShortName)
        }
        title = "Winners and leaders"
        lines = StageOverview.columns(known.map { ($0.number, name($0.winner), name($0.leaderAfter)) })
        marked = known.firstIndex { $0.number == stage.number } ?? 0
    }

    private static func columns(_ rows: [(number: Int, name: DisplayText, end: DisplayText)]) -> [DisplayText] {
        let rows = rows.map { (DisplayText(String($0.number)), $0.name.truncated(to: maximumName), $0.end) }
        let first = rows.map { $0.0.columns }.max() ?? 0
        let rest = (rows.map { $0.1.columns }.max() ?? 0) + (rows.map { $0.2.columns }.max() ?? 0) + 2
        return rows.map { number, name, end in
            .blanks(first - number.columns) + number + " " + name + .blanks(rest - name.columns - end.columns) + end
        }
    }

    /// Returns the lines beside the facts, with at most so many rows.
    func ranking(rows: Int) -> [TextParagraph] {
        guard !lines.isEmpty else { return [] }
        let first = max(0, min(marked - rows / 2, lines.count - rows))
        return [TextParagraph(title, .secondary), .blank]
            + lines.dropFirst(first).prefix(rows).map { TextParagraph($0) }
    }
}
