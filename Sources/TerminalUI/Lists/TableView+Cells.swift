extension TableView {
    /// Returns a reused or new cell. The caller must set all of its content.
    public func dequeueCell(style: TableViewCell.CellStyle = .basic) -> TableViewCell {
        let cell = visible.dequeue()
        cell.prepareForReuse(style: style)
        return cell
    }

    /// Returns the number of lines that show a row's title completely, up to a limit. For delegates that return
    /// heights.
    public func height(fittingTitleOf path: RowPath, atMost lines: Int) -> Int {
        guard lines > 1, let cell = dataSource?.tableView(self, cellForRowAt: path) else { return 1 }
        defer { visible.recycle(cell) }
        cell.hasMarkColumn = hasMarks
        return max(1, min(lines, cell.titleLines(in: (measuredSize?.width ?? bounds.width) - 1)))
    }

    /// Whether a row shows a text.
    public func shows(_ text: String, at path: RowPath) -> Bool {
        guard let cell = dataSource?.tableView(self, cellForRowAt: path) else { return false }
        defer { visible.recycle(cell) }
        return [cell.title, cell.detail, cell.value, cell.detailValue].contains { $0.contains(text) }
    }

    /// Shows a row in a cell.
    func place(_ cell: TableViewCell, of row: Int, at line: Int, in lines: TableLines) {
        let height = lines.height(of: row)
        cell.isSelected = row == selectedRow
        cell.hasMarkColumn = hasMarks
        cell.matchText = findText
        cell.isMarked = allowsMarking && !marks.isEmpty && identifier(of: row).map(marks.contains) == true
        let width = bounds.width - (lines.showsIndicator ? 1 : 0)
        sidewaysLimit = max(sidewaysLimit, cell.hiddenColumns(in: width, height: height))
        cell.frame = Rect(x: 0, y: line, width: width, height: height)
        // Below the search, into whose line the last cell may reach.
        if cell.superview !== self { insertSubview(cell, at: 0) }
        visible.add(cell, for: row)
    }

    /// Returns the frame of a row in the table's coordinates, if it is visible.
    public func rect(ofRowWith identifier: AnyHashable) -> Rect? {
        visible.cells.first { self.identifier(of: $0.row) == identifier }?.cell.frame
    }

    /// The frame of the selected row in the table's coordinates, if it is visible.
    public var selectedRowRect: Rect? { visible.frame(of: selectedRow) }
}

extension TableView: RowAnchor {}
