import ModelCore
import TerminalUI

/// The outbox: changes that wait to be sent to servers, with their age and reason. They can be retried or discarded.
@MainActor
final class OutboxViewController: ViewController {
    private let context: DashboardContext
    private let table = TableView()
    private var items: [OutboxItem] = []
    private var observation: Observation?
    private let refresh = Coalescer()

    init(context: DashboardContext) {
        self.context = context
        super.init()
        title = "Outbox"
        modalPresentationStyle = .sheet
        preferredContentSize = Size(width: 76, height: 18)
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.emptyText = "The outbox is empty."
        table.dataSource = self
        table.delegate = self
        load()
        table.select(items.isEmpty ? nil : RowPath(row: 0))
    }

    override func viewWillAppear() {
        observation = context.library.observe(.accounts) { [weak self] in
            self?.refresh.schedule { [weak self] in self?.load() }
        }
    }

    override func viewDidDisappear() { observation = nil }

    private func load() {
        items = context.read([]) { try $0.outbox() }
        table.reloadData()
    }

    private var selected: OutboxItem? {
        table.selectedPath.flatMap { items.indices.contains($0.row) ? items[$0.row] : nil }
    }

    private func retry() {
        let refused = items.filter(\.isRefused).map(\.id)
        context.changes.submit(.retryOutbox(refused), isOwnStep: false) { [weak self] _ in
            self?.context.syncs.start(nil, .whole)
        }
    }

    override var commands: [Command] {
        let item = selected
        return [
            Command(.sendOutbox, isEnabled: !items.isEmpty) { [weak self] in self?.retry() },
            Command(.dropOutboxItem, isEnabled: item != nil) { [weak self] in
                guard let item else { return }
                self?.context.changes.submit(
                    .dropFromOutbox([item.id]), isOwnStep: false,
                    message: "Discarded. The next sync restores the server's state.")
            },
            Command(.closeOutbox) { [weak self] in self?.dismiss() },
        ]
    }
}

extension OutboxViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { items.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { items[path.row].id }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        items.firstIndex { AnyHashable($0.id) == identifier }.map { RowPath(row: $0) }
    }

    func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int {
        path == table.selectedPath && items[path.row].reason != nil ? 2 : 1
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let item = items[path.row]
        let cell = table.dequeueCell(style: item.reason == nil ? .basic : .subtitle)
        cell.title = DisplayText(item.title)
        if item.isRefused { cell.titleRole = .failure }
        cell.value = DisplayText(item.account) + " · " + context.dates.short(item.created)
        if let reason = item.reason {
            cell.detail = RowSign.failure.before(DisplayText(reason), isLinear: table.symbols.isLinear)
            cell.detailRole = .failure
        }
        return cell
    }
}
