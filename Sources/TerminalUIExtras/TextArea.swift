import TerminalUI

/// A multi-line text field that wraps long lines.
///
/// The cost of a key depends on what is visible, not on the length of the text: rows are counted from the first visible
/// one, and lines are wrapped only as far as needed.
@MainActor
public final class TextArea: View {
    /// A position between characters.
    package struct Spot: Comparable {
        var line: Int
        var column: Int

        /// Compares by line, then by column.
        package static func < (left: Spot, right: Spot) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// The text with line breaks.
    public var text: String {
        get { lines.map { String($0) }.joined(separator: "\n") }
        set {
            lines = newValue.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Array($0) }
            length = lines.reduce(lines.count - 1) { $0 + $1.count }
            wrapping.removeAll()
            undone = []
            selection = nil
            insertionPoint = Spot(line: lines.count - 1, column: lines[lines.count - 1].count)
            setNeedsDisplay()
        }
    }
    /// Called after each change. ``text`` is built from all characters only when it is read.
    public var onChange: () -> Void = {}
    /// Whether Tab indents instead of moving to the next field.
    public var indentsWithTab = false

    /// The maximum number of characters. Typed or pasted text beyond it is dropped.
    public static let maximumLength = 4_000_000
    /// The distance between tab stops in columns.
    public static let tabWidth = 4

    private var lines: [[Character]] = [[]]
    private var length = 0
    private var insertionPoint = Spot(line: 0, column: 0)
    private var wrapping = LineWrapping()
    private var top = LineWrapping.Row(line: 0, index: 0)
    private var undone: [Edit] = []
    /// The selection.
    package var selection: TextSelection<Spot>?

    /// An undoable edit: the range of the new text, and the text that it replaced.
    private struct Edit {
        var range: Range<Spot>
        var removed: [[Character]]
        var insertionPoint: Spot
    }

    /// Creates an empty text area.
    public override init() { super.init() }

    /// It can have the focus.
    public override var canBecomeFocused: Bool { true }

    /// Tab moves to the next field or indents.
    public override var wantsTab: Bool { indentsWithTab }

    /// Tab moves to the next field.
    public override var isFormElement: Bool { true }

    // MARK: Rows

    /// Adopts the width and scrolls until the insertion point is visible.
    private func place() {
        wrapping.columns = max(1, bounds.width - 1)
        top = wrapping.row(top, movedBy: 0, in: lines)
        let row = wrapping.row(at: insertionPoint.column, of: insertionPoint.line, in: lines)
        if row < top { top = row }
        let distance = wrapping.distance(from: top, to: row, within: bounds.height, in: lines)
        if distance == nil { top = wrapping.row(row, movedBy: 1 - bounds.height, in: lines) }
        // There are no more empty rows at the end than necessary, even after a resize and back.
        guard bounds.height > 0 else { return }
        let last = wrapping.row(top, movedBy: bounds.height - 1, in: lines)
        guard let shown = wrapping.distance(from: top, to: last, within: bounds.height, in: lines) else { return }
        top = wrapping.row(top, movedBy: shown + 1 - bounds.height, in: lines)
    }

    private func columns(_ characters: ArraySlice<Character>) -> Int {
        characters.reduce(0) { $0 + $1.columns }
    }

    /// The position of the text cursor.
    public override var cursor: Point? {
        place()
        let row = wrapping.row(at: insertionPoint.column, of: insertionPoint.line, in: lines)
        guard let y = wrapping.distance(from: top, to: row, within: bounds.height, in: lines) else { return nil }
        let start = wrapping.range(of: row, in: lines).lowerBound
        return Point(x: columns(lines[row.line][start..<insertionPoint.column]), y: y)
    }

    /// Draws the rows around the insertion point.
    public override func draw(in surface: Surface) {
        surface.clear(style: theme[.text])
        place()
        var row = top
        for y in 0..<bounds.height {
            let range = wrapping.range(of: row, in: lines)
            surface.draw(DisplayText(String(lines[row.line][range])), at: Point(x: 0, y: y), style: theme[.text])
            drawSelection(of: row, range, y: y, in: surface)
            let next = wrapping.row(row, movedBy: 1, in: lines)
            if next == row { break }
            row = next
        }
    }

    private func drawSelection(of row: LineWrapping.Row, _ range: Range<Int>, y: Int, in surface: Surface) {
        guard let chosen = selection?.range, !chosen.isEmpty else { return }
        let (first, end) = (
            Spot(line: row.line, column: range.lowerBound), Spot(line: row.line, column: range.upperBound)
        )
        let (from, to) = (max(first, chosen.lowerBound), min(end, chosen.upperBound))
        guard from < to, from.line == row.line, to.line == row.line else { return }
        let left = columns(lines[row.line][range.lowerBound..<from.column])
        let width = columns(lines[row.line][from.column..<to.column])
        surface.restyle(Rect(x: left, y: y, width: width, height: 1)) { $0.toggling(.reverse) }
    }

    // MARK: Editing

    /// Replaces the text in a range.
    ///
    /// - Returns: The previous text, and the range of the new text.
    private func put(_ parts: [[Character]], in range: Range<Spot>) -> (removed: [[Character]], range: Range<Spot>) {
        let (start, end) = (range.lowerBound, range.upperBound)
        let removed = characters(in: range)
        let last = parts.count - 1
        length += parts.reduce(last) { $0 + $1.count } - removed.reduce(removed.count - 1) { $0 + $1.count }
        if start.line == end.line, last == 0 {
            // In place, since a line may be as long as the whole text.
            lines[start.line].replaceSubrange(start.column..<end.column, with: parts[0])
        } else {
            let tail = lines[end.line][end.column...]
            var new = parts
            new[last] += tail
            lines[start.line].replaceSubrange(start.column..., with: new[0])
            lines.replaceSubrange(start.line + 1..<end.line + 1, with: new[1...])
        }
        wrapping.lineDidChange(start.line, from: start.column)
        if last > 0 || end.line > start.line { wrapping.linesDidChange(after: start.line) }
        let column = last == 0 ? start.column + parts[0].count : parts[last].count
        return (removed, start..<Spot(line: start.line + last, column: column))
    }

    private func characters(in range: Range<Spot>) -> [[Character]] {
        let (start, end) = (range.lowerBound, range.upperBound)
        if start.line == end.line { return [Array(lines[start.line][start.column..<end.column])] }
        return [Array(lines[start.line][start.column...])] + lines[start.line + 1..<end.line]
            + [Array(lines[end.line][..<end.column])]
    }

    /// Replaces the text in a range as an undoable edit.
    private func replace(_ range: Range<Spot>, with parts: [[Character]] = [[]]) {
        // An edit without effect must not become an undo step.
        guard !range.isEmpty || parts != [[]] else { return }
        let before = insertionPoint
        let (removed, inserted) = put(parts, in: range)
        undone.append(Edit(range: inserted, removed: removed, insertionPoint: before), keepingLast: 200)
        insertionPoint = inserted.upperBound
        selection = nil
        onChange()
    }

    private func takeBack() {
        guard let edit = undone.popLast() else { return }
        _ = put(edit.removed, in: edit.range)
        insertionPoint = edit.insertionPoint
        selection = nil
        onChange()
    }

    /// Inserts text with line breaks, replacing the selection, up to the maximum length.
    private func insert(_ parts: [[Character]]) {
        let range = selection?.range ?? insertionPoint..<insertionPoint
        var room = TextArea.maximumLength - length + characters(in: range).reduce(0) { $0 + $1.count }
        var kept: [[Character]] = []
        for part in parts where room >= (kept.isEmpty ? 0 : 1) {
            if !kept.isEmpty { room -= 1 }
            kept.append(Array(part.prefix(room)))
            room -= kept[kept.count - 1].count
        }
        replace(range, with: kept.isEmpty ? [[]] : kept)
    }

    private var lineEnd: Int { lines[insertionPoint.line].count }

    /// Returns the position some characters further, across line breaks.
    private func spot(movedBy step: Int) -> Spot {
        let column = insertionPoint.column + step
        if column < 0 {
            guard insertionPoint.line > 0 else { return insertionPoint }
            return Spot(line: insertionPoint.line - 1, column: lines[insertionPoint.line - 1].count)
        }
        if column > lineEnd {
            guard insertionPoint.line + 1 < lines.count else { return insertionPoint }
            return Spot(line: insertionPoint.line + 1, column: 0)
        }
        return Spot(line: insertionPoint.line, column: column)
    }

    /// Deletes the selection, or otherwise the text between the insertion point and another position.
    private func erase(to spot: Spot) {
        replace(selection?.range ?? min(spot, insertionPoint)..<max(spot, insertionPoint))
    }

    private func move(to spot: Spot) {
        insertionPoint = spot
        selection = nil
    }

    private func move(byRows count: Int) {
        place()
        let row = wrapping.row(at: insertionPoint.column, of: insertionPoint.line, in: lines)
        let offset = insertionPoint.column - wrapping.range(of: row, in: lines).lowerBound
        let target = wrapping.row(row, movedBy: count, in: lines)
        let range = wrapping.range(of: target, in: lines)
        // The end of a row that is the start of the next belongs to the next.
        let isLast = range.upperBound == lines[target.line].count
        let end = isLast ? range.upperBound : max(range.lowerBound, range.upperBound - 1)
        move(to: Spot(line: target.line, column: min(end, range.lowerBound + offset)))
    }

    private func column(_ column: Int) -> Spot { Spot(line: insertionPoint.line, column: column) }

    /// Handles characters and editing keys. Esc is left to outer responders.
    public override func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []), (.character(let character), .shift): insert([[character]])
        case (.enter, _): insert([[], []])
        case (.backspace, _): erase(to: spot(movedBy: -1))
        case (.delete, _): erase(to: spot(movedBy: 1))
        case (.character("w"), .control):
            let start = lines[insertionPoint.line].wordStart(before: insertionPoint.column)
            erase(to: insertionPoint.column > 0 ? column(start) : spot(movedBy: -1))
        case (.character("u"), .control): erase(to: column(0))
        case (.character("k"), .control):
            erase(to: insertionPoint.column < lineEnd ? column(lineEnd) : spot(movedBy: 1))
        case (.character("z"), .control) where isKeyOfProgram(press): return false
        case (.character("z"), .control), (.character("_"), .control): takeBack()
        case (.left, _): move(to: spot(movedBy: -1))
        case (.right, _): move(to: spot(movedBy: 1))
        case (.up, _): move(byRows: -1)
        case (.down, _): move(byRows: 1)
        case (.pageUp, _): move(byRows: 1 - max(2, bounds.height))
        case (.pageDown, _): move(byRows: max(2, bounds.height) - 1)
        case (.home, .control): move(to: Spot(line: 0, column: 0))
        case (.end, .control): move(to: Spot(line: lines.count - 1, column: lines[lines.count - 1].count))
        case (.home, _), (.character("a"), .control): move(to: column(0))
        case (.end, _), (.character("e"), .control): move(to: column(lineEnd))
        case (.tab, _) where indentsWithTab:
            let used = columns(lines[insertionPoint.line][..<insertionPoint.column]) % TextArea.tabWidth
            insert([Array(repeating: " ", count: max(0, TextArea.tabWidth - used))])
        case (.tab, _), (.backTab, _): break
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    /// Inserts pasted text with its line breaks.
    public override func handle(paste text: String) -> Bool {
        let parts = text.prefix(TextArea.maximumLength)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { Array(Sanitizer.sanitize(String($0))) }
        if !parts.isEmpty { insert(parts) }
        setNeedsDisplay()
        return true
    }

    /// A click moves the insertion point, a drag selects text, and the wheel moves the insertion point.
    public override func handle(_ event: MouseEvent) -> Bool {
        if case .wheel(let direction) = event.action {
            move(byRows: direction * 3)
            setNeedsDisplay()
            return true
        }
        guard select(by: event) else { return false }
        if case .press = event.action { insertionPoint = unit(at: event.location, clicks: 1).lowerBound }
        return true
    }
}

extension TextArea: SelectableText {
    /// Returns what a number of clicks at a cell selects.
    package func unit(at cell: Point, clicks: Int) -> Range<Spot> {
        place()
        let row = wrapping.row(top, movedBy: max(0, cell.y), in: lines)
        let line = lines[row.line]
        let range = wrapping.range(of: row, in: lines)
        var (column, used) = (range.lowerBound, 0)
        while column < range.upperBound {
            used += line[column].columns
            if used > cell.x { break }
            column += 1
        }
        switch clicks {
        case 1: return Spot(line: row.line, column: column)..<Spot(line: row.line, column: column)
        case 2:
            let word = line.word(around: column)
            return Spot(line: row.line, column: word.lowerBound)..<Spot(line: row.line, column: word.upperBound)
        default: return Spot(line: row.line, column: 0)..<Spot(line: row.line, column: line.count)
        }
    }

    /// Returns the text in a range with line breaks.
    package func text(in range: Range<Spot>) -> String {
        characters(in: range).map { String($0) }.joined(separator: "\n")
    }

    /// Scrolls while text is being selected.
    package func scrollWhileSelecting(by lines: Int) {
        let kept = selection
        move(byRows: lines)
        selection = kept
    }
}
