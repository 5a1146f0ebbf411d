@MainActor
enum HelpRow {
    /// The title of a collapsible group.
    case group(HelpGroup, isExpanded: Bool)
    /// Items side by side, which only explain something.
    case items(HelpLine)
    /// A command that can be performed.
    case command(HelpItem, HelpLine)

    /// Whether the arrow keys select it.
    var isSelectable: Bool {
        if case .items = self { false } else { true }
    }
}

/// Rows under a title. An empty title is a line.
@MainActor
struct HelpSection {
    var title: DisplayText?
    var rows: [HelpRow]
}

/// The aligned text of one item, or of several side by side.
@MainActor
struct HelpLine {
    /// The width of the column for keys and signs, and of an item. A wider key moves its explanation to the right.
    struct Widths {
        private static let maximumSignColumns = 28
        /// The space after the key, and between two items.
        private static let (signGap, itemGap) = (2, 3)
        let sign: Int
        let item: Int

        @MainActor
        init(_ items: some Collection<HelpItem>) {
            let sign = min(Widths.maximumSignColumns, items.map(\.sign.columns).max() ?? 0)
            self.sign = sign + Widths.signGap
            item = items.map { max(sign, $0.sign.columns) + Widths.signGap + $0.text.columns }.max() ?? 0
        }

        /// Returns the width of several items side by side.
        func columns(of count: Int) -> Int { count * item + (count - 1) * Widths.itemGap }

        /// Returns where an item starts.
        func start(of index: Int) -> Int { index * (item + Widths.itemGap) }
    }

    private(set) var text = DisplayText.empty
    private(set) var roles: [(columns: Range<Int>, role: ThemeRole)] = []

    init(_ items: [HelpItem], _ widths: Widths, indentation: Int = 0) {
        for (index, item) in items.enumerated() {
            text = text + .blanks(indentation + widths.start(of: index) - text.columns)
            let start = text.columns
            roles.append((start..<start + item.sign.columns, item.role))
            text = text + item.sign + .blanks(max(1, widths.sign - item.sign.columns)) + item.text
        }
    }

    /// Returns the lines of items in a number of columns, which are read from top to bottom.
    static func lines(_ items: [HelpItem], columns: Int, _ widths: Widths) -> [HelpLine] {
        let rows = (items.count + columns - 1) / columns
        return (0..<rows).map { row in
            let beside = stride(from: row, to: items.count, by: rows).map { items[$0] }
            return HelpLine(beside, widths)
        }
    }
}
