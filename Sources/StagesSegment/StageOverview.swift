import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// Short lists in large panes, beside the facts of a stage or its standings.
///
/// With the facts the first is the general classification, or before a stage has its own, the one after the last stage.
struct StageOverview {
    private(set) var gaps: [GapLine] = []
    private var lists: [List] = []

    struct List {
        var title: DisplayText
        var lines: [DisplayText]
        /// The line that stays among those that are shown.
        var marked = 0
    }

    fileprivate static let maximumRows = 40, maximumName = 18, maximumShortName = 11
    /// The number of rows of another classification.
    fileprivate static let otherRows = 5

    init(_ lists: [List] = []) { self.lists = lists }

    /// Reads the standings up to a stage.
    init(_ stage: Stage, of race: Race, in library: Library) throws {
        gaps = try library.races.gapLines(upTo: stage.number, in: race.id)
        if let newest = gaps.stages.max() {
            let found = try library.races.classifications(of: newest, in: race.id).filter { !$0.isOfStage }
            lists = try StandingText.lists(found).compactMap(\.classification).map { kind in
                guard kind == .general else { return try List(kind, after: newest, in: race, library) }
                let title = DisplayText("General after stage \(race.name(ofStage: newest))")
                return try List(kind, after: newest, in: race, library, title: title, rows: StageOverview.maximumRows)
            }
        }
        lists.append(List(winnersOf: race, around: stage))
    }

    /// Returns the titles and the first rows of the lists, in as many columns as fit.
    func paragraphs(columns: Int, rows: Int) -> [TextParagraph] {
        TextParagraph.arranged(lists.map { $0.ranking(rows: rows - 1) }, columns: columns, rows: rows)
    }
}

extension StageOverview.List {
    /// Reads the first places of a classification.
    init(
        _ kind: Classification, after number: Int, in race: Race, _ library: Library, title: DisplayText? = nil,
        rows: Int = StageOverview.otherRows
    ) throws {
        let standings = try library.races.standings(kind, of: number, in: race.id).prefix(rows)
        let names = standings.map(\.name)
        self.title = title ?? StandingText.name(of: .classification(kind))
        lines = Self.aligned(
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
        lines = Self.aligned(order.map { (String(counts[$0] ?? 0), StandingText.short($0, among: order), .empty) })
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
        lines = Self.aligned(known.map { ($0.name, name($0.winner), name($0.leaderAfter)) }, trailing: [0])
        marked = known.firstIndex { $0.number == stage.number } ?? 0
    }

    private static func aligned(
        _ rows: [(number: String, name: DisplayText, end: DisplayText)], trailing: Set<Int> = [0, 2]
    ) -> [DisplayText] {
        DisplayText.aligned(
            rows.map { row in
                let end = row.end.isEmpty ? row.end : " " + row.end
                return [DisplayText(row.number), row.name.truncated(to: StageOverview.maximumName), end]
            }, trailing: trailing, gap: 1)
    }

    /// Returns the title and at most so many rows.
    func ranking(rows: Int) -> [TextParagraph] {
        guard !lines.isEmpty, rows > 0 else { return [] }
        let first = max(0, min(marked - rows / 2, lines.count - rows))
        return [TextParagraph(title, .secondary)]
            + lines.dropFirst(first).prefix(rows).map { TextParagraph([StyledSpan($0)], wraps: false) }
    }
}
