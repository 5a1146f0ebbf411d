import DashboardFrame
import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// What a pane has space and signs for.
struct StandingsPane: Hashable {
    /// Whether there is space for teams.
    var hasTeams = true
    /// Whether there is space only for places, last names, and gaps or points.
    var isTiny = false
    /// Whether screen-reader mode is on.
    var isLinear = false
    var hasUnicode = true
}

/// A list of standings as texts in rows and columns.
struct StandingsTable {
    /// What a value sorts by.
    enum Key: Comparable { case number(Double), text(String) }

    struct Value {
        var text: DisplayText
        /// What the value sorts by, or `nil` for the place of its row.
        var key: Key?
    }

    /// What a row opens.
    enum Target: Hashable {
        /// A rider, as ``Rider/key``.
        case rider(String)
        case stage(Int)
    }

    struct Row {
        /// What identifies the row when it has moved.
        var key: String
        var values: [Value]
        var target: Target?
        /// The rider or team that can be marked as a favourite.
        var favourite: (kind: Favourites.Kind, name: String)?
        /// Whether the row comes before others in a table that isn't sorted.
        var isFirst = false
    }

    private(set) var columns: [DataColumn] = []
    private(set) var rows: [Row] = []

    init() {}

    /// Returns the indexes of the rows in order. Equal rows keep their order, or reverse it when descending.
    func order(by sorting: (column: Int, ascending: Bool)?) -> [Int] {
        guard let (column, ascending) = sorting, columns.indices.contains(column) else {
            return rows.indices.filter { rows[$0].isFirst } + rows.indices.filter { !rows[$0].isFirst }
        }
        return rows.indices.sorted { a, b in
            guard let first = rows[a].values[column].key, let second = rows[b].values[column].key, first != second
            else { return ascending ? a < b : a > b }
            return ascending ? first < second : first > second
        }
    }
}

// MARK: Classifications

extension StandingsTable {
    /// Creates the table of a classification.
    ///
    /// - Parameter marksFirst: Whether favourites come before others.
    init(
        _ standings: [Standing], of kind: Classification, _ favourites: Favourites = Favourites(),
        marksFirst: Bool = true, in pane: StandingsPane
    ) {
        let fields = StandingText.fields(standings, hasTeams: pane.hasTeams, isTiny: pane.isTiny)
        columns = fields.map { field in
            switch field {
            case .place: DataColumn("#", name: "Place", width: pane.isTiny ? 3 : 4, isTrailing: true)
            case .gained: DataColumn("±", name: "", width: 4)
            case .name: DataColumn(kind.isOfTeams ? "Team" : "Rider", name: "", minimumWidth: pane.isTiny ? 5 : 14)
            case .team: DataColumn("Team", name: "", minimumWidth: 10)
            case .gap: DataColumn(kind.isOfStage ? "Time" : "Gap", width: pane.isTiny ? 6 : 9, isTrailing: true)
            case .bonus: DataColumn("Bonus", width: 5, isTrailing: true)
            case .points: DataColumn("Points", width: 7, isTrailing: true)
            }
        }
        rows = standings.map { standing in
            let team = standing.team ?? (kind.isOfTeams ? standing.name : nil)
            let isMarked =
                favourites.contains(.team, team) || !kind.isOfTeams && favourites.contains(.rider, standing.name)
            return Row(
                key: standing.key, values: fields.map { Value($0, of: standing, isMarked, in: pane) },
                target: kind.isOfTeams ? nil : .rider(standing.key),
                favourite: (kind.isOfTeams ? .team : .rider, standing.name), isFirst: marksFirst && isMarked)
        }
    }
}

extension StandingsTable.Value {
    fileprivate init(_ field: StandingText.Field, of standing: Standing, _ isMarked: Bool, in pane: StandingsPane) {
        switch field {
        case .place: text = DisplayText(String(standing.place))
        case .gained:
            text = StandingText.gained(standing.gained, isLinear: pane.isLinear, hasUnicode: pane.hasUnicode)
            key = .number(standing.gained.map(Double.init) ?? -.infinity)
        case .name:
            let name =
                pane.isTiny
                ? StandingText.short(standing.name, among: [standing.name])
                : DisplayText(standing.name + (standing.country.map { " (\($0))" } ?? ""))
            text = isMarked ? RowSign.favourite.before(name, isLinear: pane.isLinear) : name
            key = .text(standing.name)
        case .team: (text, key) = (DisplayText(standing.team ?? ""), .text(standing.team ?? ""))
        case .gap: text = pane.isTiny && standing.place == 1 ? .empty : StandingText.time(standing)
        case .bonus:
            text = standing.bonus.map { DisplayText("\($0) s") } ?? .empty
            key = .number(Double(standing.bonus ?? 0))
        case .points:
            text = standing.points.map { DisplayText(DecimalText.short($0)) } ?? .empty
            key = .number(standing.points ?? 0)
        }
    }
}

// MARK: Time trials and stages

extension StandingsTable {
    /// Creates the table of the times on the way of a time trial: at the places on the way, then at the finish.
    ///
    /// - Parameter result: The result of the stage, or none while it is ridden.
    init(_ splits: [SplitTimes], result: [Standing]) {
        let names = splits.map(\.name)
        // Places in the same town are known by their kilometres.
        let places = splits.map { split in
            let name = names.count { $0 == split.name } == 1 ? split.name : nil
            return DisplayText(name ?? "km " + DecimalText.short(split.km))
        }
        columns =
            [
                DataColumn("#", name: "Place", width: 4, isTrailing: true),
                DataColumn("Rider", name: "", minimumWidth: 14),
            ]
            + (places + (result.isEmpty ? [] : ["Finish"])).map {
                DataColumn($0.truncated(to: 14), width: 14, isTrailing: true)
            }
        let lists = splits.map(\.standings) + (result.isEmpty ? [] : [result])
        let tables = lists.map { list in Dictionary(list.map { ($0.key, $0) }) { first, _ in first } }
        var seen: Set<String> = []
        // Riders who have come further come first, with their place at the finish or the last place on the way.
        rows = lists.reversed().joined().filter { seen.insert($0.key).inserted }.map { standing in
            let times = tables.map { table in
                table[standing.key].map { found in
                    StandingText.time(found) + (found.place > 1 ? DisplayText(" (\(found.place))") : .empty)
                } ?? .empty
            }
            let name = Value(text: DisplayText(standing.name), key: .text(standing.name))
            return Row(
                key: standing.key,
                values: [Value(text: DisplayText(String(standing.place))), name] + times.map { Value(text: $0) },
                target: .rider(standing.key))
        }
    }

    /// Creates the table of the winners and leaders of stages.
    ///
    /// - Parameter index: The stage from which the user came, which is marked.
    init(_ stages: [Stage], shown index: Int, today: CalendarDay, isLinear: Bool) {
        columns = [
            DataColumn("Stage", width: 5, isTrailing: true), DataColumn("Winner"), DataColumn("Leader afterwards"),
        ]
        rows = zip(stages.indices, stages).map { place, stage in
            let number = stage.name
            let marked = isLinear ? number + " (shown)" : "▸ " + number
            let names = [stage.winner ?? "", stage.leaderAfter ?? ""].map { name in
                let isHidden = StandingText.hidesResult(of: stage, today: today)
                return Value(text: isHidden ? "hidden" : DisplayText(name), key: .text(name))
            }
            return Row(
                key: number, values: [Value(text: DisplayText(place == index ? marked : number))] + names,
                target: .stage(stage.number))
        }
    }
}
