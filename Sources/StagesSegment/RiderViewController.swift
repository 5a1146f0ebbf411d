import DashboardFrame
import LibraryKernel
import ModelCore
import RaceModel
import Races
import TerminalUI

/// Shows a rider of a race: personal data, days in jerseys, and rank and gap in each stage.
@MainActor
final class RiderViewController: ViewController {
    private let key: String
    private let race: Race
    private let services: RaceServices
    private let access: LibraryAccess
    private let facts = TextView()
    private static let columns = [
        DataColumn("Stage", width: 5, isTrailing: true), DataColumn("Route", name: "", minimumWidth: 12),
        DataColumn("Place", width: 6, isTrailing: true), DataColumn("Gap", width: 8, isTrailing: true),
        DataColumn("Overall", width: 8, isTrailing: true), DataColumn("Behind", width: 8, isTrailing: true),
    ]
    private let table = DataTableView(columns: RiderViewController.columns)
    /// The indexes of the columns that the table has.
    private var shown = Array(RiderViewController.columns.indices)
    private var record: RiderRecord?
    private var order: [Int] = []
    private var observation: Observation?

    init(_ key: String, in race: Race, services: RaceServices) {
        self.key = key
        self.race = race
        self.services = services
        access = services.access
        super.init()
        title = DisplayText(key)
    }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(ListCommands.open, title: "open", priority: 2),
            BarButtonItem(StageCommands.favourite, title: "favourite", priority: 1),
        ]
        view.addSubview(facts)
        view.addSubview(table)
        table.value = { [weak self] row, column in self?.value(row, column) ?? .empty }
        table.onSort = { [weak self] _, _ in self?.sort() }
        table.onActivate = { [weak self] row in
            guard let self, let day = self.day(row) else { return }
            self.services.router?.showStage(day.stage, of: self.race.id)
        }
        load()
        observation = access.library.observe(.races) { [weak self] in self?.load() }
    }

    override func viewWillAppear() { view.window?.focus(table) }

    private func load() {
        record = access.read(nil) { try $0.races.record(of: key, in: race.id) }
        if let name = record?.rider.name {
            let isMarked = access.read(Favourites()) { try $0.races.favourites() }.contains(.rider, name)
            let shown = DisplayText(name)
            title = isMarked ? RowSign.favourite.before(shown, isLinear: view.symbols.isLinear) : shown
        }
        facts.setParagraphs(paragraphs, keepsPlace: true)
        sort()
        viewIfLoaded?.setNeedsLayout()
    }

    override var commands: [Command] {
        [
            Command(StageCommands.favourite, of: self, isEnabled: record != nil) {
                guard let name = $0.record?.rider.name else { return }
                $0.access.toggleFavourite(.rider, name, title: name)
            }
        ]
    }

    private var paragraphs: [TextParagraph] {
        guard let record else { return [TextParagraph("The race no longer has data on this rider.", .secondary)] }
        var rows: [(name: DisplayText, value: DisplayText)] = []
        func add(_ name: DisplayText, _ value: String?) {
            if let value { rows.append((name, DisplayText(value))) }
        }
        add("Team", record.team)
        add("Country", record.rider.country)
        add("Number", record.rider.number.map(String.init))
        let wins = record.days.filter { $0.place == 1 }.map { String($0.stage) }
        if !wins.isEmpty { add(wins.count == 1 ? "Won stage" : "Won stages", wins.joined(separator: ", ")) }
        if let last = record.days.last(where: { $0.overall != nil }), let place = last.overall {
            let gap = last.overallGap.flatMap { $0 > 0 ? ", +" + RaceTime.text($0) : nil } ?? ""
            add("Overall", "\(place)\(gap) after stage \(last.stage)")
        }
        let days = record.leads.sorted { $0.key.rawValue < $1.key.rawValue }.map { list, days in
            let jersey = race.jerseys?.of(list)?.name ?? list.name
            return "\(jersey) \(days)"
        }
        if !days.isEmpty { add("Days in jerseys", days.joined(separator: " · ")) }
        add("Withdrew", record.withdrawal.map { "stage \($0.stage), " + StageLiveText.reason($0) })
        return [TextParagraph(DisplayText("\(race.race) \(race.year)"), .secondary)] + TextParagraph.facts(rows)
    }

    override func viewWillLayoutSubviews() {
        let height = min(facts.sizeThatFits(view.bounds.size).height + 1, max(0, view.bounds.height - 3))
        facts.frame = Rect(x: 0, y: 0, width: view.bounds.width, height: height)
        let margin = view.bounds.width >= 20 ? 1 : 0
        table.frame = view.bounds.inset(left: margin, top: height, right: margin)
        let shown = view.symbols.isLinear ? self.shown : RiderViewController.shown(in: table.frame.width)
        guard shown != self.shown else { return }
        self.shown = shown
        // Other columns clear the order of the table.
        table.columns = shown.map { RiderViewController.columns[$0] }
        sort()
    }

    /// Returns the indexes of the columns that fit into a width. Narrow panes leave out the routes, so that places and
    /// gaps are visible.
    nonisolated static func shown(in width: Int) -> [Int] { width >= 54 ? Array(0..<6) : [0, 2, 3, 4, 5] }

    private func field(_ column: Int) -> Int { shown.indices.contains(column) ? shown[column] : 0 }

    private func day(_ row: Int) -> RiderRecord.Day? {
        guard order.indices.contains(row), let days = record?.days else { return nil }
        return days.indices.contains(order[row]) ? days[order[row]] : nil
    }

    private func value(_ row: Int, _ column: Int) -> DisplayText {
        guard let day = day(row) else { return .empty }
        func gap(_ seconds: Int?) -> DisplayText { seconds.map { DisplayText("+" + RaceTime.text($0)) } ?? .empty }
        func place(_ place: Int?) -> DisplayText { place.map { DisplayText(String($0)) } ?? .empty }
        return switch field(column) {
        case 0: DisplayText(String(day.stage))
        case 1: StageText.route(day.route, isLinear: access.settings[.linear])
        case 2: place(day.place)
        case 3: gap(day.gap)
        case 4: place(day.overall)
        default: gap(day.overallGap)
        }
    }

    private func sort() {
        let (column, ascending) = table.sorting ?? (column: 0, ascending: true)
        order = RiderViewController.order(record?.days ?? [], by: field(column), ascending: ascending)
        table.reload(rows: order.count)
    }

    /// Returns the indexes of days sorted by a column. Equal days stay in the order of their stages; unknown ranks come
    /// last, and unknown gaps count as none.
    nonisolated static func order(_ days: [RiderRecord.Day], by column: Int, ascending: Bool) -> [Int] {
        func key(_ day: RiderRecord.Day) -> Int {
            switch column {
            case 2: day.place ?? .max
            case 3: day.gap ?? 0
            case 4: day.overall ?? .max
            case 5: day.overallGap ?? 0
            default: day.stage
            }
        }
        return days.indices.sorted { a, b in
            if column == 1, days[a].route != days[b].route {
                return (days[a].route < days[b].route) == ascending
            }
            let (first, second) = (key(days[a]), key(days[b]))
            if first == second { return a < b }
            return (first < second) == ascending
        }
    }
}
