import ModelCore
import TerminalUI

/// The status of the current or last reload by feed, slowest first. Feeds can be stopped and retried.
@MainActor
final class ReloadViewController: ViewController {
    private let context: DashboardContext
    private let table = TableView()
    private var items: [ReloadController.Item] = []
    private var ticking: Task<Void, Never>?

    init(context: DashboardContext) {
        self.context = context
        super.init()
        title = "Reload"
        modalPresentationStyle = .sheet
        preferredContentSize = Size(width: 72, height: 18)
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.emptyText = DisplayText("No reload yet. \(context.key(.reloadAll)) reloads all feeds.")
        table.dataSource = self
        table.delegate = self
        load()
        table.select(items.isEmpty ? nil : RowPath(row: 0))
    }

    override func viewWillAppear() {
        context.reloads.listen(self) { [weak self] in self?.load() }
        // Updates the duration of feeds in progress.
        ticking = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                guard !Task.isCancelled, let self else { return }
                if self.context.reloads.isRunning { self.load() }
            }
        }
    }

    override func viewDidDisappear() {
        ticking?.cancel()
    }

    private func load() {
        items = context.reloads.watched
        table.reloadData()
    }

    private var selected: ReloadController.Item? {
        table.selectedPath.flatMap { items.indices.contains($0.row) ? items[$0.row] : nil }
    }

    private func retrySelected() {
        guard let item = selected, !context.reloads.isRunning else { return }
        context.reloads.start([item.subscription], reason: .insisting)
    }

    override var commands: [Command] {
        let item = selected
        var isRunning = false
        if case .running = item?.state { isRunning = true }
        return [
            Command(.stopOne, isEnabled: isRunning) { [weak self] in
                if let item { self?.context.reloads.cancel(item.subscription.id) }
            },
            Command(
                .retryOne,
                isEnabled: item != nil && !isRunning && !context.reloads.isRunning
            ) { [weak self] in self?.retrySelected() },
            Command(.closeReload) { [weak self] in self?.dismiss()
            },
        ]
    }
}

extension ReloadViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { retrySelected() }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { items.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        items[path.row].subscription.id
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        items.firstIndex { AnyHashable($0.subscription.id) == identifier }.map { RowPath(row: $0) }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let item = items[path.row]
        let cell = table.dequeueCell()
        cell.title = DisplayText(item.subscription.title)
        let isLinear = table.symbols.isLinear
        switch item.state {
        case .running:
            cell.value = "… " + ReloadViewController.time(item.seconds)
            cell.titleRole = .accent
        case .done(let outcome):
            cell.value = ReloadViewController.words(outcome, isLinear: isLinear)
            if case .failed = outcome.result { cell.titleRole = .failure }
        }
        return cell
    }

    private static func time(_ seconds: Double) -> DisplayText {
        DisplayText("\(DecimalText.tenths(Int64(clamping: seconds * 10))) s")
    }

    /// Returns the result of a feed's reload in words.
    static func words(_ outcome: ReloadOutcome, isLinear: Bool) -> DisplayText {
        // An error in a document that could be read nevertheless.
        let problem = outcome.problems.first.map {
            RowSign.problem.before(DisplayText($0.description), isLinear: isLinear).truncated(to: 30) + " · "
        }
        switch outcome.result {
        case .changed(let changes):
            return (problem ?? .empty) + DisplayText("\(changes.added) new · ") + time(outcome.seconds)
        case .unchanged: return (problem ?? .empty) + "unchanged · " + time(outcome.seconds)
        case .heldBack(let reason): return DisplayText(reason)
        case .failed(let reason):
            return RowSign.failure.before(DisplayText(reason), isLinear: isLinear).truncated(to: 36)
        }
    }
}
