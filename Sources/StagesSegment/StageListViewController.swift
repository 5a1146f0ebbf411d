import DashboardFrame
import LibraryKernel
import ModelCore
import RaceModel
import Races
import TerminalUI

/// The list of stages by race (rows STA-01 and STA-02).
@MainActor
final class StageListViewController: ViewController {
    let services: RaceServices
    private let entries: EntryServices
    let access: LibraryAccess
    private let table = TableView()
    private let model: StageListModel
    private var details = DetailCache<StageKey, StageDetailViewController>()
    private var observation: Observation?

    private struct StageKey: Hashable {
        var race: String
        var number: Int
    }

    init(services: RaceServices, entries: EntryServices, race: String? = nil) {
        self.services = services
        self.entries = entries
        access = services.access
        model = StageListModel(access: access, appearance: services.appearance, only: race)
        super.init()
        title = "Stages"
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.rowHeight = 2
        table.hasMarks = true
        load()
        table.dataSource = self
        table.delegate = self
        table.select(firstChoice)
        observation = access.library.observe(.races) { [weak self] in self?.readAgain() }
    }

    private func readAgain() {
        load()
        table.reloadData()
        renewDetails()
    }

    /// Reads the races and the details again, because another day has begun.
    func reloadStages() {
        guard viewIfLoaded != nil else { return }
        details.keep { _, _ in false }
        readAgain()
    }

    /// Today's stage, otherwise the next or first stage of the user's race nearest to today, otherwise of the first race.
    private var firstChoice: RowPath? {
        let today = services.appearance.dates.today
        let nearest = access.read(nil) { try $0.races.nearest(to: today) }
        return StageChoice.first(next: model.nextStage, nearest: nearest, races: model.races)
    }

    private func load() {
        model.load()
        table.emptyText =
            model.wasRead
            ? DisplayText("No races. \(access.status.key(StageCommands.followRace)) follows a race or adds a file.")
            : "The races can't be read."
        // Only several races need headings.
        let only = model.races.count == 1 ? model.races.first : nil
        navigationItem.title = only.map { DisplayText("\($0.name) \($0.year)") }
        toolbarItems =
            model.races.isEmpty
            ? [BarButtonItem(StageCommands.followRace, title: "follow a race", priority: 0)]
            : [
                BarButtonItem(ListCommands.open, title: "open", priority: 2),
                BarButtonItem(StageCommands.stageDate, title: "date", priority: 1),
            ]
    }

    /// The selected stage, for the next start.
    var state: DashboardState.StageState? {
        guard let race = selectedRace, let stage = selectedStage else { return nil }
        return DashboardState.StageState(
            race: race.id, number: stage.number, isDetailFocused: isDetailFocused,
            day: services.appearance.dates.today.number)
    }

    /// Selects the stage of an earlier run if it still exists.
    func restore(_ state: DashboardState.StageState) {
        _ = view
        let today = services.appearance.dates.today
        let hasStageToday = model.nextStage?.days == 0
        guard StageChoice.restores(chosenOn: state.day, today: today, hasStageToday: hasStageToday) else { return }
        guard let path = model.path(race: state.race, number: state.number) else { return }
        table.select(path)
        showSelection(takesFocus: state.isDetailFocused)
    }

    /// Shows a stage of a race with the focus, or selects today's stage of the race or its first one.
    func show(_ stage: Int?, ofRaceNamed name: String) {
        _ = view
        guard let race = access.read(nil, { try PlaceNames($0).race(named: name) }) else { return }
        let next = model.nextStage.flatMap {
            $0.days == 0 && model.races[$0.path.section].id == race.id ? $0.path : nil
        }
        let first = model.races.firstIndex { $0.id == race.id && $0.stageCount > 0 }.map {
            RowPath(section: $0, row: 0)
        }
        guard let path = stage.map({ model.path(race: race.id, number: $0) }) ?? next ?? first else { return }
        table.select(path)
        showSelection(takesFocus: stage != nil)
        if stage == nil { splitViewController?.focus(.primary) }
    }

    override func viewWillAppear() { showSelection(takesFocus: false) }

    /// A pane that becomes wide shows the selected stage beside the list.
    override func traitsDidChange(previous: Traits?) {
        if viewIfLoaded != nil { showSelection(takesFocus: false) }
    }

    /// The minimum width for bars beside the distances.
    private static let minimumForBars = 44

    private var isDetailFocused: Bool { splitViewController?.focusedColumn == .secondary }

    private func showSelection(takesFocus: Bool) {
        guard let split = splitViewController, let detail = table.selectedPath.flatMap(detail) else { return }
        split.show(detail, in: .secondary, takesFocus: takesFocus)
    }

    private func detail(at path: RowPath) -> StageDetailViewController? {
        guard let source = source(at: path), let stage = model.stage(at: path) else { return nil }
        return details.detail(for: StageKey(race: source.race.id, number: stage.number)) {
            let detail = StageDetailViewController(source, services: services, entries: entries) { [weak self] step in
                self?.step(step)
            }
            // The next stage shows the same page, so that the user can compare the profiles of a race.
            if let shown {
                detail.page = shown.page
                detail.pictureBefore = shown.shownPicture
                detail.adopt(shown)
            }
            return detail
        }
    }

    /// The stage in the split view's detail, or the one it would show in a wider pane.
    private var shown: StageDetailViewController? {
        splitViewController?.detailViewController as? StageDetailViewController
    }

    private func source(at path: RowPath) -> StageDetailViewController.Source? {
        model.race(path.section).map {
            .init(race: $0.withoutReports, index: path.row, spark: model.spark(at: path))
        }
    }

    /// Replaces the details whose race or track has changed, and keeps their page.
    private func renewDetails() {
        guard let split = splitViewController else { return }
        details.keep { key, detail in
            model.path(race: key.race, number: key.number).flatMap(source) == detail.source
        }
        let shown = shown
        if let shown, details.contains(shown) { return }
        if table.selectedPath == nil { table.select(firstChoice) }
        guard let path = table.selectedPath, let detail = detail(at: path) else { return split.clearDetail() }
        split.show(detail, in: .secondary, takesFocus: false)
    }

    /// Shows the previous or next stage and keeps the focus.
    private func step(_ step: Int) {
        guard var path = table.selectedPath else { return }
        path.row += step
        guard model.stage(at: path) != nil else { return }
        let takesFocus = isDetailFocused
        table.select(path)
        showSelection(takesFocus: takesFocus)
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        let shown = shown
        details.keep { _, detail in detail === shown }
        model.forget()
        entries.web.pictures.forget()
    }

    private var selectedRace: RaceRow? { table.selectedPath.map { model.races[$0.section] } }

    private var selectedStage: Stage? { table.selectedPath.flatMap { model.stage(at: $0) } }

    private func presentDate() {
        guard let race = selectedRace?.id, let stage = selectedStage else { return }
        PublishDateViewController(stage: stage.number, ofRace: race, entries).present(
            over: self, atRow: StageKey(race: race, number: stage.number), of: table)
    }

    /// Shows the article of the selected stage, whether the list is beside the detail, over it or alone.
    private func readArticle() {
        showSelection(takesFocus: true)
        shown?.readArticle()
    }

    override var commands: [Command] { stageCommands + services.replayCommands }

    private var stageCommands: [Command] {
        let isSelected = selectedRace != nil
        let canReveal = selectedRace.map { access.hidesResults(of: $0.id) } ?? false
        return [
            Command(StageCommands.stageDate, of: self, isEnabled: isSelected) { $0.presentDate() },
            Command(StageCommands.stageArticle, of: self, isEnabled: isSelected && shown?.hasArticle == true) {
                $0.readArticle()
            },
            Command(StageCommands.revealStage, of: self, isEnabled: canReveal) {
                guard let race = $0.selectedRace, let stage = $0.selectedStage else { return }
                $0.access.toggleReveal(at: stage, of: race.id)
            },
            Command(StageCommands.hideRace, of: self, isEnabled: isSelected) {
                if let race = $0.selectedRace { $0.access.toggleHiddenResults(of: race) }
            },
            Command(StageCommands.todaysStage, of: self, isEnabled: model.nextStage != nil) {
                guard let path = $0.model.nextStage?.path else { return }
                $0.table.select(path)
                $0.showSelection(takesFocus: $0.isDetailFocused)
            },
            Command(StageCommands.favourite, of: self, isEnabled: isSelected) {
                guard let race = $0.selectedRace else { return }
                $0.access.toggleFavourite(.race, race.id, title: "\(race.name) \(race.year)")
            },
            Command(StageCommands.pastWinners, of: self, isEnabled: isSelected) { $0.presentWinners() },
            Command(StageCommands.exportRace, of: self, isEnabled: isSelected) { $0.askForExport() },
            Command(StageCommands.removeRace, of: self, isEnabled: isSelected) {
                if let race = $0.selectedRace { $0.access.changes.submit(.removeRace(race.id)) }
            },
        ]
    }

    private func askForExport() {
        guard let path = table.selectedPath, let race = model.race(path.section) else { return }
        let access = access
        present(
            TextPromptViewController(
                title: "Save race", message: "The path of the new race file", text: "~/\(race.id).json"
            ) { path in
                access.tell {
                    try RaceSource().write(try access.library.races.wholeRace(race.id) ?? race, to: path)
                    return "Saved \(race.race) \(race.year) to \(path)"
                }
            })
    }

    private func presentWinners() {
        guard let race = selectedRace else { return }
        let series = access.read(nil) { try $0.races.series(ofRace: race.id, known: $0.knownRaces) }
        guard let series else {
            return access.status.show(
                DisplayText(
                    "\(race.name) is not in the calendar. \(access.status.key(StageCommands.showSeason)) loads it from Wikidata."
                ))
        }
        present(PastWinnersViewController(race: race, series: series, services: services))
    }
}

extension StageListViewController: TableViewDataSource, TableViewDelegate {
    func numberOfSections(in table: TableView) -> Int { model.races.count }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { model.races[section].stageCount }

    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        let race = model.races[section]
        let error = model.errors[race.id].map {
            RowSign.failure.before(DisplayText($0), isLinear: table.symbols.isLinear)
        }
        // With only one race, the bar already shows its name.
        guard model.races.count > 1 else { return error }
        let name = DisplayText("\(race.name) \(race.year)")
        let isMarked = model.favourites.contains(.race, race.id)
        return (isMarked ? RowSign.favourite.before(name, isLinear: table.symbols.isLinear) : name)
            + (error.map { " · " + $0 } ?? .empty)
    }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        model.stage(at: path).map { StageKey(race: model.races[path.section].id, number: $0.number) }
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        guard let key = identifier.base as? StageKey else { return nil }
        return model.path(race: key.race, number: key.number)
    }

    func tableView(
        _ table: TableView, findRowMatching text: String, from path: RowPath, step: Int,
        found: @escaping (RowPath?) -> Void
    ) {
        let all = model.races.enumerated().flatMap { section, race in
            (0..<race.stageCount).map { RowPath(section: section, row: $0) }
        }
        let next = RowPath.next(in: all, from: path, step: step) { path in
            guard let stage = model.stage(at: path) else { return false }
            let words = [stage.route, stage.type, stage.winner, stage.leaderAfter].compactMap { $0 }
            return DisplayText(words.joined(separator: " ")).contains(text)
        }
        found(next)
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell(style: .subtitle)
        guard let stage = model.stage(at: path) else { return cell }
        let number = stage.name.count < 2 ? " " + stage.name : stage.name
        cell.title = DisplayText("\(number) ") + StageText.route(stage.route, isLinear: table.symbols.isLinear)
        // The sign shows the type of the stage in its colour.
        let kind = StageKind(stage.type)
        // The second line contains the type in words.
        cell.mark = table.symbols.isLinear ? nil : kind?.glyph(hasUnicode: table.traits.capabilities.hasUnicode)
        cell.markRole = kind?.role ?? .accent
        cell.titleTruncation = .middle
        if path == model.nextStage?.path { cell.detailRole = .accent }
        let text = StageRowText(parts(of: stage, at: path), room: table.bounds.width - (table.hasMarks ? 4 : 2))
        cell.detail = text.line
        cell.detailValue = text.end
        if let bar = text.bar { cell.detailRoles = [(bar, kind?.role ?? .secondary)] }
        return cell
    }

    private func parts(of stage: Stage, at path: RowPath) -> StageRowText.Parts {
        let isLinear = table.symbols.isLinear
        // The sign at the left shows the type. In screen-reader mode, and for types without a sign, words do.
        let type = isLinear || StageKind(stage.type) == nil ? stage.type : nil
        var words = [stage.day.map { DateText.shortDay($0).string }, type].compactMap { $0 }
        if let status = stage.status { words.insert(status, at: 0) }
        let dates = services.appearance.dates
        let next = model.nextStage.flatMap { path == $0.path ? $0.days : nil }
        if let days = next ?? (stage.isToday(at: access.clock(), local: dates.today) ? 0 : nil) {
            // A stage of today or the next one shows its distance in time.
            let distance = dates.distance(CalendarDay(number: dates.today.number + days)).string
            // Instead of the day, so that the bars of all rows are aligned.
            if stage.day != nil, distance.count <= StageRowText.dayColumns {
                words.remove(at: stage.status == nil ? 0 : 1)
            }
            words.insert(distance, at: 0)
        }
        let canDraw = table.traits.capabilities.hasUnicode && !isLinear
        let hasRoom = table.bounds.width >= StageListViewController.minimumForBars
        let bar = hasRoom ? stage.distance.map(StageRowText.bar) : nil
        let drawing = model.spark(at: path).map(StageRowText.padded) ?? bar
        let winner = stage.isSpoiler ? nil : stage.winner
        return StageRowText.Parts(
            words: words, distance: stage.distance.map(StageText.distance) ?? .empty,
            distanceColumns: model.distanceColumns(at: path), bar: canDraw && !stage.isCancelled ? drawing : nil,
            winner: isLinear ? winner.map { "winner: " + $0 } : winner, isWonByTeam: stage.timeTrial == .ofTeams)
    }

    func tableView(_ table: TableView, didSelectRowAt path: RowPath) { showSelection(takesFocus: false) }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { showSelection(takesFocus: true) }
}
