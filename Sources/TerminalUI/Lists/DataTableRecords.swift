import TerminalText

/// A table where the screen is read from top to bottom (``Window/isLinear``): no values under headings, which a place tells
/// apart, but each row a record, its values after their names, in as many lines as it takes.
extension DataTableView {
    /// A row in words: `Place 2, Ivan Basso, Gap +1:51`.
    func record(_ row: Int) -> DisplayText {
        var record = DisplayText.empty
        for (index, column) in columns.enumerated() {
            let value = value(row, index)
            guard !value.isEmpty else { continue }
            let name = column.name ?? column.title
            record = record + (record.isEmpty ? "" : ", ") + (name.isEmpty ? "" : name + " ") + value
        }
        return record
    }

    /// The lines over the records: what they are sorted by, once somebody has sorted them.
    var linesOverRecords: Int { sorting == nil ? 0 : 1 }

    private var recordsHeight: Int { max(1, bounds.height - linesOverRecords) }

    private func lines(of row: Int) -> [StyledLine] {
        TextParagraph(record(row)).lines(columns: max(1, bounds.width - 2))
    }

    /// The first of the rows that can all be seen together with a row that is the last of them.
    private func first(upTo row: Int) -> Int {
        var (first, height) = (row, lines(of: row).count)
        while first > 0 {
            height += lines(of: first - 1).count
            guard height <= recordsHeight else { break }
            first -= 1
        }
        return first
    }

    /// The row to begin with, so that the chosen one is seen whole and no lines are left over at the end.
    var topOfRecords: Int {
        guard rowCount > 0 else { return 0 }
        return min(max(min(top, selected), first(upTo: selected)), first(upTo: rowCount - 1))
    }

    /// The rows that are seen, each with its first line's place and what stands in its lines.
    var visibleRecords: [(row: Int, y: Int, lines: [StyledLine])] {
        var found: [(row: Int, y: Int, lines: [StyledLine])] = []
        var y = linesOverRecords
        for row in top..<max(top, rowCount) where y < bounds.height {
            found.append((row, y, lines(of: row)))
            y += found[found.count - 1].lines.count
        }
        return found
    }

    func drawRecords(in surface: Surface) {
        if let sorting, columns.indices.contains(sorting.column) {
            let column = columns[sorting.column]
            let words = "sorted by " + column.title + (sorting.ascending ? ", ascending" : ", descending")
            surface.draw(words.truncated(to: bounds.width), at: .zero, style: theme[.accent])
        }
        for (row, y, lines) in visibleRecords {
            let isSelected = row == selected
            let style = isSelected ? theme[isFocused ? .selection : .selectionUnfocused] : theme[.text]
            if isSelected {
                if isFocused {
                    surface.fill(Rect(x: 0, y: y, width: bounds.width, height: lines.count), style: style)
                }
                surface.draw(symbols.selection, at: Point(x: 0, y: y), style: style)
            }
            for (line, content) in lines.enumerated() {
                surface.draw(DisplayText(content.string), at: Point(x: 2, y: y + line), style: style)
            }
        }
    }
}
