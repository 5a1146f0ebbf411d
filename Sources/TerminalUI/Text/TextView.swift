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
    public internal(set) var place = Place(paragraph: 0, offset: 0)

    /// The first paragraph of the visible part.
    public var firstVisibleParagraph: Int { top.paragraph }

    var layout = TextLayout([])
    var top = TextLayout.Position.start
    private(set) var shown: [TextLayout.Line] = []
    private var isLonger = false
    private var draggedThumb = false
    private(set) lazy var finder = Finder(self)
    /// The search that goes from match to match.
    var search = TextSearch()
    /// The positions from which links inside the text were followed.
    private var jumps: [Place] = []
    package private(set) lazy var links = TextLinks(self)
    /// The selection.
    package var selection: TextSelection<Spot>?
    var sidewaysOffset = 0

    /// Creates an empty view.
    public override init() { super.init() }

    /// It can have the focus if it scrolls.
    open override var canBecomeFocused: Bool { isScrollEnabled }

    /// Sets the text and scrolls to its beginning, or keeps the reading position.
    public func setParagraphs(_ paragraphs: [TextParagraph], keepsPlace: Bool = false) {
        layout = TextLayout(paragraphs)
        layout.attach(attachments)
        // The visible lines belong to the previous text.
        shown = []
        search = TextSearch()
        selection = nil
        links.endHints()
        if !keepsPlace {
            jumps = []
            place = Place(paragraph: 0, offset: 0)
        }
        setNeedsLayout()
    }

    /// Scrolls to a place.
    public func restore(_ place: Place) {
        self.place = place
        setNeedsLayout()
    }

    /// Scrolls to a paragraph and records the previous position for ``TextCommands/back``.
    public func jump(toParagraph paragraph: Int) {
        jumps.append(place, keepingLast: 50)
        restore(Place(paragraph: max(0, min(paragraph, paragraphs.count - 1)), offset: 0))
    }

    // MARK: Layout

    /// The horizontal position of the text in the view.
    var margins: TextMargins {
        TextMargins(width: bounds.width, maximumColumns: maximumColumns, margin: margin, isCentered: isCentered)
    }

    /// Wraps the text in the current width, and returns whether that has changed.
    @discardableResult
    func wrapText() -> Bool {
        let margins = margins
        return layout.wrap(
            columns: margins.textColumns, tableColumns: margins.tableColumns, isLinear: symbols.isLinear)
    }

    /// Wraps the visible part, and restores the reading position after a resize.
    open override func layoutSubviews() {
        if wrapText() { selection = nil }
        top = min(layout.position(at: place), layout.lastTop(height: bounds.height))
        shown = layout.lines(from: top, count: bounds.height)
        links.endOutdatedHints()
        isLonger = top > .start || layout.lines(from: .start, count: bounds.height + 1).count > bounds.height
        sidewaysOffset = min(sidewaysOffset, sidewaysLimit)
        placeAttachments()
        finder.place()
        onScroll()
    }

    private func placeAttachments() {
        let reach = TextAttachment.reach * max(1, bounds.height)
        let margins = margins
        for (attachment, lines) in zip(attachments, layout.places(from: top, within: reach)) {
            let lines = lines ?? 2 * reach..<2 * reach
            attachment.view.frame = Rect(
                x: margins.left, y: lines.lowerBound, width: margins.textColumns, height: lines.count)
        }
    }

    /// The share of the text above the bottom of the view with the places of its headings, or `nil` if all is visible.
    public var readingProgress: ReadingProgress? {
        progress.map { ReadingProgress(share: $0, headings: layout.headings) }
    }

    /// The share of the text above the bottom of the view, such as "41 %", or `nil` if all is visible.
    open override var positionText: DisplayText? {
        progress.map { share in
            let percent = String(Int(clamping: share * 100))
            return .blanks(3 - percent.count) + DisplayText(percent + " %")
        }
    }

    /// The share of the text above the bottom of the view, from 0 to 1, or `nil` if all is visible.
    public var progress: Double? {
        guard isLonger, layout.totalWeight > 0 else { return nil }
        return Double(layout.weights(from: top, lines: shown.count).upperBound) / Double(layout.totalWeight)
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
        let margins = margins
        for (row, line) in shown.enumerated() {
            let place = surface.subsurface(Rect(x: margins.left(of: line), y: row, width: line.room, height: 1))
            let offset = offset(of: line)
            // Code has its own background over the whole width, also where it is blank.
            let paragraph = paragraphs[line.paragraph]
            if !paragraph.wraps, !paragraph.isTable,
                paragraph.spans.isEmpty || line.content.spans.contains(where: { $0.role.contains(.code) })
            {
                place.fill(
                    Rect(x: 0, y: 0, width: margins.textColumns, height: 1), style: theme.style(for: .code, base: base))
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
            guard line.isCut else { continue }
            // The mark of a line that continues.
            if line.content.columns - offset > line.room {
                place.draw(symbols.more, at: Point(x: line.room - 1, y: 0), style: theme[.secondary])
            }
            if offset > 0 { place.draw(symbols.before, at: .zero, style: theme[.secondary]) }
        }
        drawSelection(in: surface)
        links.drawHints(in: surface)
        guard isLonger, bounds.width >= 20, bounds.height > 1 else { return }
        let weights = layout.weights(from: top, lines: shown.count)
        let thumb = ScrollIndicator.thumb(
            first: weights.lowerBound, visible: weights.count, total: layout.totalWeight, track: bounds.height)
        ScrollIndicator.draw(thumb, of: self, in: surface)
    }

    /// Returns the number of columns by which a line is scrolled to the left.
    func offset(of line: TextLayout.Line) -> Int { line.isCut ? sidewaysOffset : 0 }

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
                    x: margins.left(of: line) + columns.lowerBound - offset(of: line), y: row, width: columns.count,
                    height: 1)
            ) { $0.toggling(.reverse) }
        }
    }

    // MARK: Scrolling

    override func go(toLine line: Int) -> Bool {
        scroll(to: layout.position(.start, movedBy: line))
        return true
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
            Command(TextCommands.back, isEnabled: !jumps.isEmpty) { [weak self] in
                if let self, let place = self.jumps.popLast() { self.restore(place) }
            },
            scroll(TextCommands.down) { 1 },
            scroll(TextCommands.up) { -1 },
            Command(TextCommands.pageDown) { [weak self] in self?.pageDown() },
            scroll(TextCommands.pageUp) { -max(1, self.bounds.height - 1) },
            scroll(TextCommands.halfDown) { max(1, self.bounds.height / 2) },
            scroll(TextCommands.halfUp) { -max(1, self.bounds.height / 2) },
            Command(TextCommands.top) { [weak self] in self?.scroll(to: .start) },
            Command(TextCommands.bottom) { [weak self] in
                if let self { self.scroll(to: self.layout.lastTop(height: self.bounds.height)) }
            },
        ]
    }

    /// While links have letters, keys choose one.
    open override func handle(_ press: KeyPress) -> Bool { links.choose(by: press) }

    /// The wheel and the indicator scroll, and a drag selects text.
    open override func handle(_ event: MouseEvent) -> Bool {
        if scrollSideways(by: event) || links.follow(by: event) { return true }
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
