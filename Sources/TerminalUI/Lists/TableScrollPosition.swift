/// The first visible row of a table, which follows the selection or the user's scrolling.
@MainActor
struct TableScrollPosition {
    private(set) var topRow = 0
    /// The first visible row after the user's last action. Shrinking and restoring a pane shows the same rows again
    /// (row SPL-12).
    private var settledTopRow = 0
    private var isSettled = true
    /// Whether the selected row stays visible.
    private(set) var followsSelection = true
    /// Whether the next layout centres the selected row.
    private var centresSelection = false

    /// Shows the selected row from the next layout on.
    ///
    /// - Parameter inMiddle: Whether to centre it if there are enough rows around it.
    mutating func followSelection(inMiddle: Bool = false) {
        followsSelection = true
        centresSelection = inMiddle
        isSettled = false
    }

    /// Scrolls to a row. The selected one need no longer be visible.
    mutating func scroll(to row: Int) {
        followsSelection = false
        topRow = row
        isSettled = false
    }

    /// Follows rows that moved, without an action of the user.
    mutating func moveTop(to row: Int) {
        settledTopRow += row - topRow
        topRow = row
    }

    /// Starts at a row after the rows were replaced.
    mutating func reset(to row: Int) {
        topRow = row
        settledTopRow = row
    }

    /// Limits the position to a number of rows.
    mutating func limit(to count: Int) {
        topRow = max(0, min(topRow, count - 1))
        settledTopRow = max(0, min(settledTopRow, count - 1))
    }

    /// Finds the first visible row for a layout.
    ///
    /// There are no more empty lines at the end than necessary, and the selected row is visible unless the wheel has
    /// scrolled away from it.
    mutating func settle(_ lines: TableLines, selected: Int) {
        if isSettled { topRow = settledTopRow }
        if centresSelection, selected >= 0 {
            topRow = lines.topRow(whenLastIs: selected, height: lines.height / 2 + 1)
            centresSelection = false
        }
        let rows = lines.sections.numberOfRows
        // Each row needs a line, so that only the last rows can leave lines empty.
        if topRow > rows - max(1, lines.height) { topRow = min(topRow, lines.topRow(whenLastIs: rows - 1)) }
        topRow = max(0, topRow)
        if followsSelection, selected >= 0 {
            if selected < topRow { topRow = selected }
            if !lines.fit(topRow...selected) { topRow = max(topRow, lines.topRow(whenLastIs: selected)) }
        }
        if !isSettled { settledTopRow = topRow }
        isSettled = true
    }
}
