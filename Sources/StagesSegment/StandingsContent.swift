import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// A list of the standings after a stage.
enum StandingsList: Hashable {
    case classification(Classification)
    /// The times on the way of a time trial.
    case splits
    /// The gaps of the first riders from stage to stage.
    case gaps
    /// The winner and leader of each stage.
    case stages

    /// The classification whose rows the list has, or `nil` for a list of another kind.
    var classification: Classification? {
        switch self {
        case .classification(let kind): kind
        case .gaps: .general
        case .splits, .stages: nil
        }
    }
}

/// What the standings after a stage show, as it was read from the library.
struct StandingsContent {
    let race: Race
    let index: Int
    /// The current day. Later stages have no results to hide.
    let today: CalendarDay
    /// The number of the stage whose standings are shown.
    private(set) var number: Int
    private(set) var lists = [StandingsList.stages]
    private(set) var list = StandingsList.stages
    /// The rows of the classification.
    private(set) var standings: [Standing] = []
    private(set) var splits: [SplitTimes] = []
    /// The result beside the times on the way.
    private(set) var result: [Standing] = []
    private(set) var gaps: [GapLine] = []
    /// The wearers of jerseys after the stage.
    private(set) var wearers: [(list: Classification, name: String)] = []
    private(set) var favourites = Favourites()
    /// Short lists of what the table doesn't show.
    private(set) var others = StageOverview()
    /// The minimum number of rows of such a list. Shorter ones are on the strip or with the jerseys above.
    private static let minimumRowsBeside = 3

    var stage: Stage { race.stages[index] }

    /// Creates the content of a race of which the library has no standings.
    init(_ race: Race, index: Int, today: CalendarDay) {
        self.race = race
        self.index = index
        self.today = today
        number = race.stages[index].number
    }

    /// Reads the standings after the stage. Before it has its own, these are the ones after the last stage.
    ///
    /// - Parameters:
    ///   - wanted: The list that the user has chosen, which is shown if the stage has it.
    ///   - isLinear: Whether screen-reader mode is on, which has no charts.
    mutating func read(_ library: Library, wanted: StandingsList?, isLinear: Bool) throws {
        let races = library.races
        favourites = try races.favourites()
        gaps = try races.gapLines(upTo: stage.number, in: race.id)
        number = stage.number
        var found = try races.classifications(of: number, in: race.id)
        let stages = gaps.stages
        if found.isEmpty, let last = stages.max() {
            number = last
            found = try races.classifications(of: last, in: race.id).filter { !$0.isOfStage }
        }
        splits = try races.splits(of: stage.number, in: race.id)
        result = splits.isEmpty ? [] : try races.standings(.results, of: stage.number, in: race.id)
        wearers = try races.leaders(after: number, in: race.id)
        let hasSplits = splits.contains { !$0.standings.isEmpty } || !result.isEmpty
        let hasGaps = !isLinear && stages.count > 1 && stages.contains(number)
        lists = StandingText.lists(found, hasSplits: hasSplits, hasGaps: hasGaps)
        try choose(wanted.flatMap { lists.contains($0) ? $0 : nil } ?? lists[0], from: library)
    }

    mutating func choose(_ list: StandingsList, from library: Library) throws {
        if let kind = list.classification {
            let all = try library.races.standings(kind, of: number, in: race.id)
            standings = list == .gaps ? Array(all.prefix(gaps.count)) : all
        }
        self.list = list
        let tables = try lists.compactMap { other -> StageOverview.List? in
            guard other != list, case .classification(let kind) = other else { return nil }
            return try StageOverview.List(kind, after: number, in: race, library)
        }
        let stages =
            list == .stages
            ? [
                StageOverview.List("Stages in the lead", counting: race.stages.compactMap(\.leaderAfter)),
                StageOverview.List("Stages won", counting: race.stages.compactMap(\.winner)),
            ] : [StageOverview.List(winnersOf: race, around: stage)]
        others = StageOverview((tables + stages).filter { $0.lines.count >= StandingsContent.minimumRowsBeside })
    }

    var nextList: StandingsList { lists[((lists.firstIndex(of: list) ?? -1) + 1) % lists.count] }

    /// Returns the line above the table.
    ///
    /// - Parameter key: The key for the next list, or `nil` if the names of all lists are visible.
    func heading(key: String?) -> DisplayText {
        guard lists.count > 1 else {
            return race.stages.contains { $0.isSpoiler }
                ? "Spoilers are hidden." : "Only winners and leaders are available."
        }
        var state = ""
        if case .classification(let kind) = list, number == stage.number {
            state = StandingText.state(kind, of: stage)
        }
        let words = StandingText.name(of: list) + DisplayText(" after stage \(race.name(ofStage: number))\(state)")
        return key.map { words + DisplayText(" · \($0) ") + StandingText.name(of: nextList) } ?? words
    }

    func table(in pane: StandingsPane) -> StandingsTable {
        switch list {
        case .classification(let kind): StandingsTable(standings, of: kind, favourites, in: pane)
        case .gaps: StandingsTable(standings, of: .general, favourites, marksFirst: false, in: pane)
        case .splits: StandingsTable(splits, result: result)
        case .stages: StandingsTable(race.stages, shown: index, today: today, isLinear: pane.isLinear)
        }
    }
}
