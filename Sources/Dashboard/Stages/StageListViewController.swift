import ModelCore
import TerminalUI

/// The stages of the chosen race (rows STA-01 and STA-02).
@MainActor
final class StageListViewController: ViewController {
    private let context: DashboardContext
    private let table = TableView()
    private var races: [Race] = []
    /// The small profiles of stages with a track, by race and number.
    private var sparks: [String: [Int: String]] = [:]
    private var details: [StageKey: StageDetailViewController] = [:]
    private var observation: Observation?

    /// What tells a stage apart from all others.
    private struct StageKey: Hashable {
        var race: String
        var number: Int
    }

    init(context: DashboardContext) {
        self.context = context
        super.init()
        title = "Stages"
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.rowHeight = 2
        table.isFindEnabled = true
        table.emptyText = "No races. A race file can be added with: tappa race import FILE"
        load()
        table.dataSource = self
        table.delegate = self
        table.select(firstChoice)
        observation = context.library.observe(.races) { [weak self] in
            self?.load()
            self?.table.reloadData()
        }
    }

    /// Today's stage, or the first.
    private var firstChoice: RowPath? {
        let today = context.dates.today
        for (section, race) in races.enumerated() {
            if let row = race.stages.firstIndex(where: { $0.date.flatMap { CalendarDay($0) } == today }) {
                return RowPath(section: section, row: row)
            }
        }
        return races.contains { !$0.stages.isEmpty } ? RowPath(row: 0) : nil
    }

    /// Today's stage, or the next one to come.
    private var nextStage: RowPath?

    private func findNextStage() {
        let today = context.dates.today
        let coming = races.enumerated().flatMap { section, race in
            race.stages.enumerated().compactMap { row, stage in
                stage.date.flatMap { CalendarDay($0) }.flatMap { day in
                    day >= today ? (path: RowPath(section: section, row: row), day: day) : nil
                }
            }
        }
        nextStage = coming.min { $0.day < $1.day }?.path
    }

    private func load() {
        defer {
            findNextStage()
            for race in races { sparks[race.id] = context.read([:]) { try $0.sparks(of: race.id) } }
        }
        races = context.read([]) { library in try library.races().compactMap { try library.race($0.id) } }
        if races.count == 1, let race = races.first { navigationItem.title = DisplayText("\(race.race) \(race.year)") }
    }

    /// The chosen stage, for the next start.
    var state: DashboardState.StageState? {
        guard let path = table.selectedPath else { return nil }
        let race = races[path.section]
        return DashboardState.StageState(
            race: race.id, number: race.stages[path.row].number,
            isDetailFocused: splitViewController?.focusedColumn == .secondary)
    }

    /// Chooses the stage of an earlier run, if it is still there.
    func restore(_ state: DashboardState.StageState) {
        _ = view
        let key = StageKey(race: state.race, number: state.number)
        guard let path = tableView(table, pathForRowWith: key) else { return }
        table.select(path)
        showSelection(takesFocus: state.isDetailFocused)
    }

    /// Where the detail stands beside the list, it shows the chosen stage.
    override func viewWillAppear() { showSelection(takesFocus: false) }

    /// A pane that grows wide shows the chosen stage beside the list.
    override func traitsDidChange(previous: Traits?) {
        if viewIfLoaded != nil { showSelection(takesFocus: false) }
    }

    private func showSelection(takesFocus: Bool) {
        guard let path = table.selectedPath, let split = splitViewController else { return }
        split.show(detail(at: path), in: .secondary, takesFocus: takesFocus)
    }

    private func detail(at path: RowPath) -> StageDetailViewController {
        let race = races[path.section]
        let key = StageKey(race: race.id, number: race.stages[path.row].number)
        if let known = details[key] { return known }
        let detail = StageDetailViewController(race: race, index: path.row, context: context)
        detail.showNeighbour = { [weak self] step in self?.step(step) }
        details[key] = detail
        return detail
    }

    /// Shows the stage before or after the chosen one, with the focus where it is.
    private func step(_ step: Int) {
        guard var path = table.selectedPath else { return }
        path.row += step
        guard races[path.section].stages.indices.contains(path.row) else { return }
        table.select(path)
        showSelection(takesFocus: true)
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        let shown = splitViewController?.detailViewController
        details = details.filter { $0.value === shown }
    }

    private func presentDate() {
        guard let path = table.selectedPath else { return }
        let stage = races[path.section].stages[path.row]
        let dates = PublishDateViewController(stage, article: context.articleDate(of: stage), text: context.dates)
        presentDates(dates, from: nil, or: table, rect: table.selectedRowRect)
    }

    override var commands: [Command] {
        [
            Command("stage.publishDate", "Publish Date", keys: ["p"], isEnabled: table.selectedPath != nil) {
                [weak self] in
                self?.presentDate()
            },
            Command("race.remove", "Take this race away", keys: ["d"], isEnabled: table.selectedPath != nil) {
                [weak self] in
                self?.removeRace()
            },
        ]
    }

    private func removeRace() {
        guard let path = table.selectedPath else { return }
        let id = races[path.section].id
        guard let race = context.read(nil, { try $0.removeRace(id) }) else { return }
        let step = UndoStep(removed: race)
        context.undo.keep(step)
        context.status.show("u: " + DisplayText(step.explanation))
    }

    override func viewWillLayoutSubviews() {
        if toolbarItems.isEmpty {
            toolbarItems = [
                .label("j/k move", priority: 0),
                BarButtonItem("open", key: "⏎", priority: 2) { [weak self] in self?.showSelection(takesFocus: true) },
                .flexibleSpace(), BarButtonItem("date", key: "p", priority: 1) { [weak self] in self?.presentDate() },
            ]
        }
    }
}

extension StageListViewController: TableViewDataSource, TableViewDelegate {
    func numberOfSections(in table: TableView) -> Int { races.count }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { races[section].stages.count }

    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        races.count > 1 ? DisplayText("\(races[section].race) \(races[section].year)") : nil
    }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        let race = races[path.section]
        return StageKey(race: race.id, number: race.stages[path.row].number)
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        guard let key = identifier.base as? StageKey, let section = races.firstIndex(where: { $0.id == key.race }),
            let row = races[section].stages.firstIndex(where: { $0.number == key.number })
        else { return nil }
        return RowPath(section: section, row: row)
    }

    func tableView(_ table: TableView, rowMatching text: String, from path: RowPath, step: Int) -> RowPath? {
        let all = races.indices.flatMap { section in
            races[section].stages.indices.map { RowPath(section: section, row: $0) }
        }
        return RowSearch.next(in: all, from: path, step: step) { path in
            let stage = races[path.section].stages[path.row]
            let words = [stage.route, stage.type, stage.winner, stage.leaderAfter].compactMap { $0 }
            return DisplayText(words.joined(separator: " ")).contains(text)
        }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let stage = races[path.section].stages[path.row]
        let cell = table.dequeueCell(style: .subtitle)
        let number = stage.number < 10 ? " \(stage.number)" : "\(stage.number)"
        cell.title = DisplayText("\(number) \(stage.route)")
        cell.titleTruncation = .middle
        let day = stage.date.flatMap { CalendarDay($0) }.map { DateText.shortDay($0).string }
        var words = [day, stage.type].compactMap { $0 }
        if path == nextStage, let day = stage.date.flatMap({ CalendarDay($0) }) {
            // Today's stage, or the next one, is told by how far it is.
            words.insert(context.dates.distance(day).string, at: 0)
            cell.detailRole = .accent
        }
        cell.detail = DisplayText("   " + words.joined(separator: " · "))
        let distance = stage.distance.map(StageText.distance) ?? .empty
        let spark = table.traits.capabilities.hasUnicode ? sparks[races[path.section].id]?[stage.number] : nil
        cell.detailValue = spark.map { DisplayText($0) + " " + distance } ?? distance
        return cell
    }

    func tableView(_ table: TableView, didSelectRowAt path: RowPath) { showSelection(takesFocus: false) }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { showSelection(takesFocus: true) }
}
