import DashboardFrame
import ModelCore
import TerminalUI

/// All commands with the user's keys. Enter binds a key to the selected one.
@MainActor
final class KeysViewController: ViewController {
    private let keys: UserKeys
    private let access: LibraryAccess
    private let path: String
    private let pageView = KeysView()
    private var table: TableView { pageView.table }
    private let commandTable = CommandTable.dashboard
    /// The values of the setting before each change on this page, and what each change was.
    private var previous: [(value: OwnKeys, change: String)] = []
    /// The listed commands by place.
    private lazy var sections: [(place: DisplayText, commands: [CommandDefinition])] = commandTable.places.compactMap {
        place in
        let commands = commandTable.commands.filter { $0.place == place && !$0.traits.contains(.unlisted) }
        return commands.isEmpty ? nil : (place, commands)
    }

    init(keys: UserKeys, access: LibraryAccess, path: String) {
        self.keys = keys
        self.access = access
        self.path = path
        super.init()
        title = "Keys"
    }

    /// A note above the list.
    private final class KeysView: View {
        let note = Label()
        let table = TableView()
        override func layoutSubviews() {
            let inner = bounds.inset(left: 1, right: 1)
            let wanted = note.sizeThatFits(inner.size).height
            let lines = min(wanted, max(0, bounds.height / 2))
            note.frame = Rect(x: inner.minX, y: 0, width: inner.width, height: lines)
            table.frame = bounds.inset(top: lines)
        }
    }

    override func makeView() -> View { pageView }

    override func viewDidLoad() {
        for subview in [pageView.note, table] { pageView.addSubview(subview) }
        toolbarItems = [
            BarButtonItem(ListCommands.open, title: "add or remove a key", priority: 2),
            BarButtonItem(ProgramCommands.resetSetting, title: "back to default", priority: 1),
        ]
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
        access.changes.listen(self) { [weak self] in self?.refresh() }
    }

    override func viewWillAppear() { refresh() }

    func refresh() {
        table.reloadData()
        showNote()
    }

    private func showNote() {
        var paragraphs: [TextParagraph] = []
        if let problem = access.status.persistent[.configuration] {
            paragraphs.append(TextParagraph(problem, .failure))
        }
        if let selected {
            let names = keys.map.keys(for: selected).map { "\"\($0.name)\"" }.joined(separator: ", ")
            paragraphs.append(
                TextParagraph(DisplayText("\(path), under [keys]: \"\(selected.name)\" = [\(names)]"), .secondary))
        }
        pageView.note.paragraphs = paragraphs
        pageView.setNeedsLayout()
    }

    private func command(at path: RowPath) -> CommandDefinition { sections[path.section].commands[path.row] }

    private var selected: CommandDefinition? { table.selectedPath.map(command(at:)) }

    private func bind(_ command: CommandDefinition) {
        let (map, commandTable) = (keys.map, commandTable)
        present(
            KeyCaptureViewController(
                command, commandTable, map,
                bind: { [weak self] key in
                    self?.change("binding \(map.label(of: key).string) to \(command.title.string)") {
                        $0.bind(key, to: command, commandTable, in: map)
                    }
                },
                remove: { [weak self] key in
                    self?.change("removing \(map.label(of: key).string) from \(command.title.string)") {
                        $0.remove(key, from: command, in: map)
                    }
                }))
    }

    private func reset(_ command: CommandDefinition) {
        change("the default keys of \(command.title.string)") { $0.reset(command.name) }
    }

    private func change(_ change: String, _ edit: (inout OwnKeys) -> Void) {
        var own = keys.own
        previous.append((own, change))
        edit(&own)
        set(own)
        access.status.show(DisplayText("\(access.status.key(ProgramCommands.undo)): undo \(change)"))
    }

    private func set(_ own: OwnKeys) {
        access.set(own == OwnKeys() ? nil : own.text, for: SettingKey<String>.ownKeys.name)
    }

    private func undo() {
        guard let last = previous.popLast() else { return }
        set(last.value)
        access.status.show(DisplayText("Undid \(last.change)"))
    }

    override var commands: [Command] {
        let selected = selected
        return [
            Command(
                ProgramCommands.resetSetting, title: "Default keys",
                isEnabled: selected.map { keys.own.keys[$0.name] != nil } == true
            ) { [weak self] in
                if let selected { self?.reset(selected) }
            }
        ] + (previous.isEmpty ? [] : [Command(ProgramCommands.undo) { [weak self] in self?.undo() }])
    }
}

extension KeysViewController: TableViewDataSource, TableViewDelegate {
    func numberOfSections(in table: TableView) -> Int { sections.count }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].commands.count }

    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? { sections[section].place }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let command = command(at: path)
        let cell = table.dequeueCell()
        cell.indentation = 1
        cell.title = command.title + DisplayText("  (\(command.name))")
        let keys = keys.map.label(of: keys.map.keys(for: command))
        cell.value = keys.isEmpty ? "–" : keys
        return cell
    }

    func tableView(_ table: TableView, didSelectRowAt path: RowPath) { showNote() }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { bind(command(at: path)) }
}
