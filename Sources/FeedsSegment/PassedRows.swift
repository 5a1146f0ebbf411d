import TerminalUI

/// Finds the rows of a list that were scrolled past: shown before, and now above the list's top or the selection.
struct PassedRows {
    private var shown = 0..<0
    private var selected = -1
    private var size = Size.zero

    /// Forgets what was shown, when rows are others or have moved.
    mutating func reset() { shown = 0..<0 }

    /// Returns the rows that were scrolled past since the last call.
    ///
    /// - Parameters:
    ///   - rows: The visible rows.
    ///   - selected: The selected row, or -1.
    ///   - size: The size of the list. Rows that another size hides weren't scrolled past.
    mutating func update(_ rows: Range<Int>, selected: Int, size: Size) -> [Int] {
        defer { (shown, self.selected, self.size) = (rows, selected, size) }
        guard size == self.size, !shown.isEmpty else { return [] }
        let above = shown.prefix { $0 < rows.lowerBound }
        // A short list doesn't scroll; the selection goes through it row by row.
        let isStep = selected == self.selected + 1 && shown.contains(self.selected) && !above.contains(self.selected)
        return above + (isStep ? [self.selected] : [])
    }
}
