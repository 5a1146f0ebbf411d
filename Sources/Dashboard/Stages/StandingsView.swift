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
            // The stage one came from is marked.
            case 0:
                let isShown = self?.order[row] == index
                return DisplayText(
                    (isShown ? self?.symbols.isLinear == true ? "this: " : "▸ " : "") + String(stage.number))
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

    /// The lines over the table: numbers, strip, names and a blank.
    private static let strip = 4

    override func layoutSubviews() {
        table.frame = bounds.inset(top: bounds.height > 2 * StandingsView.strip ? StandingsView.strip : 0)
    }

    /// The runs of stages after which the same rider led.
    private var runs: [(leader: String?, stages: Range<Int>)] {
        var runs: [(leader: String?, stages: Range<Int>)] = []
        for (index, leader) in race.stages.map(\.leaderAfter).enumerated() {
            if let last = runs.last, last.leader == leader {
                runs[runs.count - 1].stages = last.stages.lowerBound..<index + 1
            } else {
                runs.append((leader, index..<index + 1))
            }
        }
        return runs
    }

    private static let roles: [ThemeRole] = [.accent, .warm, .cool, .good, .failure]

    private func role(_ leader: String?, _ leaders: [String]) -> ThemeRole {
        guard let place = leader.flatMap({ leaders.firstIndex(of: $0) }) else { return .rule }
        return StandingsView.roles[place % StandingsView.roles.count]
    }

    override func draw(in surface: Surface) {
        guard table.frame.minY > 0 else { return }
        let leaders = leaders
        let jersey = race.leaderJersey ?? "leader"
        var left = 1
        if let color = JerseyColor.of(jersey), traits.capabilities.colors > .none {
            surface.draw(symbols.bar, at: Point(x: left, y: 0), style: Style(foreground: color))
            surface.draw(symbols.bar, at: Point(x: left + 1, y: 0), style: Style(foreground: color))
            left += 3
        }
        left = surface.draw(DisplayText(jersey), at: Point(x: left, y: 0), style: theme[.secondary]) + 2
        // As many columns a stage as there is room for: with three its number fits.
        let room = bounds.width - left - 1
        let width = max(1, min(3, room / max(1, race.stages.count)))
        for (index, stage) in race.stages.enumerated() where width == 3 || index == self.index {
            let label = DisplayText(String(stage.number))
            surface.draw(
                label, at: Point(x: left + index * width, y: 0),
                style: index == self.index ? theme[.accent].adding(.reverse) : theme[.secondary])
        }
        for run in runs {
            let start = left + run.stages.lowerBound * width
            // Runs are apart also without colours.
            let columns = max(1, run.stages.count * width - (width > 1 ? 1 : 0))
            surface.fill(
                Rect(x: start, y: 1, width: columns, height: 1),
                with: run.leader == nil ? symbols.horizontal : symbols.bar,
                style: theme[role(run.leader, leaders)].removing(.bold))
        }
        drawNames(leaders, in: surface, from: width == 3 ? left : 1)
    }

    /// The leaders in the order in which they came, each in the colour of its runs.
    private func drawNames(_ leaders: [String], in surface: Surface, from left: Int) {
        var column = left
        for (place, leader) in leaders.enumerated() {
            let family = DisplayText(leader.split(separator: " ").last.map(String.init) ?? leader)
            let isLast = place == leaders.count - 1
            guard column + family.columns + (isLast ? 0 : 2) <= bounds.width else {
                surface.draw("…", at: Point(x: column, y: 2), style: theme[.secondary])
                return
            }
            column = surface.draw(
                family, at: Point(x: column, y: 2), style: theme[role(leader, leaders)].removing(.bold))
            if !isLast { column = surface.draw(" · ", at: Point(x: column, y: 2), style: theme[.secondary]) }
        }
    }
}
