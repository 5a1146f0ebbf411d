/// The position of a row in a table.
public struct RowPath: Hashable, Comparable, Sendable {
    /// The section, from 0.
    public var section: Int
    /// The row in the section, from 0.
    public var row: Int

    /// Creates a path.
    public init(section: Int = 0, row: Int) {
        self.section = section
        self.row = row
    }

    /// Rows above come first.
    public static func < (left: RowPath, right: RowPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

/// Supplies the rows of a table. Only visible ones are requested.
@MainActor
public protocol TableViewDataSource: AnyObject {
    /// Returns the number of sections.
    func numberOfSections(in table: TableView) -> Int
    /// Returns the number of rows in a section. Called only by ``TableView/reloadData()``.
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int
    /// Returns the cell of a row, obtained from ``TableView/dequeueCell(style:)`` with all of its content set.
    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell
    /// Returns the title in the line above a section, an empty text for a line without a title, or `nil` for no line.
    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText?
    /// Returns the heading of a row within its section, such as its day, or `nil` for the section's title.
    ///
    /// It appears above the first of several rows with the same heading, and above the first visible row. Called only
    /// if ``TableView/hasHeadings`` is set.
    func tableView(_ table: TableView, headingForRowAt path: RowPath) -> DisplayText?
    /// Returns the line below a section, or `nil` for none.
    func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText?
    /// Returns the identifier of a row, which stays the same when the row moves.
    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable?
    /// Returns the current path of a row, or `nil` if it no longer exists.
    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath?
    /// Finds the next or previous row that contains a text.
    ///
    /// The start itself counts only with a step of 0. Called only if ``TableView/isFindEnabled`` is set. The default
    /// searches the displayed texts; long lists should implement it.
    ///
    /// - Parameter found: Receives the row or `nil` for none, now or later. It has no effect once another text is searched.
    func tableView(
        _ table: TableView, findRowMatching text: String, from path: RowPath, step: Int,
        found: @escaping (RowPath?) -> Void)
}

extension TableViewDataSource {
    /// By default the section's title.
    public func tableView(_ table: TableView, headingForRowAt path: RowPath) -> DisplayText? {
        tableView(table, titleForHeaderInSection: path.section)
    }
    /// By default one section.
    public func numberOfSections(in table: TableView) -> Int { 1 }
    /// By default no line.
    public func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? { nil }
    /// By default no line.
    public func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText? { nil }
    /// By default rows are identified by their paths.
    public func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { path }
    /// By default rows are identified by their paths.
    public func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        identifier.base as? RowPath
    }
    /// By default a row that displays the text.
    public func tableView(
        _ table: TableView, findRowMatching text: String, from path: RowPath, step: Int,
        found: @escaping (RowPath?) -> Void
    ) {
        found(
            RowPath.next(in: (0..<table.numberOfRows).map(table.path), from: path, step: step) {
                table.shows(text, at: $0)
            })
    }
}

/// Receives the user's actions in a table.
@MainActor
public protocol TableViewDelegate: AnyObject {
    /// The user will select a row. Returning another row redirects the selection, and `nil` prevents it.
    func tableView(_ table: TableView, willSelectRowAt path: RowPath) -> RowPath?
    /// A row was deselected because the user selected another.
    func tableView(_ table: TableView, didDeselectRowAt path: RowPath)
    /// The user selected another row.
    func tableView(_ table: TableView, didSelectRowAt path: RowPath)
    /// The selected row was opened, by Enter or a click on it.
    func tableView(_ table: TableView, didActivateRowAt path: RowPath)
    /// Returns the height of a row.
    func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int
    /// The table shows these rows now, numbered over all sections. Called after each layout.
    func tableView(_ table: TableView, didShow rows: Range<Int>)
    /// The marked rows changed.
    func tableViewDidChangeMarks(_ table: TableView)
    /// Returns the preview of a row for `Space`, or `nil` for none, such as when the detail is beside the list.
    func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController?
    /// Whether a row can be dragged to another with the mouse.
    func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool
    /// A row was dropped on another.
    func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath)
}

extension TableViewDelegate {
    /// By default it can't.
    public func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool { false }
    /// The default does nothing.
    public func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath) {}
    /// By default the row itself.
    public func tableView(_ table: TableView, willSelectRowAt path: RowPath) -> RowPath? { path }
    /// The default does nothing.
    public func tableView(_ table: TableView, didDeselectRowAt path: RowPath) {}
    /// The default does nothing.
    public func tableView(_ table: TableView, didSelectRowAt path: RowPath) {}
    /// The default does nothing.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) {}
    /// The default does nothing.
    public func tableView(_ table: TableView, didShow rows: Range<Int>) {}
    /// The default does nothing.
    public func tableViewDidChangeMarks(_ table: TableView) {}
    /// By default none.
    public func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController? { nil }
    /// By default the table's row height.
    public func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int { table.rowHeight }
}
