/// A row of names, one of which is selected.
///
/// Names that don't fit are shortened, then reduced to initials. The selected one stays readable (row SEG-08).
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
    /// The name of the selected segment.
    var selectedTitle: DisplayText? {
        segments.indices.contains(selectedSegmentIndex) ? segments[selectedSegmentIndex].title : nil
    }
    /// Whether the segments act like buttons, so that none stays selected.
    public var isMomentary = false { didSet { if isMomentary { selectedSegmentIndex = -1 } } }
    /// Whether all segments have the same width if there is space.
    public var hasEqualWidths = false { didSet { setNeedsLayout() } }
    /// Called with the index of the clicked segment, even if it is already selected.
    public var onSelect: (Int) -> Void = { _ in }

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

    private var placed: [Range<Int>] = []

    /// Creates a control without segments.
    public override init() { super.init() }

    /// Returns the width of all names in full.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: min(limit.width, labels(in: limit.width).reduce(1) { $0 + $1.columns + 2 }), height: 1)
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
            let equal = full.map { label in
                label + .blanks(widest - label.columns)
            }
            if fits(equal) { return equal }
        }
        let initials = initials
        let mixed = segments.indices.map { $0 == selectedSegmentIndex ? plain[$0] : initials[$0] }
        let dot: DisplayText = "•"
        for titles in [plain, mixed, initials] {
            // A dot means nothing to a screen reader.
            let candidates =
                [labels(titles) { " " + $0 }] + (symbols.isLinear ? [] : [labels(titles) { _ in dot }]) + [titles]
            for candidate in candidates where fits(candidate) { return candidate }
        }
        return initials.map { $0.prefix(columns: 1) }
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
        placed.removeAll()
        var column = 0
        for (index, label) in labels(in: bounds.width).enumerated() {
            let isSelected = index == selectedSegmentIndex
            let start = column
            if isSelected {
                let style = theme[.segment]
                let edge = Style(
                    foreground: theme[.accent].foreground, background: theme[.text].background, attributes: .bold)
                surface.draw(symbols.segmentLeft, at: Point(x: column, y: 0), style: edge)
                surface.draw(label, at: Point(x: column + 1, y: 0), style: style)
                surface.draw(symbols.segmentRight, at: Point(x: column + 1 + label.columns, y: 0), style: edge)
            } else {
                let style = theme[segments[index].isEnabled ? .text : .secondary]
                surface.draw(label, at: Point(x: column + 1, y: 0), style: style)
            }
            column += label.columns + 2
            placed.append(start..<column)
        }
    }

    /// Selects the clicked segment.
    public override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action else { return false }
        guard let index = placed.firstIndex(where: { $0.contains(event.location.x) }) else { return false }
        if segments[index].isEnabled { onSelect(index) }
        return true
    }
}
