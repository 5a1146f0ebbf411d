/// Converts between row numbers, counted over all sections, and paths.
package struct TableSections: Hashable, Sendable {
    /// The first row of each section, and the number of all rows.
    private var starts: [Int] = [0]

    init() {}

    init(counts: some Sequence<Int>) {
        for count in counts { starts.append((starts.last ?? 0) + count) }
    }

    var count: Int { starts.count - 1 }

    var numberOfRows: Int { starts.last ?? 0 }

    /// The number of rows in each section.
    package var counts: [Int] { (0..<count).map { numberOfRows(in: $0) } }

    func numberOfRows(in section: Int) -> Int { starts[section + 1] - starts[section] }

    func path(of row: Int) -> RowPath {
        // Empty sections share their start with the next one; the row is in the last of those.
        let section = max(0, min(starts.lastIndex(notAbove: row), count - 1))
        return RowPath(section: section, row: row - starts[section])
    }

    /// Returns the row number of a path, or the nearest before it, or -1 if there are no rows.
    func row(at path: RowPath) -> Int {
        guard path.section < count else { return numberOfRows - 1 }
        return max(-1, min(starts[path.section] + path.row, numberOfRows - 1))
    }

    /// Whether a path is the last of its section.
    func isLast(_ path: RowPath) -> Bool { path.row + 1 == numberOfRows(in: path.section) }
}
