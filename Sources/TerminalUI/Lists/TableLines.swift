/// Measures the rows of a table during a layout, with the headings above and the footers below them.
///
/// A layout needs the same heights and headings several times, and finding them is slow.
@MainActor
final class TableLines {
    private let table: TableView
    let sections: TableSections
    /// The number of lines for rows.
    let height: Int
    private let showsHeadings: Bool
    /// What is known about rows. Those that are visible together have places of their own.
    private var known: [Known]

    private struct Known {
        var row = -1
        var height: Int?
        var heading: DisplayText??
    }

    init(_ table: TableView, height: Int) {
        self.table = table
        sections = table.sections
        self.height = height
        showsHeadings = table.showsHeadings
        known = [Known](repeating: Known(), count: max(0, height) + 2)
    }

    /// Returns the place of what is known about a row.
    private func place(of row: Int) -> Int {
        let place = row % known.count
        if known[place].row != row { known[place] = Known(row: row) }
        return place
    }

    /// The minimum height for headings within sections.
    static let minimumHeightForHeadings = 9

    /// Whether a scroll indicator is at the right edge.
    var showsIndicator: Bool { table.bounds.width >= 20 && table.numberOfRows * table.rowHeight > height }

    func height(of row: Int) -> Int {
        let place = place(of: row)
        if let height = known[place].height { return height }
        let path = sections.path(of: row)
        let height = max(1, table.delegate?.tableView(table, heightForRowAt: path) ?? table.rowHeight)
        known[place].height = height
        return height
    }

    private func heading(of row: Int) -> DisplayText? {
        let place = place(of: row)
        if let heading = known[place].heading { return heading }
        let heading = table.dataSource?.tableView(table, headingForRowAt: sections.path(of: row))
        known[place].heading = .some(heading)
        return heading
    }

    /// Returns the line above a row if it is the first visible row or the first under its heading.
    func header(over row: Int, isTop: Bool) -> DisplayText? {
        let path = sections.path(of: row)
        guard showsHeadings else {
            guard isTop || path.row == 0 else { return nil }
            let title = table.dataSource?.tableView(table, titleForHeaderInSection: path.section)
            // A line between sections separates nothing at the top.
            return isTop && title?.isEmpty == true ? nil : title
        }
        guard let heading = heading(of: row) else { return nil }
        if isTop || path.row == 0 { return heading }
        return self.heading(of: row - 1) == heading ? nil : heading
    }

    /// Returns the line below a row if it is the last of its section.
    func footer(after path: RowPath) -> DisplayText? {
        guard sections.isLast(path) else { return nil }
        return table.dataSource?.tableView(table, titleForFooterInSection: path.section)
    }

    /// Returns the number of lines for a row with the header above it. The first visible row always has its header.
    func count(of row: Int, isTop: Bool) -> Int {
        let hasHeader = header(over: row, isTop: isTop) != nil
        return height(of: row) + (hasHeader ? 1 : 0) + (footer(after: sections.path(of: row)) == nil ? 0 : 1)
    }

    /// Whether all rows of a range are visible if the first of them is on top.
    func fit(_ rows: ClosedRange<Int>) -> Bool {
        var used = 0
        return rows.allSatisfy { row in
            used += count(of: row, isTop: row == rows.lowerBound)
            return used <= height
        }
    }

    /// Returns the first visible row if `row` is the last that fits.
    ///
    /// - Parameter height: The number of lines, or `nil` for all.
    func topRow(whenLastIs row: Int, height: Int? = nil) -> Int {
        let height = height ?? self.height
        var top = row
        var used = count(of: row, isTop: true)
        while top > 0 {
            // The row that was on top loses the header that it only has there.
            let inner = count(of: top, isTop: false)
            let outer = count(of: top, isTop: true)
            let next = used - outer + inner + count(of: top - 1, isTop: true)
            if next > height { break }
            used = next
            top -= 1
        }
        return top
    }

    /// Returns the number of lines that fill a height, or of all rows, including headings.
    func count(upTo height: Int) -> Int {
        var used = sections.numberOfRows == 0 ? 3 : 0
        let maximum = max(height, TableLines.minimumHeightForHeadings)
        for row in 0..<sections.numberOfRows where used < maximum { used += count(of: row, isTop: row == 0) }
        return used
    }
}
