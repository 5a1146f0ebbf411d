import TerminalText

/// Data tables in screen-reader mode (``Window/isLinear``): each row is a record with names before its values, in as
/// many lines as needed.
extension DataTableView {
    /// Returns a row in words, such as "Place 2, Ivan Basso, Gap +1:51".
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

    /// The number of lines above the records, which show the sort order once the user has sorted them.
    var linesOverRecords: Int { sorting == nil ? 0 : 1 }

    private var recordsHeight: Int { max(1, bounds.height - linesOverRecords) }

    private func lines(of row: Int) -> [StyledLine] {
        TextParagraph(record(row)).lines(columns: max(1, bounds.width - 2))
    }

    /// Returns the first of the rows that fit completely above and including a last row.
    private func first(upTo row: Int) -> Int {
        var (first, height) = (row, lines(of: row).count)
        while first > 0 {
            height += lines(of: first - 1).count
            guard height <= recordsHeight else { break }
            first -= 1
        }
        return first
    }

    /// The first visible row, so that the selected one is fully visible and no lines are unused at the end.
    var topOfRecords: Int {
        guard rowCount > 0 else { return 0 }
        return min(max(min(top, selected), first(upTo: selected)), first(upTo: rowCount - 1))
    }

    /// The visible rows, each with the position of its first line and its lines.
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
