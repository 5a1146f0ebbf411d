import CNcurses
import Platform
import TerminalText

/// Passes the cells that differ from the screen to ncurses.
@MainActor
struct ScreenWriter {
    var palette = ColorPalette(depth: .none)
    /// Whether the terminal opens links itself (OSC 8).
    var opensLinks = false
    private var shown = CellGrid(size: .zero)
    private var shownCursor: Point?
    private var scratch: [cnc_cell] = []

    /// Forgets the content of the screen, so that the next grid is sent completely.
    mutating func forget() { shown = CellGrid(size: .zero) }

    /// Sends the cells of a grid that differ from the screen, marked for synchronised output if it is supported.
    ///
    /// - Returns: What is written afterwards, bypassing ncurses: sixels and links.
    mutating func present(
        _ grid: CellGrid, cursor: Point?, isSynchronized: Bool, _ graphics: TerminalGraphics
    ) -> [UInt8] {
        let isFresh = shown.size != grid.size
        var hasChanged = isFresh || cursor != shownCursor
        var writtenRows: Set<Int> = []
        let width = grid.size.width
        grid.cells.withUnsafeBufferPointer { new in
            shown.cells.withUnsafeBufferPointer { old in
                for row in 0..<grid.size.height {
                    let range = row * width..<(row + 1) * width
                    if isFresh {
                        writtenRows.insert(row)
                        put(new, range, line: range, row: row, graphics)
                        continue
                    }
                    guard let newBase = new.baseAddress, let oldBase = old.baseAddress else { return }
                    let byteCount = width * MemoryLayout<Cell>.stride
                    if memcmp(newBase + range.lowerBound, oldBase + range.lowerBound, byteCount) == 0 { continue }
                    hasChanged = true
                    writtenRows.insert(row)
                    putChanges(new, old, range, row: row, graphics)
                    // A terminal joins the two cells of a flag only if they arrive together.
                    if new[range].contains(where: \.isFlag) || old[range].contains(where: \.isFlag) {
                        cnc_redraw_row(Int32(row))
                    }
                }
            }
        }
        // The same text may now have another link.
        if opensLinks, grid.links != shown.links { writtenRows.formUnion(grid.links.map(\.row)) }
        guard hasChanged || !writtenRows.isEmpty else { return [] }
        shown.copy(from: grid)
        shownCursor = cursor
        if let cursor { cnc_cursor(Int32(cursor.y), Int32(cursor.x)) } else { cnc_cursor(-1, 0) }
        cnc_flush(isSynchronized)
        let sixels = graphics.sixels(on: grid, writtenRows: writtenRows)
        return opensLinks ? sixels + HyperlinkWriter.bytes(of: grid, rows: writtenRows, palette: palette) : sixels
    }

    private mutating func putChanges(
        _ new: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, _ range: Range<Int>, row: Int,
        _ graphics: TerminalGraphics
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            while index < range.upperBound, new[index] == old[index] { index += 1 }
            guard index < range.upperBound else { return }
            var start = index
            while index < range.upperBound, new[index] != old[index] { index += 1 }
            // A run must not start or end inside a wide character.
            while start > range.lowerBound, new[start].columns == 0 { start -= 1 }
            while index < range.upperBound, new[index].columns == 0 { index += 1 }
            put(new, start..<index, line: range, row: row, graphics)
        }
    }

    private mutating func put(
        _ cells: UnsafeBufferPointer<Cell>, _ range: Range<Int>, line: Range<Int>, row: Int,
        _ graphics: TerminalGraphics
    ) {
        scratch.removeAll(keepingCapacity: true)
        var runStart = range.lowerBound
        var previous: Cell?
        for index in range {
            var cell = cells[index]
            // Invisible properties of a blank follow its neighbours, so that they need not be sent.
            let isFirst = index == line.lowerBound && index + 1 < line.upperBound
            if let neighbour = isFirst ? cells[index + 1] : previous, cell.canLook(like: neighbour),
                isShortGap(cells, index, before: line.upperBound)
            {
                cell.foreground = neighbour.foreground
                cell.attributes = neighbour.attributes
            }
            previous = cell
            let look = palette.look(of: cell)
            let glyph = Glyph(rawValue: cell.glyph)
            if cell.columns > 0, glyph.isCluster, graphics.isSixel(cell) {
                // A blank that ncurses doesn't treat as empty, so that it overwrites the picture later.
                scratch.append(cnc_cell(scalar: 0xA0, pair: 0, attributes: 0, width: 1))
                continue
            }
            if let flag = glyph.flag {
                let scalar = cell.columns > 0 ? flag.first : flag.second
                scratch.append(
                    cnc_cell(scalar: scalar.value, pair: look.pair, attributes: look.attributes, width: 1))
                continue
            }
            if cell.columns > 0, glyph.isCluster {
                flushRun(row: row, column: runStart - line.lowerBound)
                var scalars = glyph.drawnScalars.map(\.value)
                cnc_put_cluster(
                    Int32(row), Int32(index - line.lowerBound), &scalars, Int32(scalars.count), look.pair,
                    look.attributes)
                runStart = index + 1
                continue
            }
            scratch.append(
                cnc_cell(
                    scalar: glyph.scalar?.value ?? 32, pair: look.pair, attributes: look.attributes,
                    width: cell.columns))
        }
        flushRun(row: row, column: runStart - line.lowerBound)
    }

    /// Whether a blank is in a gap of one or two cells. Longer gaps are erased instead of written.
    private func isShortGap(_ cells: UnsafeBufferPointer<Cell>, _ index: Int, before end: Int) -> Bool {
        guard cells[index].isBlank else { return false }
        return index + 1 < end && !cells[index + 1].isBlank || index + 2 < end && !cells[index + 2].isBlank
    }

    private mutating func flushRun(row: Int, column: Int) {
        guard !scratch.isEmpty else { return }
        cnc_put_run(Int32(row), Int32(column), &scratch, Int32(scratch.count))
        scratch.removeAll(keepingCapacity: true)
    }
}
