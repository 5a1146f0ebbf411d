/// The commands that mark rows of a table.
@MainActor
struct TableMarking {
    let table: TableView

    var commands: [Command] {
        guard table.allowsMarking else { return [] }
        let table = table
        return [
            Command(ListCommands.mark, isEnabled: table.selectedRow >= 0) { [weak table] in
                table.map(TableMarking.init)?.toggleSelected()
            },
            Command(ListCommands.markRange, isEnabled: table.selectedRow >= 0) { [weak table] in
                table.map(TableMarking.init)?.markRange()
            },
            Command(ListCommands.clearMarks, isEnabled: !table.marks.isEmpty) { [weak table] in
                table?.clearMarks()
            },
        ]
    }

    /// Toggles the mark of the selected row and selects the next.
    private func toggleSelected() {
        guard let identifier = table.selectedIdentifier else { return }
        table.changeMarks { marks in
            if marks.remove(identifier) == nil { marks.insert(identifier) }
        }
        table.move(to: table.selectedRow + 1)
    }

    /// Marks all rows from the last mark above, or otherwise the first row, to the selected one.
    private func markRange() {
        guard let selectedPath = table.selectedPath else { return }
        let last = table.markedPaths.last { $0 < selectedPath }
        let rows = (last.map(table.sections.row(at:)) ?? 0)...table.selectedRow
        let identifiers = rows.compactMap(table.identifier(of:))
        table.changeMarks { $0.formUnion(identifiers) }
    }
}
