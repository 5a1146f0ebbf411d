import TerminalUI

/// The wrapped rows of long lines. The start of each row is computed on demand.
struct LineWrapping {
    /// A row on the screen, which is a part of a line.
    struct Row: Comparable {
        var line: Int
        var index: Int

        static func < (left: Row, right: Row) -> Bool { (left.line, left.index) < (right.line, right.index) }
    }

    /// The known starts of a line's rows.
    private struct Starts {
        var places = [0]
        var isComplete = false
    }

    var columns = 1 { didSet { if columns != oldValue { removeAll() } } }
    private var known: [Int: Starts] = [:]
    private static let maximumLines = 2_000

    // MARK: Changes

    /// Clears the cache, because all lines have changed.
    mutating func removeAll() { known.removeAll(keepingCapacity: true) }

    /// Updates the cache for a line that changed from a column on.
    mutating func lineDidChange(_ line: Int, from column: Int) {
        guard var starts = known[line] else { return }
        starts.places.removeAll { $0 > 0 && $0 >= column }
        starts.isComplete = false
        known[line] = starts
    }

    /// Updates the cache for inserted or removed lines after a line.
    mutating func linesDidChange(after line: Int) {
        for key in known.keys where key > line { known[key] = nil }
    }

    // MARK: Rows

    /// Computes the starts of rows until a condition is met.
    private mutating func extend(_ line: Int, in lines: [[Character]], until isEnough: ([Int]) -> Bool) -> Starts {
        var starts = known[line] ?? Starts()
        let characters = lines[line]
        while !starts.isComplete, !isEnough(starts.places) {
            var place = starts.places[starts.places.count - 1]
            let start = place
            var used = 0
            while place < characters.count {
                let width = characters[place].columns
                if used + width > columns, place > start { break }
                used += width
                place += 1
            }
            if place < characters.count { starts.places.append(place) } else { starts.isComplete = true }
        }
        if known.count >= LineWrapping.maximumLines { removeAll() }
        known[line] = starts
        return starts
    }

    /// Returns the row that contains a column of a line.
    mutating func row(at column: Int, of line: Int, in lines: [[Character]]) -> Row {
        let starts = extend(line, in: lines) { $0[$0.count - 1] > column }
        return Row(line: line, index: starts.places.lastIndex(notAbove: column))
    }

    mutating func range(of row: Row, in lines: [[Character]]) -> Range<Int> {
        let starts = extend(row.line, in: lines) { $0.count > row.index + 1 }
        let index = min(row.index, starts.places.count - 1)
        let end = index + 1 < starts.places.count ? starts.places[index + 1] : lines[row.line].count
        return starts.places[index]..<end
    }

    /// Returns the number of rows of a line, at least one.
    private mutating func count(of line: Int, in lines: [[Character]]) -> Int {
        extend(line, in: lines) { _ in false }.places.count
    }

    /// Returns the row some rows further down or up, limited to the last or first.
    mutating func row(_ row: Row, movedBy count: Int, in lines: [[Character]]) -> Row {
        var row = Row(line: max(0, min(row.line, lines.count - 1)), index: row.index)
        var left = count
        // The line may have become shorter.
        row.index = min(row.index, extend(row.line, in: lines) { $0.count > row.index }.places.count - 1)
        while left > 0 {
            let starts = extend(row.line, in: lines) { $0.count > row.index + left }
            let step = min(left, starts.places.count - 1 - row.index)
            row.index += step
            left -= step
            guard left > 0 else { break }
            guard row.line + 1 < lines.count else { return row }
            row = Row(line: row.line + 1, index: 0)
            left -= 1
        }
        while left < 0 {
            let step = min(-left, row.index)
            row.index -= step
            left += step
            guard left < 0 else { break }
            guard row.line > 0 else { return row }
            row = Row(line: row.line - 1, index: self.count(of: row.line - 1, in: lines) - 1)
            left += 1
        }
        return row
    }

    /// Returns the number of rows between two rows, or `nil` if it reaches the limit.
    mutating func distance(from start: Row, to end: Row, within limit: Int, in lines: [[Character]]) -> Int? {
        guard end.line - start.line < limit else { return nil }
        if start.line == end.line { return end.index - start.index < limit ? end.index - start.index : nil }
        var distance = 0
        var line = start.line
        while line < end.line {
            let starts = extend(line, in: lines) { $0.count > limit + start.index }
            distance += starts.places.count - (line == start.line ? start.index : 0)
            if distance >= limit { return nil }
            line += 1
        }
        return distance + end.index < limit ? distance + end.index : nil
    }
}
