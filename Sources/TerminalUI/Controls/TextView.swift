/// A view that stands in a text, under a paragraph.
public struct TextAttachment {
    /// The paragraph that it stands under.
    public var paragraph: Int
    /// The view; it goes where the text goes.
    public var view: View
    /// The lines that it takes, given the columns of the text; 0 while it has nothing to show.
    public var height: @MainActor (_ columns: Int) -> Int

    /// Makes an attachment.
    public init(paragraph: Int, view: View, height: @escaping @MainActor (_ columns: Int) -> Int) {
        self.paragraph = paragraph
        self.view = view
        self.height = height
    }
}

/// Text to read: wrapped to the width, scrolled by lines and pages.
///
/// On another width the line being read stays at the top: the place is kept by paragraph and character, not by line
/// (row SPL-12).
open class TextView: View {
    /// The text. Setting it keeps the place when `keepsPlace` was asked for, else goes to the top.
    public private(set) var paragraphs: [TextParagraph] = []
    /// The most columns of a line, for readability; the text stands at the left.
    public var maximumColumns = 92 { didSet { setNeedsLayout() } }
    /// Blank columns at either side.
    public var margin = 1 { didSet { setNeedsLayout() } }
    /// Whether keys can be directed at it.
    public var isScrollEnabled = true
    /// Called when the visible part changed.
    public var onScroll: () -> Void = {}

    /// Views between the paragraphs, in the order of these. Those whose heights change have to be set anew.
    public var attachments: [TextAttachment] = [] {
        didSet {
            let kept = Set(attachments.map { ObjectIdentifier($0.view) })
            for old in oldValue where !kept.contains(ObjectIdentifier(old.view)) { old.view.removeFromSuperview() }
            for new in attachments where new.view.superview !== self { addSubview(new.view) }
            wrappedColumns = -1
            setNeedsLayout()
        }
    }

    private struct Line {
        var paragraph: Int
        var content: StyledLine
        /// What it adds to a place's offset: bytes of text; each line of an attachment counts as one.
        var length: Int
    }

    private var lines: [Line] = []
    private var attachmentLines: [Range<Int>] = []
    private var wrappedColumns = -1
    private var topLine = 0
    private var draggedThumb = false
    private lazy var finder = Finder(self)
    private var placeBeforeFinding = Place(paragraph: 0, offset: 0)
    /// Where the text stands that was found last.
    private var foundPlace: Place?

    /// Makes an empty view.
    public override init() { super.init() }

    /// Keys go to text that can be scrolled.
    open override var canBecomeFocused: Bool { isScrollEnabled }

    /// Shows a text, from its beginning or at the place where the text before it was read.
    public func setParagraphs(_ paragraphs: [TextParagraph], keepsPlace: Bool = false) {
        self.paragraphs = paragraphs
        wrappedColumns = -1
        foundPlace = nil
        if !keepsPlace { place = Place(paragraph: 0, offset: 0) }
        setNeedsLayout()
    }

    private var textColumns: Int {
        max(1, min(maximumColumns, bounds.width - 2 * effectiveMargin))
    }
    private var effectiveMargin: Int { bounds.width >= 20 ? margin : 0 }

    /// A place in the text that does not depend on the width.
    public struct Place: Hashable, Sendable {
        /// The paragraph at the top.
        public var paragraph: Int
        /// The bytes of that paragraph's text above the top, without blanks: the same wherever lines break.
        public var offset: Int

        /// Makes a place.
        public init(paragraph: Int, offset: Int) {
            self.paragraph = paragraph
            self.offset = offset
        }
    }

    /// The place of the line at the top as the user left it: a pane of another size shows that line again.
    public private(set) var place = Place(paragraph: 0, offset: 0)

    /// Scrolls to a place.
    public func restore(_ place: Place) {
        self.place = place
        setNeedsLayout()
    }

    private func placeOfTopLine() -> Place {
        guard topLine < lines.count else { return Place(paragraph: 0, offset: 0) }
        let paragraph = lines[topLine].paragraph
        var offset = 0
        var index = topLine - 1
        while index >= 0, lines[index].paragraph == paragraph {
            offset += lines[index].length
            index -= 1
        }
        return Place(paragraph: paragraph, offset: offset)
    }

    private func line(at place: Place) -> Int {
        // Lines are in the order of their paragraphs.
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].paragraph < place.paragraph { low = middle + 1 } else { high = middle }
        }
        var index = min(low, max(0, lines.count - 1))
        var passed = 0
        while index + 1 < lines.count, lines[index + 1].paragraph == place.paragraph,
            passed + max(1, lines[index].length) <= place.offset
        {
            passed += lines[index].length
            index += 1
        }
        return index
    }

    private func wrap() {
        guard wrappedColumns != textColumns else { return }
        wrappedColumns = textColumns
        lines = []
        attachmentLines = []
        for (index, paragraph) in paragraphs.enumerated() {
            for wrapped in paragraph.wrappedLines(columns: wrappedColumns) {
                lines.append(Line(paragraph: index, content: wrapped.line, length: wrapped.textBytes))
            }
            while attachmentLines.count < attachments.count, attachments[attachmentLines.count].paragraph <= index {
                let height = max(0, attachments[attachmentLines.count].height(wrappedColumns))
                attachmentLines.append(lines.count..<lines.count + height)
                let line = Line(paragraph: index, content: StyledLine(), length: 1)
                lines += Array(repeating: line, count: height)
            }
        }
        // Those of paragraphs that are not there.
        while attachmentLines.count < attachments.count { attachmentLines.append(lines.count..<lines.count) }
    }

    private func placeAttachments() {
        for (attachment, range) in zip(attachments, attachmentLines) {
            attachment.view.frame = Rect(
                x: effectiveMargin, y: range.lowerBound - topLine, width: textColumns, height: range.count)
        }
    }

    /// Wraps the text when the width is another, and finds the line being read again.
    open override func layoutSubviews() {
        wrap()
        topLine = max(0, min(line(at: place), lastTop))
        placeAttachments()
        finder.place()
        onScroll()
    }

    private var lastTop: Int { max(0, lines.count - bounds.height) }

    /// The part of the text above the bottom of the view, 0 to 1; `nil` when all can be seen.
    public var progress: Double? {
        guard lines.count > bounds.height, lines.count > 0 else { return nil }
        return Double(min(lines.count, topLine + bounds.height)) / Double(lines.count)
    }

    /// The lines needed for a width, and their widest.
    open override func sizeThatFits(_ limit: Size) -> Size {
        let columns = max(1, min(maximumColumns, limit.width - 2 * margin))
        var size = Size.zero
        for paragraph in paragraphs {
            for line in paragraph.lines(columns: columns) {
                size.height += 1
                size.width = max(size.width, line.columns + 2 * margin)
            }
        }
        return Size(width: min(size.width, limit.width), height: min(size.height, limit.height))
    }

    /// Draws the visible lines and the scroll indicator.
    open override func draw(in surface: Surface) {
        let base = inheritedStyle
        for row in 0..<bounds.height where topLine + row < lines.count {
            var column = effectiveMargin
            for span in lines[topLine + row].content.spans {
                column = surface.draw(
                    span.text, at: Point(x: column, y: row), style: theme.style(for: span.role, base: base))
            }
            drawMatches(in: lines[topLine + row].content, row: row, base: base, surface)
        }
        guard lines.count > bounds.height, bounds.width >= 20, bounds.height > 1 else { return }
        let thumb = ScrollIndicator.thumb(
            first: topLine, visible: bounds.height, total: lines.count, track: bounds.height)
        surface.fill(
            Rect(x: bounds.width - 1, y: thumb.lowerBound, width: 1, height: thumb.count), with: symbols.scrollThumb,
            style: theme[.rule])
    }

    /// Marks what was looked for.
    private func drawMatches(in line: StyledLine, row: Int, base: Style, _ surface: Surface) {
        guard !finder.text.isEmpty else { return }
        let text = line.spans.reduce(DisplayText.empty) { $0 + $1.text }
        for range in text.ranges(of: finder.text) {
            surface.draw(
                text[range], at: Point(x: effectiveMargin + range.lowerBound, y: row),
                style: theme.style(for: .match, base: base))
        }
    }

    /// Inside a popover the text stands on the popover's ground.
    private var inheritedStyle: Style {
        var view: View? = superview
        while let present = view {
            if present is PresentationView { return theme[.popover] }
            view = present.superview
        }
        return theme[.text]
    }

    /// Scrolls by lines, down or up.
    public func scroll(by count: Int) {
        let target = max(0, min(topLine + count, lastTop))
        guard target != topLine else { return }
        topLine = target
        place = placeOfTopLine()
        setNeedsLayout()
    }

    /// Keys to scroll.
    open override var commands: [Command] {
        guard isScrollEnabled else { return [] }
        func scroll(_ definition: CommandDefinition, _ count: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.scroll(by: count()) }
        }
        return finder.commands + [
            scroll(ToolkitCommands.textDown) { 1 },
            scroll(ToolkitCommands.textUp) { -1 },
            scroll(ToolkitCommands.textPageDown) { max(1, self.bounds.height - 1) },
            scroll(ToolkitCommands.textPageUp) { -max(1, self.bounds.height - 1) },
            scroll(ToolkitCommands.textHalfDown) { max(1, self.bounds.height / 2) },
            scroll(ToolkitCommands.textHalfUp) { -max(1, self.bounds.height / 2) },
            scroll(ToolkitCommands.textTop) { -self.lines.count },
            scroll(ToolkitCommands.textBottom) { self.lines.count },
        ]
    }

    /// Scrolls by the wheel or the indicator.
    open override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .wheel(let direction):
            scroll(by: direction * 3)
            return true
        case .press(.left):
            draggedThumb = event.location.x == bounds.width - 1 && lines.count > bounds.height
            return true
        case .drag(.left) where draggedThumb:
            scroll(by: event.location.y * lines.count / max(1, bounds.height) - topLine)
            return true
        default:
            return false
        }
    }
}

extension TextView: FindableView {
    var canFind: Bool { !paragraphs.isEmpty }

    func notePlace() {
        placeBeforeFinding = place
        foundPlace = nil
    }

    func returnToPlace() {
        foundPlace = nil
        restore(placeBeforeFinding)
    }

    func find(_ text: String, step: Int) {
        guard !paragraphs.isEmpty else { return }
        let all = paragraphs.indices
        // From what was found last, else from the line being read.
        var start = foundPlace ?? place
        start.paragraph = max(0, min(start.paragraph, paragraphs.count - 1))
        let order =
            step < 0
            ? Array(all[...start.paragraph].reversed()) + Array(all[start.paragraph...].reversed())
            : Array(all[start.paragraph...]) + Array(all[...start.paragraph])
        for (index, paragraph) in order.enumerated() {
            let offsets = paragraphs[paragraph].offsets(of: text)
            let isFirst = index == 0
            let found =
                step < 0
                ? offsets.last { !isFirst || $0 < start.offset }
                : offsets.first { !isFirst || $0 > start.offset || (foundPlace == nil && $0 == start.offset) }
            guard let found else { continue }
            let match = Place(paragraph: paragraph, offset: found)
            foundPlace = match
            show(match)
            return
        }
    }

    /// Scrolls a place into sight, a third from the top, where it cannot be seen.
    private func show(_ match: Place) {
        wrap()
        // The place from which one looks may have been taken up since the last layout.
        topLine = max(0, min(line(at: place), lastTop))
        let line = line(at: match)
        guard line < topLine || line >= topLine + bounds.height - 1 else { return setNeedsDisplay() }
        scroll(by: line - bounds.height / 3 - topLine)
    }
}

extension TextParagraph {
    /// Where a text stands in this one: the bytes before it without blanks, as in ``TextView/Place``.
    fileprivate func offsets(of text: String) -> [Int] {
        let whole = spans.reduce(DisplayText.empty) { $0 + $1.text }
        return whole.ranges(of: text).map { range in
            whole.prefix(columns: range.lowerBound).string.utf8.count { $0 != 0x20 }
        }
    }
}
