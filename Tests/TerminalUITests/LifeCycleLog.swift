import TerminalUI

/// Records life-cycle calls.
@MainActor
final class LifeCycleLog {
    var calls: [String] = []

    func take() -> [String] {
        defer { calls = [] }
        return calls
    }
}

/// A controller that records its calls and shows its name, and a list of rows if given.
@MainActor
final class LoggedController: ViewController {
    private let name: String
    private let log: LifeCycleLog
    let table = TableView()
    let rows: Int
    var traitChanges: [Traits?] = []

    init(_ name: String, log: LifeCycleLog, rows: Int = 0) {
        self.name = name
        self.log = log
        self.rows = rows
        super.init()
        title = DisplayText(name)
    }

    override func makeView() -> View { rows > 0 ? table : Label(DisplayText("view of \(name)")) }

    override func viewDidLoad() {
        log.calls.append("\(name) didLoad")
        guard rows > 0 else { return }
        table.dataSource = self
        table.select(RowPath(row: 0))
    }

    override func viewWillAppear() { log.calls.append("\(name) willAppear") }
    override func viewDidAppear() { log.calls.append("\(name) didAppear") }
    override func viewWillDisappear() { log.calls.append("\(name) willDisappear") }
    override func viewDidDisappear() { log.calls.append("\(name) didDisappear") }
    override func traitsDidChange(previous: Traits?) { traitChanges.append(previous) }
}

extension LoggedController: TableViewDataSource {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { rows }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = DisplayText("\(name) row \(path.row)")
        return cell
    }
}
