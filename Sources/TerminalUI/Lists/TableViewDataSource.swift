/// The place of a row in a table.
public struct RowPath: Hashable, Comparable, Sendable {
    /// The section, from 0.
    public var section: Int
    /// The row in the section, from 0.
    public var row: Int

    /// Makes a place.
    public init(section: Int = 0, row: Int) {
        self.section = section
        self.row = row
    }

    /// Rows above come first.
    public static func < (left: RowPath, right: RowPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

/// Gives a table its rows; only the visible ones are asked for.
@MainActor
public protocol TableViewDataSource: AnyObject {
    /// How many sections there are.
    func numberOfSections(in table: TableView) -> Int
    /// How many rows a section has. It is asked at each ``TableView/reloadData()`` only.
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int
    /// The cell of a row: one from ``TableView/dequeueCell(style:)``, all of its content set anew.
    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell
    /// The line over a section; `nil`: none.
    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText?
    /// What a row stands under within its section, such as its day: a line over the first row of those that have it in common,
    /// and over the first row that is seen. `nil`: the section's title. Asked only where ``TableView/hasHeadings``.
    func tableView(_ table: TableView, headingForRowAt path: RowPath) -> DisplayText?
    /// The line under a section; `nil`: none.
    func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText?
    /// What makes a row the same row after its place has changed.
    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable?
    /// Where a row stands now; `nil` when it is gone.
    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath?
    /// The next row, or the one before, that has a text in it, from a row on (which itself counts only for an empty
    /// step); `nil` when there is none. Asked only where ``TableView/isFindEnabled``. Without an answer of its own what the
    /// rows show is looked through; lists of many rows should have one.
    func tableView(_ table: TableView, rowMatching text: String, from path: RowPath, step: Int) -> RowPath?
}

extension TableViewDataSource {
    /// The section's title.
    public func tableView(_ table: TableView, headingForRowAt path: RowPath) -> DisplayText? {
        tableView(table, titleForHeaderInSection: path.section)
    }
    /// One section.
    public func numberOfSections(in table: TableView) -> Int { 1 }
    /// No line.
    public func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? { nil }
    /// No line.
    public func tableView(_ table: TableView, titleForFooterInSection section: Int) -> DisplayText? { nil }
    /// Rows are told apart by their places.
    public func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { path }
    /// Rows are told apart by their places.
    public func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        identifier.base as? RowPath
    }
    /// A row that shows the text.
    public func tableView(_ table: TableView, rowMatching text: String, from path: RowPath, step: Int) -> RowPath? {
        RowPath.next(in: (0..<table.numberOfRows).map(table.path), from: path, step: step) {
            table.shows(text, at: $0)
        }
    }
}

/// Hears what the user does in a table.
@MainActor
public protocol TableViewDelegate: AnyObject {
    /// The user is about to choose a row: another one redirects the choice, `nil` refuses it.
    func tableView(_ table: TableView, willSelectRowAt path: RowPath) -> RowPath?
    /// A row is no longer the chosen one, since the user has chosen another.
    func tableView(_ table: TableView, didDeselectRowAt path: RowPath)
    /// Another row was chosen by the user.
    func tableView(_ table: TableView, didSelectRowAt path: RowPath)
    /// The chosen row was opened: by Enter, or by a click on it.
    func tableView(_ table: TableView, didActivateRowAt path: RowPath)
    /// The lines that a row takes.
    func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int
    /// Other rows are marked than before.
    func tableViewDidChangeMarks(_ table: TableView)
    /// What `Space` shows of a row in a popover; `nil`: nothing, as where the detail stands beside the list.
    func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController?
    /// Whether a row can be dragged to another with the mouse.
    func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool
    /// A row was dragged to another, and let go there.
    func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath)
}

extension TableViewDelegate {
    /// It cannot.
    public func tableView(_ table: TableView, canDragRowAt path: RowPath) -> Bool { false }
    /// Does nothing.
    public func tableView(_ table: TableView, didDragRowAt path: RowPath, to target: RowPath) {}
    /// That row.
    public func tableView(_ table: TableView, willSelectRowAt path: RowPath) -> RowPath? { path }
    /// Does nothing.
    public func tableView(_ table: TableView, didDeselectRowAt path: RowPath) {}
    /// Does nothing.
    public func tableView(_ table: TableView, didSelectRowAt path: RowPath) {}
    /// Does nothing.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) {}
    /// Does nothing.
    public func tableViewDidChangeMarks(_ table: TableView) {}
    /// Nothing.
    public func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController? { nil }
    /// The table's row height.
    public func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int { table.rowHeight }
}
