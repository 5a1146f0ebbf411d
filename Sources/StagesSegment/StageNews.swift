import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The entries about a stage, as a list inside its detail with all commands for entries (row STA-06).
@MainActor
final class StageNews: ViewController {
    let services: EntryServices
    let table = TableView()
    private(set) var rows: [EntryRow] = []
    private var query: SearchQuery?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    private lazy var actions = EntryActions(self, services)
    private lazy var reading = RepeatedRead<[EntryRow]>(
        access: services.access,
        { [weak self] in
            guard let self, let query = self.query else { return nil }
            let list = self.services.access.settings.query(.search(query))
            return { library, _ in try library.entries.rows(in: list, limit: StageNews.maximum) }
        },
        then: { [weak self] rows, _ in self?.show(rows) })
    private nonisolated static let maximum = 50

    init(services: EntryServices) {
        self.services = services
        super.init()
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.emptyText = "No entries from these days mention the stage's towns, its winner or the race."
        table.hasMarks = true
        table.allowsMarking = true
        table.dataSource = self
        table.delegate = self
        services.access.changes.listen(self) { [weak self] in self?.table.setNeedsLayout() }
        observations = [.entries, .spoilers].map { part in
            services.access.library.observe(part) { [weak self] in
                self?.refresh.schedule { [weak self] in self?.reading.start() }
            }
        }
    }

    func find(_ query: SearchQuery?) {
        self.query = query
        if query == nil { show([]) }
        reading.restart()
    }

    private func show(_ rows: [EntryRow]) {
        self.rows = rows
        guard viewIfLoaded != nil else { return }
        table.reloadData()
        if !rows.isEmpty, table.selectedPath == nil { table.select(RowPath(row: 0)) }
    }

    /// Opens an entry in the stage's navigation, replacing an open entry.
    func open(_ row: EntryRow) {
        guard let entry = services.access.read(nil, { try $0.entries.detail(of: row.id) }) else {
            return services.access.status.show("This entry no longer exists.")
        }
        noteOpened(row)
        let detail = EntryViewController(entry: entry, services: services)
        detail.sequence = self
        guard let stage = parent, let navigation = navigationController else { return }
        if let place = navigation.viewControllers.firstIndex(of: stage) {
            navigation.setViewControllers(Array(navigation.viewControllers[...place]) + [detail])
        }
    }

    override var commands: [Command] { actions.commands }
}

extension StageNews: EntryListing, EntrySequence {
    var rowCount: Int { rows.count }

    func entry(at row: Int) -> EntryRow? { rows.indices.contains(row) ? rows[row] : nil }

    /// The entries belong to many lists, so they have no common scope.
    var wholeScope: EntryScope? { nil }

    func knownRow(of id: EntryID) -> EntryRow? { rows.first { $0.id == id } }

    func position(of id: EntryID) -> (index: Int, count: Int)? {
        rows.firstIndex { $0.id == id }.map { ($0, rows.count) }
    }

    func deleteEntries() { delete(actionEntries) }

    func openUnread(_ step: Int) {
        let row = table.selectedPath?.row ?? -1
        let ahead = step > 0 ? Array(rows.indices.filter { $0 > row }) : rows.indices.filter { $0 < row }.reversed()
        guard let index = ahead.first(where: { !rows[$0].isRead }) else {
            return services.access.status.show("No unread entries in this list.")
        }
        table.select(RowPath(row: index))
        open(rows[index])
    }

    func didDeleteOpenEntry() {
        reading.start()
        if let row = actionEntry { open(row) } else { navigationController?.pop() }
    }
}

extension StageNews: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        entry(at: path.row)?.id
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        rows.firstIndex { AnyHashable($0.id) == identifier }.map { RowPath(row: $0) }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        if let row = entry(at: path.row) {
            EntryCell.fill(cell, with: row, in: table, services, services.appearance.dates)
        }
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        if let row = entry(at: path.row) { open(row) }
    }
}
