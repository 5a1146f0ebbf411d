/// Writes the cells of links again with their addresses, because ncurses doesn't support links.
@MainActor
enum HyperlinkWriter {
    /// Returns the sequences for some rows of a grid. They restore the cursor and style.
    static func bytes(of grid: CellGrid, rows: Set<Int>, palette: ColorPalette) -> [UInt8] {
        var text = ""
        for run in grid.links where rows.contains(run.row) {
            var x = run.columns.lowerBound
            while x < run.columns.upperBound {
                // Cells that were overwritten since no longer belong to the link.
                guard grid[x, run.row].isLink, grid[x, run.row].columns > 0 else {
                    x += 1
                    continue
                }
                text += "\u{1B}[\(run.row + 1);\(x + 1)H\u{1B}]8;id=\(run.link.number);\(run.link.address)\u{1B}\\"
                var look: String?
                while x < run.columns.upperBound, grid[x, run.row].isLink {
                    let cell = grid[x, run.row]
                    let present = palette.sequence(of: cell)
                    if present != look { text += present }
                    look = present
                    text += cell.text
                    x += 1
                }
                text += "\u{1B}]8;;\u{1B}\\"
            }
        }
        return text.isEmpty ? [] : Array("\u{1B}7\(text)\u{1B}8".utf8)
    }
}
