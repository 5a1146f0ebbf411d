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

/// Text to read: wrapped to the width, scrolled by lines and pages, chosen and copied with the mouse.
///
/// On another width the line being read stays at the top: the place is kept by paragraph and character, not by line
/// (row SPL-12). A text costs what is seen of it: the rest is not wrapped, however long it is (row TXT-01).
open class TextView: View {
    /// The text.
    public var paragraphs: [TextParagraph] { layout.paragraphs }
    /// The most columns of a line, for readability.
    public var maximumColumns = 92 { didSet { setNeedsLayout() } }
    /// Whether text that is narrower than the view stands in its middle, and not at the left.
    public var isCentered = false { didSet { if isCentered != oldValue { setNeedsLayout() } } }
    /// Blank columns at either side.
    public var margin = 1 { didSet { setNeedsLayout() } }
    /// Whether keys can be directed at it.
    public var isScrollEnabled = true
    /// Called when a page down is asked for at the end of the text; `nil`: nothing happens then.
    public var onPageBeyondEnd: (() -> Void)?
    /// Called when the visible part changed.
    public var onScroll: () -> Void = {}
    /// Called when a link is followed, by a click or a hint, with the number of its spans (``StyledSpan/link``); `isOther`
    /// tells that it was asked for in the other way, by a capital letter. `nil`: links are words like others (row TXT-03).
    public var onFollow: ((_ link: Int32, _ isOther: Bool) -> Void)?
    /// Where a link leads, for terminals that open links themselves; `nil`: nowhere that may be opened without a question.
    public var addressOfLink: (_ link: Int32) -> String? = { _ in nil }

    /// Views between the paragraphs, in the order of these. Those whose heights change have to be set anew.
    public var attachments: [TextAttachment] = [] {
        didSet {
            let kept = Set(attachments.map { ObjectIdentifier($0.view) })
            for old in oldValue where !kept.contains(ObjectIdentifier(old.view)) { old.view.removeFromSuperview() }
            for new in attachments where new.view.superview !== self { addSubview(new.view) }
            layout.attach(attachments)
            setNeedsLayout()
        }
    }

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

    private var layout = TextLayout([])
    private(set) var top = TextLayout.Position(paragraph: 0, line: 0)
    /// The lines that can be seen.
    private(set) var shown: [TextLayout.Line] = []
    /// Whether there is more than can be seen at once.
    private var isLonger = false
    private var draggedThumb = false
    private lazy var finder = Finder(self)
    private var placeBeforeFinding = Place(paragraph: 0, offset: 0)
    /// Where the text stands that was found last.
    private var foundPlace: Place?
    /// The places from which links in the text have led away.
    private var placesBeforeJumps: [Place] = []
    private static let mostJumps = 50
    var hints: LinkHints?
    var pressedLink: Int32 = 0
    var selection: TextSelection<Spot>?
    var sidewaysOffset = 0

    /// Heights of the view, up and down, within which attachments have their places; others are put further away.
    private static let attachmentReach = 6

    /// Makes an empty view.
    public override init() { super.init() }

    /// Keys go to text that can be scrolled.
    open override var canBecomeFocused: Bool { isScrollEnabled }

    /// Shows a text, from its beginning or at the place where the text before it was read.
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

    /// Scrolls to a paragraph, and remembers the place before for ``ToolkitCommands/textBack``.
    public func jump(toParagraph paragraph: Int) {
        placesBeforeJumps.append(place)
        if placesBeforeJumps.count > TextView.mostJumps { placesBeforeJumps.removeFirst() }
        restore(Place(paragraph: max(0, min(paragraph, paragraphs.count - 1)), offset: 0))
    }

    private func jumpBack() {
        if let place = placesBeforeJumps.popLast() { restore(place) }
    }

    // MARK: Layout

    /// Paragraphs that are wrapped at the present width.
    var wrappedParagraphs: Int { layout.wrappedCount }

    var textColumns: Int {
        max(1, min(maximumColumns, bounds.width - 2 * leastMargin))
    }
    private var leastMargin: Int { bounds.width >= 20 ? margin : 0 }
    /// The column at which the text begins.
    var effectiveMargin: Int { isCentered ? (bounds.width - textColumns) / 2 : leastMargin }

    /// Wraps what can be seen, and finds the line being read again when the width is another.
    open override func layoutSubviews() {
        if layout.wrap(columns: textColumns, isLinear: symbols.isLinear) { selection = nil }
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

    /// The part of the text before the first and behind the last line that can be seen, measured by its columns.
    private var shownWeights: Range<Int> {
        var end = layout.position(top, movedBy: shown.count - 1)
        end.line += 1
        return layout.weight(before: top)..<layout.weight(before: end)
    }

    /// The part of the text above the bottom of the view, 0 to 1; `nil` when all can be seen.
    public var progress: Double? {
        guard isLonger, layout.totalWeight > 0 else { return nil }
        return Double(shownWeights.upperBound) / Double(layout.totalWeight)
    }

    /// The lines needed for a width, and their widest.
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
        let base = inheritedStyle
        for (row, line) in shown.enumerated() {
            let place = surface.subsurface(Rect(x: effectiveMargin, y: row, width: textColumns, height: 1))
            let offset = offset(of: line)
            // Program text stands on a ground of its own, from edge to edge.
            if !paragraphs[line.paragraph].wraps, line.content.spans.contains(where: { $0.role.contains(.code) }) {
                place.fill(
                    Rect(x: 0, y: 0, width: textColumns, height: 1), style: theme.style(for: .code, base: base))
            }
            var column = -offset
            for span in line.content.spans {
                let start = column
                column = place.draw(
                    span.text, at: Point(x: column, y: 0), style: theme.style(for: span.role, base: base))
                if span.link != 0, let address = addressOfLink(span.link),
                    let link = Hyperlink(address, number: span.link)
                {
                    place.link(start..<column, row: 0, to: link)
                }
            }
            drawMatches(in: line, base: base, place)
            guard isCut(line) else { continue }
            // Where a line that is not wrapped goes on.
            if line.content.columns - offset > textColumns {
                place.draw(symbols.more, at: Point(x: textColumns - 1, y: 0), style: theme[.secondary])
            }
            if offset > 0 { place.draw(symbols.before, at: .zero, style: theme[.secondary]) }
        }
        drawSelection(in: surface)
        drawHints(in: surface)
        guard isLonger, bounds.width >= 20, bounds.height > 1 else { return }
        let weights = shownWeights
        let thumb = ScrollIndicator.thumb(
            first: weights.lowerBound, visible: weights.count, total: layout.totalWeight, track: bounds.height)
        surface.fill(
            Rect(x: bounds.width - 1, y: thumb.lowerBound, width: 1, height: thumb.count), with: symbols.scrollThumb,
            style: theme[.rule])
    }

    /// Whether a line is longer than there are columns: one of a paragraph that is not wrapped.
    private func isCut(_ line: TextLayout.Line) -> Bool {
        line.content.columns > textColumns && !paragraphs[line.paragraph].wraps
    }

    /// Columns by which a line is moved to the left.
    func offset(of line: TextLayout.Line) -> Int { isCut(line) ? sidewaysOffset : 0 }

    /// Marks what was looked for.
    private func drawMatches(in line: TextLayout.Line, base: Style, _ surface: Surface) {
        guard !finder.text.isEmpty else { return }
        let text = line.content.text
        for range in text.ranges(of: finder.text) {
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
                    x: effectiveMargin + columns.lowerBound - offset(of: line), y: row, width: columns.count, height: 1)
            ) { $0.toggling(.reverse) }
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

    // MARK: Scrolling

    /// Scrolls by lines, down or up.
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
        nearestNavigation?.textDidScroll(isDown: isDown && top > TextLayout.Position(paragraph: 0, line: 0))
    }

    private var nearestNavigation: NavigationController? {
        let controller = nearestViewController
        return controller as? NavigationController ?? controller?.navigationController
    }

    private func pageDown() {
        let isAtEnd = top >= layout.lastTop(height: bounds.height)
        if isAtEnd, let onPageBeyondEnd { return onPageBeyondEnd() }
        scroll(by: max(1, bounds.height - 1))
    }

    /// Keys to scroll.
    open override var commands: [Command] {
        guard isScrollEnabled else { return [] }
        func scroll(_ definition: CommandDefinition, _ count: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.scroll(by: count()) }
        }
        return [
            Command(ToolkitCommands.clearSelection, isEnabled: selection != nil) { [weak self] in
                self?.selection = nil
            }
        ] + finder.commands + sidewaysCommands + [
            Command(ToolkitCommands.textBack, isEnabled: !placesBeforeJumps.isEmpty) { [weak self] in
                self?.jumpBack()
            },
            scroll(ToolkitCommands.textDown) { 1 },
            scroll(ToolkitCommands.textUp) { -1 },
            Command(ToolkitCommands.textPageDown) { [weak self] in self?.pageDown() },
            scroll(ToolkitCommands.textPageUp) { -max(1, self.bounds.height - 1) },
            scroll(ToolkitCommands.textHalfDown) { max(1, self.bounds.height / 2) },
            scroll(ToolkitCommands.textHalfUp) { -max(1, self.bounds.height / 2) },
            Command(ToolkitCommands.textTop) { [weak self] in
                self?.scroll(to: TextLayout.Position(paragraph: 0, line: 0))
            },
            Command(ToolkitCommands.textBottom) { [weak self] in
                if let self { self.scroll(to: self.layout.lastTop(height: self.bounds.height)) }
            },
        ]
    }

    /// While links have hints the letters are theirs.
    open override func handle(_ press: KeyPress) -> Bool { hints != nil && choose(by: press) }

    /// Scrolls by the wheel or the indicator; a drag chooses text.
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
    /// A cell of the text, by its line.
    struct Spot: Comparable {
        var line: TextLayout.Position
        var column: Int

        static func < (left: Spot, right: Spot) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    func unit(at cell: Point, clicks: Int) -> Range<Spot> {
        guard !shown.isEmpty else {
            let start = Spot(line: top, column: 0)
            return start..<start
        }
        let row = max(0, min(cell.y, shown.count - 1))
        let (line, position) = (shown[row], layout.position(top, movedBy: row))
        // Below the last line is behind it.
        let column =
            cell.y > row
            ? line.content.columns : max(0, min(cell.x - effectiveMargin + offset(of: line), line.content.columns))
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

    /// The words as they were before they were wrapped: lines of one paragraph are one line.
    func text(in range: Range<Spot>) -> String {
        var result = ""
        for paragraph in range.lowerBound.line.paragraph...range.upperBound.line.paragraph
        where paragraphs.indices.contains(paragraph) {
            if paragraph > range.lowerBound.line.paragraph { result += "\n" }
            for (index, line) in layout.lines(of: paragraph).enumerated() {
                let columns = range.columns(of: line, at: TextLayout.Position(paragraph: paragraph, line: index))
                guard !columns.isEmpty else { continue }
                // What stands before the lines of a paragraph but the first belongs to their look.
                let start = index == 0 ? columns.lowerBound : max(columns.lowerBound, line.prefixColumns)
                let end = min(columns.upperBound, line.content.columns - (line.isHyphenated ? 1 : 0))
                result += line.content.text[columns: start..<max(start, end)].string
                let isWhole = columns.upperBound >= line.content.columns
                if isWhole, paragraphs[paragraph].hasBlank(afterTextBytes: line.textEnd) { result += " " }
            }
        }
        return result
    }

    func scrollWhileSelecting(by lines: Int) {
        scroll(by: lines)
        window?.layoutIfNeeded()
    }
}

extension Range<TextView.Spot> {
    /// The columns of a line that are in the range.
    func columns(of line: TextLayout.Line, at position: TextLayout.Position) -> Range<Int> {
        guard position >= lowerBound.line, position <= upperBound.line else { return 0..<0 }
        let width = line.content.columns
        let start = position == lowerBound.line ? Swift.min(lowerBound.column, width) : 0
        let end = position == upperBound.line ? Swift.min(upperBound.column, width) : width
        return start..<Swift.max(start, end)
    }
}

extension TextView: SidewaysScrolling {
    /// Lines of paragraphs that are not wrapped, as far as they can be seen.
    var sidewaysLimit: Int { shown.reduce(0) { isCut($1) ? max($0, $1.content.columns - textColumns) : $0 } }
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
        let count = paragraphs.count
        // From what was found last, else from the line being read.
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

    /// Scrolls a place into sight, a third from the top, where it cannot be seen.
    private func show(_ match: Place) {
        layout.wrap(columns: textColumns)
        // The place from which one looks may have been taken up since the last layout.
        top = min(layout.position(at: place), layout.lastTop(height: bounds.height))
        let line = layout.position(at: match)
        guard line < top || line >= layout.position(top, movedBy: bounds.height - 1) else { return setNeedsDisplay() }
        scroll(to: layout.position(line, movedBy: -(bounds.height / 3)))
    }
}

extension StyledLine {
    /// The words of all spans.
    fileprivate var text: DisplayText { spans.reduce(DisplayText.empty) { $0 + $1.text } }
}

extension TextParagraph {
    private var text: DisplayText { StyledLine(spans).text }

    /// Where a text stands in this one: the bytes before it without blanks, as in ``TextView/Place``.
    fileprivate func offsets(of text: String) -> [Int] {
        let whole = self.text
        return whole.ranges(of: text).map { range in whole.prefix(columns: range.lowerBound).textBytes }
    }

    /// Whether a blank follows so many bytes of the text without blanks: lines are broken there, or in a word.
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
