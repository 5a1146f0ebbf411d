/// A palette that filters choices while the user types, or a plain menu at a row.
///
/// A palette of commands is made from ``Window/availableCommands``, like the help, so nothing is listed twice.
@MainActor
public final class CommandPaletteViewController: ViewController {
    private let field = TextField()
    private let table = TableView()
    private let offered: [Choice]
    private var shown: [Choice]
    private let hasField: Bool
    /// The row that is selected first.
    public var selectedIndex = 0

    /// Creates a palette or menu.
    ///
    /// - Parameters:
    ///   - title: The title in the border of a sheet.
    ///   - choices: The rows.
    ///   - hasField: Whether typing filters the list.
    public init(title: DisplayText, choices: [Choice], hasField: Bool) {
        offered = choices
        shown = choices
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

    /// Creates the view.
    public override func makeView() -> View {
        let view = PaletteView()
        let widest = offered.map { $0.title.columns + $0.note.columns + 6 }.max() ?? 0
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
        table.emptyText = "No matching command."
        table.opensAtFirstClick = true
        table.dataSource = self
        table.delegate = self
        if !shown.isEmpty { table.select(RowPath(row: min(selectedIndex, shown.count - 1))) }
    }

    private func place() {
        let top = hasField ? 1 : 0
        field.frame = Rect(x: 1, y: 0, width: view.bounds.width - 2, height: top)
        table.frame = view.bounds.inset(top: top)
    }

    /// Shows the rows that contain all typed words in their title or other search terms.
    private func filter(_ text: String) {
        let words = text.lowercased().split(separator: " ")
        shown = offered.filter { item in
            let name = (item.title.string + " " + item.words).lowercased()
            return words.allSatisfy { name.contains($0) }
        }
        table.reloadData()
        table.select(shown.isEmpty ? nil : RowPath(row: 0))
    }

    private func performSelected() {
        guard let row = table.selectedPath?.row, shown.indices.contains(row), shown[row].isEnabled else { return }
        let choice = shown[row]
        dismiss()
        choice.action()
    }

    /// The arrow keys move through the list while the user types.
    public override var commands: [Command] {
        func move(_ step: Int) {
            guard let row = table.selectedPath?.row, shown.indices.contains(row + step) else { return }
            table.select(RowPath(row: row + step))
        }
        return [
            Command(ToolkitCommands.paletteDown) { move(1) }, Command(ToolkitCommands.paletteUp) { move(-1) },
            Command(hasField ? ToolkitCommands.paletteClose : ToolkitCommands.menuClose) { [weak self] in
                self?.dismiss()
            },
        ]
    }
}

extension CommandPaletteViewController: TableViewDataSource, TableViewDelegate {
    /// The number of matching commands.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { shown.count }

    /// Returns the cell with title and key.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        let choice = shown[path.row]
        cell.title = choice.title
        cell.titleRole = choice.isEnabled ? .text : .secondary
        cell.value = choice.note
        return cell
    }

    /// Performs the action of the row.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) { performSelected() }
}
