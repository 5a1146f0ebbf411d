/// The rows marked for an action on several (row TAB-04). They are identified by identifiers, so that marks follow
/// their rows.
struct TableMarks {
    private(set) var identifiers: Set<AnyHashable> = []

    var isEmpty: Bool { identifiers.isEmpty }

    func contains(_ identifier: AnyHashable?) -> Bool { identifier.map { identifiers.contains($0) } ?? false }

    mutating func toggle(_ identifier: AnyHashable) {
        if identifiers.remove(identifier) == nil { identifiers.insert(identifier) }
    }

    mutating func insert(_ identifier: AnyHashable) { identifiers.insert(identifier) }

    mutating func removeAll() { identifiers.removeAll() }

    /// Removes the marks of rows that no longer exist.
    mutating func keep(where exists: (AnyHashable) -> Bool) { identifiers = identifiers.filter(exists) }
}

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
        table.changeMarks { $0.toggle(identifier) }
        table.move(to: table.selectedRow + 1)
    }

    /// Marks all rows from the last mark above, or otherwise the first row, to the selected one.
    private func markRange() {
        guard let selectedPath = table.selectedPath else { return }
        let last = table.markedPaths.last { $0 < selectedPath }
        let identifiers = ((last.map(table.sections.row(at:)) ?? 0)...table.selectedRow).compactMap(
            table.identifier(of:))
        table.changeMarks { marks in
            for identifier in identifiers { marks.insert(identifier) }
        }
    }
}
