import ModelCore
import TerminalUI

/// Who has won the stages and who has led after them: a strip of the leader's jersey through the race, and a table.
@MainActor
final class StandingsView: View {
    private let race: Race
    private let index: Int
    let table = DataTableView(columns: [
        DataColumn("Stage", width: 5, isTrailing: true), DataColumn("Winner"), DataColumn("Leader after it"),
    ])
    private var order: [Int]

    init(_ race: Race, index: Int) {
        self.race = race
        self.index = index
        order = Array(race.stages.indices)
        super.init()
        addSubview(table)
        table.value = { [weak self] row, column in
            guard let stage = self.map({ $0.race.stages[$0.order[row]] }) else { return .empty }
            switch column {
            case 0: return DisplayText(String(stage.number))
            case 1: return DisplayText(stage.winner ?? "")
            default: return DisplayText(stage.leaderAfter ?? "")
            }
        }
        table.onSort = { [weak self] column, ascending in self?.sort(by: column, ascending) }
        table.reload(rows: race.stages.count)
    }

    private func sort(by column: Int, _ ascending: Bool) {
        func key(_ index: Int) -> String {
            let stage = race.stages[index]
            return column == 1 ? stage.winner ?? "" : stage.leaderAfter ?? ""
        }
        order = race.stages.indices.sorted { a, b in
            if column == 0 || key(a) == key(b) { return ascending ? a < b : a > b }
            return ascending ? key(a) < key(b) : key(a) > key(b)
        }
        table.reload(rows: order.count)
    }

    /// The leaders in the order in which they came, each with a letter for the strip.
    private var leaders: [String] {
        var leaders: [String] = []
        for leader in race.stages.compactMap(\.leaderAfter) where !leaders.contains(leader) { leaders.append(leader) }
        return leaders
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { DisplayText(String($0)) }

    override func layoutSubviews() { table.frame = bounds.inset(top: min(bounds.height, 3)) }

    override func draw(in surface: Surface) {
        let leaders = leaders
        var column = 1
        let title = DisplayText((race.leaderJersey ?? "leader") + " ")
        column = surface.draw(title, at: Point(x: column, y: 0), style: theme[.secondary])
        for (stage, leader) in race.stages.map(\.leaderAfter).enumerated() {
            let place = leader.flatMap { leaders.firstIndex(of: $0) }
            let letter = place.map { $0 < StandingsView.letters.count ? StandingsView.letters[$0] : "+" } ?? "·"
            // A letter tells who it is also without colours.
            let role: ThemeRole = stage == index ? .segment : place.map { $0 % 2 == 0 } ?? true ? .accent : .title
            column = surface.draw(letter, at: Point(x: column, y: 0), style: theme[role])
        }
        let names = leaders.enumerated().map { place, name in
            (place < StandingsView.letters.count ? StandingsView.letters[place].string : "+") + " " + name
        }
        surface.draw(
            DisplayText(names.joined(separator: "  ")).truncated(to: bounds.width - 2), at: Point(x: 1, y: 1),
            style: theme[.secondary])
    }
}
