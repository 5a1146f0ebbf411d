/// One line of text to type, with editing keys.
open class TextField: View {
    /// The text.
    public var text: String {
        get { String(characters) }
        set {
            characters = Array(newValue)
            insertionPoint = characters.count
            setNeedsDisplay()
        }
    }
    /// What is shown while there is no text.
    public var placeholder: DisplayText = .empty { didSet { setNeedsDisplay() } }
    /// Called after each change; where nobody hears of it, no text is made of all characters at each key.
    public var onChange: ((String) -> Void)?
    /// Called by Enter.
    public var onSubmit: (String) -> Void = { _ in }

    /// The most characters that it takes; what is typed or pasted beyond them is left out.
    public static let maximumLength = 100_000
    /// Called with how many characters were left out, when a paste is too long.
    public var onOverflow: (Int) -> Void = { _ in }

    private var characters: [Character] = []
    private var insertionPoint = 0
    private var firstVisible = 0
    private var undone: [Edit] = []

    /// What takes an edit back: what stands there now, and what stood there before.
    private struct Edit {
        var place: Int
        var inserted: Int
        var removed: [Character]
        var insertionPoint: Int
    }

    /// Makes an empty field.
    public override init() { super.init() }

    /// Keys go to a field.
    open override var canBecomeFocused: Bool { true }

    /// One line, as wide as allowed.
    open override func sizeThatFits(_ limit: Size) -> Size { Size(width: limit.width, height: 1) }

    private static func columns(_ character: Character) -> Int {
        character.utf8.count == 1 ? 1 : DisplayText(String(character)).columns
    }

    private func columns(_ range: Range<Int>) -> Int {
        characters[range].reduce(0) { $0 + TextField.columns($1) }
    }

    /// Where the text cursor stands.
    open override var cursor: Point? {
        Point(x: min(bounds.width - 1, columns(min(firstVisible, insertionPoint)..<insertionPoint)), y: 0)
    }

    /// The first character to show: one from which on the insertion point is in sight, and no later than needed. Only what fits
    /// is measured, however long the text is.
    private func placeFirstVisible() {
        firstVisible = min(firstVisible, insertionPoint)
        var first = insertionPoint
        var used = 0
        while first > firstVisible {
            used += TextField.columns(characters[first - 1])
            if used >= bounds.width { break }
            first -= 1
        }
        firstVisible = max(firstVisible, first)
        // A wider field shows what a narrow one had to leave out.
        var rest = 0
        for index in firstVisible..<characters.count {
            rest += TextField.columns(characters[index])
            if rest >= bounds.width { return }
        }
        while firstVisible > 0 {
            rest += TextField.columns(characters[firstVisible - 1])
            if rest >= bounds.width { return }
            firstVisible -= 1
        }
    }

    /// Draws the part of the text around the insertion point.
    open override func draw(in surface: Surface) {
        surface.clear(style: theme[.text].adding(.underline))
        placeFirstVisible()
        if characters.isEmpty {
            surface.draw(placeholder, at: .zero, style: theme[.secondary].adding(.underline))
        } else {
            let shown = characters[firstVisible...].prefix(bounds.width * 2)
            surface.draw(DisplayText(String(shown)), at: .zero, style: theme[.text].adding(.underline))
        }
    }

    /// Puts characters in the place of others, and the insertion point behind them.
    private func replace(_ range: Range<Int>, with new: [Character] = []) {
        let room = max(0, TextField.maximumLength - characters.count + range.count)
        let inserted = new.count > room ? Array(new.prefix(room)) : new
        // What changes nothing is nothing to take back.
        guard !range.isEmpty || !new.isEmpty else { return }
        undone.append(
            Edit(
                place: range.lowerBound, inserted: inserted.count, removed: Array(characters[range]),
                insertionPoint: insertionPoint))
        if undone.count > 200 { undone.removeFirst() }
        characters.replaceSubrange(range, with: inserted)
        insertionPoint = range.lowerBound + inserted.count
        setNeedsDisplay()
        onChange?(text)
        if inserted.count < new.count { onOverflow(new.count - inserted.count) }
    }

    private func takeBack() {
        guard let edit = undone.popLast() else { return }
        characters.replaceSubrange(edit.place..<edit.place + edit.inserted, with: edit.removed)
        insertionPoint = edit.insertionPoint
        setNeedsDisplay()
        onChange?(text)
    }

    /// Takes characters and editing keys; Tab does nothing here, so that it never leaves for the segments (row SEG-05).
    open override func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []), (.character(let character), .shift):
            replace(insertionPoint..<insertionPoint, with: [character])
        case (.enter, _): onSubmit(text)
        case (.backspace, _): if insertionPoint > 0 { replace(insertionPoint - 1..<insertionPoint) }
        case (.delete, _), (.character("d"), .control):
            if insertionPoint < characters.count { erase(to: insertionPoint + 1) }
        case (.left, []), (.character("b"), .control): move(to: insertionPoint - 1)
        case (.right, []), (.character("f"), .control): move(to: insertionPoint + 1)
        case (.left, _), (.character("b"), .alt): move(to: characters.wordStart(before: insertionPoint))
        case (.right, _), (.character("f"), .alt): move(to: characters.wordEnd(after: insertionPoint))
        case (.home, _), (.character("a"), .control): move(to: 0)
        case (.end, _), (.character("e"), .control): move(to: characters.count)
        case (.character("w"), .control): replace(characters.wordStart(before: insertionPoint)..<insertionPoint)
        case (.character("u"), .control): replace(0..<insertionPoint)
        case (.character("z"), .control), (.character("_"), .control): takeBack()
        case (.character("k"), .control): erase(to: characters.count)
        case (.tab, _), (.backTab, _): break
        default: return false
        }
        return true
    }

    /// Takes pasted text as one line.
    open override func handle(paste text: String) -> Bool {
        replace(insertionPoint..<insertionPoint, with: Array(Sanitizer.sanitize(text)))
        return true
    }

    /// Deletes what stands behind the insertion point, up to a place.
    private func erase(to end: Int) { replace(insertionPoint..<end) }

    private func move(to index: Int) {
        insertionPoint = max(0, min(index, characters.count))
        setNeedsDisplay()
    }
}
