/// A single-line text field with editing keys.
open class TextField: View {
    /// The text.
    public var text: String {
        get { String(characters) }
        set {
            characters = Array(newValue)
            insertionPoint = characters.count
            selection = nil
            undone = []
            hasBeenSubmitted = false
            problem = nil
            setNeedsLayout()
        }
    }
    /// The text shown while the field is empty.
    public var placeholder: DisplayText = .empty { didSet { setNeedsDisplay() } }
    /// Called after each change. Without a handler, the text is not built at each key.
    public var onChange: ((String) -> Void)?
    /// Called with a valid text on Enter.
    public var onSubmit: (String) -> Void = { _ in }
    /// Whether dots replace the characters and copying is disabled, for passwords.
    public var isSecure = false { didSet { setNeedsDisplay() } }
    /// Returns the error in a text, which is shown below the field, or `nil` if it is valid.
    public var validate: (String) -> DisplayText? = { _ in nil }
    /// Called on Tab if the field handles it, such as to complete text.
    public var onTab: (() -> Void)?

    /// The maximum number of characters. Typed or pasted text beyond it is dropped.
    public static let maximumLength = 100_000
    /// Called with the number of dropped characters if pasted text was too long.
    public var onOverflow: (Int) -> Void = { _ in }

    private var characters: [Character] = []
    private var insertionPoint = 0
    private var firstVisible = 0
    private var undone: [Edit] = []
    private var hasBeenSubmitted = false
    /// The selection.
    package var selection: TextSelection<Int>?

    /// An undoable edit: the current text of a range, and the text that it replaced.
    private struct Edit {
        var place: Int
        var inserted: Int
        var removed: [Character]
        var insertionPoint: Int
    }

    /// Creates an empty field.
    public override init() { super.init() }

    /// Fields can have the focus.
    open override var canBecomeFocused: Bool { true }

    /// Tab moves to the next field, unless the field handles it.
    open override var wantsTab: Bool { onTab != nil }

    /// Tab moves to the next field.
    open override var isFormElement: Bool { true }

    /// The error in the text, shown once Enter was pressed.
    public private(set) var problem: DisplayText?

    /// Shows an error until the text changes.
    func show(problem: DisplayText) {
        self.problem = problem
        setNeedsLayout()
    }

    /// Validates the text as Enter does, and shows errors from now on.
    ///
    /// - Returns: Whether it is valid.
    @discardableResult
    public func check() -> Bool {
        hasBeenSubmitted = true
        problem = validate(text)
        setNeedsLayout()
        return problem == nil
    }

    /// Returns one line of the available width, and the lines of an error.
    open override func sizeThatFits(_ limit: Size) -> Size {
        let lines = problem.map { TextWrapping.wrap($0, columns: limit.width).count } ?? 0
        return Size(width: limit.width, height: 1 + lines)
    }

    private func columns(_ character: Character) -> Int { isSecure ? 1 : character.columns }

    private func columns(_ range: Range<Int>) -> Int { characters[range].reduce(0) { $0 + columns($1) } }

    /// The position of the text cursor.
    open override var cursor: Point? {
        Point(x: min(bounds.width - 1, columns(min(firstVisible, insertionPoint)..<insertionPoint)), y: 0)
    }

    /// Finds the first visible character, so that the insertion point is visible. Only what fits is measured, however
    /// long the text is.
    private func placeFirstVisible() {
        firstVisible = min(firstVisible, insertionPoint)
        var first = insertionPoint
        var used = 0
        while first > firstVisible {
            used += columns(characters[first - 1])
            if used >= bounds.width { break }
            first -= 1
        }
        firstVisible = max(firstVisible, first)
        // A wider field shows characters that a narrower one had to hide.
        var rest = 0
        for index in firstVisible..<characters.count {
            rest += columns(characters[index])
            if rest >= bounds.width { return }
        }
        while firstVisible > 0 {
            rest += columns(characters[firstVisible - 1])
            if rest >= bounds.width { return }
            firstVisible -= 1
        }
    }

    /// Draws the text around the insertion point, and the error below it.
    open override func draw(in surface: Surface) {
        let line = surface.subsurface(Rect(x: 0, y: 0, width: bounds.width, height: 1))
        line.clear(style: theme[.text].adding(.underline))
        placeFirstVisible()
        if characters.isEmpty {
            line.draw(placeholder.truncated(to: bounds.width), at: .zero, style: theme[.secondary].adding(.underline))
        } else {
            let shown = characters[firstVisible...].prefix(bounds.width * 2)
            let dot: Character = traits.capabilities.hasUnicode ? "•" : "*"
            let text = isSecure ? String(repeating: dot, count: shown.count) : String(shown)
            line.draw(DisplayText(text), at: .zero, style: theme[.text].adding(.underline))
            if let chosen = selection?.range, !chosen.isEmpty, chosen.upperBound > firstVisible {
                let start = max(firstVisible, chosen.lowerBound)
                let width = columns(start..<min(chosen.upperBound, start + bounds.width))
                line.restyle(Rect(x: columns(firstVisible..<start), y: 0, width: width, height: 1)) {
                    $0.toggling(.reverse)
                }
            }
        }
        guard let problem else { return }
        for (row, text) in TextWrapping.wrap(problem, columns: bounds.width).enumerated() {
            surface.draw(text, at: Point(x: 0, y: row + 1), style: theme[.failure])
        }
    }

    // MARK: Editing

    /// Replaces characters and moves the insertion point behind the new ones.
    private func replace(_ range: Range<Int>, with new: [Character] = []) {
        let room = max(0, TextField.maximumLength - characters.count + range.count)
        let inserted = new.count > room ? Array(new.prefix(room)) : new
        // An edit without effect must not become an undo step.
        guard !range.isEmpty || !new.isEmpty else { return }
        undone.append(
            Edit(
                place: range.lowerBound, inserted: inserted.count, removed: Array(characters[range]),
                insertionPoint: insertionPoint),
            keepingLast: 200)
        characters.replaceSubrange(range, with: inserted)
        insertionPoint = range.lowerBound + inserted.count
        didChange()
        if inserted.count < new.count { onOverflow(new.count - inserted.count) }
    }

    private func takeBack() {
        guard let edit = undone.popLast() else { return }
        characters.replaceSubrange(edit.place..<edit.place + edit.inserted, with: edit.removed)
        insertionPoint = edit.insertionPoint
        didChange()
    }

    private func didChange() {
        selection = nil
        // An error needs additional lines.
        if hasBeenSubmitted { check() } else { setNeedsDisplay() }
        onChange?(text)
    }

    /// Inserts characters at the insertion point, replacing the selection.
    private func insert(_ new: [Character]) { replace(selection?.range ?? insertionPoint..<insertionPoint, with: new) }

    /// Deletes the selection, or otherwise a range.
    private func erase(_ range: Range<Int>) {
        replace(selection?.range ?? range.clamped(to: 0..<characters.count))
    }

    /// Calls ``onSubmit`` if the text is valid, as Enter does.
    func submit() {
        guard check() else { return }
        onSubmit(text)
    }

    /// Handles characters and editing keys. Tab never switches the segment (row SEG-05).
    open override func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []), (.character(let character), .shift): insert([character])
        case (.enter, _): submit()
        case (.backspace, _): erase(insertionPoint - 1..<insertionPoint)
        case (.delete, _), (.character("d"), .control): erase(insertionPoint..<insertionPoint + 1)
        case (.left, []), (.character("b"), .control): move(to: insertionPoint - 1)
        case (.right, []), (.character("f"), .control): move(to: insertionPoint + 1)
        case (.left, _), (.character("b"), .alt): move(to: characters.wordStart(before: insertionPoint))
        case (.right, _), (.character("f"), .alt): move(to: characters.wordEnd(after: insertionPoint))
        case (.home, _), (.character("a"), .control): move(to: 0)
        case (.end, _), (.character("e"), .control): move(to: characters.count)
        case (.character("w"), .control): erase(characters.wordStart(before: insertionPoint)..<insertionPoint)
        case (.character("u"), .control): erase(0..<insertionPoint)
        case (.character("z"), .control) where isKeyOfProgram(press): return false
        case (.character("z"), .control), (.character("_"), .control): takeBack()
        case (.character("k"), .control): erase(insertionPoint..<characters.count)
        case (.tab, _): onTab?()
        case (.backTab, _): break
        default: return false
        }
        return true
    }

    override var acceptsTyping: Bool { true }

    override func insert(typed characters: [Character]) { insert(characters) }

    /// Inserts pasted text as one line.
    open override func handle(paste text: String) -> Bool {
        insert(Array(Sanitizer.sanitize(text)))
        return true
    }

    /// Selects the whole text, so that typing replaces it.
    public func selectAll() {
        selection = characters.isEmpty ? nil : TextSelection(0..<characters.count)
        setNeedsDisplay()
    }

    private func move(to index: Int) {
        insertionPoint = max(0, min(index, characters.count))
        selection = nil
        setNeedsDisplay()
    }

    /// A click moves the insertion point, and a drag selects text.
    open override func handle(_ event: MouseEvent) -> Bool {
        guard select(by: event) else { return false }
        if case .press = event.action { insertionPoint = unit(at: event.location, clicks: 1).lowerBound }
        return true
    }
}

extension TextField: SelectableText {
    /// Returns what a number of clicks at a cell selects.
    package func unit(at cell: Point, clicks: Int) -> Range<Int> {
        var (index, used) = (min(firstVisible, characters.count), 0)
        if cell.x < 0 { index = max(0, index - 1) }
        while index < characters.count, cell.x >= 0 {
            used += columns(characters[index])
            if used > cell.x { break }
            index += 1
        }
        switch clicks {
        case 1: return index..<index
        case 2 where !isSecure: return characters.word(around: index)
        default: return 0..<characters.count
        }
    }

    /// Returns the text in a range; nothing of a secure field.
    package func text(in range: Range<Int>) -> String { isSecure ? "" : String(characters[range]) }

    /// One line has nothing to scroll to.
    package func scrollWhileSelecting(by lines: Int) {}
}
