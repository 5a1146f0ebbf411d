import TerminalUI

/// The rows of the welcome sheet.
@MainActor
final class WelcomeView: View {
    struct Row {
        var title: DisplayText
        var value: DisplayText = .empty
        /// Whether the arrow keys change the row's value.
        var isChoice = false
        /// What the row is about, shown while it is selected.
        var note: DisplayText = .empty
    }

    var didSelect: () -> Void = {}
    var rows: [Row] = [] { didSet { rowsDidChange(oldValue.count) } }
    var selected = 0 {
        didSet {
            guard selected != oldValue else { return }
            didSelect()
            setNeedsDisplay()
        }
    }
    var step: (_ row: Int, _ step: Int) -> Void = { _, _ in }
    var take: () -> Void = {}
    var close: () -> Void = {}

    private static let question: DisplayText = "How would you like to begin?"
    private static let width = 54
    /// The lines around the rows: the question, and a blank one above and below the rows.
    private static let otherLines = 3

    override var canBecomeFocused: Bool { true }

    private func rowsDidChange(_ before: Int) {
        selected = max(0, min(selected, rows.count - 1))
        if rows.count == before { setNeedsDisplay() } else { setNeedsLayout() }
    }

    /// The line of the first row. Without space for the question, rows begin at the top.
    private var firstLine: Int { isTight ? 0 : 2 }

    /// Whether there is no space for the question.
    private var isTight: Bool { bounds.height > 0 && bounds.height < height(in: bounds.width) }

    /// The height with space for the longest note, so that nothing moves when another row is selected.
    private func height(in width: Int) -> Int {
        rows.count + WelcomeView.otherLines + (rows.map { lines(of: $0, in: width).count }.max() ?? 0)
    }

    private func lines(of row: Row, in width: Int) -> [DisplayText] {
        TextWrapping.wrap(row.note, columns: max(1, width - 2))
    }

    override func sizeThatFits(_ limit: Size) -> Size {
        let width = min(WelcomeView.width, limit.width)
        let height = height(in: width)
        return Size(width: width, height: height <= limit.height ? height : min(height - 2, limit.height))
    }

    override func draw(in surface: Surface) {
        for (index, row) in rows.enumerated() {
            let line = firstLine + index
            let isSelected = index == selected
            let look = isSelected ? theme[.selection] : theme[.popover]
            if isSelected {
                surface.fill(Rect(x: 1, y: line, width: bounds.width - 1, height: 1), style: look)
                surface.draw(
                    symbols.selection, at: Point(x: 0, y: line), style: theme[.accent].removing(.bold))
            }
            let value = row.isChoice && !symbols.isLinear ? symbols.back + row.value + " ›" : row.value
            surface.draw(
                row.title.truncated(to: bounds.width - value.columns - 5), at: Point(x: 2, y: line), style: look)
            surface.draw(value, at: Point(x: bounds.width - value.columns - 1, y: line), style: look)
        }
        guard rows.indices.contains(selected) else { return }
        func write(_ text: DisplayText, _ line: Int, _ role: ThemeRole) {
            surface.draw(text.truncated(to: bounds.width - 2), at: Point(x: 1, y: line), style: theme[role])
        }
        if !isTight { write(WelcomeView.question, 0, .text) }
        let note = lines(of: rows[selected], in: bounds.width)
        let first = firstLine + rows.count + 1
        guard first + note.count <= bounds.height else { return }
        for (line, text) in note.enumerated() { write(text, first + line, .secondary) }
    }

    override func handle(_ press: KeyPress) -> Bool {
        guard press.modifiers.isEmpty else { return false }
        switch press.key {
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(rows.count - 1, selected + 1)
        case .left: step(selected, -1)
        case .right: step(selected, 1)
        case .enter: take()
        case .escape: close()
        default: return false
        }
        return true
    }

    override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action, rows.indices.contains(event.location.y - firstLine) else {
            return false
        }
        let row = event.location.y - firstLine
        selected = row
        if rows[row].isChoice { step(row, event.location.x < bounds.width - 4 ? -1 : 1) } else { take() }
        return true
    }
}
