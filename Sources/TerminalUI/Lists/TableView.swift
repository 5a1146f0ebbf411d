/// A list of rows in sections, one of which is selected (rows TAB-01, TAB-02).
///
/// Only visible rows have cells, and cells are reused, so a list of a million rows costs as much as its visible rows.
/// The scroll position is the first visible row, not a line, so rows of different heights need not be measured.
open class TableView: View {
    /// The data source.
    public weak var dataSource: (any TableViewDataSource)? { didSet { reloadData() } }
    /// The delegate.
    public weak var delegate: (any TableViewDelegate)?
    /// The height of rows unless the delegate returns another.
    public var rowHeight = 1 { didSet { setNeedsLayout() } }
    /// Whether all rows reserve space for a mark before the title.
    public var hasMarks = false { didSet { setNeedsLayout() } }
    /// Whether rows have headings within their sections. Low lists don't show them.
    public var hasHeadings = false { didSet { if hasHeadings != oldValue { setNeedsLayout() } } }
    /// Whether `/` finds rows by their text (row TAB-05), with the help of the data source.
    public var isFindEnabled = true
    /// Whether several rows can be marked for an action (row TAB-04).
    public var allowsMarking = false
    /// Whether `Space` shows the delegate's preview of a row in a popover.
    public var allowsPeeking = false
    /// The searched text, which is highlighted in the rows.
    public var findText: String { finder.text }
    /// The text when there are no rows: why, and which key helps (row TAB-06).
    public var emptyText: DisplayText = .empty { didSet { setNeedsDisplay() } }

    /// Whether a click also opens a row that was not selected, as in menus.
    public var opensAtFirstClick = false

    package private(set) var sections = TableSections()
    private(set) var selectedIdentifier: AnyHashable?
    /// The rows that were selected when they left the list.
    package var lostRows = LostRows()
    /// The rows marked for an action on several (row TAB-04), by identifiers, so that marks follow their rows.
    var marks: Set<AnyHashable> = []
    private var position = TableScrollPosition()
    var visible = VisibleRows()
    /// The size for which lines are counted while the table is measured.
    var measuredSize: Size?
    private lazy var mouse = TableMouse(self)
    var sidewaysOffset = 0
    var sidewaysLimit = 0
    private lazy var finder = Finder(self)

    /// The number of the selected row over all sections, or -1 for none.
    public private(set) var selectedRow = -1

    /// Lists can have the focus.
    open override var canBecomeFocused: Bool { true }

    // MARK: Rows

    /// The number of rows in all sections.
    public var numberOfRows: Int { sections.numberOfRows }

    /// Reloads the rows. The selected row stays selected and on the same line, wherever it is now. If it no longer
    /// exists, its neighbour is selected (row TAB-02).
    ///
    /// - Parameter staysAtBeginning: Whether the first row is selected afterwards if it is now and is visible, although it
    ///   may be another row.
    public func reloadData(staysAtBeginning: Bool = false) {
        let isAtBeginning = staysAtBeginning && selectedRow == 0 && position.topRow == 0
        defer { if isAtBeginning, numberOfRows > 0 { select(path(of: 0)) } }
        let offset = selectedRow - position.topRow
        sections = TableSections(
            counts: (0..<(dataSource?.numberOfSections(in: self) ?? 0)).map {
                dataSource?.tableView(self, numberOfRowsInSection: $0) ?? 0
            })
        if !marks.isEmpty, let dataSource {
            marks = marks.filter { dataSource.tableView(self, pathForRowWith: $0) != nil }
        }
        if let row = lostRows.returned(
            to: selectedIdentifier, exists: { dataSource?.tableView(self, pathForRowWith: $0) != nil })
        {
            selectedIdentifier = row
        }
        if let selectedIdentifier, let path = dataSource?.tableView(self, pathForRowWith: selectedIdentifier) {
            let row = sections.row(at: path)
            if row != selectedRow, !position.followsSelection || offset >= 0 { position.moveTop(to: row - offset) }
            selectedRow = row
        } else if selectedRow >= 0 {
            selectedRow = min(selectedRow, numberOfRows - 1)
            let lost = selectedIdentifier
            selectedIdentifier = identifier(of: selectedRow)
            lostRows.add(lost, replacedBy: selectedIdentifier)
        }
        position.limit(to: numberOfRows)
        setNeedsLayout()
    }

    /// Reloads the rows after some of them moved. The selected row stays selected and on its line. If it was deleted,
    /// the row in its place is selected (row TAB-02).
    ///
    /// - Parameter newPath: Returns the new path of an old row, or `nil` if it was deleted.
    package func reloadData(movingRowsBy newPath: (RowPath) -> RowPath?) {
        let (oldSelected, oldTop) = (selectedPath, numberOfRows == 0 ? nil : Optional(path(of: position.topRow)))
        let offset = selectedRow - position.topRow
        let oldSelectedRow = selectedRow
        // By position, since data sources without identifiers also move rows.
        selectedIdentifier = nil
        reloadData()
        if let oldSelected {
            let new = newPath(oldSelected).map { sections.row(at: $0) }
            selectedRow = new ?? min(oldSelectedRow, numberOfRows - 1)
            selectedIdentifier = identifier(of: selectedRow)
        }
        var top = position.topRow
        if offset >= 0, oldSelected != nil, position.followsSelection {
            top = selectedRow - offset
        } else if let oldTop, let path = newPath(oldTop) {
            top = sections.row(at: path)
        }
        position.reset(to: max(0, min(top, numberOfRows - 1)))
        setNeedsLayout()
    }

    /// Returns the path of a row number over all sections.
    public func path(of row: Int) -> RowPath { sections.path(of: row) }

    func identifier(of row: Int) -> AnyHashable? {
        guard row >= 0, row < numberOfRows else { return nil }
        return dataSource?.tableView(self, identifierForRowAt: path(of: row))
    }

    // MARK: Selection

    /// The path of the selected row.
    public var selectedPath: RowPath? { selectedRow >= 0 && selectedRow < numberOfRows ? path(of: selectedRow) : nil }

    /// Selects a row without notifying the delegate, and scrolls to it.
    ///
    /// - Parameter inMiddle: Whether to centre the row if there are enough rows around it.
    public func select(_ path: RowPath?, inMiddle: Bool = false) {
        selectedRow = path.map { sections.row(at: $0) } ?? -1
        selectedIdentifier = identifier(of: selectedRow)
        position.followSelection(inMiddle: inMiddle)
        setNeedsLayout()
    }

    /// Selects a row number as keys do.
    func move(to row: Int) {
        guard numberOfRows > 0 else { return }
        finder.dismissNotice()
        let asked = max(0, min(row, numberOfRows - 1))
        guard asked != selectedRow else { return select(selectedPath) }
        var target = asked
        if let delegate {
            guard let path = delegate.tableView(self, willSelectRowAt: path(of: asked)) else {
                return select(selectedPath)
            }
            target = sections.row(at: path)
        }
        let before = selectedPath
        select(path(of: target))
        if let before { delegate?.tableView(self, didDeselectRowAt: before) }
        delegate?.tableView(self, didSelectRowAt: path(of: target))
    }

    override func go(toLine line: Int) -> Bool {
        guard numberOfRows > 0 else { return false }
        move(to: min(line, numberOfRows - 1))
        return true
    }

    func activate() {
        if let selectedPath { delegate?.tableView(self, didActivateRowAt: selectedPath) }
    }

    /// The keys for moving through the rows and opening one.
    open override var commands: [Command] {
        let page = max(1, visible.cells.count - 1)
        func move(_ definition: CommandDefinition, _ target: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.move(to: target()) }
        }
        return (isFindEnabled ? finder.commands : []) + TableMarking(table: self).commands + sidewaysCommands + [
            move(ListCommands.down) { self.selectedRow + 1 },
            move(ListCommands.up) { max(0, self.selectedRow - 1) },
            move(ListCommands.pageDown) { self.selectedRow + page },
            move(ListCommands.pageUp) { self.selectedRow - page },
            move(ListCommands.first) { 0 },
            move(ListCommands.last) { self.numberOfRows - 1 },
            Command(ListCommands.open, isEnabled: selectedRow >= 0) { [weak self] in
                self?.activate()
            },
            Command(ListCommands.preview, isEnabled: allowsPeeking && selectedRow >= 0) {
                [weak self] in
                if let self { PeekViewController.present(over: self) }
            },
        ]
    }

    /// The number of lines for rows. The search field occupies the last line.
    private var listHeight: Int { max(0, bounds.height - (finder.occupiesLine ? 1 : 0)) }

    /// Whether headings within sections are visible, which need some height.
    public var showsHeadings: Bool {
        hasHeadings && (measuredSize?.height ?? listHeight) >= TableLines.minimumHeightForHeadings
    }

    var lines: TableLines { TableLines(self, height: listHeight) }

    /// Returns the size of all rows within a limit, independent of the current size.
    open override func sizeThatFits(_ limit: Size) -> Size {
        defer { measuredSize = nil }
        measuredSize = limit
        var used = lines.count(upTo: limit.height)
        // So few rows have no headings.
        if hasHeadings, used < TableLines.minimumHeightForHeadings {
            measuredSize?.height = 0
            used = lines.count(upTo: 0)
        }
        return Size(width: limit.width, height: min(used, limit.height))
    }

    /// Places cells for the visible rows.
    open override func layoutSubviews() {
        visible.removeAll()
        defer { visible.removeUnusedCells() }
        finder.place()
        sidewaysLimit = 0
        let lines = lines
        guard numberOfRows > 0, lines.height > 0, let dataSource else { return }
        // A copy, because the delegate may use the table meanwhile.
        var position = position
        position.settle(lines, selected: selectedRow)
        self.position = position
        let topRow = position.topRow
        var line = 0
        var row = topRow
        while row < numberOfRows, line < lines.height {
            let path = path(of: row)
            if let title = lines.header(over: row, isTop: row == topRow) {
                visible.addHeader(title, at: line)
                line += 1
            }
            let cell = dataSource.tableView(self, cellForRowAt: path)
            place(cell, of: row, at: line, in: lines)
            line += cell.frame.height
            if let title = lines.footer(after: path), line < lines.height {
                visible.addFooter(title, at: line)
                line += 1
            }
            row += 1
        }
        delegate?.tableView(self, didShow: topRow..<row)
        sidewaysOffset = min(sidewaysOffset, sidewaysLimit)
        guard sidewaysOffset > 0 else { return }
        // The cells start further left but keep their right ends, so the content there stays.
        for (_, cell) in visible.cells {
            cell.frame.origin.x = -sidewaysOffset
            cell.frame.size.width += sidewaysOffset
        }
    }

    /// Draws headers, the scroll indicator, and the empty text.
    open override func draw(in surface: Surface) {
        let theme = theme
        if numberOfRows == 0 {
            for (line, text) in TextWrapping.wrap(emptyText, columns: max(1, bounds.width - 4)).enumerated() {
                surface.draw(text, at: Point(x: 2, y: 1 + line), style: theme[.secondary])
            }
            return
        }
        visible.drawTitles(of: self, in: surface)
        guard lines.showsIndicator else { return }
        let thumb = ScrollIndicator.thumb(
            first: position.topRow, visible: max(1, visible.cells.count { $0.cell.frame.maxY <= listHeight }),
            total: numberOfRows, track: listHeight)
        ScrollIndicator.draw(thumb, of: self, in: surface)
    }

    /// The number of the selected row, such as "3 of 26".
    open override var positionText: DisplayText? { selectedPath.map { _ in .position(selectedRow, of: numberOfRows) } }

    /// The position of the selected row.
    open override var reading: Point? {
        visible.frame(of: selectedRow).map { Point(x: 0, y: $0.minY) } ?? .zero
    }

    // MARK: Mouse

    /// Clicking selects, clicking the selected row opens. The wheel and the indicator scroll.
    open override func handle(_ event: MouseEvent) -> Bool {
        scrollSideways(by: event) || mouse.handle(event)
    }

    /// Scrolls the rows. The selected one stays selected even if it is no longer visible.
    public func scroll(by rows: Int) {
        guard numberOfRows > 0 else { return }
        let last = lines.topRow(whenLastIs: numberOfRows - 1)
        position.scroll(to: max(0, min(position.topRow + rows, last)))
        setNeedsLayout()
    }

    /// Scrolls to the rows for which the indicator's thumb is at a line.
    func scroll(toThumbAt line: Int) -> Bool {
        position.scroll(to: max(0, min(numberOfRows - 1, line * numberOfRows / max(1, listHeight))))
        setNeedsLayout()
        return true
    }
}
