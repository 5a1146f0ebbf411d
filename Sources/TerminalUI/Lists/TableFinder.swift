/// Finds rows of a list while their text is typed (row TAB-05).
@MainActor
final class TableFinder {
    /// The text that is looked for.
    private(set) var text = ""
    /// Whether it is being typed: then the field takes the last line of the list.
    private(set) var isTyping = false
    private unowned let table: TableView
    private var rowBefore = -1

    /// The field that the text is typed into.
    private(set) lazy var field: TextField = {
        let field = TextField()
        field.placeholder = "Find"
        field.onChange = { [weak self] text in
            guard let self else { return }
            self.text = text
            self.table.setSelected(self.rowBefore)
            self.find(step: 0)
        }
        field.onSubmit = { [weak self] _ in self?.endTyping() }
        return field
    }()

    init(_ table: TableView) { self.table = table }

    private func begin() {
        rowBefore = max(0, table.selectedRow)
        field.text = ""
        text = ""
        isTyping = true
        table.addSubview(field)
        table.window?.focus(field)
    }

    private func endTyping() {
        isTyping = false
        field.removeFromSuperview()
        table.window?.focus(table)
        table.setNeedsLayout()
    }

    /// Leaves the row where it was before.
    private func cancel() {
        if isTyping { table.setSelected(rowBefore) }
        text = ""
        endTyping()
    }

    private func find(step: Int) {
        guard !text.isEmpty, let path = table.selectedPath else { return }
        if let found = table.dataSource?.tableView(table, rowMatching: text, from: path, step: step) {
            table.move(to: found)
        }
        table.setNeedsLayout()
    }

    /// Keys to find rows.
    var commands: [Command] {
        let isFinding = isTyping || !text.isEmpty
        return [
            Command(ToolkitCommands.find, isEnabled: !isTyping && table.numberOfRows > 0) { [weak self] in
                self?.begin()
            },
            Command(ToolkitCommands.findNext, isEnabled: isFinding) { [weak self] in
                self?.find(step: 1)
            },
            Command(ToolkitCommands.findPrevious, isEnabled: isFinding) { [weak self] in
                self?.find(step: -1)
            },
            Command(ToolkitCommands.endFind, isEnabled: isFinding) { [weak self] in
                self?.cancel()
            },
        ]
    }
}
