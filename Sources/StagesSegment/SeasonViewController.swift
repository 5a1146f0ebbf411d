import DashboardFrame
import RaceModel
import Races
import TerminalUI

/// The races of the season that start in the same month.
struct SeasonMonth {
    let title: DisplayText
    fileprivate(set) var races: [SeasonRace]

    /// Returns the months of sorted races. Races without dates have their own heading.
    static func months(of races: [SeasonRace]) -> [SeasonMonth] {
        var months: [SeasonMonth] = []
        for race in races {
            let title = race.firstDay.map { DateText.month($0) } ?? "Without dates"
            if months.last?.title == title {
                months[months.count - 1].races.append(race)
            } else {
                months.append(SeasonMonth(title: title, races: [race]))
            }
        }
        return months
    }

    /// Returns the first race that has not ended, or the last race.
    static func nearest(to today: CalendarDay, in months: [SeasonMonth]) -> RowPath? {
        for (section, month) in months.enumerated() {
            for (row, race) in month.races.enumerated() where race.state(on: today) != .past {
                return RowPath(section: section, row: row)
            }
        }
        return months.indices.last.map { RowPath(section: $0, row: months[$0].races.count - 1) }
    }

    /// Returns the stage to open from the season: today's or the next, otherwise the last.
    static func stage(of stages: [Stage], on today: CalendarDay) -> Stage? {
        stages.first { ($0.day ?? today) >= today } ?? stages.last
    }

    /// Returns the distance of a race from today, such as "under way", "in 3 days" or "2 weeks ago".
    static func words(_ race: SeasonRace, dates: DateText) -> String? {
        switch race.state(on: dates.today) {
        case .undated: nil
        case .underWay: "under way"
        case .coming, .past: race.firstDay.map { dates.distance($0).string }
        }
    }
}

/// A row of the season: a race, or the request for the calendar of a year.
enum SeasonRow: Hashable {
    case race(SeasonRace)
    case calendar(CalendarRequest)
}

/// The request for the calendar of a year, and when the stored one came.
struct CalendarRequest: Hashable {
    var year: Int
    var received: Instant?

    /// The first month in which the next season's calendar is offered.
    private static let firstMonthOfNext = 9

    /// Returns the years whose calendars the season offers.
    static func years(on today: CalendarDay) -> [Int] {
        let (year, month, _) = today.components
        return month >= firstMonthOfNext ? [year, year + 1] : [year]
    }

    var title: DisplayText { DisplayText("\(received == nil ? "Load" : "Update") the races of \(year) from Wikidata") }

    /// Returns the age of the stored calendar, or what to know about the source.
    func words(_ dates: DateText) -> DisplayText {
        received.map { "loaded " + dates.distance($0) } ?? "from Wikidata"
    }
}

/// The races of the season by month around today, from the library and from Wikidata's calendar. Typing filters them.
/// Enter opens a race in the library, follows another one, or loads the calendar.
@MainActor
final class SeasonViewController: WikidataListViewController<SeasonRow> {
    private let field = TextField()
    private var months: [SeasonMonth] = []
    private var text = ""
    /// The maximum number of races before and after today.
    private static let maximum = 500

    init(services: RaceServices) {
        super.init(
            services: services, title: "Season",
            emptyText: DisplayText(
                "No races found. \(services.access.status.key(StageCommands.followRace)) follows a race by its name or address."
            ),
            width: 90, otherLines: 1)
    }

    override func makeView() -> View { View() }

    override func viewDidLoad() {
        view.addSubview(field)
        view.addSubview(table)
        field.placeholder = "Type a name, country or kind. Enter opens or follows a race."
        field.onChange = { [weak self] in self?.filter($0) }
        field.onSubmit = { [weak self] _ in
            if let self, let row = self.selected { self.activate(row) }
        }
        table.opensAtFirstClick = true
        table.hasMarks = true
        super.viewDidLoad()
    }

    override func viewWillLayoutSubviews() {
        field.frame = Rect(x: 1, y: 0, width: max(0, view.bounds.width - 2), height: 1)
        table.frame = view.bounds.inset(top: 1)
    }

    private func filter(_ text: String) {
        self.text = text
        load()
        selectInitialRow()
    }

    override func readSections() -> [Section] {
        let today = services.appearance.dates.today
        let races = access.read([]) { try $0.races.season(text, around: today, limit: SeasonViewController.maximum) }
        months = SeasonMonth.months(of: races)
        title = titleWithProblem("Season")
        let sections = months.map { Section(title: $0.title, items: $0.races.map(SeasonRow.race)) }
        guard text.isEmpty else { return sections }
        let requests = CalendarRequest.years(on: today).map { year in
            SeasonRow.calendar(
                CalendarRequest(year: year, received: access.read(nil) { try $0.races.calendarReceived(year: year) }))
        }
        return sections + [Section(title: "Calendar", items: requests)]
    }

    override func identifier(of row: SeasonRow) -> AnyHashable? {
        switch row {
        case .race(let race): race.id.map { AnyHashable($0) } ?? AnyHashable(race.address ?? race.name)
        case .calendar(let request): request.year
        }
    }

    /// Selects the first race that has not ended; without one, the calendar that was not loaded yet.
    override func selectInitialRow() {
        let today = services.appearance.dates.today
        let nearest = SeasonMonth.nearest(to: today, in: months)
        if let nearest, months[nearest.section].races[nearest.row].state(on: today) != .past {
            return table.select(nearest, inMiddle: true)
        }
        let request = sections.last?.items.firstIndex { row in
            if case .calendar(let request) = row { request.received == nil } else { false }
        }
        table.select(request.map { RowPath(section: sections.count - 1, row: $0) } ?? nearest, inMiddle: true)
    }

    override func cell(for row: SeasonRow) -> TableViewCell {
        let cell = table.dequeueCell()
        switch row {
        case .race(let race): fill(cell, with: race)
        case .calendar(let request):
            cell.title = request.title
            cell.titleRole = .accent
            cell.value = requests.contains(request.year) ? "loading …" : request.words(services.appearance.dates)
        }
        return cell
    }

    private func fill(_ cell: TableViewCell, with race: SeasonRace) {
        let state = race.state(on: services.appearance.dates.today)
        cell.title = DisplayText(race.name)
        cell.titleRole = state == .past ? .secondary : .text
        // A sign marks races in the library.
        if race.id != nil, !table.symbols.isLinear {
            cell.mark = Glyph(table.traits.capabilities.hasUnicode ? "●" : "*")
        }
        cell.markRole = .accent
        let words: [String?] = [SeasonMonth.words(race, dates: services.appearance.dates), race.kind, race.country]
        cell.value = DisplayText(words.compactMap { $0 }.joined(separator: " · "))
    }

    override func activate(_ row: SeasonRow) {
        switch row {
        case .race(let race): open(race)
        case .calendar(let request): loadCalendar(of: request.year)
        }
    }

    private func open(_ race: SeasonRace) {
        if let id = race.id {
            dismiss()
            let today = services.appearance.dates.today
            let stages = access.read(nil) { try $0.races.race(id) }?.stages ?? []
            if let stage = SeasonMonth.stage(of: stages, on: today) { services.router?.showStage(stage.number, of: id) }
            return
        }
        guard let address = race.address else { return }
        access.status.show(DisplayText("Reading \(race.name) …"))
        Task { [services] in await RaceAdder.add(address, services) }
    }

    private func loadCalendar(of year: Int) {
        request(year) { [services] in
            let count = try await services.races.updateCalendar(year: year)
            return "\(count.counted("race")) of \(year) from Wikidata"
        }
    }

    /// Selects the nearest race, unless the user has moved the selection meanwhile.
    override func didRequest(_ year: Int) {
        let wasSelected = if case .calendar(let request) = selected { request.year == year } else { false }
        super.didRequest(year)
        if wasSelected { selectInitialRow() }
    }

    override var commands: [Command] {
        [
            Command(PaletteCommands.down, of: self) { $0.move(1) },
            Command(PaletteCommands.up, of: self) { $0.move(-1) },
            Command(PaletteCommands.close, of: self) { $0.dismiss() },
        ]
    }

    private func move(_ step: Int) {
        let paths = sections.enumerated().flatMap { section, content in
            content.items.indices.map { RowPath(section: section, row: $0) }
        }
        guard let path = table.selectedPath, let place = paths.firstIndex(of: path),
            paths.indices.contains(place + step)
        else { return }
        table.select(paths[place + step])
    }
}
