/// Several lines of text to type; long lines are wrapped.
///
/// A key costs what can be seen, not what there is: rows are counted from the first that is shown, and a line's are worked out
/// as far as they are needed.
@MainActor
public final class TextArea: View {
    /// A place between characters.
    struct Spot: Comparable {
        var line: Int
        var column: Int

        static func < (left: Spot, right: Spot) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    /// The text, with line breaks.
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
    /// Called after each change; ``text`` is made of all characters when it is asked for.
    public var onChange: () -> Void = {}
    /// Whether Tab indents what is typed rather than going on to the next field.
    public var indentsWithTab = false

    /// The most characters that it takes; what is typed or pasted beyond them is left out.
    public static let maximumLength = 4_000_000
    /// Columns from one stop of Tab to the next.
    public static let tabWidth = 4

    private var lines: [[Character]] = [[]]
    private var length = 0
    private var insertionPoint = Spot(line: 0, column: 0)
    private var wrapping = LineWrapping()
    /// The first row that is shown.
    private var top = LineWrapping.Row(line: 0, index: 0)
    private var undone: [Edit] = []
    var selection: TextSelection<Spot>?

    /// What takes an edit back: where the text stands that was put in, and what stood there before.
    private struct Edit {
        var range: Range<Spot>
        var removed: [[Character]]
        var insertionPoint: Spot
    }

    /// Makes an empty area.
    public override init() { super.init() }

    /// Keys go to it.
    public override var canBecomeFocused: Bool { true }

    /// Tab goes on to the next field, or indents.
    public override var wantsTab: Bool { indentsWithTab }

    /// Tab goes on from it.
    public override var isFormElement: Bool { true }

    // MARK: Rows

    /// Takes the width, and scrolls until the insertion point can be seen.
    private func place() {
        wrapping.columns = max(1, bounds.width - 1)
        top = wrapping.row(top, movedBy: 0, in: lines)
        let row = wrapping.row(at: insertionPoint.column, of: insertionPoint.line, in: lines)
        if row < top { top = row }
        let distance = wrapping.distance(from: top, to: row, within: bounds.height, in: lines)
        if distance == nil { top = wrapping.row(row, movedBy: 1 - bounds.height, in: lines) }
        // Never more empty rows at the end than needed, as after a resize to a lower pane and back.
        guard bounds.height > 0 else { return }
        let last = wrapping.row(top, movedBy: bounds.height - 1, in: lines)
        guard let shown = wrapping.distance(from: top, to: last, within: bounds.height, in: lines) else { return }
        top = wrapping.row(top, movedBy: shown + 1 - bounds.height, in: lines)
    }

    private func columns(_ characters: ArraySlice<Character>) -> Int {
        characters.reduce(0) { $0 + LineWrapping.columns($1) }
    }

    /// Where the text cursor stands.
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

    /// Puts text in the place of a range.
    ///
    /// - Returns: What stood there, and where the new text stands.
    private func put(_ parts: [[Character]], in range: Range<Spot>) -> (removed: [[Character]], range: Range<Spot>) {
        let (start, end) = (range.lowerBound, range.upperBound)
        let removed = characters(in: range)
        let last = parts.count - 1
        length += parts.reduce(last) { $0 + $1.count } - removed.reduce(removed.count - 1) { $0 + $1.count }
        if start.line == end.line, last == 0 {
            // In place: a line may be as long as the whole text.
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

    /// Puts text in the place of a range, so that it can be taken back.
    private func replace(_ range: Range<Spot>, with parts: [[Character]] = [[]]) {
        // What changes nothing is nothing to take back.
        guard !range.isEmpty || parts != [[]] else { return }
        let before = insertionPoint
        let (removed, inserted) = put(parts, in: range)
        undone.append(Edit(range: inserted, removed: removed, insertionPoint: before))
        if undone.count > 200 { undone.removeFirst() }
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

    /// Puts text with line breaks at the insertion point, or in the place of what is chosen, as far as there is room for it.
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

    /// The place so many characters further, over the ends of lines.
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

    /// Takes out what is chosen, else what stands between the insertion point and another place.
    private func erase(to spot: Spot) {
        replace(selection?.range ?? min(spot, insertionPoint)..<max(spot, insertionPoint))
    }

    private func move(to spot: Spot) {
        insertionPoint = spot
        selection = nil
    }

    /// Goes so many rows down or up.
    private func move(byRows count: Int) {
        place()
        let row = wrapping.row(at: insertionPoint.column, of: insertionPoint.line, in: lines)
        let offset = insertionPoint.column - wrapping.range(of: row, in: lines).lowerBound
        let target = wrapping.row(row, movedBy: count, in: lines)
        let range = wrapping.range(of: target, in: lines)
        // A row's end that is the next row's beginning is not on it.
        let isLast = range.upperBound == lines[target.line].count
        let end = isLast ? range.upperBound : max(range.lowerBound, range.upperBound - 1)
        move(to: Spot(line: target.line, column: min(end, range.lowerBound + offset)))
    }

    private func column(_ column: Int) -> Spot { Spot(line: insertionPoint.line, column: column) }

    /// Takes characters and editing keys; Esc is left to whatever is around it.
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

    /// Takes pasted text with its line breaks.
    public override func handle(paste text: String) -> Bool {
        let parts = text.prefix(TextArea.maximumLength)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { Array(Sanitizer.sanitize(String($0))) }
        if !parts.isEmpty { insert(parts) }
        setNeedsDisplay()
        return true
    }

    /// A click puts the insertion point there, a drag chooses text, the wheel scrolls by moving the insertion point.
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
    func unit(at cell: Point, clicks: Int) -> Range<Spot> {
        place()
        let row = wrapping.row(top, movedBy: max(0, cell.y), in: lines)
        let line = lines[row.line]
        let range = wrapping.range(of: row, in: lines)
        var (column, used) = (range.lowerBound, 0)
        while column < range.upperBound {
            used += LineWrapping.columns(line[column])
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

    func text(in range: Range<Spot>) -> String { characters(in: range).map { String($0) }.joined(separator: "\n") }

    func scrollWhileSelecting(by lines: Int) {
        let kept = selection
        move(byRows: lines)
        selection = kept
    }
}
