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
    /// Called after each change.
    public var onChange: (String) -> Void = { _ in }
    /// Called by Enter.
    public var onSubmit: (String) -> Void = { _ in }

    private var characters: [Character] = []
    private var insertionPoint = 0
    private var firstVisible = 0
    private var undone: [(characters: [Character], insertionPoint: Int)] = []

    /// Makes an empty field.
    public override init() { super.init() }

    /// Keys go to a field.
    open override var canBecomeFocused: Bool { true }

    /// One line, as wide as allowed.
    open override func sizeThatFits(_ limit: Size) -> Size { Size(width: limit.width, height: 1) }

    private func columns(_ range: Range<Int>) -> Int {
        DisplayText(String(characters[range])).columns
    }

    /// Where the text cursor stands.
    open override var cursor: Point? {
        Point(x: min(bounds.width - 1, columns(min(firstVisible, insertionPoint)..<insertionPoint)), y: 0)
    }

    /// Draws the part of the text around the insertion point.
    open override func draw(in surface: Surface) {
        surface.clear(style: theme[.text].adding(.underline))
        firstVisible = min(firstVisible, insertionPoint)
        while firstVisible < insertionPoint, columns(firstVisible..<insertionPoint) >= bounds.width {
            firstVisible += 1
        }
        // A wider field shows what a narrow one had to leave out.
        while firstVisible > 0, columns(firstVisible - 1..<characters.count) < bounds.width { firstVisible -= 1 }
        if characters.isEmpty {
            surface.draw(placeholder, at: .zero, style: theme[.secondary].adding(.underline))
        } else {
            surface.draw(
                DisplayText(String(characters[firstVisible...])), at: .zero, style: theme[.text].adding(.underline))
        }
    }

    private func edit(_ change: () -> Void) {
        undone.append((characters, insertionPoint))
        if undone.count > 200 { undone.removeFirst() }
        change()
        setNeedsDisplay()
        onChange(text)
    }

    /// Takes characters and editing keys; Tab does nothing here, so that it never leaves for the segments (row SEG-05).
    open override func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []), (.character(let character), .shift):
            edit {
                characters.insert(character, at: insertionPoint)
                insertionPoint += 1
            }
        case (.enter, _): onSubmit(text)
        case (.backspace, _):
            guard insertionPoint > 0 else { return true }
            edit {
                insertionPoint -= 1
                characters.remove(at: insertionPoint)
            }
        case (.delete, _), (.character("d"), .control):
            guard insertionPoint < characters.count else { return true }
            edit { characters.remove(at: insertionPoint) }
        case (.left, []), (.character("b"), .control): move(to: insertionPoint - 1)
        case (.right, []), (.character("f"), .control): move(to: insertionPoint + 1)
        case (.left, _), (.character("b"), .alt): move(to: wordStart(before: insertionPoint))
        case (.right, _), (.character("f"), .alt): move(to: wordEnd(after: insertionPoint))
        case (.home, _), (.character("a"), .control): move(to: 0)
        case (.end, _), (.character("e"), .control): move(to: characters.count)
        case (.character("w"), .control):
            let start = wordStart(before: insertionPoint)
            edit {
                characters.removeSubrange(start..<insertionPoint)
                insertionPoint = start
            }
        case (.character("u"), .control):
            edit {
                characters.removeSubrange(0..<insertionPoint)
                insertionPoint = 0
            }
        case (.character("z"), .control), (.character("_"), .control):
            guard let last = undone.popLast() else { return true }
            (characters, insertionPoint) = last
            setNeedsDisplay()
            onChange(text)
        case (.character("k"), .control): edit { characters.removeSubrange(insertionPoint...) }
        case (.tab, _), (.backTab, _): break
        default: return false
        }
        return true
    }

    /// Takes pasted text as one line.
    open override func handle(paste text: String) -> Bool {
        let line = Sanitizer.sanitize(text)
        edit {
            characters.insert(contentsOf: Array(line), at: insertionPoint)
            insertionPoint += line.count
        }
        return true
    }

    private func move(to index: Int) {
        insertionPoint = max(0, min(index, characters.count))
        setNeedsDisplay()
    }

    private func wordStart(before index: Int) -> Int {
        var index = index
        while index > 0, characters[index - 1] == " " { index -= 1 }
        while index > 0, characters[index - 1] != " " { index -= 1 }
        return index
    }

    private func wordEnd(after index: Int) -> Int {
        var index = index
        while index < characters.count, characters[index] == " " { index += 1 }
        while index < characters.count, characters[index] != " " { index += 1 }
        return index
    }
}
