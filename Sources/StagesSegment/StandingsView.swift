import DashboardFrame
import LibraryKernel
import ModelCore
import RaceModel
import Races
import TerminalUI

/// The standings after a stage: a strip of the leaders through the race, the jerseys, and a table with one of the
/// lists.
@MainActor
final class StandingsView: View {
    /// A list for the table.
    enum List: Hashable {
        case classification(Classification)
        /// The times on the way of a time trial.
        case splits
        /// The gaps of the first riders from stage to stage.
        case gaps
        /// The winner and leader of each stage.
        case stages
    }

    private let race: Race
    private let index: Int
    private let services: RaceServices
    private let access: LibraryAccess
    let table = DataTableView(columns: [])
    private let control = SegmentedControl()
    private let listLine = ListLine()
    private let chart = GapChartView()
    private var splits = SplitTable([], result: [])
    private let showRider: (_ key: String) -> Void
    private var lists: [List] = [.stages]
    private(set) var list = List.stages
    private var standings: [Standing] = []
    private var wearers: [(list: Classification, name: String)] = []
    private var order: [Int] = []
    private var favourites = Favourites()
    private var hasTeams = true
    private var isTiny = false
    private var observation: Observation?

    /// The line with the name of the list. A click shows the next list.
    private final class ListLine: View {
        var text = DisplayText.empty
        var role = ThemeRole.accent
        var press: () -> Void = {}

        override func draw(in surface: Surface) {
            surface.draw(text.truncated(to: bounds.width - 2), at: Point(x: 1, y: 0), style: theme[role])
        }

        override func handle(_ event: MouseEvent) -> Bool {
            guard event.action == .press(.left) else { return false }
            press()
            return true
        }
    }

    /// - Parameter showRider: Shows a rider's page.
    init(_ race: Race, index: Int, services: RaceServices, showRider: @escaping (_ key: String) -> Void) {
        self.showRider = showRider
        self.race = race
        self.index = index
        self.services = services
        access = services.access
        super.init()
        addSubview(table)
        addSubview(chart)
        addSubview(listLine)
        addSubview(control)
        control.onSelect = { [weak self] in
            if let self { self.choose(self.lists[$0]) }
        }
        table.value = { [weak self] row, column in self?.value(row, column) ?? .empty }
        table.onSort = { [weak self] column, ascending in self?.sort(by: column, ascending) }
        table.onActivate = { [weak self] row in self?.activate(row) }
        listLine.press = { [weak self] in self?.showNextList() }
        load()
        observation = access.library.observe(.races) { [weak self] in self?.load() }
    }

    private var stage: Stage { race.stages[index] }

    /// Reads the standings after the stage.
    private func load() {
        favourites = access.read(Favourites()) { try $0.races.favourites() }
        chart.lines = access.read([]) { try $0.races.gapLines(upTo: stage.number, in: race.id) }
        number = stage.number
        var found = access.read([]) { try $0.races.classifications(of: number, in: race.id) }
        // Before a stage has its own standings, those after the last one.
        let stages = chart.stages
        if found.isEmpty, let last = stages.max() {
            number = last
            found = access.read([]) { try $0.races.classifications(of: last, in: race.id) }.filter { !$0.isOfStage }
        }
        let times = access.read([]) { try $0.races.splits(of: stage.number, in: race.id) }
        let result =
            times.isEmpty ? [] : access.read([]) { try $0.races.standings(.results, of: stage.number, in: race.id) }
        splits = SplitTable(times, result: result)
        let hasGaps = !access.settings[.linear] && stages.count > 1 && stages.contains(number)
        lists = StandingText.lists(found, hasSplits: !splits.rows.isEmpty, hasGaps: hasGaps)
        wearers = access.read([]) { try $0.races.leaders(after: number, in: race.id) }
        control.segments = lists.map { SegmentedControl.Segment(StandingText.shortName(of: $0)) }
        if !hasChosen || !lists.contains(list) { list = lists[0] }
        show(keepsRider: true)
    }

    private var hasChosen = false
    /// The number of the stage whose standings are shown.
    private lazy var number = stage.number

    /// The list that the user chose, if any.
    var chosenList: List? { hasChosen ? list : nil }

    /// Shows a list, if the stage has it.
    func choose(_ list: List) {
        guard lists.contains(list) else { return }
        self.list = list
        hasChosen = true
        show()
    }

    /// Shows the next list.
    func showNextList() {
        guard let place = lists.firstIndex(of: list) else { return }
        list = lists[(place + 1) % lists.count]
        hasChosen = true
        show()
    }

    /// - Parameter keepsRider: Whether the selected rider or team stays selected, as in the same list.
    private func show(keepsRider: Bool = false) {
        let key = keepsRider ? selected?.key : nil
        switch list {
        case .classification(let kind):
            standings = access.read([]) { try $0.races.standings(kind, of: number, in: race.id) }
            order =
                standings.indices.filter { isMarked(standings[$0]) }
                + standings.indices.filter { !isMarked(standings[$0]) }
        case .gaps:
            let all = access.read([]) { try $0.races.standings(.general, of: number, in: race.id) }
            standings = Array(all.prefix(chart.lines.count))
            order = Array(standings.indices)
        case .splits: order = Array(splits.rows.indices)
        case .stages: order = Array(race.stages.indices)
        }
        control.selectedSegmentIndex = lists.firstIndex(of: list) ?? 0
        updateColumns()
        // A marked rider moves, and stays selected.
        let row = kind.flatMap { _ in order.firstIndex { standings[$0].key == key } }
        table.reload(rows: order.count, selecting: row)
        // The rows keep the order that their heading shows.
        if let sorting = table.sorting { sort(by: sorting.column, sorting.ascending) }
        setNeedsLayout()
    }

    // MARK: The table

    /// The minimum width for teams.
    private static let minimumForTeams = 56
    /// The minimum width for whole names and ranks won and lost.
    private static let minimumForNames = 30

    /// The classification in the table, or `nil` for a list of another kind.
    private var kind: Classification? {
        switch list {
        case .classification(let kind): kind
        case .gaps: .general
        case .splits, .stages: nil
        }
    }

    /// The columns of the classification; none for another list.
    private var fields: [StandingText.Field] = []

    private func updateColumns() {
        fields = kind == nil ? [] : StandingText.fields(standings, hasTeams: hasTeams, isTiny: isTiny)
        table.columns = columns
    }

    private var columns: [DataColumn] {
        if list == .splits { return splits.columns }
        guard let kind else {
            return [
                DataColumn("Stage", width: 5, isTrailing: true), DataColumn("Winner"), DataColumn("Leader afterwards"),
            ]
        }
        return fields.map { field in
            switch field {
            case .place: DataColumn("#", name: "Place", width: isTiny ? 3 : 4, isTrailing: true)
            case .gained: DataColumn("±", name: "", width: 4)
            case .name: DataColumn(kind.isOfTeams ? "Team" : "Rider", name: "", minimumWidth: isTiny ? 5 : 14)
            case .team: DataColumn("Team", name: "", minimumWidth: 10)
            case .gap: DataColumn(kind.isOfStage ? "Time" : "Gap", width: isTiny ? 6 : 9, isTrailing: true)
            case .bonus: DataColumn("Bonus", width: 5, isTrailing: true)
            case .points: DataColumn("Points", width: 7, isTrailing: true)
            }
        }
    }

    private func value(_ row: Int, _ column: Int) -> DisplayText {
        guard order.indices.contains(row) else { return .empty }
        if list == .splits { return splits.value(order[row], column) }
        guard kind != nil else { return value(ofStage: order[row], column) }
        guard fields.indices.contains(column), standings.indices.contains(order[row]) else { return .empty }
        let standing = standings[order[row]]
        switch fields[column] {
        case .place: return DisplayText(String(standing.place))
        case .gained:
            return StandingText.gained(
                standing.gained, isLinear: symbols.isLinear, hasUnicode: traits.capabilities.hasUnicode)
        case .name:
            let name =
                isTiny
                ? StandingText.short(standing.name, among: [standing.name])
                : DisplayText(standing.name + (standing.country.map { " (\($0))" } ?? ""))
            return isMarked(standing) ? RowSign.favourite.before(name, isLinear: symbols.isLinear) : name
        case .team: return DisplayText(standing.team ?? "")
        case .gap where isTiny && standing.place == 1: return .empty
        case .gap: return StandingText.time(standing)
        case .bonus: return standing.bonus.map { DisplayText("\($0) s") } ?? .empty
        case .points:
            return standing.points.map { points in
                DisplayText(DecimalText.short(points))
            } ?? .empty
        }
    }

    private func value(ofStage index: Int, _ column: Int) -> DisplayText {
        guard race.stages.indices.contains(index) else { return .empty }
        let stage = race.stages[index]
        let isHidden = StandingText.hidesResult(of: stage, today: services.appearance.dates.today)
        switch column {
        // The stage from which the user came is marked.
        case 0:
            let number = String(stage.number)
            guard index == self.index else { return DisplayText(number) }
            return DisplayText(symbols.isLinear ? number + " (shown)" : "▸ " + number)
        case 1: return isHidden ? "hidden" : DisplayText(stage.winner ?? "")
        default: return isHidden ? "hidden" : DisplayText(stage.leaderAfter ?? "")
        }
    }

    private func isMarked(_ standing: Standing) -> Bool {
        favourites.contains(.team, standing.team ?? (kind?.isOfTeams == true ? standing.name : nil))
            || kind?.isOfTeams != true && favourites.contains(.rider, standing.name)
    }

    /// The rider or team in the selected row.
    private var selected: Standing? {
        let row = table.selectedRow
        guard kind != nil, order.indices.contains(row), standings.indices.contains(order[row]) else { return nil }
        return standings[order[row]]
    }

    /// Whether the selected row has a rider or team to mark.
    var canMark: Bool { selected != nil }

    /// Marks the rider or team in the selected row as a favourite, or no longer.
    func toggleFavourite() {
        guard let name = selected?.name else { return }
        access.toggleFavourite(kind?.isOfTeams == true ? .team : .rider, name, title: name)
    }

    private func activate(_ row: Int) {
        guard order.indices.contains(row) else { return }
        if list == .splits {
            if let key = splits.key(order[row]) { showRider(key) }
            return
        }
        guard let kind else {
            services.router?.showStage(race.stages[order[row]].number, of: race.id)
            return
        }
        if !kind.isOfTeams { showRider(standings[order[row]].key) }
    }

    private func sort(by column: Int, _ ascending: Bool) {
        if list == .splits {
            order = splits.order(by: column, ascending: ascending)
            return table.reload(rows: order.count)
        }
        guard kind != nil else {
            order = StandingText.order(race.stages, by: column, ascending: ascending)
            return table.reload(rows: order.count)
        }
        guard fields.indices.contains(column) else { return }
        order = StandingText.order(standings, by: fields[column], ascending: ascending)
        table.reload(rows: order.count)
    }

    /// The number of lines above the table: the strip with stage numbers and names, the jerseys if there are any, and a
    /// blank line. In screen-reader mode the table contains the strip in words.
    private var strip: Int { (symbols.isLinear ? 0 : stripLines) + (wearers.isEmpty ? 0 : 1) + (hasHead ? 1 : 0) }
    private var hasHead: Bool { !symbols.isLinear || !wearers.isEmpty }

    override func layoutSubviews() {
        if hasTeams != (bounds.width >= StandingsView.minimumForTeams || symbols.isLinear) {
            hasTeams.toggle()
            updateColumns()
        }
        if isTiny != (bounds.width < StandingsView.minimumForNames && !symbols.isLinear) {
            isTiny.toggle()
            updateColumns()
        }
        let margin = bounds.width >= 20 ? 1 : 0
        var area = bounds.inset(top: bounds.height > 2 * strip ? strip : 0)
        control.isHidden = symbols.isLinear || lists.count < 2 || area.height < 8 || bounds.width < 30
        control.frame = Rect(x: area.minX, y: area.minY, width: area.width, height: 1)
        if !control.isHidden { area = area.inset(top: 1) }
        let hasLine = area.height > 3
        listLine.isHidden = !hasLine
        listLine.frame = Rect(x: area.minX, y: area.minY, width: area.width, height: 1)
        listLine.text = listWords
        listLine.role = .secondary
        chart.isHidden = list != .gaps
        let body = area.inset(top: hasLine ? 1 : 0)
        let rows = list == .gaps ? StandingText.rowsBelowChart(order.count, in: body.height) : body.height
        chart.frame = Rect(x: body.minX, y: body.minY, width: body.width, height: body.height - rows)
        table.frame = body.inset(left: margin, top: body.height - rows, right: margin)
        // Gaps between columns that are wider than their text make rows hard to follow.
        if !symbols.isLinear { table.frame.size.width = min(table.frame.width, table.naturalWidth) }
        table.setNeedsLayout()
    }

    private var listWords: DisplayText {
        guard let place = lists.firstIndex(of: list) else { return .empty }
        guard lists.count > 1 else {
            return race.stages.contains { $0.isSpoiler }
                ? "Spoilers are hidden."
                : "Only winners and leaders are available."
        }
        let state = kind.map { list == .gaps || number != stage.number ? "" : StandingText.state($0, of: stage) } ?? ""
        let words = StandingText.name(of: list) + DisplayText(" after stage \(number)\(state)")
        guard control.isHidden else { return words }
        let next = StandingText.name(of: lists[(place + 1) % lists.count])
        return words + DisplayText(" · \(access.status.key(StageCommands.nextList)) ") + next
    }

    override func draw(in surface: Surface) {
        guard bounds.height > 2 * strip else { return }
        if symbols.isLinear { return drawJerseys(at: 0, in: surface) }
        drawStrip(in: surface)
        drawJerseys(at: stripLines, in: surface)
    }

    private var jersey: DisplayText { DisplayText(race.leaderJersey ?? "leader") }

    /// The column where the strip starts, after the name of the jersey.
    private var stripStart: Int { 1 + (jerseyColor == nil ? 0 : 3) + jersey.columns + 2 }

    private var jerseyColor: Color? {
        traits.capabilities.colors > .none ? JerseyColor.of(race.leaderJersey ?? "leader").map { visible($0) } : nil
    }

    /// The strip of the leaders with the names below it, as they are in a width.
    private struct NamedStrip {
        var room: Int
        var leaders: LeaderStrip
        var names: [LeaderStrip.Name]
    }

    /// The strip that was last needed.
    private var lastStrip: NamedStrip?

    private var namedStrip: NamedStrip {
        let room = bounds.width - stripStart - 1
        if let lastStrip, lastStrip.room == room { return lastStrip }
        let leaders = LeaderStrip(race.stages, room: room)
        let strip = NamedStrip(room: room, leaders: leaders, names: leaders.names(room: room))
        lastStrip = strip
        return strip
    }

    /// The number of lines of the strip: blocks, stage numbers and names.
    private var stripLines: Int { 2 + (namedStrip.names.map { $0.line + 1 }.max() ?? 0) }

    private func drawStrip(in surface: Surface) {
        let strip = namedStrip.leaders
        let left = stripStart
        if let jerseyColor {
            surface.fill(
                Rect(x: 1, y: 0, width: 2, height: 1), with: symbols.bar, style: Style(foreground: jerseyColor))
        }
        surface.draw(jersey, at: Point(x: left - 2 - jersey.columns, y: 0), style: theme[.secondary])
        for run in strip.runs {
            let columns = strip.columns(of: run.stages)
            let style = strip.style(of: run.leader, in: theme, traits.capabilities.colors)
            surface.fill(
                Rect(x: left + columns.lowerBound, y: 0, width: columns.count, height: 1),
                with: run.leader == nil ? symbols.horizontal : symbols.bar, style: style)
            // xterm draws the last block beyond its cell. A blank of the same style is written again when it changes.
            surface.fill(
                Rect(x: left + columns.upperBound, y: 0, width: 1, height: 1), style: style)
        }
        for index in strip.numbered(self.index) {
            surface.draw(
                DisplayText(String(race.stages[index].number)), at: Point(x: left + index * strip.width, y: 1),
                style: index == self.index ? theme[.accent].adding(.reverse) : theme[.secondary])
        }
        for name in namedStrip.names {
            surface.draw(name.text, at: Point(x: left + name.column, y: 2 + name.line), style: theme[.text])
        }
    }

    /// Draws the jerseys with their wearers after the stage.
    private func drawJerseys(at line: Int, in surface: Surface) {
        let hasSigns = traits.capabilities.colors > .none && !symbols.isLinear
        let colors = wearers.map { hasSigns ? race.jerseys?.of($0.list).flatMap(JerseyColor.of) : nil }
        let shown = zip(wearers, colors).map { wearer, color in
            StandingText.Wearer(
                jersey: race.jerseys?.of(wearer.list)?.name ?? wearer.list.name, name: wearer.name,
                hasSign: color != nil, isTeam: wearer.list.isOfTeams)
        }
        let texts = StandingText.words(for: shown, columns: bounds.width - 2)
        var left = 1
        for (color, words) in zip(colors, texts) {
            guard left + (color == nil ? 0 : 3) + words.columns <= bounds.width else { return }
            if let color {
                surface.fill(
                    Rect(x: left, y: line, width: 2, height: 1), with: symbols.bar,
                    style: Style(foreground: visible(color)))
                left += 3
            }
            left = surface.draw(words, at: Point(x: left, y: line), style: theme[.text]) + 2
        }
    }
}
