import TerminalUI

/// The rows of the welcome sheet.
@MainActor
final class WelcomeView: View {
    struct Row {
        var title: DisplayText
        var value: DisplayText
        /// Whether the arrow keys change the row's value.
        var isChoice: Bool

        init(_ title: DisplayText, value: DisplayText, isChoice: Bool) {
            self.title = title
            self.value = value
            self.isChoice = isChoice
        }
    }

    /// The number of rows before those of found programs.
    static let choices = 3

    /// A note about the selected row, shown in place of the program's keys, or `nil` for the keys.
    var note: DisplayText? { didSet { if note != oldValue { setNeedsDisplay() } } }
    /// Called when another row is selected.
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
    var take: (_ row: Int) -> Void = { _ in }
    var close: () -> Void = {}

    private static let question: DisplayText = "Change more in Settings."
    private static let foundTitle: DisplayText = "Found on this machine"
    private static let keys: DisplayText = "Tab: next segment   Enter: open   ?: keys"
    private static let width = 54

    override var canBecomeFocused: Bool { true }

    private func rowsDidChange(_ before: Int) {
        selected = max(0, min(selected, rows.count - 1))
        if rows.count == before { setNeedsDisplay() } else { setNeedsLayout() }
    }

    /// Returns the line of a row, below the question or the heading of found programs.
    private func line(of row: Int) -> Int {
        if isTight { return row }
        return row < WelcomeView.choices ? 2 + row : 4 + row
    }

    /// Whether there is only space for the rows.
    private var isTight: Bool { bounds.height > 0 && bounds.height < height }

    private var height: Int { rows.count + (rows.count > WelcomeView.choices ? 6 : 4) }

    override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: min(WelcomeView.width, limit.width), height: min(height, limit.height))
    }

    override func draw(in surface: Surface) {
        func write(_ text: DisplayText, _ line: Int, _ role: ThemeRole) {
            surface.draw(text.truncated(to: bounds.width - 2), at: Point(x: 1, y: line), style: theme[role])
        }
        if !isTight { write(WelcomeView.question, 0, .text) }
        if rows.count > WelcomeView.choices, !isTight {
            write(WelcomeView.foundTitle, line(of: WelcomeView.choices) - 1, .secondary)
        }
        for (index, row) in rows.enumerated() {
            let line = line(of: index)
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
        guard !isTight else { return }
        let lines = TextWrapping.wrap(note ?? WelcomeView.keys, columns: bounds.width - 2).prefix(2)
        for (line, text) in lines.reversed().enumerated() { write(text, height - 1 - line, .secondary) }
    }

    override func handle(_ press: KeyPress) -> Bool {
        guard press.modifiers.isEmpty else { return false }
        switch press.key {
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(rows.count - 1, selected + 1)
        case .left: step(selected, -1)
        case .right: step(selected, 1)
        case .enter: take(selected)
        case .escape: close()
        default: return false
        }
        return true
    }

    override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action,
            let row = rows.indices.first(where: { line(of: $0) == event.location.y })
        else { return false }
        selected = row
        if rows[row].isChoice { step(row, event.location.x < bounds.width - 4 ? -1 : 1) } else { take(row) }
        return true
    }
}
