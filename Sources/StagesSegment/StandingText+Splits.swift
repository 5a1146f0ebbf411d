import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// The times on the way of a time trial as a table.
struct SplitTable {
    /// A rider's times: at the places on the way, then at the finish.
    struct Row: Hashable {
        /// The rider, as ``Rider/key``.
        var key: String
        var name: DisplayText
        /// The place at the finish, or else at the last place on the way that the rider has passed.
        var place: Int
        var times: [DisplayText]
    }

    let headings: [DisplayText]
    let rows: [Row]

    /// - Parameter result: The result of the stage, or none while it is ridden.
    init(_ splits: [SplitTimes], result: [Standing]) {
        let lists = splits.map(\.standings) + (result.isEmpty ? [] : [result])
        let names = splits.map(\.name)
        // Places in the same town are known by their kilometres.
        let places = splits.map { split in
            let name = names.count { $0 == split.name } == 1 ? split.name : nil
            return DisplayText(name ?? "km " + DecimalText.short(split.km))
        }
        headings = places + (result.isEmpty ? [] : ["Finish"])
        let tables = lists.map { list in Dictionary(list.map { ($0.key, $0) }) { first, _ in first } }
        var seen: Set<String> = []
        // Riders who have come further come first.
        rows = lists.reversed().joined().filter { seen.insert($0.key).inserted }.map { standing in
            Row(
                key: standing.key, name: DisplayText(standing.name), place: standing.place,
                times: tables.map { table in
                    table[standing.key].map { found in
                        let place = found.place > 1 ? DisplayText(" (\(found.place))") : .empty
                        return StandingText.time(found) + place
                    } ?? .empty
                })
        }
    }

    /// The columns of the table.
    var columns: [DataColumn] {
        let first = [
            DataColumn("#", name: "Place", width: 4, isTrailing: true), DataColumn("Rider", name: "", minimumWidth: 14),
        ]
        return first + headings.map { DataColumn($0.truncated(to: 14), width: 14, isTrailing: true) }
    }

    func value(_ row: Int, _ column: Int) -> DisplayText {
        guard rows.indices.contains(row) else { return .empty }
        switch column {
        case 0: return DisplayText(String(rows[row].place))
        case 1: return rows[row].name
        default: return rows[row].times.indices.contains(column - 2) ? rows[row].times[column - 2] : .empty
        }
    }

    /// Returns the rider in a row.
    func key(_ row: Int) -> String? { rows.indices.contains(row) ? rows[row].key : nil }

    /// Returns the indexes of the rows by place (column 0), name (1), or in the order of a list.
    func order(by column: Int, ascending: Bool) -> [Int] {
        func isBefore(_ a: Int, _ b: Int) -> Bool {
            guard column == 1, rows[a].name != rows[b].name else { return a < b }
            return rows[a].name.string < rows[b].name.string
        }
        return rows.indices.sorted { ascending ? isBefore($0, $1) : isBefore($1, $0) }
    }
}

extension StandingText {
    /// Returns the name of a list.
    static func name(of list: StandingsView.List) -> DisplayText {
        switch list {
        case .stages: "Winners and leaders"
        case .splits: "Split times"
        case .gaps: "Gaps from stage to stage"
        case .classification(.results): "Result"
        case .classification(.general): "General classification"
        case .classification(.points): "Points"
        case .classification(.mountain): "Mountains"
        case .classification(.youth): "Young riders"
        case .classification(.teams): "Teams"
        case .classification(.stagePoints): "Points of the stage"
        case .classification(.stageMountain): "Mountains of the stage"
        case .classification(.stageYouth): "Young riders of the stage"
        case .classification(.stageTeams): "Teams of the stage"
        }
    }

    /// Returns the name of a list among segments.
    static func shortName(of list: StandingsView.List) -> DisplayText {
        switch list {
        case .stages: "Winners"
        case .splits: "Splits"
        case .gaps: "Gaps"
        case .classification(.general): "General"
        case .classification(.mountain): "Mountain"
        case .classification(.youth): "Youth"
        default: name(of: list)
        }
    }

    /// Returns what is known about a list: whether it is official, and the time limit of a result.
    static func state(_ list: Classification, of stage: Stage) -> String {
        var parts: [String] = []
        if stage.isRunning == true {
            parts.append("so far")
        } else if let isProvisional = stage.isProvisional {
            parts.append(isProvisional ? "provisional" : "official")
        }
        if list == .results, let limit = stage.timeLimit { parts.append("time limit +" + RaceTime.text(limit)) }
        return parts.map { " · " + $0 }.joined()
    }
}
