/// Several lines of text to type; long lines are wrapped.
@MainActor
public final class TextArea: View {
    /// The text, with line breaks.
    public var text: String {
        get { lines.map { String($0) }.joined(separator: "\n") }
        set {
            lines = newValue.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
            line = lines.count - 1
            column = lines[line].count
            setNeedsDisplay()
        }
    }
    /// Called after each change.
    public var onChange: (String) -> Void = { _ in }

    private var lines: [[Character]] = [[]]
    private var line = 0
    private var column = 0
    private var topRow = 0
    private var undone: [(lines: [[Character]], line: Int, column: Int)] = []

    /// Makes an empty area.
    public override init() { super.init() }

    /// Keys go to it.
    public override var canBecomeFocused: Bool { true }

    /// The rows of the screen: a line, and the part of it that is on that row.
    private func rows() -> [(line: Int, range: Range<Int>)] {
        let width = max(1, bounds.width - 1)
        var result: [(line: Int, range: Range<Int>)] = []
        for (index, characters) in lines.enumerated() {
            var start = 0
            var used = 0
            for (place, character) in characters.enumerated() {
                let columns = DisplayText(String(character)).columns
                if used + columns > width {
                    result.append((index, start..<place))
                    (start, used) = (place, 0)
                }
                used += columns
            }
            result.append((index, start..<characters.count))
        }
        return result
    }

    private func row(in rows: [(line: Int, range: Range<Int>)]) -> Int {
        rows.lastIndex { $0.line == line && $0.range.lowerBound <= column } ?? 0
    }

    /// Where the text cursor stands.
    public override var cursor: Point? {
        let rows = rows()
        let row = row(in: rows)
        let before = lines[line][rows[row].range.lowerBound..<column]
        return Point(x: DisplayText(String(before)).columns, y: row - topRow)
    }

    /// Draws the rows around the insertion point.
    public override func draw(in surface: Surface) {
        surface.clear(style: theme[.text])
        let rows = rows()
        let row = row(in: rows)
        topRow = min(topRow, row)
        if row >= topRow + bounds.height { topRow = row - bounds.height + 1 }
        for offset in 0..<bounds.height where topRow + offset < rows.count {
            let item = rows[topRow + offset]
            surface.draw(
                DisplayText(String(lines[item.line][item.range])), at: Point(x: 0, y: offset), style: theme[.text])
        }
    }

    private func edit(_ change: () -> Void) {
        undone.append((lines, line, column))
        if undone.count > 200 { undone.removeFirst() }
        change()
        setNeedsDisplay()
        onChange(text)
    }

    private func insert(_ character: Character) {
        lines[line].insert(character, at: column)
        column += 1
    }

    private func breakLine() {
        lines.insert(Array(lines[line][column...]), at: line + 1)
        lines[line].removeSubrange(column...)
        line += 1
        column = 0
    }

    private func joinWithPrevious() {
        guard line > 0 else { return }
        column = lines[line - 1].count
        lines[line - 1] += lines[line]
        lines.remove(at: line)
        line -= 1
    }

    /// Takes characters and editing keys; Esc is left to whatever is around it.
    public override func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []), (.character(let character), .shift): edit { insert(character) }
        case (.enter, _): edit { breakLine() }
        case (.backspace, _):
            edit {
                if column > 0 {
                    column -= 1
                    lines[line].remove(at: column)
                } else {
                    joinWithPrevious()
                }
            }
        case (.character("z"), .control), (.character("_"), .control):
            guard let last = undone.popLast() else { return true }
            (lines, line, column) = last
            onChange(text)
        case (.left, _):
            if column > 0 { column -= 1 } else if line > 0 { (line, column) = (line - 1, lines[line - 1].count) }
        case (.right, _):
            if column < lines[line].count {
                column += 1
            } else if line + 1 < lines.count {
                (line, column) = (line + 1, 0)
            }
        case (.up, _): move(-1)
        case (.down, _): move(1)
        case (.home, _), (.character("a"), .control): column = 0
        case (.end, _), (.character("e"), .control): column = lines[line].count
        case (.tab, _), (.backTab, _): break
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    private func move(_ step: Int) {
        let rows = rows()
        let present = row(in: rows)
        let target = max(0, min(rows.count - 1, present + step))
        let offset = column - rows[present].range.lowerBound
        line = rows[target].line
        column = min(rows[target].range.upperBound, rows[target].range.lowerBound + offset)
    }

    /// Takes pasted text with its line breaks.
    public override func handle(paste text: String) -> Bool {
        edit {
            for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
                if part.offset > 0 { breakLine() }
                for character in Sanitizer.sanitize(String(part.element)) { insert(character) }
            }
        }
        return true
    }
}
