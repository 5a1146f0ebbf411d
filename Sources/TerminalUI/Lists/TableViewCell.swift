/// A visible row of a table: a mark, a title, a value at the right, and a second line.
///
/// Exclusive access to its values isn't checked at run time: they are set and read in every frame and never changed in
/// place.
@MainActor
public final class TableViewCell: View {
    /// The style of a row.
    public enum CellStyle: Hashable, Sendable {
        /// A title and a value on one line.
        case basic
        /// One or more lines below the title, as the row's height allows.
        case subtitle
        /// A grey name and its value in the text colour, both at the left.
        case value
    }

    /// The style.
    @exclusivity(unchecked) public private(set) var cellStyle = CellStyle.basic
    /// The symbol before the title, such as the dot of unread entries.
    @exclusivity(unchecked) public var mark: Glyph?
    /// The role of the mark, which determines its style.
    @exclusivity(unchecked) public var markRole: ThemeRole = .accent
    /// The title.
    @exclusivity(unchecked) public var title: DisplayText = .empty
    /// The role of the title, which determines its style.
    @exclusivity(unchecked) public var titleRole: ThemeRole = .text
    /// The roles of parts of a title on one line, by columns, such as matched letters.
    @exclusivity(unchecked) public var titleRoles: [(columns: Range<Int>, role: ThemeRole)] = []
    /// The roles of parts of a second line that isn't wrapped, by columns, such as search hits.
    @exclusivity(unchecked) public var detailRoles: [(columns: Range<Int>, role: ThemeRole)] = []
    /// How a title that is too long is truncated.
    @exclusivity(unchecked) public var titleTruncation = DisplayText.Truncation.tail
    /// The text at the right edge, such as a date.
    @exclusivity(unchecked) public var value: DisplayText = .empty
    /// The role of the value, which determines its style.
    @exclusivity(unchecked) public var valueRole: ThemeRole = .secondary
    /// Whether a rule joins the title and the value, as in the row of a group.
    @exclusivity(unchecked) public var hasRule = false
    /// The second line.
    @exclusivity(unchecked) public var detail: DisplayText = .empty
    /// The text at the right edge of the second line.
    @exclusivity(unchecked) public var detailValue: DisplayText = .empty
    /// The role of the second line, which determines its style.
    @exclusivity(unchecked) public var detailRole: ThemeRole = .secondary
    /// Whether the detail shows this row although another may be selected. A mark at the edge shows it.
    @exclusivity(unchecked) public var isShown = false
    /// The indentation of the title in columns.
    @exclusivity(unchecked) public var indentation = 0
    @exclusivity(unchecked) var isSelected = false
    @exclusivity(unchecked) var isMarked = false
    @exclusivity(unchecked) var hasMarkColumn = false
    @exclusivity(unchecked) var matchText = ""

    func prepareForReuse(style: CellStyle) {
        cellStyle = style
        mark = nil
        markRole = .accent
        title = .empty
        titleRole = .text
        titleRoles = []
        titleTruncation = .tail
        value = .empty
        valueRole = .secondary
        hasRule = false
        detail = .empty
        detailValue = .empty
        detailRole = .secondary
        detailRoles = []
        indentation = 0
        isShown = false
    }

    /// Draws the row. The selected one has a bar at its left edge and, with the focus, another background.
    public override func draw(in surface: Surface) {
        let theme = theme
        let hasFocus = isSelected && superview?.isFocused == true
        let ground = isSelected ? theme[hasFocus ? .selection : .selectionUnfocused] : nil
        func look(_ role: ThemeRole) -> Style {
            guard let ground else { return theme[role] }
            // Terminals show bold colours of the palette as bright ones, which are others.
            let hasColor = theme[role].foreground != .standard
            guard hasFocus else {
                return theme[role].adding(hasColor ? ground.attributes.subtracting(.bold) : ground.attributes)
            }
            return ground.adding(theme[role].attributes)
        }
        if isSelected {
            if hasFocus { surface.fill(bounds.inset(left: 1), style: look(.text)) }
            // A bar has no bold form, and beside a reversed row it needs no colour. Moving the selection then transmits
            // less.
            let isReversed = hasFocus && look(.text).attributes.contains(.reverse)
            let bar = isReversed ? theme[.text] : theme[.accent].removing(.bold)
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
            drawWrapped(title, from: 0, look(titleRole), value, look(valueRole), titleTruncation, in: surface)
        case .basic, .subtitle:
            if hasRule { drawRule(after: left + title.columns, look(.rule), in: surface) }
            drawLine(0, title, look(titleRole), value, look(valueRole), titleTruncation, in: surface)
            draw(titleRoles, of: title, value, line: 0, look, in: surface)
            guard cellStyle == .subtitle else { return }
            drawDetail(look(detailRole), look(.secondary), in: surface)
            if bounds.height == 2 { draw(detailRoles, of: detail, detailValue, line: 1, look, in: surface) }
        }
    }

    private func drawRule(after end: Int, _ style: Style, in surface: Surface) {
        let width = textColumn + room(for: title, value, in: bounds.width).columns - end - 1
        guard width > 2, !symbols.isLinear else { return }
        surface.fill(Rect(x: end + 1, y: 0, width: width, height: 1), with: symbols.horizontal, style: style)
    }

    /// Draws the parts of a line with roles of their own, as far as they fit.
    private func draw(
        _ roles: [(columns: Range<Int>, role: ThemeRole)], of text: DisplayText, _ value: DisplayText, line: Int,
        _ look: (ThemeRole) -> Style, in surface: Surface
    ) {
        let room = room(for: text, value, in: bounds.width).columns
        let shown = 0..<max(0, text.columns > room ? room - 1 : room)
        for (columns, role) in roles {
            let part = columns.clamped(to: shown)
            let place = Rect(x: textColumn + part.lowerBound, y: line, width: part.count, height: 1)
            surface.restyle(place) { _ in look(role) }
        }
    }

    /// The column where the title starts.
    private var textColumn: Int { (hasMarkColumn ? 3 : 1) + indentation }

    /// Returns the number of columns that a width cuts off its lines.
    func hiddenColumns(in width: Int, height: Int) -> Int {
        func hidden(_ text: DisplayText, _ value: DisplayText) -> Int {
            max(0, text.columns - room(for: text, value, in: width).columns)
        }
        switch cellStyle {
        case .value: return max(0, textColumn + title.columns + 2 + value.columns + 1 - width)
        case .basic: return height == 1 ? hidden(title, value) : 0
        case .subtitle: return max(hidden(title, value), height == 2 ? hidden(detail, detailValue) : 0)
        }
    }

    /// Returns the width for the text of a line, the value beside it, and where that ends. A value that would leave no
    /// space for the title is cut if it is a sentence, and otherwise omitted.
    private func room(
        for text: DisplayText, _ value: DisplayText, in width: Int
    ) -> (columns: Int, value: DisplayText, right: Int) {
        let right = width - (width > 20 ? 1 : 0)
        var shown = value
        let room = right - textColumn - 1 - min(text.columns, 8)
        if value.columns > room { shown = room > TableViewCell.wordColumns ? value.truncated(to: room) : .empty }
        return (right - textColumn - (shown.isEmpty ? 0 : shown.columns + 1), shown, right)
    }

    /// The width up to which a value is a date or a number, of which a part would be wrong.
    private static let wordColumns = 16

    /// Draws the second line, wrapped if it has several lines.
    private func drawDetail(_ style: Style, _ valueStyle: Style, in surface: Surface) {
        guard bounds.height > 1 else { return }
        guard bounds.height > 2 else {
            return drawLine(1, detail, style, detailValue, valueStyle, .tail, in: surface)
        }
        drawWrapped(detail, from: 1, style, detailValue, valueStyle, .tail, in: surface)
    }

    /// Draws a wrapped text over all lines from one on, with a value at the end of the first.
    private func drawWrapped(
        _ text: DisplayText, from first: Int, _ style: Style, _ value: DisplayText, _ valueStyle: Style,
        _ truncation: DisplayText.Truncation, in surface: Surface
    ) {
        let lines = wrapped(text, in: bounds.width, beside: value)
        let room = bounds.height - first
        for (index, line) in lines.prefix(room).enumerated() {
            // The last available line is truncated if more follows.
            let isCut = index == room - 1 && lines.count > room
            drawLine(
                index + first, isCut ? line + "…" : line, style, index == 0 ? value : .empty, valueStyle, truncation,
                in: surface)
        }
    }

    private func wrapped(_ text: DisplayText, in width: Int, beside value: DisplayText) -> [DisplayText] {
        TextWrapping.wrap(text, columns: max(1, width - textColumn - value.columns - 2))
    }

    /// Returns the number of lines of a wrapped title in a width, with the value beside it.
    func titleLines(in width: Int) -> Int { wrapped(title, in: width, beside: value).count }

    private func drawLine(
        _ line: Int, _ text: DisplayText, _ style: Style, _ value: DisplayText, _ valueStyle: Style,
        _ truncation: DisplayText.Truncation, in surface: Surface
    ) {
        let (room, shownValue, right) = room(for: text, value, in: bounds.width)
        let shown = text.truncated(to: room, truncation)
        surface.draw(shown, at: Point(x: textColumn, y: line), style: style)
        for range in shown.ranges(of: matchText) {
            surface.restyle(Rect(x: textColumn + range.lowerBound, y: line, width: range.count, height: 1)) {
                $0.adding(theme[.match].attributes)
            }
        }
        surface.draw(shownValue, at: Point(x: right - shownValue.columns, y: line), style: valueStyle)
    }
}
