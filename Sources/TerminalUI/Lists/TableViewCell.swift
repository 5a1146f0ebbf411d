/// One visible row of a table: a mark, a title, a value at the right, a second line.
@MainActor
public final class TableViewCell: View {
    /// The form of a row.
    public enum CellStyle: Hashable, Sendable {
        /// A title and a value on one line.
        case basic
        /// One or two more lines under the title, as the row's height has room.
        case subtitle
        /// A name in grey and its value in the look of text, both at the left.
        case value
    }

    /// The form.
    public private(set) var cellStyle = CellStyle.basic
    /// A symbol before the title, such as the dot of unread entries.
    public var mark: Glyph?
    /// What the mark is, for its look.
    public var markRole: ThemeRole = .accent
    /// The title.
    public var title: DisplayText = .empty
    /// What the title is, for its look.
    public var titleRole: ThemeRole = .text
    /// Where a title that is too long is cut.
    public var titleTruncation = DisplayText.Truncation.tail
    /// Text at the right edge, such as a date.
    public var value: DisplayText = .empty
    /// The second line.
    public var detail: DisplayText = .empty
    /// Text at the right edge of the second line.
    public var detailValue: DisplayText = .empty
    /// What the second line is, for its look.
    public var detailRole: ThemeRole = .secondary
    /// Whether it is what the detail shows, though another row may be chosen; a mark at its edge tells.
    public var isShown = false
    /// Columns that the title is moved to the right.
    public var indentation = 0
    var isSelected = false
    var isMarked = false
    var hasMarkColumn = false
    var matchText = ""

    func prepareForReuse(style: CellStyle) {
        cellStyle = style
        mark = nil
        markRole = .accent
        title = .empty
        titleRole = .text
        titleTruncation = .tail
        value = .empty
        detail = .empty
        detailValue = .empty
        detailRole = .secondary
        indentation = 0
        isShown = false
    }

    /// Draws the row; the chosen one has a bar at its left edge and, where keys go, another ground.
    public override func draw(in surface: Surface) {
        let theme = theme
        let hasFocus = superview?.isFocused == true
        let ground = isSelected ? theme[hasFocus ? .selection : .selectionUnfocused] : nil
        func look(_ role: ThemeRole) -> Style {
            guard let ground else { return theme[role] }
            guard hasFocus else { return theme[role].adding(ground.attributes) }
            return ground.adding(theme[role].attributes)
        }
        if isSelected {
            if hasFocus { surface.fill(bounds.inset(left: 1), style: look(.text)) }
            // A bar has no heavier strokes: without the attribute, moving the selection sends less.
            let bar = theme[.accent].removing(.bold)
            for line in 0..<bounds.height {
                surface.draw(symbols.selection, at: Point(x: 0, y: line), style: bar)
            }
        }
        if isShown, !isSelected { surface.draw(symbols.shown, at: .zero, style: theme[.text]) }
        if isMarked, !symbols.isLinear { surface.draw(symbols.check, at: .zero, style: look(.accent)) }
        if hasMarkColumn, let mark { surface.draw(mark, at: Point(x: 1, y: 0), style: look(markRole)) }
        let left = textColumn
        let title = isMarked && symbols.isLinear ? "marked: " + self.title : self.title
        switch cellStyle {
        case .value:
            let column = surface.draw(
                title.truncated(to: bounds.width - left - 2), at: Point(x: left, y: 0), style: look(.secondary))
            surface.draw(
                value.truncated(to: bounds.width - column - 3), at: Point(x: column + 2, y: 0), style: look(titleRole))
        case .basic where bounds.height > 1:
            drawWrapped(
                title, from: 0, left: left, look(titleRole), value, look(.secondary), titleTruncation, in: surface)
        case .basic:
            drawLine(0, left: left, title, look(titleRole), value, look(.secondary), titleTruncation, in: surface)
        case .subtitle:
            drawLine(0, left: left, title, look(titleRole), value, look(.secondary), titleTruncation, in: surface)
            drawDetail(left: left, look(detailRole), look(.secondary), in: surface)
        }
    }

    /// The column at which the title begins.
    private var textColumn: Int { (hasMarkColumn ? 3 : 1) + indentation }

    /// The columns of its lines that are cut off in a width.
    func hiddenColumns(in width: Int, height: Int) -> Int {
        func hidden(_ text: DisplayText, _ value: DisplayText) -> Int {
            let (right, shown) = ends(of: text, value, width: width)
            return max(0, text.columns - (right - textColumn - (shown.isEmpty ? 0 : shown.columns + 1)))
        }
        switch cellStyle {
        case .value: return max(0, textColumn + title.columns + 2 + value.columns + 1 - width)
        case .basic: return height == 1 ? hidden(title, value) : 0
        case .subtitle: return max(hidden(title, value), height == 2 ? hidden(detail, detailValue) : 0)
        }
    }

    /// Where a line ends, and the value at its end; one that would leave the title no room is left out.
    private func ends(of text: DisplayText, _ value: DisplayText, width: Int) -> (right: Int, value: DisplayText) {
        let right = width - (width > 20 ? 1 : 0)
        return (right, right - textColumn - value.columns - 1 >= min(text.columns, 8) ? value : .empty)
    }

    /// The detail, wrapped where there is more than a line for it.
    private func drawDetail(left: Int, _ style: Style, _ valueStyle: Style, in surface: Surface) {
        guard bounds.height > 1 else { return }
        guard bounds.height > 2 else {
            return drawLine(1, left: left, detail, style, detailValue, valueStyle, .tail, in: surface)
        }
        drawWrapped(detail, from: 1, left: left, style, detailValue, valueStyle, .tail, in: surface)
    }

    /// A text over all lines from one on, with a value at the end of the first.
    private func drawWrapped(
        _ text: DisplayText, from first: Int, left: Int, _ style: Style, _ value: DisplayText, _ valueStyle: Style,
        _ truncation: DisplayText.Truncation, in surface: Surface
    ) {
        let lines = TextWrapping.wrap(text, columns: TableViewCell.wrappingColumns(bounds.width - left, value))
        let room = bounds.height - first
        for (index, line) in lines.prefix(room).enumerated() {
            // The last line that there is room for ends in a mark when more would follow.
            let isCut = index == room - 1 && lines.count > room
            drawLine(
                index + first, left: left, isCut ? line + "…" : line, style, index == 0 ? value : .empty, valueStyle,
                truncation, in: surface)
        }
    }

    private static func wrappingColumns(_ width: Int, _ value: DisplayText) -> Int {
        max(1, width - value.columns - 2)
    }

    /// The lines that a wrapped title takes in a width, with the value beside it.
    func titleLines(in width: Int) -> Int {
        TextWrapping.wrap(title, columns: TableViewCell.wrappingColumns(width - textColumn, value)).count
    }

    private func drawLine(
        _ line: Int, left: Int, _ text: DisplayText, _ style: Style, _ value: DisplayText, _ valueStyle: Style,
        _ truncation: DisplayText.Truncation, in surface: Surface
    ) {
        let (right, shownValue) = ends(of: text, value, width: bounds.width)
        let room = right - left - (shownValue.isEmpty ? 0 : shownValue.columns + 1)
        let shown = text.truncated(to: room, truncation)
        surface.draw(shown, at: Point(x: left, y: line), style: style)
        for range in shown.ranges(of: matchText) {
            let columns = range.upperBound - range.lowerBound
            surface.restyle(Rect(x: left + range.lowerBound, y: line, width: columns, height: 1)) {
                $0.adding(theme[.match].attributes)
            }
        }
        surface.draw(shownValue, at: Point(x: right - shownValue.columns, y: line), style: valueStyle)
    }
}
