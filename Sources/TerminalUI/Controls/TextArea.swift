/// Several lines of text to type; long lines are wrapped.
@MainActor
public final class TextArea: View {
    /// The text, with line breaks.
    public var text: String {
        get { lines.map { String($0) }.joined(separator: "\n") }
        set {
            lines = newValue.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Array($0) }
            wraps = []
            undone = []
            line = lines.count - 1
            column = lines[line].count
            setNeedsDisplay()
        }
    }
    /// Called after each change; where nobody hears of it, no text is made of all characters at each key.
    public var onChange: ((String) -> Void)?

    private var lines: [[Character]] = [[]]
    private var line = 0
    private var column = 0
    private var topRow = 0
    private var undone: [Edit] = []
    /// The rows of each line at a width; `nil`: it has changed since they were worked out.
    private var wraps: [[Range<Int>]?] = []
    private var wrapWidth = 0
    /// The most characters that it takes; what is typed or pasted beyond them is left out.
    public static let maximumLength = 4_000_000
    private var length: Int { lines.reduce(lines.count - 1) { $0 + $1.count } }

    /// What takes an edit back: some lines, and what stood in their place.
    private struct Edit {
        var first: Int
        var count: Int
        var before: [[Character]]
        var line: Int
        var column: Int
    }

    /// Makes an empty area.
    public override init() { super.init() }

    /// Keys go to it.
    public override var canBecomeFocused: Bool { true }

    /// The rows of the screen: a line, and the part of it that is on that row. Only lines that have changed are measured again.
    private func rows() -> [(line: Int, range: Range<Int>)] {
        let width = max(1, bounds.width - 1)
        if wrapWidth != width || wraps.count != lines.count {
            wraps = Array(repeating: nil, count: lines.count)
            wrapWidth = width
        }
        var result: [(line: Int, range: Range<Int>)] = []
        for index in lines.indices {
            let ranges = wraps[index] ?? TextArea.wrap(lines[index], columns: width)
            wraps[index] = ranges
            for range in ranges { result.append((index, range)) }
        }
        return result
    }

    private static func wrap(_ characters: [Character], columns width: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        var used = 0
        for (place, character) in characters.enumerated() {
            let columns = character.utf8.count == 1 ? 1 : DisplayText(String(character)).columns
            if used + columns > width {
                ranges.append(start..<place)
                (start, used) = (place, 0)
            }
            used += columns
        }
        return ranges + [start..<characters.count]
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

    /// Puts lines in the place of others, and the insertion point at a place.
    private func replace(_ range: ClosedRange<Int>, with new: [[Character]], line newLine: Int, column newColumn: Int) {
        undone.append(
            Edit(first: range.lowerBound, count: new.count, before: Array(lines[range]), line: line, column: column))
        if undone.count > 200 { undone.removeFirst() }
        put(new, at: range.lowerBound..<range.upperBound + 1)
        (line, column) = (newLine, newColumn)
        onChange?(text)
    }

    private func put(_ new: [[Character]], at range: Range<Int>) {
        lines.replaceSubrange(range, with: new)
        if wraps.count > range.upperBound - 1 {
            wraps.replaceSubrange(range, with: Array(repeating: nil, count: new.count))
        }
    }

    private func takeBack() {
        guard let edit = undone.popLast() else { return }
        put(edit.before, at: edit.first..<edit.first + edit.count)
        (line, column) = (edit.line, edit.column)
        onChange?(text)
    }

    /// Puts text with line breaks at the insertion point.
    private func insert(_ parts: [[Character]]) {
        var new = parts
        let tail = Array(lines[line][column...])
        new[0] = Array(lines[line][..<column]) + new[0]
        let last = new.count - 1
        let end = new[last].count
        new[last] += tail
        replace(line...line, with: new, line: line + last, column: end)
    }

    private func deleteBackwards() {
        if column > 0 {
            removeInLine(column - 1..<column)
        } else if line > 0 {
            let joined = lines[line - 1] + lines[line]
            replace(line - 1...line, with: [joined], line: line - 1, column: lines[line - 1].count)
        }
    }

    private func deleteForwards() {
        if column < lines[line].count {
            removeInLine(column..<column + 1)
        } else if line + 1 < lines.count {
            replace(line...line + 1, with: [lines[line] + lines[line + 1]], line: line, column: column)
        }
    }

    /// Takes characters out of the line; the insertion point stands where they were.
    private func removeInLine(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var changed = lines[line]
        changed.removeSubrange(range)
        replace(line...line, with: [changed], line: line, column: range.lowerBound)
    }

    /// Takes characters and editing keys; Esc is left to whatever is around it.
    public override func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []), (.character(let character), .shift): insert([[character]])
        case (.enter, _): insert([[], []])
        case (.backspace, _): deleteBackwards()
        case (.delete, _): deleteForwards()
        case (.character("w"), .control):
            if column > 0 { removeInLine(lines[line].wordStart(before: column)..<column) } else { deleteBackwards() }
        case (.character("u"), .control): removeInLine(0..<column)
        case (.character("k"), .control):
            if column < lines[line].count { removeInLine(column..<lines[line].count) } else { deleteForwards() }
        case (.character("z"), .control), (.character("_"), .control): takeBack()
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
        let room = max(0, TextArea.maximumLength - length)
        let parts = text.prefix(room).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            Array(Sanitizer.sanitize(String($0)))
        }
        if !parts.isEmpty { insert(parts) }
        setNeedsDisplay()
        return true
    }
}
