/// The mouse in a table: clicks select and open rows, the wheel and the indicator scroll, and drags move rows.
@MainActor
final class TableMouse {
    private unowned let table: TableView
    private var draggedThumb = false
    /// The row where the button was pressed if rows can be dragged, whether the pointer has left it, and whether a
    /// click opens it.
    private var dragged: (row: Int, hasMoved: Bool, opens: Bool)?

    init(_ table: TableView) { self.table = table }

    func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .wheel(let direction):
            table.scroll(by: direction * 3)
            return true
        case .press(.left):
            draggedThumb = table.lines.showsIndicator && event.location.x == table.bounds.width - 1
            if draggedThumb { return table.scroll(toThumbAt: event.location.y) }
            guard let row = table.visible.row(at: event.location) else { return true }
            let isChosen = row == table.selectedRow
            if !isChosen { table.move(to: row) }
            let opens = isChosen || table.opensAtFirstClick || isOverDetail
            dragged = canDrag(row) ? (row, false, opens) : nil
            // A row that can be dragged is opened only when the button is released on it.
            if opens, dragged == nil { table.activate() }
            return true
        case .press(.right):
            // The row under the pointer is selected; the window shows its menu.
            if let row = table.visible.row(at: event.location) { table.move(to: row) }
            return false
        case .drag(.left):
            if let dragged { return drag(from: dragged.row, to: event.location) }
            return draggedThumb && table.scroll(toThumbAt: event.location.y)
        case .release:
            return drop(at: event.location)
        default:
            return false
        }
    }

    /// Whether the table belongs to a list over a detail, which choosing a row puts away (row SPL-04).
    private var isOverDetail: Bool {
        guard let controller = table.nearestViewController, let split = controller.splitViewController else {
            return false
        }
        let list = split.navigationController(for: .primary).view
        return split.isListOver && split.hasDetail && table.isDescendant(of: list)
    }

    private func canDrag(_ row: Int) -> Bool {
        table.delegate?.tableView(table, canDragRowAt: table.path(of: row)) ?? false
    }

    /// Highlights the row under the pointer as the target of a drag.
    private func drag(from row: Int, to point: Point) -> Bool {
        guard let target = table.visible.row(at: point) else { return true }
        if target != row { dragged?.hasMoved = true }
        if target != table.selectedRow { table.select(table.path(of: target)) }
        return true
    }

    private func drop(at point: Point) -> Bool {
        guard let dragged else { return false }
        self.dragged = nil
        guard dragged.hasMoved else {
            if dragged.opens { table.activate() }
            return true
        }
        let target = table.visible.row(at: point)
        // The dragged row is selected again, whether it moved or not.
        if dragged.row < table.numberOfRows { table.select(table.path(of: dragged.row)) }
        if let target, target != dragged.row, dragged.row < table.numberOfRows {
            let (start, end) = (table.path(of: dragged.row), table.path(of: target))
            table.delegate?.tableView(table, didDragRowAt: start, to: end)
        }
        return true
    }
}
