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
    /// The minimum height for headings within sections.
    private static let leastHeightForHeadings = 9
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

    private var sections = TableSections()
    private var selectedIdentifier: AnyHashable?
    private var marks = TableMarks()
    /// The first visible row.
    private var topRow = 0
    /// The first visible row after the user's last action. Shrinking and restoring a pane shows the same rows again
    /// (row SPL-12).
    private var settledTopRow = 0
    private var isSettled = true
    private var followsSelection = true
    /// Whether the next layout centres the selected row.
    private var centresSelection = false
    private var cellPool: [TableViewCell] = []
    private var visible: [(row: Int, cell: TableViewCell)] = []
    private var headers: [(line: Int, title: DisplayText)] = []
    private var footers: [(line: Int, title: DisplayText)] = []
    private var draggedThumb = false
    /// The size for which lines are counted while the table is measured.
    private var measuredSize: Size?
    /// The row where the button was pressed if rows can be dragged, whether the pointer has left it, and whether a
    /// click opens it.
    private var dragged: (row: Int, hasMoved: Bool, opens: Bool)?
    var sidewaysOffset = 0
    private(set) var sidewaysLimit = 0
    private lazy var finder = Finder(self)
    private var rowBeforeFinding = -1

    /// The number of the selected row over all sections, or -1 for none.
    public private(set) var selectedRow = -1

    /// Lists can have the focus.
    open override var canBecomeFocused: Bool { true }

    // MARK: Rows

    /// The number of rows in all sections.
    public var numberOfRows: Int { sections.numberOfRows }

    /// The number of rows in each section.
    package var sectionCounts: [Int] { (0..<sections.count).map { sections.numberOfRows(in: $0) } }

    /// Reloads the rows. The selected row stays selected and on the same line, wherever it is now. If it no longer
    /// exists, its neighbour is selected (row TAB-02).
    public func reloadData() {
        let offset = selectedRow - topRow
        sections = TableSections(
            counts: (0..<(dataSource?.numberOfSections(in: self) ?? 0)).map {
                dataSource?.tableView(self, numberOfRowsInSection: $0) ?? 0
            })
        if !marks.isEmpty, let dataSource {
            marks.keep { dataSource.tableView(self, pathForRowWith: $0) != nil }
        }
        if let selectedIdentifier, let path = dataSource?.tableView(self, pathForRowWith: selectedIdentifier) {
            let row = sections.row(at: path)
            if row != selectedRow, !followsSelection || offset >= 0 {
                settledTopRow += row - offset - topRow
                topRow = row - offset
            }
            selectedRow = row
        } else if selectedRow >= 0 {
            selectedRow = min(selectedRow, numberOfRows - 1)
            selectedIdentifier = identifier(of: selectedRow)
        }
        topRow = max(0, min(topRow, numberOfRows - 1))
        settledTopRow = max(0, min(settledTopRow, numberOfRows - 1))
        setNeedsLayout()
    }

    /// Reloads the rows after some of them moved. The selected row stays selected and on its line. If it was deleted,
    /// the row in its place is selected (row TAB-02).
    ///
    /// - Parameter newPath: Returns the new path of an old row, or `nil` if it was deleted.
    package func reloadData(movingRowsBy newPath: (RowPath) -> RowPath?) {
        let (oldSelected, oldTop) = (selectedPath, numberOfRows == 0 ? nil : Optional(path(of: topRow)))
        let offset = selectedRow - topRow
        let oldSelectedRow = selectedRow
        // By position, since data sources without identifiers also move rows.
        selectedIdentifier = nil
        reloadData()
        if let oldSelected {
            let new = newPath(oldSelected).map { sections.row(at: $0) }
            selectedRow = new ?? min(oldSelectedRow, numberOfRows - 1)
            selectedIdentifier = identifier(of: selectedRow)
        }
        if offset >= 0, oldSelected != nil, followsSelection {
            topRow = max(0, selectedRow - offset)
        } else if let oldTop, let path = newPath(oldTop) {
            topRow = sections.row(at: path)
        }
        topRow = max(0, min(topRow, numberOfRows - 1))
        settledTopRow = topRow
        setNeedsLayout()
    }

    // MARK: Marks

    /// The marked rows from top to bottom, otherwise the selected row. Actions apply to these.
    public var actionPaths: [RowPath] {
        guard !marks.isEmpty else { return selectedPath.map { [$0] } ?? [] }
        return markedPaths
    }

    /// The marked rows from top to bottom.
    public var markedPaths: [RowPath] {
        marks.identifiers.compactMap { dataSource?.tableView(self, pathForRowWith: $0) }.sorted()
    }

    /// Removes all marks.
    public func clearMarks() {
        guard !marks.isEmpty else { return }
        marks.removeAll()
        marksDidChange()
    }

    private func marksDidChange() {
        setNeedsLayout()
        delegate?.tableViewDidChangeMarks(self)
    }

    /// Toggles the mark of the selected row and selects the next.
    private func toggleMark() {
        guard let selectedIdentifier else { return }
        marks.toggle(selectedIdentifier)
        marksDidChange()
        move(to: selectedRow + 1)
    }

    /// Marks all rows from the last mark above, or otherwise the first row, to the selected one.
    private func markRange() {
        guard let selectedPath else { return }
        let last = markedPaths.last { $0 < selectedPath }
        for row in (last.map { sections.row(at: $0) } ?? 0)...selectedRow {
            if let identifier = identifier(of: row) { marks.insert(identifier) }
        }
        marksDidChange()
    }

    private var markCommands: [Command] {
        guard allowsMarking else { return [] }
        return [
            Command(ListCommands.mark, isEnabled: selectedRow >= 0) { [weak self] in
                self?.toggleMark()
            },
            Command(ListCommands.markRange, isEnabled: selectedRow >= 0) { [weak self] in
                self?.markRange()
            },
            Command(ListCommands.clearMarks, isEnabled: !marks.isEmpty) { [weak self] in
                self?.clearMarks()
            },
        ]
    }

    /// Returns the path of a row number over all sections.
    public func path(of row: Int) -> RowPath { sections.path(of: row) }

    private func identifier(of row: Int) -> AnyHashable? {
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
        setSelected(path.map { sections.row(at: $0) } ?? -1)
        centresSelection = inMiddle
    }

    /// Selects a row number without notifying the delegate.
    func setSelected(_ row: Int) {
        selectedRow = numberOfRows == 0 ? -1 : row
        selectedIdentifier = identifier(of: selectedRow)
        followSelection()
    }

    private func move(to row: Int) {
        guard numberOfRows > 0 else { return }
        let asked = max(0, min(row, numberOfRows - 1))
        guard asked != selectedRow else { return followSelection() }
        var target = asked
        if let delegate {
            guard let path = delegate.tableView(self, willSelectRowAt: path(of: asked)) else {
                return followSelection()
            }
            target = sections.row(at: path)
        }
        let before = selectedPath
        setSelected(target)
        if let before { delegate?.tableView(self, didDeselectRowAt: before) }
        delegate?.tableView(self, didSelectRowAt: path(of: target))
    }

    /// Selects a row as keys do.
    func move(to path: RowPath) { move(to: sections.row(at: path)) }

    override func scrollToTop() {
        if numberOfRows > 0 { move(to: RowPath(row: 0)) }
    }

    /// Moves the selection as keys do.
    func moveSelection(by step: Int) { move(to: selectedRow + step) }

    /// Shows the preview of the selected row in a popover, if the delegate has one.
    func peek() {
        guard let selectedPath, let preview = delegate?.tableView(self, previewForRowAt: selectedPath) else { return }
        let peek = PeekViewController(preview, table: self)
        peek.popoverPresentationController.sourceRect = selectedRowRect
        nearestViewController?.present(peek)
    }

    private func followSelection() {
        followsSelection = true
        centresSelection = false
        isSettled = false
        setNeedsLayout()
    }

    func activate() {
        if let selectedPath { delegate?.tableView(self, didActivateRowAt: selectedPath) }
    }

    /// The keys for moving through the rows and opening one.
    open override var commands: [Command] {
        let page = max(1, visible.count - 1)
        func move(_ definition: CommandDefinition, _ target: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.move(to: target()) }
        }
        return (isFindEnabled ? finder.commands : []) + markCommands + sidewaysCommands + [
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
                self?.peek()
            },
        ]
    }

    /// The number of lines for rows. The search field occupies the last line.
    private var listHeight: Int { max(0, bounds.height - (finder.isTyping ? 1 : 0)) }

    // MARK: Cells

    /// Returns a reused or new cell. The caller must set all of its content.
    public func dequeueCell(style: TableViewCell.CellStyle = .basic) -> TableViewCell {
        let cell = cellPool.popLast() ?? TableViewCell()
        cell.prepareForReuse(style: style)
        return cell
    }

    /// Returns the number of lines that show a row's title completely, up to a limit. For delegates that return
    /// heights.
    public func height(fittingTitleOf path: RowPath, atMost lines: Int) -> Int {
        guard lines > 1, let cell = dataSource?.tableView(self, cellForRowAt: path) else { return 1 }
        defer { cellPool.append(cell) }
        cell.hasMarkColumn = hasMarks
        return max(1, min(lines, cell.titleLines(in: (measuredSize?.width ?? bounds.width) - 1)))
    }

    /// Whether a row shows a text.
    public func shows(_ text: String, at path: RowPath) -> Bool {
        guard let cell = dataSource?.tableView(self, cellForRowAt: path) else { return false }
        defer { cellPool.append(cell) }
        return [cell.title, cell.detail, cell.value, cell.detailValue].contains { $0.contains(text) }
    }

    private func height(of row: Int) -> Int {
        max(1, delegate?.tableView(self, heightForRowAt: path(of: row)) ?? rowHeight)
    }

    /// Whether headings within sections are visible, which need some height.
    public var showsHeadings: Bool {
        hasHeadings && (measuredSize?.height ?? listHeight) >= TableView.leastHeightForHeadings
    }

    /// Returns the line above a row if it is the first visible row or the first under its heading.
    private func header(over path: RowPath, isTop: Bool) -> DisplayText? {
        guard showsHeadings else {
            guard isTop || path.row == 0 else { return nil }
            let title = dataSource?.tableView(self, titleForHeaderInSection: path.section)
            // A line between sections separates nothing at the top.
            return isTop && title?.isEmpty == true ? nil : title
        }
        guard let dataSource, let heading = dataSource.tableView(self, headingForRowAt: path) else { return nil }
        if isTop || path.row == 0 { return heading }
        let before = RowPath(section: path.section, row: path.row - 1)
        return dataSource.tableView(self, headingForRowAt: before) == heading ? nil : heading
    }

    /// Returns the line below a row if it is the last of its section.
    private func footer(after path: RowPath) -> DisplayText? {
        guard sections.isLast(path) else { return nil }
        return dataSource?.tableView(self, titleForFooterInSection: path.section)
    }

    /// Returns the number of lines for a row with the header above it. The first visible row always has its header.
    private func lines(of row: Int, isTop: Bool) -> Int {
        let path = path(of: row)
        let hasHeader = header(over: path, isTop: isTop) != nil
        return height(of: row) + (hasHeader ? 1 : 0) + (footer(after: path) == nil ? 0 : 1)
    }

    /// Returns the first visible row if `row` is the last that fits.
    ///
    /// - Parameter height: The number of lines, or `nil` for all.
    private func topRow(whenLastIs row: Int, height: Int? = nil) -> Int {
        let height = height ?? listHeight
        var top = row
        var used = lines(of: row, isTop: true)
        while top > 0 {
            // The row that was on top loses the header that it only has there.
            let inner = lines(of: top, isTop: false)
            let outer = lines(of: top, isTop: true)
            let next = used - outer + inner + lines(of: top - 1, isTop: true)
            if next > height { break }
            used = next
            top -= 1
        }
        return top
    }

    /// Returns the size of all rows within a limit, independent of the current size.
    open override func sizeThatFits(_ limit: Size) -> Size {
        var used = lines(in: limit)
        // So few rows have no headings.
        if hasHeadings, used < TableView.leastHeightForHeadings {
            used = lines(in: Size(width: limit.width, height: 0))
        }
        return Size(width: limit.width, height: min(used, limit.height))
    }

    /// Returns the number of lines that fill a size, or of all rows, including headings.
    private func lines(in size: Size) -> Int {
        measuredSize = size
        defer { measuredSize = nil }
        var used = numberOfRows == 0 ? 3 : 0
        let most = max(size.height, TableView.leastHeightForHeadings)
        for row in 0..<numberOfRows where used < most { used += lines(of: row, isTop: row == 0) }
        return used
    }

    /// Places cells for the visible rows.
    open override func layoutSubviews() {
        recycle()
        finder.place()
        sidewaysLimit = 0
        guard numberOfRows > 0, listHeight > 0, let dataSource else { return }
        if isSettled { topRow = settledTopRow }
        // There are no more empty lines at the end than necessary, and the selected row is visible unless the wheel has
        // scrolled away from it.
        if centresSelection, selectedRow >= 0, listHeight > 0 {
            topRow = topRow(whenLastIs: selectedRow, height: listHeight / 2 + 1)
            centresSelection = false
        }
        topRow = max(0, min(topRow, topRow(whenLastIs: numberOfRows - 1)))
        if followsSelection, selectedRow >= 0 {
            if selectedRow < topRow { topRow = selectedRow }
            if selectedRow > topRow { topRow = max(topRow, topRow(whenLastIs: selectedRow)) }
        }
        if !isSettled { settledTopRow = topRow }
        isSettled = true
        var line = 0
        var row = topRow
        while row < numberOfRows, line < listHeight {
            let path = path(of: row)
            if let title = header(over: path, isTop: row == topRow) {
                headers.append((line, title))
                line += 1
            }
            let cell = dataSource.tableView(self, cellForRowAt: path)
            cell.isSelected = row == selectedRow
            cell.hasMarkColumn = hasMarks
            cell.matchText = findText
            cell.isMarked = allowsMarking && !marks.isEmpty && marks.contains(identifier(of: row))
            let height = height(of: row)
            let width = bounds.width - (showsIndicator ? 1 : 0)
            sidewaysLimit = max(sidewaysLimit, cell.hiddenColumns(in: width, height: height))
            cell.frame = Rect(x: 0, y: line, width: width, height: height)
            addSubview(cell)
            visible.append((row, cell))
            line += height
            if let title = footer(after: path), line < listHeight {
                footers.append((line, title))
                line += 1
            }
            row += 1
        }
        delegate?.tableView(self, didShow: topRow..<row)
        sidewaysOffset = min(sidewaysOffset, sidewaysLimit)
        guard sidewaysOffset > 0 else { return }
        // The cells start further left but keep their right ends, so the content there stays.
        for (_, cell) in visible {
            cell.frame.origin.x = -sidewaysOffset
            cell.frame.size.width += sidewaysOffset
        }
    }

    private func recycle() {
        for (_, cell) in visible {
            cell.removeFromSuperview()
            cellPool.append(cell)
        }
        visible.removeAll(keepingCapacity: true)
        headers.removeAll(keepingCapacity: true)
        footers.removeAll(keepingCapacity: true)
    }

    private var showsIndicator: Bool { bounds.width >= 20 && numberOfRows * rowHeight > listHeight }

    /// Draws headers, the scroll indicator, and the empty text.
    open override func draw(in surface: Surface) {
        let theme = theme
        if numberOfRows == 0 {
            for (line, text) in TextWrapping.wrap(emptyText, columns: max(1, bounds.width - 4)).enumerated() {
                surface.draw(text, at: Point(x: 2, y: 1 + line), style: theme[.secondary])
            }
            return
        }
        for header in headers {
            let title = header.title.truncated(to: bounds.width - 2)
            let end =
                title.isEmpty ? 0 : surface.draw(title, at: Point(x: 1, y: header.line), style: theme[.secondary])
            let rule = Rect(x: end + 1, y: header.line, width: bounds.width - end - 3, height: 1)
            if rule.width > 2 { surface.fill(rule, with: symbols.horizontal, style: theme[.rule]) }
        }
        for footer in footers {
            surface.draw(
                footer.title.truncated(to: bounds.width - 4), at: Point(x: 3, y: footer.line), style: theme[.secondary])
        }
        if showsIndicator { drawIndicator(in: surface) }
    }

    private func drawIndicator(in surface: Surface) {
        let thumb = ScrollIndicator.thumb(
            first: topRow, visible: max(1, visible.count { $0.cell.frame.maxY <= listHeight }), total: numberOfRows,
            track: listHeight)
        surface.fill(
            Rect(x: bounds.width - 1, y: thumb.lowerBound, width: 1, height: thumb.count), with: symbols.scrollThumb,
            style: theme[.thumb])
    }

    /// The position of the selected row.
    open override var reading: Point? {
        visible.first { $0.row == selectedRow }.map { Point(x: 0, y: $0.cell.frame.minY) } ?? .zero
    }

    // MARK: Mouse

    /// Clicking selects, clicking the selected row opens. The wheel and the indicator scroll.
    open override func handle(_ event: MouseEvent) -> Bool {
        if scrollSideways(by: event) { return true }
        switch event.action {
        case .wheel(let direction):
            scroll(by: direction * 3)
            return true
        case .press(.left):
            draggedThumb = showsIndicator && event.location.x == bounds.width - 1
            if draggedThumb { return dragThumb(to: event.location.y) }
            guard let hit = visible.first(where: { $0.cell.frame.contains(event.location) }) else { return true }
            let isChosen = hit.row == selectedRow
            if !isChosen { move(to: hit.row) }
            let opens = isChosen || opensAtFirstClick
            dragged = canDrag(hit.row) ? (hit.row, false, opens) : nil
            // A row that can be dragged is opened only when the button is released on it.
            if opens, dragged == nil { activate() }
            return true
        case .press(.right):
            // The row under the pointer is selected; the window shows its menu.
            if let hit = visible.first(where: { $0.cell.frame.contains(event.location) }) { move(to: hit.row) }
            return false
        case .drag(.left):
            if let dragged { return drag(from: dragged.row, to: event.location) }
            return draggedThumb && dragThumb(to: event.location.y)
        case .release:
            return drop(at: event.location)
        default:
            return false
        }
    }

    private func canDrag(_ row: Int) -> Bool {
        delegate?.tableView(self, canDragRowAt: path(of: row)) ?? false
    }

    /// Highlights the row under the pointer as the target of a drag.
    private func drag(from row: Int, to point: Point) -> Bool {
        guard let hit = visible.first(where: { $0.cell.frame.contains(point) }) else { return true }
        if hit.row != row { dragged?.hasMoved = true }
        if hit.row != selectedRow { setSelected(hit.row) }
        return true
    }

    private func drop(at point: Point) -> Bool {
        guard let dragged else { return false }
        self.dragged = nil
        guard dragged.hasMoved else {
            if dragged.opens { activate() }
            return true
        }
        let hit = visible.first { $0.cell.frame.contains(point) }
        // The dragged row is selected again, whether it moved or not.
        if dragged.row < numberOfRows { setSelected(dragged.row) }
        if let hit, hit.row != dragged.row, dragged.row < numberOfRows {
            delegate?.tableView(self, didDragRowAt: path(of: dragged.row), to: path(of: hit.row))
        }
        return true
    }

    /// Scrolls the rows. The selected one stays selected even if it is no longer visible.
    public func scroll(by rows: Int) {
        guard numberOfRows > 0 else { return }
        followsSelection = false
        topRow = max(0, min(topRow + rows, topRow(whenLastIs: numberOfRows - 1)))
        isSettled = false
        setNeedsLayout()
    }

    private func dragThumb(to line: Int) -> Bool {
        followsSelection = false
        topRow = max(0, min(numberOfRows - 1, line * numberOfRows / max(1, listHeight)))
        isSettled = false
        setNeedsLayout()
        return true
    }

    /// Returns the frame of a row in the table's coordinates, if it is visible.
    public func rect(ofRowWith identifier: AnyHashable) -> Rect? {
        visible.first { self.identifier(of: $0.row) == identifier }?.cell.frame
    }

    /// The frame of the selected row in the table's coordinates, if it is visible.
    public var selectedRowRect: Rect? { visible.first { $0.row == selectedRow }?.cell.frame }
}

extension TableView: SidewaysScrolling {}

extension TableView: RowAnchor {}

extension TableView: FindableView {
    var canFind: Bool { numberOfRows > 0 }

    func notePlace() { rowBeforeFinding = max(0, selectedRow) }

    func returnToPlace() { setSelected(rowBeforeFinding) }

    func find(_ text: String, step: Int) {
        guard let path = selectedPath else { return }
        dataSource?.tableView(self, findRowMatching: text, from: path, step: step) { [weak self] found in
            if let self, self.findText == text { self.move(to: found) }
        }
    }
}
