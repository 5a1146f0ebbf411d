/// A row of names, one of which is selected.
///
/// Names that don't fit are shortened, then reduced to initials (row SEG-08). If even those don't fit, the row shows the
/// part around the selected one, which stays readable.
@MainActor
public final class SegmentedControl: View {
    /// A segment.
    public struct Segment: Hashable, Sendable {
        /// The name.
        public var title: DisplayText
        /// A short text after the name, such as the number of unread entries.
        public var badge: DisplayText?
        /// Whether it can be selected.
        public var isEnabled = true

        /// Creates a segment.
        public init(_ title: DisplayText, badge: DisplayText? = nil, isEnabled: Bool = true) {
            self.title = title
            self.badge = badge
            self.isEnabled = isEnabled
        }
    }

    /// The segments from left to right.
    public var segments: [Segment] = [] { didSet { if segments != oldValue { setNeedsLayout() } } }
    /// The index of the selected segment, or -1 for none.
    public var selectedSegmentIndex = -1 { didSet { if selectedSegmentIndex != oldValue { setNeedsDisplay() } } }
    var selectedTitle: DisplayText? {
        segments.indices.contains(selectedSegmentIndex) ? segments[selectedSegmentIndex].title : nil
    }
    /// Whether the segments act like buttons, so that none stays selected.
    public var isMomentary = false { didSet { if isMomentary { selectedSegmentIndex = -1 } } }
    /// Whether all segments have the same width if there is space.
    public var hasEqualWidths = false { didSet { setNeedsLayout() } }
    /// Called with the index of the clicked segment, even if it is already selected.
    public var onSelect: (Int) -> Void = { _ in }
    /// Called when a segment was dragged to the place of another one; `nil` if they have a fixed order.
    public var onMove: ((_ index: Int, _ target: Int) -> Void)?
    /// The segment under the held button, and the one to whose place it was dragged.
    private var dragged: (index: Int, target: Int)?

    /// Inserts a segment. An index out of range means the end. The selection stays.
    public func insertSegment(_ segment: Segment, at index: Int) {
        let place = max(0, min(index, segments.count))
        segments.insert(segment, at: place)
        if selectedSegmentIndex >= place { selectedSegmentIndex += 1 }
    }

    /// Removes a segment. An index out of range means the last. Removing the selected segment clears the selection.
    public func removeSegment(at index: Int) {
        guard !segments.isEmpty else { return }
        let place = max(0, min(index, segments.count - 1))
        segments.remove(at: place)
        if selectedSegmentIndex == place {
            selectedSegmentIndex = -1
        } else if selectedSegmentIndex > place {
            selectedSegmentIndex -= 1
        }
    }

    private var placedRanges: [(index: Int, columns: Range<Int>)] = []

    /// Creates a control without segments.
    public override init() { super.init() }

    /// Returns the width of all names in full.
    public override func sizeThatFits(_ limit: Size) -> Size {
        let (labels, isMoreBefore, isMoreAfter) = placed(in: limit.width)
        let marks = [isMoreBefore, isMoreAfter].filter(\.self).count * symbols.overflow.columns
        return Size(width: min(limit.width, labels.reduce(1 + marks) { $0 + $1.text.columns + 2 }), height: 1)
    }

    /// Returns the names that fit: all in full, or others than the selected one shortened to as many letters as tell
    /// them apart. Each has its badge, or a dot for it if only a cell is left.
    private func labels(in width: Int) -> [DisplayText] {
        func labels(_ titles: [DisplayText], _ badge: (DisplayText) -> DisplayText) -> [DisplayText] {
            zip(titles, segments).map { title, segment in segment.badge.map { title + badge($0) } ?? title }
        }
        let plain = segments.map(\.title)
        let full = labels(plain) { " " + $0 }
        func fits(_ labels: [DisplayText]) -> Bool { labels.reduce(1) { $0 + $1.columns + 2 } <= width }
        if hasEqualWidths {
            let widest = full.map(\.columns).max() ?? 0
            let equal = full.map { $0.padded(to: widest) }
            if fits(equal) { return equal }
        }
        if fits(full) { return full }
        let initials = initials
        let mixed = segments.indices.map { $0 == selectedSegmentIndex ? plain[$0] : initials[$0] }
        let dot: DisplayText = "•"
        for titles in [plain, mixed, initials] {
            // A dot means nothing to a screen reader.
            let candidates =
                [labels(titles) { " " + $0 }] + (symbols.isLinear ? [] : [labels(titles) { _ in dot }]) + [titles]
            for candidate in candidates where fits(candidate) { return candidate }
        }
        return mayScroll ? full : initials.map { $0.prefix(columns: 1) }
    }

    /// Whether the row shows a part of the segments if even initials don't fit. Three letters always do, or nearly.
    private var mayScroll: Bool { segments.count > 3 }

    /// The segments in the order in which they are drawn: a dragged one is at its new place already.
    private var order: [Int] {
        var order = Array(segments.indices)
        if let dragged, order.indices.contains(dragged.index), order.indices.contains(dragged.target) {
            order.insert(order.remove(at: dragged.index), at: dragged.target)
        }
        return order
    }

    /// Returns the segments to draw with their labels: all of them if they fit, otherwise the selected one and as many
    /// of its neighbours as fit beside it, and whether there are more at each side.
    private func placed(in width: Int) -> (labels: [(index: Int, text: DisplayText)], before: Bool, after: Bool) {
        let (texts, order) = (labels(in: width), order)
        let all = order.map { (index: $0, text: texts[$0]) }
        func columns(_ range: Range<Int>) -> Int { range.reduce(1) { $0 + all[$1].text.columns + 2 } }
        guard mayScroll, columns(all.indices) > width else { return (all, false, false) }
        let start = order.firstIndex(of: selectedSegmentIndex) ?? 0
        var range = start..<(start + 1)
        // Each side with more segments has a mark.
        let room = width - 2 * symbols.overflow.columns
        var canGrow = true
        while canGrow {
            canGrow = false
            if range.upperBound < all.count, columns(range.lowerBound..<(range.upperBound + 1)) <= room {
                range = range.lowerBound..<(range.upperBound + 1)
                canGrow = true
            }
            if range.lowerBound > 0, columns((range.lowerBound - 1)..<range.upperBound) <= room {
                range = (range.lowerBound - 1)..<range.upperBound
                canGrow = true
            }
        }
        var part = Array(all[range])
        if part.count == 1 { part[0].text = part[0].text.truncated(to: max(1, room - 2)) }
        return (part, range.lowerBound > 0, range.upperBound < all.count)
    }

    /// The shortest beginnings by which the names can be told apart.
    private var initials: [DisplayText] {
        let longest = segments.map(\.title.columns).max() ?? 1
        for count in 1..<max(2, longest) {
            let candidate = segments.map { $0.title.prefix(columns: count) }
            if Set(candidate).count == Set(segments.map(\.title)).count { return candidate }
        }
        return segments.map(\.title)
    }

    /// Draws the names. The selected one is between half blocks, so that it is recognisable without colour.
    public override func draw(in surface: Surface) {
        let theme = theme
        placedRanges.removeAll()
        let (labels, isMoreBefore, isMoreAfter) = placed(in: bounds.width)
        var column = 0
        if isMoreBefore { column = surface.draw(symbols.overflow, at: .zero, style: theme[.secondary]) }
        for (index, label) in labels {
            let isSelected = index == selectedSegmentIndex
            let start = column
            if isSelected {
                let style = theme[.segment]
                let edge = Style(foreground: theme[.accent].foreground, background: theme[.text].background)
                surface.draw(symbols.segmentLeft, at: Point(x: column, y: 0), style: edge)
                surface.draw(label, at: Point(x: column + 1, y: 0), style: style)
                surface.draw(symbols.segmentRight, at: Point(x: column + 1 + label.columns, y: 0), style: edge)
            } else {
                let style = theme[segments[index].isEnabled ? .text : .secondary]
                surface.draw(label, at: Point(x: column + 1, y: 0), style: style)
            }
            column += label.columns + 2
            placedRanges.append((index, start..<column))
        }
        if isMoreAfter { surface.draw(symbols.overflow, at: Point(x: column, y: 0), style: theme[.secondary]) }
    }

    private func index(at column: Int) -> Int? { placedRanges.first { $0.columns.contains(column) }?.index }

    /// Selects the clicked segment, and moves a dragged one.
    public override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left):
            guard let index = index(at: event.location.x) else { return false }
            dragged = onMove == nil ? nil : (index, index)
            if segments[index].isEnabled { onSelect(index) }
            return true
        case .drag:
            guard let dragged, let under = index(at: event.location.x) else { return false }
            // The segment under the pointer, which is the dragged one as soon as it is drawn there.
            guard under != dragged.index, let target = order.firstIndex(of: under) else { return true }
            self.dragged?.target = target
            setNeedsDisplay()
            return true
        case .release:
            guard let dragged else { return false }
            self.dragged = nil
            setNeedsDisplay()
            if dragged.target != dragged.index { onMove?(dragged.index, dragged.target) }
            return true
        default: return false
        }
    }
}
