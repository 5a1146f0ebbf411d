/// A column of a data table.
public struct DataColumn: Hashable, Sendable {
    /// The heading.
    public var title: DisplayText
    /// The width in cells, or `nil` for a share of the remaining width, at least ``minimumWidth``.
    public var width: Int?
    /// The minimum width of a share.
    public var minimumWidth: Int
    /// Whether values are aligned right, such as numbers.
    public var isTrailing: Bool
    /// The name before a value in screen-reader mode (``Window/isLinear``), or `nil` for the heading. It is empty if
    /// the value needs none.
    public var name: DisplayText?

    /// Creates a column.
    public init(
        _ title: DisplayText, name: DisplayText? = nil, width: Int? = nil, minimumWidth: Int = 12,
        isTrailing: Bool = false
    ) {
        self.title = title
        self.name = name
        self.width = width
        self.minimumWidth = minimumWidth
        self.isTrailing = isTrailing
    }
}

/// A table with headings that sort its rows.
///
/// It scrolls sideways if it is wider than its view. In screen-reader mode (``Window/isLinear``), rows are read as
/// records.
@MainActor
public final class DataTableView: View {
    /// The columns from left to right. Setting them clears the sort order.
    public var columns: [DataColumn] {
        didSet {
            guard columns != oldValue else { return }
            sorting = nil
            widest = [:]
            setNeedsLayout()
        }
    }
    /// Returns the value of a row and a column.
    public var value: (_ row: Int, _ column: Int) -> DisplayText = { _, _ in .empty }
    /// Called when the user requests a sort order. The owner sorts its rows and calls ``reload(rows:)``.
    public var onSort: (_ column: Int, _ ascending: Bool) -> Void = { _, _ in }
    /// Called when a row is opened.
    public var onActivate: (_ row: Int) -> Void = { _ in }
    /// The column by which the rows are sorted, and the direction.
    public private(set) var sorting: (column: Int, ascending: Bool)?

    private(set) var rowCount = 0
    /// The widths of columns with a share that show all values, as far as known.
    private var widest: [Int: Int] = [:]
    private(set) var selected = 0
    private(set) var top = 0
    var sidewaysOffset = 0
    private lazy var finder = Finder(self)

    /// Creates a table without rows.
    public init(columns: [DataColumn]) {
        self.columns = columns
        super.init()
    }

    /// It can have the focus.
    public override var canBecomeFocused: Bool { true }

    /// The selected row, or -1 for none.
    public var selectedRow: Int { rowCount == 0 ? -1 : selected }

    /// Sets the number of rows and updates the table.
    ///
    /// - Parameter row: The row to select; without it the selection stays in its place.
    public func reload(rows: Int, selecting row: Int? = nil) {
        rowCount = rows
        widest = [:]
        selected = max(0, min(row ?? selected, rows - 1))
        setNeedsLayout()
    }

    /// Sorts by a column, or reverses the order if it is already sorted by it.
    public func sort(by column: Int) {
        guard columns.indices.contains(column) else { return }
        let ascending = sorting?.column == column ? !(sorting?.ascending ?? false) : true
        sorting = (column, ascending)
        onSort(column, ascending)
        setNeedsDisplay()
    }

    /// The width that shows all values, at least with their headings.
    public var naturalWidth: Int {
        columns.indices.reduce(0) { $0 + naturalWidth(of: $1) + 1 }
    }

    private func naturalWidth(of column: Int) -> Int {
        if let width = columns[column].width { return width }
        if let known = widest[column] { return known }
        let width = (0..<rowCount).reduce(max(columns[column].title.columns + 2, columns[column].minimumWidth)) {
            max($0, value($1, column).columns)
        }
        widest[column] = width
        return width
    }

    private var bodyHeight: Int { max(1, bounds.height - 1) }
    private var page: Int { symbols.isLinear ? max(1, visibleRecords.count) : bodyHeight }

    /// Keeps the selected row visible.
    public override func layoutSubviews() {
        defer { finder.place() }
        if symbols.isLinear {
            sidewaysOffset = 0
            top = topOfRecords
            return
        }
        if selected < top { top = selected }
        if selected >= top + bodyHeight { top = selected - bodyHeight + 1 }
        top = max(0, min(top, max(0, rowCount - bodyHeight)))
        sidewaysOffset = min(sidewaysOffset, sidewaysLimit)
    }

    /// The number of the selected row, such as "3 of 26".
    public override var positionText: DisplayText? { rowCount > 0 ? .position(selected, of: rowCount) : nil }

    /// The position of the selected row.
    public override var reading: Point? {
        visibleRecords.first { $0.row == selected }.map { Point(x: 0, y: $0.y) } ?? .zero
    }

    private func move(to row: Int) {
        guard rowCount > 0 else { return }
        selected = max(0, min(row, rowCount - 1))
        setNeedsLayout()
    }

    /// The columns' ranges of cells in the current width.
    private var places: [Range<Int>] {
        let fixed = columns.compactMap(\.width).reduce(0, +) + columns.count
        let open = columns.filter { $0.width == nil }.count
        var spare = max(0, bounds.width - fixed)
        // With space for all values, columns get what they need before they share the rest.
        let isNatural = bounds.width >= naturalWidth
        if isNatural { spare = bounds.width - naturalWidth }
        var left = -sidewaysOffset
        var openLeft = open
        return columns.enumerated().map { index, column in
            var width = column.width ?? 0
            if column.width == nil {
                let share = spare / max(1, openLeft)
                width = isNatural ? naturalWidth(of: index) + share : max(column.minimumWidth, share)
                spare = max(0, spare - (isNatural ? share : width))
                openLeft -= 1
            }
            defer { left += width + 1 }
            return left..<left + width
        }
    }

    /// Draws headings and the visible rows.
    public override func draw(in surface: Surface) {
        if symbols.isLinear { return drawRecords(in: surface) }
        for (index, place) in places.enumerated() {
            let mark: DisplayText = sorting?.column == index ? (sorting?.ascending == true ? " ▲" : " ▼") : .empty
            let title = columns[index].title.truncated(to: place.count - mark.columns) + mark
            draw(title, in: place, row: 0, columns[index].isTrailing, theme[.accent], surface)
        }
        for line in 0..<bodyHeight where top + line < rowCount {
            let row = top + line
            let style = row == selected ? theme[isFocused ? .selection : .selectionUnfocused] : theme[.text]
            if row == selected, isFocused {
                surface.fill(Rect(x: 0, y: line + 1, width: bounds.width, height: 1), style: style)
            }
            for (index, place) in places.enumerated() {
                draw(value(row, index), in: place, row: line + 1, columns[index].isTrailing, style, surface)
            }
        }
    }

    private func draw(
        _ text: DisplayText, in place: Range<Int>, row: Int, _ isTrailing: Bool, _ style: Style, _ surface: Surface
    ) {
        let shown = text.truncated(to: place.count)
        let left = isTrailing ? place.upperBound - shown.columns : place.lowerBound
        surface.draw(shown, at: Point(x: left, y: row), style: style)
    }

    /// The keys for moving, opening and sorting: `alt-1` to `alt-9` sort by a column.
    public override var commands: [Command] {
        func move(_ definition: CommandDefinition, _ target: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.move(to: target()) }
        }
        let sorts = zip(DataTableCommands.sorts, columns.indices).map { definition, index in
            Command(definition, title: "Sort by " + columns[index].title) { [weak self] in self?.sort(by: index) }
        }
        return finder.commands + sidewaysCommands + [
            move(DataTableCommands.down) { self.selected + 1 },
            move(DataTableCommands.up) { self.selected - 1 },
            move(DataTableCommands.pageDown) { self.selected + self.page },
            move(DataTableCommands.pageUp) { self.selected - self.page },
            move(DataTableCommands.first) { 0 },
            move(DataTableCommands.last) { self.rowCount - 1 },
            Command(DataTableCommands.open, isEnabled: rowCount > 0) { [weak self] in
                if let self { self.onActivate(self.selected) }
            },
        ] + sorts
    }

    private func press(_ row: Int) {
        if row == selected { onActivate(row) } else { move(to: row) }
    }

    /// Clicking a heading sorts, clicking a row selects it, clicking the selected row opens it. The wheel scrolls.
    public override func handle(_ event: MouseEvent) -> Bool {
        if scrollSideways(by: event) { return true }
        switch event.action {
        case .press(.left) where symbols.isLinear:
            let line = event.location.y
            if let record = visibleRecords.first(where: { ($0.y..<$0.y + $0.lines.count).contains(line) }) {
                press(record.row)
            }
        case .press(.left) where event.location.y == 0:
            if let column = places.firstIndex(where: { $0.contains(event.location.x) }) { sort(by: column) }
        case .press(.left):
            let row = top + event.location.y - 1
            if row < rowCount { press(row) }
        case .wheel(let direction): move(to: selected + direction * 3)
        default: return false
        }
        return true
    }
}

extension DataTableView: SidewaysScrolling {
    var sidewaysLimit: Int {
        symbols.isLinear ? 0 : max(0, (places.last?.upperBound ?? 0) + sidewaysOffset - bounds.width)
    }
}

extension DataTableView: FindableView {
    var canFind: Bool { rowCount > 0 }

    func rememberPlace() -> () -> Void {
        let row = selected
        return { [weak self] in self?.move(to: row) }
    }

    func find(_ text: String, step: Int, end: @escaping (Bool) -> Void) {
        let rows = (0..<rowCount).map { RowPath(row: $0) }
        let found = RowPath.next(in: rows, from: RowPath(row: selected), step: step) { path in
            columns.indices.contains { value(path.row, $0).contains(text) }
        }
        if let found { move(to: found.row) }
        end(found != nil)
    }
}
