/// The commands that can be reached from where the focus was, to choose from: a palette that filters as one types, or a
/// plain menu at a row.
///
/// It is made from ``Window/availableCommands``, as the help is, so that nothing has to be listed twice.
@MainActor
public final class CommandPaletteViewController: ViewController {
    private let field = TextField()
    private let table = TableView()
    private let offered: [(command: Command, keys: [KeySequence])]
    private var shown: [(command: Command, keys: [KeySequence])]
    private let hasField: Bool
    /// The row that is chosen at first.
    public var selectedIndex = 0

    /// Makes a palette or a menu.
    ///
    /// - Parameters:
    ///   - title: What stands in the border of a sheet.
    ///   - commands: What ``Window/availableCommands`` gave before this is shown.
    ///   - hasField: Whether one can type to narrow the list.
    public init(title: DisplayText, commands: [(command: Command, keys: [KeySequence])], hasField: Bool) {
        offered = commands
        shown = commands
        self.hasField = hasField
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
    }

    private final class PaletteView: View {
        var place: () -> Void = {}
        var size = Size.zero
        override func layoutSubviews() { place() }
        override func sizeThatFits(_ limit: Size) -> Size {
            Size(width: min(size.width, limit.width), height: min(size.height, limit.height))
        }
    }

    /// Makes the view.
    public override func makeView() -> View {
        let view = PaletteView()
        let widest = offered.map { $0.command.title.columns + label($0.keys).columns + 6 }.max() ?? 0
        view.size = Size(width: max(24, widest), height: offered.count + (hasField ? 1 : 0))
        return view
    }

    /// Fills the list.
    public override func viewDidLoad() {
        if hasField { view.addSubview(field) }
        view.addSubview(table)
        (view as? PaletteView)?.place = { [weak self] in self?.place() }
        field.placeholder = "Type to find a command"
        field.onChange = { [weak self] in self?.filter($0) }
        field.onSubmit = { [weak self] _ in self?.performSelected() }
        table.emptyText = "No command of that name."
        table.dataSource = self
        table.delegate = self
        if !shown.isEmpty { table.select(RowPath(row: min(selectedIndex, shown.count - 1))) }
    }

    private func place() {
        let top = hasField ? 1 : 0
        field.frame = Rect(x: 1, y: 0, width: view.bounds.width - 2, height: top)
        table.frame = view.bounds.inset(top: top)
    }

    private func label(_ keys: [KeySequence]) -> DisplayText { keys.first?.label ?? .empty }

    /// A command matches when all words that were typed stand in its title or name.
    private func filter(_ text: String) {
        let words = text.lowercased().split(separator: " ")
        shown = offered.filter { item in
            let name = (item.command.title.string + " " + item.command.name).lowercased()
            return words.allSatisfy { name.contains($0) }
        }
        table.reloadData()
        table.select(shown.isEmpty ? nil : RowPath(row: 0))
    }

    private func performSelected() {
        guard let row = table.selectedPath?.row, shown.indices.contains(row) else { return }
        let command = shown[row].command
        dismiss()
        command.perform()
    }

    /// Arrows move through the list also while one types.
    public override var commands: [Command] {
        func move(_ step: Int) {
            guard let row = table.selectedPath?.row, shown.indices.contains(row + step) else { return }
            table.select(RowPath(row: row + step))
        }
        let close: [KeySequence] = hasField ? ["esc"] : ["esc", "q", "h", "backspace", "."]
        return [
            Command("palette.down", "Next", keys: ["down", "ctrl-n"]) { move(1) },
            Command("palette.up", "Previous", keys: ["up", "ctrl-p"]) { move(-1) },
            Command("palette.close", "Close", keys: close) { [weak self] in self?.dismiss() },
        ]
    }
}

extension CommandPaletteViewController: TableViewDataSource, TableViewDelegate {
    /// The commands that match.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { shown.count }

    /// A title with its key.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = shown[path.row].command.title
        cell.value = label(shown[path.row].keys)
        return cell
    }

    /// Does the command.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) { performSelected() }
}
