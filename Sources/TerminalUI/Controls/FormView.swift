/// Fields and controls below each other, each with its name; Tab and the arrows go through them, and the one that keys go to
/// is scrolled into sight (row FRM-01).
@MainActor
public final class FormView: ScrollView {
    /// A line of a form.
    public struct Row {
        /// What the field is for; empty where the control says it itself.
        public var title: DisplayText
        /// The field or control.
        public var view: View
        /// Lines that it takes; `nil`: as many as it asks for.
        public var height: Int?

        /// Makes a row.
        public init(_ title: DisplayText, _ view: View, height: Int? = nil) {
            self.title = title
            self.view = view
            self.height = height
        }

        /// Makes a row of a control that says itself what it is for.
        public init(view: View, height: Int? = nil) { self.init(.empty, view, height: height) }
    }

    /// The rows from top to bottom.
    public let rows: [Row]
    private let labels: [Label]

    /// Columns that a field has at least beside its name; with fewer it stands below.
    private static let leastField = 16

    /// Makes a form.
    public init(_ rows: [Row]) {
        self.rows = rows
        labels = rows.map { Label($0.title, .secondary) }
        super.init()
        for (row, label) in zip(rows, labels) {
            content.addSubview(label)
            content.addSubview(row.view)
        }
    }

    /// Checks all fields of text: what is wrong stands below each, and keys go to the first of them.
    ///
    /// - Returns: Whether nothing is wrong.
    public func check() -> Bool {
        let wrong = rows.compactMap { $0.view as? TextField }.filter { !$0.check() }
        if let first = wrong.first { window?.focus(first) }
        return wrong.isEmpty
    }

    /// Where names and fields stand in a width: beside each other where there is room, else below.
    private func placed(in width: Int) -> (names: [Rect], fields: [Rect], height: Int) {
        let longest = rows.map(\.title.columns).max() ?? 0
        let isBeside = longest == 0 || width - longest - 2 >= FormView.leastField
        let left = isBeside && longest > 0 ? longest + 2 : 0
        let room = max(1, width - left)
        var (names, fields): ([Rect], [Rect]) = ([], [])
        var y = 0
        for row in rows {
            names.append(Rect(x: 0, y: y, width: isBeside ? longest : width, height: 1))
            if !isBeside, !row.title.isEmpty { y += 1 }
            let asked = row.view.sizeThatFits(Size(width: room, height: .max))
            let height = row.height ?? asked.height
            fields.append(Rect(x: left, y: y, width: min(room, asked.width), height: height))
            y += height + (isBeside ? 0 : 1)
        }
        return (names, fields, y)
    }

    /// Places names and fields.
    public override func layoutSubviews() {
        let places = placed(in: bounds.width)
        for (index, row) in rows.enumerated() {
            labels[index].isHidden = row.title.isEmpty
            labels[index].frame = places.names[index]
            row.view.frame = places.fields[index]
        }
        contentSize = Size(width: bounds.width, height: places.height)
        super.layoutSubviews()
    }

    /// The lines of all rows.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: limit.width, height: min(limit.height, placed(in: limit.width).height))
    }
}
