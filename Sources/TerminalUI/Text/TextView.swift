/// A view below a paragraph of a text.
public struct TextAttachment {
    /// The paragraph above the view.
    public var paragraph: Int
    /// The view, which scrolls with the text.
    public var view: View
    /// Returns the height for a text width, or 0 while the view is empty.
    public var height: @MainActor (_ columns: Int) -> Int

    /// Creates an attachment.
    public init(paragraph: Int, view: View, height: @escaping @MainActor (_ columns: Int) -> Int) {
        self.paragraph = paragraph
        self.view = view
        self.height = height
    }
}

/// A text view that wraps text, scrolls by lines and pages, and supports selection with the mouse.
///
/// After a resize, the reading position stays at the top: it is a paragraph and a character, not a line (row SPL-12).
/// Only the visible part is wrapped, however long the text is (row TXT-01).
open class TextView: View {
    /// The text.
    public var paragraphs: [TextParagraph] { layout.paragraphs }
    /// The maximum width of lines, for readability.
    public var maximumColumns = 92 { didSet { setNeedsLayout() } }
    /// Whether text narrower than the view is centred instead of at the left.
    public var isCentered = false { didSet { if isCentered != oldValue { setNeedsLayout() } } }
    /// The margin at both sides in columns.
    public var margin = 1 { didSet { setNeedsLayout() } }
    /// Whether it can have the focus.
    public var isScrollEnabled = true
    /// Whether the user can search the text.
    public var isFindEnabled = true
    /// Called for a page down at the end of the text, or `nil` for no effect.
    public var onPageBeyondEnd: (() -> Void)?
    /// Returns the columns to highlight in a line, such as the words of a search, or `nil` for none in any line.
    public var highlights: ((DisplayText) -> [Range<Int>])? { didSet { setNeedsDisplay() } }
    /// Called when the visible part has changed.
    public var onScroll: () -> Void = {}
    /// Called when a link is followed by click or letter, with its number (``StyledSpan/link``). `isOther` is set if
    /// the user typed a capital letter. With `nil`, links are ordinary text (row TXT-03).
    public var onFollow: ((_ link: Int32, _ isOther: Bool) -> Void)?
    /// Returns the address of a link for terminals that open links themselves, or `nil` if opening it needs a
    /// confirmation.
    public var addressOfLink: (_ link: Int32) -> String? = { _ in nil }

    /// Returns the colour of a link's text, or `nil` for that of its role.
    public var colorOfLink: (_ link: Int32) -> Color? = { _ in nil }

    /// The views between paragraphs, in order. Set them again when their heights change.
    public var attachments: [TextAttachment] = [] {
        didSet {
            let kept = Set(attachments.map { ObjectIdentifier($0.view) })
            for old in oldValue where !kept.contains(ObjectIdentifier(old.view)) { old.view.removeFromSuperview() }
            for new in attachments where new.view.superview !== self { addSubview(new.view) }
            layout.attach(attachments)
            setNeedsLayout()
        }
    }

    /// A position in the text that doesn't depend on the width.
    public struct Place: Hashable, Sendable {
        /// The paragraph at the top.
        public var paragraph: Int
        /// The bytes of the paragraph's text above the top, without spaces, so that line breaks don't matter.
        public var offset: Int

        /// Creates a place.
        public init(paragraph: Int, offset: Int) {
            self.paragraph = paragraph
            self.offset = offset
        }
    }

    /// The reading position after the user's last action, which a resize restores.
    public private(set) var place = Place(paragraph: 0, offset: 0)

    /// The first paragraph of the visible part.
    public var firstVisibleParagraph: Int { top.paragraph }

    private var layout = TextLayout([])
    private(set) var top = TextLayout.Position(paragraph: 0, line: 0)
    /// The visible lines.
    private(set) var shown: [TextLayout.Line] = []
    /// Whether the text is longer than the view.
    private var isLonger = false
    private var draggedThumb = false
    private lazy var finder = Finder(self)
    /// The position of the last search match.
    private var foundPlace: Place?
    /// The positions from which links inside the text were followed.
    private var placesBeforeJumps: [Place] = []
    private static let mostJumps = 50
    var hints: LinkHints?
    var pressedLink: Int32 = 0
    /// The selection.
    package var selection: TextSelection<Spot>?
    var sidewaysOffset = 0

    /// The distance, in heights of the view, within which attachments are placed. Others are moved out of sight.
    private static let attachmentReach = 6

    /// Creates an empty view.
    public override init() { super.init() }

    /// It can have the focus if it scrolls.
    open override var canBecomeFocused: Bool { isScrollEnabled }

    /// Sets the text and scrolls to its beginning, or keeps the reading position.
    public func setParagraphs(_ paragraphs: [TextParagraph], keepsPlace: Bool = false) {
        layout = TextLayout(paragraphs)
        layout.attach(attachments)
        foundPlace = nil
        selection = nil
        hints = nil
        if !keepsPlace { placesBeforeJumps = [] }
        if !keepsPlace { place = Place(paragraph: 0, offset: 0) }
        setNeedsLayout()
    }

    /// Scrolls to a place.
    public func restore(_ place: Place) {
        self.place = place
        setNeedsLayout()
    }

    /// Scrolls to a paragraph and records the previous position for ``TextCommands/back``.
    public func jump(toParagraph paragraph: Int) {
        placesBeforeJumps.append(place)
        if placesBeforeJumps.count > TextView.mostJumps { placesBeforeJumps.removeFirst() }
        restore(Place(paragraph: max(0, min(paragraph, paragraphs.count - 1)), offset: 0))
    }

    private func jumpBack() {
        if let place = placesBeforeJumps.popLast() { restore(place) }
    }

    // MARK: Layout

    /// The number of paragraphs wrapped in the current width.
    var wrappedParagraphs: Int { layout.wrappedCount }

    var textColumns: Int {
        max(1, min(maximumColumns, bounds.width - 2 * leastMargin))
    }
    private var leastMargin: Int { bounds.width >= 20 ? margin : 0 }
    /// The column where the text starts.
    var effectiveMargin: Int { isCentered ? (bounds.width - textColumns) / 2 : leastMargin }
    /// The maximum width of tables, which may use the whole view.
    private var tableColumns: Int { max(textColumns, bounds.width - 2 * leastMargin) }

    /// Returns the column where a line starts. A table that is wider than centred text is centred too.
    func leftEdge(of line: TextLayout.Line) -> Int {
        line.room > textColumns ? min(effectiveMargin, (bounds.width - line.room) / 2) : effectiveMargin
    }

    /// Wraps the visible part, and restores the reading position after a resize.
    open override func layoutSubviews() {
        if layout.wrap(columns: textColumns, tableColumns: tableColumns, isLinear: symbols.isLinear) {
            selection = nil
        }
        top = min(layout.position(at: place), layout.lastTop(height: bounds.height))
        shown = layout.lines(from: top, count: bounds.height)
        if let hints, hints.top != top || hints.columns != textColumns { self.hints = nil }
        let first = TextLayout.Position(paragraph: 0, line: 0)
        isLonger = top > first || layout.lines(from: first, count: bounds.height + 1).count > bounds.height
        sidewaysOffset = min(sidewaysOffset, sidewaysLimit)
        placeAttachments()
        finder.place()
        onScroll()
    }

    private func placeAttachments() {
        let reach = TextView.attachmentReach * max(1, bounds.height)
        for (attachment, lines) in zip(attachments, layout.places(from: top, within: reach)) {
            let lines = lines ?? 2 * reach..<2 * reach
            attachment.view.frame = Rect(
                x: effectiveMargin, y: lines.lowerBound, width: textColumns, height: lines.count)
        }
    }

    /// The weights of the text before the first and after the last visible line.
    private var shownWeights: Range<Int> {
        var end = layout.position(top, movedBy: shown.count - 1)
        end.line += 1
        return layout.weight(before: top)..<layout.weight(before: end)
    }

    /// The share of the text above the bottom of the view, from 0 to 1, or `nil` if all is visible.
    public var progress: Double? {
        guard isLonger, layout.totalWeight > 0 else { return nil }
        return Double(shownWeights.upperBound) / Double(layout.totalWeight)
    }

    /// Returns the number of lines in a width, and the width of the longest.
    open override func sizeThatFits(_ limit: Size) -> Size {
        let columns = max(1, min(maximumColumns, limit.width - 2 * margin))
        var size = Size.zero
        for paragraph in paragraphs where size.height < limit.height {
            for line in (symbols.isLinear ? paragraph.readLineByLine : paragraph).lines(columns: columns) {
                size.height += 1
                size.width = max(size.width, line.columns + 2 * margin)
            }
        }
        return Size(width: min(size.width, limit.width), height: min(size.height, limit.height))
    }

    // MARK: Drawing

    /// Draws the visible lines and the scroll indicator.
    open override func draw(in surface: Surface) {
        let theme = theme
        let base = theme[groundRole]
        for (row, line) in shown.enumerated() {
            let place = surface.subsurface(Rect(x: leftEdge(of: line), y: row, width: line.room, height: 1))
            let offset = offset(of: line)
            // Code has its own background over the whole width.
            if !paragraphs[line.paragraph].wraps, line.content.spans.contains(where: { $0.role.contains(.code) }) {
                place.fill(
                    Rect(x: 0, y: 0, width: textColumns, height: 1), style: theme.style(for: .code, base: base))
            }
            var column = -offset
            for span in line.content.spans {
                let start = column
                var style = theme.style(for: span.role, base: base)
                if span.link != 0, let color = colorOfLink(span.link) { style.foreground = color }
                column = place.draw(span.text, at: Point(x: column, y: 0), style: style)
                if span.link != 0, let address = addressOfLink(span.link),
                    let link = Hyperlink(address, number: span.link)
                {
                    place.link(start..<column, row: 0, to: link)
                }
            }
            drawMatches(in: line, base: base, place)
            guard isCut(line) else { continue }
            // The mark of a line that continues.
            if line.content.columns - offset > line.room {
                place.draw(symbols.more, at: Point(x: line.room - 1, y: 0), style: theme[.secondary])
            }
            if offset > 0 { place.draw(symbols.before, at: .zero, style: theme[.secondary]) }
        }
        drawSelection(in: surface)
        drawHints(in: surface)
        guard isLonger, bounds.width >= 20, bounds.height > 1 else { return }
        let weights = shownWeights
        let thumb = ScrollIndicator.thumb(
            first: weights.lowerBound, visible: weights.count, total: layout.totalWeight, track: bounds.height)
        ScrollIndicator.draw(thumb, of: self, in: surface)
    }

    /// Whether a line is longer than the width, because its paragraph isn't wrapped.
    private func isCut(_ line: TextLayout.Line) -> Bool {
        line.content.columns > line.room && !paragraphs[line.paragraph].wraps
    }

    /// Returns the number of columns by which a line is scrolled to the left.
    func offset(of line: TextLayout.Line) -> Int { isCut(line) ? sidewaysOffset : 0 }

    /// Highlights what the user finds, and what the owner highlights.
    private func drawMatches(in line: TextLayout.Line, base: Style, _ surface: Surface) {
        guard !finder.text.isEmpty || highlights != nil else { return }
        let text = line.content.text
        for range in text.ranges(of: finder.text) + (highlights?(text) ?? []) {
            surface.draw(
                text[columns: range], at: Point(x: range.lowerBound - offset(of: line), y: 0),
                style: theme.style(for: .match, base: base))
        }
    }

    private func drawSelection(in surface: Surface) {
        guard let range = selection?.range, !range.isEmpty else { return }
        for (row, line) in shown.enumerated() {
            let columns = range.columns(of: line, at: layout.position(top, movedBy: row))
            guard !columns.isEmpty else { continue }
            surface.restyle(
                Rect(
                    x: leftEdge(of: line) + columns.lowerBound - offset(of: line), y: row, width: columns.count,
                    height: 1)
            ) { $0.toggling(.reverse) }
        }
    }

    // MARK: Scrolling

    /// Scrolls down or up by lines.
    public func scroll(by count: Int) {
        scroll(to: layout.position(top, movedBy: count))
    }

    private func scroll(to position: TextLayout.Position) {
        let target = min(position, layout.lastTop(height: bounds.height))
        guard target != top else { return }
        let isDown = target > top
        top = target
        place = layout.place(at: top)
        setNeedsLayout()
        nearestViewController?.textDidScroll(isDown: isDown && top > TextLayout.Position(paragraph: 0, line: 0))
    }

    override func scrollToTop() { restore(Place(paragraph: 0, offset: 0)) }

    private func pageDown() {
        let isAtEnd = top >= layout.lastTop(height: bounds.height)
        if isAtEnd, let onPageBeyondEnd { return onPageBeyondEnd() }
        scroll(by: max(1, bounds.height - 1))
    }

    /// The keys for scrolling.
    open override var commands: [Command] {
        guard isScrollEnabled else { return [] }
        func scroll(_ definition: CommandDefinition, _ count: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.scroll(by: count()) }
        }
        return [
            Command(TextCommands.clearSelection, isEnabled: selection != nil) { [weak self] in
                self?.selection = nil
            }
        ] + (isFindEnabled ? finder.commands : []) + sidewaysCommands + [
            Command(TextCommands.back, isEnabled: !placesBeforeJumps.isEmpty) { [weak self] in
                self?.jumpBack()
            },
            scroll(TextCommands.down) { 1 },
            scroll(TextCommands.up) { -1 },
            Command(TextCommands.pageDown) { [weak self] in self?.pageDown() },
            scroll(TextCommands.pageUp) { -max(1, self.bounds.height - 1) },
            scroll(TextCommands.halfDown) { max(1, self.bounds.height / 2) },
            scroll(TextCommands.halfUp) { -max(1, self.bounds.height / 2) },
            Command(TextCommands.top) { [weak self] in
                self?.scroll(to: TextLayout.Position(paragraph: 0, line: 0))
            },
            Command(TextCommands.bottom) { [weak self] in
                if let self { self.scroll(to: self.layout.lastTop(height: self.bounds.height)) }
            },
        ]
    }

    /// While links have letters, keys choose one.
    open override func handle(_ press: KeyPress) -> Bool { hints != nil && choose(by: press) }

    /// The wheel and the indicator scroll, and a drag selects text.
    open override func handle(_ event: MouseEvent) -> Bool {
        if scrollSideways(by: event) || follow(by: event) { return true }
        switch event.action {
        case .wheel(let direction):
            scroll(by: direction * 3)
            return true
        case .press(.left):
            draggedThumb = event.location.x == bounds.width - 1 && isLonger
            return draggedThumb || select(by: event)
        case .drag(.left) where draggedThumb:
            let weight = event.location.y * layout.totalWeight / max(1, bounds.height)
            scroll(to: layout.position(afterWeight: max(0, weight)))
            return true
        default:
            return select(by: event)
        }
    }
}

extension TextView: SelectableText {
    /// A cell of the text by line and column.
    package struct Spot: Comparable {
        var line: TextLayout.Position
        var column: Int

        /// Compares by line, then by column.
        package static func < (left: Spot, right: Spot) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// Returns what a number of clicks at a cell selects.
    package func unit(at cell: Point, clicks: Int) -> Range<Spot> {
        guard !shown.isEmpty else {
            let start = Spot(line: top, column: 0)
            return start..<start
        }
        let row = max(0, min(cell.y, shown.count - 1))
        let (line, position) = (shown[row], layout.position(top, movedBy: row))
        // A point below the last line is after it.
        let column =
            cell.y > row
            ? line.content.columns : max(0, min(cell.x - leftEdge(of: line) + offset(of: line), line.content.columns))
        switch clicks {
        case 1:
            let spot = Spot(line: position, column: column)
            return spot..<spot
        case 2:
            let word = line.content.text.word(aroundColumn: column)
            return Spot(line: position, column: word.lowerBound)..<Spot(line: position, column: word.upperBound)
        default:
            let lines = layout.lines(of: position.paragraph)
            let first = TextLayout.Position(paragraph: position.paragraph, line: 0)
            let last = TextLayout.Position(paragraph: position.paragraph, line: lines.count - 1)
            return Spot(line: first, column: 0)..<Spot(line: last, column: lines[lines.count - 1].content.columns)
        }
    }

    /// Returns the text before wrapping: the lines of a paragraph become one line.
    package func text(in range: Range<Spot>) -> String {
        var result = ""
        for paragraph in range.lowerBound.line.paragraph...range.upperBound.line.paragraph
        where paragraphs.indices.contains(paragraph) {
            if paragraph > range.lowerBound.line.paragraph { result += "\n" }
            for (index, line) in layout.lines(of: paragraph).enumerated() {
                let columns = range.columns(of: line, at: TextLayout.Position(paragraph: paragraph, line: index))
                guard !columns.isEmpty else { continue }
                // The prefix of a paragraph's later lines is not part of the text.
                let start = index == 0 ? columns.lowerBound : max(columns.lowerBound, line.prefixColumns)
                let end = min(columns.upperBound, line.content.columns - (line.isHyphenated ? 1 : 0))
                result += line.content.text[columns: start..<max(start, end)].string
                let isWhole = columns.upperBound >= line.content.columns
                if isWhole, paragraphs[paragraph].hasBlank(afterTextBytes: line.textEnd) { result += " " }
            }
        }
        return result
    }

    /// Scrolls while text is being selected.
    package func scrollWhileSelecting(by lines: Int) {
        scroll(by: lines)
        window?.layoutIfNeeded()
    }
}

extension Range<TextView.Spot> {
    /// Returns the columns of a line that are in the range.
    func columns(of line: TextLayout.Line, at position: TextLayout.Position) -> Range<Int> {
        guard position >= lowerBound.line, position <= upperBound.line else { return 0..<0 }
        let width = line.content.columns
        let start = position == lowerBound.line ? Swift.min(lowerBound.column, width) : 0
        let end = position == upperBound.line ? Swift.min(upperBound.column, width) : width
        return start..<Swift.max(start, end)
    }
}

extension TextView: SidewaysScrolling {
    /// The maximum scroll distance of the visible unwrapped lines.
    var sidewaysLimit: Int { shown.reduce(0) { isCut($1) ? max($0, $1.content.columns - $1.room) : $0 } }
}

extension TextView: FindableView {
    var canFind: Bool { !paragraphs.isEmpty }

    func rememberPlace() -> () -> Void {
        foundPlace = nil
        let place = place
        return { [weak self] in
            self?.foundPlace = nil
            self?.restore(place)
        }
    }

    func find(_ text: String, step: Int) {
        guard !paragraphs.isEmpty else { return }
        let count = paragraphs.count
        // From the last match, or otherwise from the reading position.
        var start = foundPlace ?? place
        start.paragraph = max(0, min(start.paragraph, count - 1))
        for index in 0...count {
            let paragraph = (start.paragraph + (step < 0 ? count - index % count : index)) % count
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

    /// Scrolls a place to a third of the height if it isn't visible.
    private func show(_ match: Place) {
        layout.wrap(columns: textColumns, tableColumns: tableColumns, isLinear: symbols.isLinear)
        // The start of the search may have changed since the last layout.
        top = min(layout.position(at: place), layout.lastTop(height: bounds.height))
        let line = layout.position(at: match)
        guard line < top || line >= layout.position(top, movedBy: bounds.height - 1) else { return setNeedsDisplay() }
        scroll(to: layout.position(line, movedBy: -(bounds.height / 3)))
    }
}

extension StyledLine {
    /// The text of all spans.
    fileprivate var text: DisplayText { spans.reduce(DisplayText.empty) { $0 + $1.text } }
}

extension TextParagraph {
    private var text: DisplayText { StyledLine(spans).text }

    /// Returns the positions of a text in this one, as byte offsets without spaces like in ``TextView/Place``.
    fileprivate func offsets(of text: String) -> [Int] {
        let whole = self.text
        return whole.ranges(of: text).map { range in whole.prefix(columns: range.lowerBound).textBytes }
    }

    /// Whether a space follows an offset without spaces, so that a line break there is between words.
    fileprivate func hasBlank(afterTextBytes count: Int) -> Bool {
        let whole = text
        var bytes = 0
        guard
            let next = whole.glyphs.firstIndex(where: { glyph in
                defer { bytes += glyph == .space ? 0 : glyph.textBytes }
                return bytes >= count
            }), next > 0
        else { return false }
        return whole.glyphs[next] == .space && whole.glyphs[next...].contains { $0 != .space }
    }
}
