import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// A short list in large panes, beside the facts of a stage or its standings.
///
/// With the facts it has the general classification, or before a stage has its own, the one after the last stage;
/// without any, the winners and leaders.
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
        let gaps = try library.races.gapLines(upTo: stage.number, in: race.id)
        guard let newest = gaps.stages.max() else { return }
        let shown = try library.races.standings(.general, of: newest, in: race.id).prefix(StageOverview.maximumRows)
        self.init(DisplayText("General after stage \(race.name(ofStage: newest))"), shown, gaps: gaps)
    }

    /// Lists the places of a classification.
    init(
        _ title: DisplayText, _ standings: some Collection<Standing>, of kind: Classification = .general,
        gaps: [GapLine] = []
    ) {
        self.gaps = gaps
        self.title = title
        let names = standings.map(\.name)
        lines = StageOverview.columns(
            standings.map { standing in
                let end = standing.points.map { DisplayText(DecimalText.short($0)) } ?? StandingText.time(standing)
                let name = kind.isOfTeams ? DisplayText(standing.name) : StandingText.short(standing.name, among: names)
                return (String(standing.place), name, end)
            })
    }

    /// Lists names by how often they occur, the most frequent first.
    init(_ title: DisplayText, counting names: [String]) {
        self.title = title
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let order = Array(counts.keys).sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
        lines = StageOverview.columns(
            order.map { (String(counts[$0] ?? 0), StandingText.short($0, among: order), .empty) })
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
        lines = StageOverview.columns(known.map { ($0.name, name($0.winner), name($0.leaderAfter)) })
        marked = known.firstIndex { $0.number == stage.number } ?? 0
    }

    private static func columns(_ rows: [(number: String, name: DisplayText, end: DisplayText)]) -> [DisplayText] {
        let rows = rows.map { (DisplayText($0.number), $0.name.truncated(to: maximumName), $0.end) }
        let first = rows.map { $0.0.columns }.max() ?? 0
        let rest = (rows.map { $0.1.columns }.max() ?? 0) + (rows.map { $0.2.columns }.max() ?? 0) + 2
        return rows.map { number, name, end in
            .blanks(first - number.columns) + number + " " + name + .blanks(rest - name.columns - end.columns) + end
        }
    }

    /// The width of the rows.
    var columns: Int { lines.map(\.columns).max() ?? 0 }

    /// Returns the title and at most so many rows.
    func ranking(rows: Int) -> [TextParagraph] {
        guard !lines.isEmpty, rows > 0 else { return [] }
        let first = max(0, min(marked - rows / 2, lines.count - rows))
        return [TextParagraph(title, .secondary)]
            + lines.dropFirst(first).prefix(rows).map { TextParagraph($0) }
    }
}
