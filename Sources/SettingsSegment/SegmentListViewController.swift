import DashboardFrame
import LibraryKernel
import ModelCore
import TerminalUI

/// The segments of the bar in their order, to move, hide and add them.
@MainActor
final class SegmentListViewController: ViewController, SettingPage {
    let definition: SettingDefinition
    private let access: LibraryAccess
    private let page = SettingPageView()
    private var table: TableView { page.table }
    private var places: [Place] = []
    private var observation: Observation?

    init(_ definition: SettingDefinition, access: LibraryAccess) {
        self.definition = definition
        self.access = access
        super.init()
        title = DisplayText(definition.title)
    }

    override func makeView() -> View { page }

    override func viewDidLoad() {
        page.place = { [page] in page.table.frame = $0 }
        toolbarItems = [
            BarButtonItem(PlaceCommands.addPlace, title: "add", priority: 2),
            BarButtonItem(PlaceCommands.hideSegment, title: "hide", priority: 1),
            BarButtonItem(PlaceCommands.moveDown, title: "move down", priority: 0),
            BarButtonItem(PlaceCommands.moveUp, title: "move up", priority: 0),
        ]
        table.dataSource = self
        table.delegate = self
        settingDidChange()
        table.select(RowPath(row: 0))
        observation = access.library.observe(.feedList) { [weak self] in self?.table.reloadData() }
    }

    func settingDidChange() {
        let origin = SettingText.origin(
            access.settings[definition.name].origin, of: definition,
            resetKey: access.status.key(PlaceCommands.standardSegments))
        page.explanation.paragraphs = [
            TextParagraph(DisplayText(definition.explanation)), TextParagraph(DisplayText(origin), .secondary), .blank,
        ]
        view.setNeedsLayout()
        places = access.segmentPlaces.places
        table.reloadData()
    }

    private var list: PlaceList { access.segmentPlaces }

    private func move(_ step: Int) {
        guard let row = table.selectedPath?.row, let list = list.moving(row, to: row + step) else { return }
        access.setSegments(list)
    }

    private func hideSelected() {
        guard let row = table.selectedPath?.row, places.indices.contains(row) else { return }
        guard let rest = list.removing(places[row]) else { return access.status.show("The last segment stays.") }
        access.setSegments(rest)
    }

    private func askForPlace() {
        let shown = Set(places)
        access.ask({ try PlaceNames($0).placesForSegments() }) { [weak self] known in
            guard let self else { return }
            let choices = known.filter { !shown.contains($0.place) }.map { item in
                Choice(DisplayText(item.name), group: DisplayText(item.kind), words: item.place.text) { [weak self] in
                    guard let self else { return }
                    self.access.setSegments(self.list.adding(item.place))
                }
            }
            self.present(
                CommandPaletteViewController(
                    title: "Add segment", choices: choices, hasField: true,
                    placeholder: "Type to find a list, folder, tag, search, race or feed"))
        }
    }

    override var commands: [Command] {
        let row = table.selectedPath?.row
        func canMove(_ step: Int) -> Bool { row.map { places.indices.contains($0 + step) } ?? false }
        return [
            Command(PlaceCommands.addPlace) { [weak self] in self?.askForPlace() },
            Command(PlaceCommands.hideSegment, isEnabled: row != nil && places.count > 1) { [weak self] in
                self?.hideSelected()
            },
            Command(PlaceCommands.moveUp, isEnabled: canMove(-1)) { [weak self] in self?.move(-1) },
            Command(PlaceCommands.moveDown, isEnabled: canMove(1)) { [weak self] in self?.move(1) },
            Command(PlaceCommands.standardSegments) { [weak self] in
                guard let self else { return }
                self.access.set(nil, for: self.definition.name)
            },
        ]
    }
}

extension SegmentListViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { places.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { places[path.row] }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        (identifier.base as? Place).flatMap { places.firstIndex(of: $0) }.map { RowPath(row: $0) }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let place = places[path.row]
        let cell = table.dequeueCell()
        cell.title = DisplayText(access.read(place.text) { try PlaceNames($0).title(of: place) })
        cell.value = if case .segment = place { .empty } else { DisplayText(place.text) }
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        access.router?.open(places[path.row])
    }

    func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool { places.count > 1 }

    func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath) {
        if let list = list.moving(path.row, to: target.row) { access.setSegments(list) }
    }
}
