import TerminalUI

/// A form with labelled fields and controls. Tab and the arrow keys move between them, and the focused one is scrolled
/// into view (row FRM-01).
@MainActor
public final class FormView: ScrollView {
    /// A row of a form.
    public struct Row {
        /// The label; empty if the control has its own.
        public var title: DisplayText
        /// The field or control.
        public var view: View
        /// The height in lines, or `nil` for the preferred one.
        public var height: Int?

        /// Creates a row.
        public init(_ title: DisplayText, _ view: View, height: Int? = nil) {
            self.title = title
            self.view = view
            self.height = height
        }

        /// Creates a row for a control with its own label.
        public init(view: View, height: Int? = nil) { self.init(.empty, view, height: height) }
    }

    /// The rows from top to bottom.
    public let rows: [Row]
    private let labels: [Label]

    /// The minimum width of a field beside its label. Narrower fields are placed below it.
    private static let minimumField = 16

    /// Creates a form.
    public init(_ rows: [Row]) {
        self.rows = rows
        labels = rows.map { Label($0.title, .secondary) }
        super.init()
        for (row, label) in zip(rows, labels) {
            content.addSubview(label)
            content.addSubview(row.view)
        }
    }

    /// Validates all text fields, shows errors below them, and gives the first invalid field the focus.
    ///
    /// - Returns: Whether all are valid.
    public func check() -> Bool {
        let wrong = rows.compactMap { $0.view as? TextField }.filter { !$0.check() }
        if let first = wrong.first { window?.focus(first) }
        return wrong.isEmpty
    }

    /// Returns the frames of labels and fields in a width: side by side if there is space, otherwise one below the
    /// other.
    private func placed(in width: Int) -> (names: [Rect], fields: [Rect], height: Int) {
        let longest = rows.map(\.title.columns).max() ?? 0
        let isBeside = longest == 0 || width - longest - 2 >= FormView.minimumField
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

    /// Places labels and fields.
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

    /// Returns the height of all rows.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: limit.width, height: min(limit.height, placed(in: limit.width).height))
    }
}
