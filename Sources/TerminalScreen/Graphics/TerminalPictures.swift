import TerminalText

/// The pictures that were transmitted to a terminal. It assigns numbers, keeps what may have to be sent again, and
/// finds their positions.
@MainActor
final class TerminalPictures {
    private struct Entry {
        var picture: TerminalPicture
        var form: Form
    }

    enum Form: Sendable {
        /// The commands that transmit it, in order.
        case kitty([[UInt8]])
        /// The pixels, and the size of a cell in pixels.
        case sixel(SixelPicture, cell: Size)

        /// The memory size in bytes.
        var bytes: Int {
            switch self {
            case .kitty(let commands): commands.reduce(0) { $0 + $1.count }
            case .sixel(let picture, _): picture.bytes
            }
        }
    }

    /// The maximum numbers of pictures and of their bytes, which exceed what a screen shows.
    static let capacity = 200
    static let maximumBytes = 64 << 20

    private var entries: [Entry] = []
    private var last: UInt8 = 255
    /// Distinguishes this program's pictures from those of others in the same terminal.
    let group: UInt8
    /// Whether tmux is in between.
    let throughTmux: Bool

    /// - Parameter place: A number that no other program in the same terminal has, such as tmux's for the pane.
    init(place: Int, throughTmux: Bool) {
        group = UInt8(1 + place.magnitude % 255)
        self.throughTmux = throughTmux
    }

    /// Returns the number for another picture: the palette colours beyond the first sixteen in turn.
    func reserve(_ size: Size) -> TerminalPicture {
        repeat { last = last == 255 ? 16 : last + 1 } while entries.contains { $0.picture.number == last }
        return TerminalPicture(number: last, group: group, size: size)
    }

    nonisolated static func identifier(_ picture: TerminalPicture) -> UInt32 {
        UInt32(picture.group) << 24 | UInt32(picture.number)
    }

    /// Adds a picture, and returns the commands that delete pictures beyond the limits.
    func keep(_ picture: TerminalPicture, _ form: Form) -> [[UInt8]] {
        entries.append(Entry(picture: picture, form: form))
        var bytes = entries.reduce(0) { $0 + $1.form.bytes }
        var deletions: [[UInt8]] = []
        while entries.count > TerminalPictures.capacity || bytes > TerminalPictures.maximumBytes, entries.count > 1 {
            let oldest = entries.removeFirst()
            bytes -= oldest.form.bytes
            deletions += deletion(of: oldest)
        }
        return deletions
    }

    func has(_ picture: TerminalPicture) -> Bool { entries.contains { $0.picture == picture } }

    var isEmpty: Bool { entries.isEmpty }

    /// The commands that transmit all pictures again, to a terminal that has lost them.
    var transmissions: [[UInt8]] {
        entries.flatMap { entry -> [[UInt8]] in
            if case .kitty(let commands) = entry.form { commands } else { [] }
        }
    }

    /// Removes all pictures, and returns the commands that delete them.
    func removeAll() -> [[UInt8]] {
        defer { entries = [] }
        return entries.flatMap(deletion)
    }

    private func deletion(of entry: Entry) -> [[UInt8]] {
        guard case .kitty = entry.form else { return [] }
        let number = TerminalPictures.identifier(entry.picture)
        return [KittyGraphics.deletion(number: number, throughTmux: throughTmux)]
    }

    // MARK: Sixels

    /// Whether a cell belongs to a sixel picture. Then only blanks may be written to it.
    func isSixel(_ cell: Cell) -> Bool { place(in: cell) != nil }

    /// Returns the sixel picture of a cell, and the cell's position in it.
    private func place(in cell: Cell) -> (number: UInt8, place: PicturePlaceholder)? {
        guard let place = Glyph(rawValue: cell.glyph).picturePlaceholder else { return nil }
        let number = UInt8(truncatingIfNeeded: cell.foreground)
        return sixel(number) == nil ? nil : (number, place)
    }

    private func sixel(_ number: UInt8) -> (picture: SixelPicture, cell: Size)? {
        guard case .sixel(let picture, let cell) = entries.last(where: { $0.picture.number == number })?.form else {
            return nil
        }
        return (picture, cell)
    }

    /// A part of a picture that is visible on the screen.
    struct Area: Hashable {
        /// The cells on the screen.
        var frame: Rect
        /// The position of its upper left cell in the picture.
        var origin: Point
        var number: UInt8
    }

    /// Returns the visible areas of sixel pictures as few rectangles as possible. The last row of the screen is left
    /// out, because terminals scroll after a picture there.
    func areas(in grid: CellGrid) -> [Area] {
        guard entries.contains(where: { if case .sixel = $0.form { true } else { false } }) else { return [] }
        var areas: [Area] = []
        var open: [Area] = []
        for y in 0..<max(0, grid.size.height - 1) {
            var continued: [Area] = []
            for run in runs(in: grid, row: y) {
                // The same columns of the row above, one row further up in the picture, form one area.
                let above = open.firstIndex { area in
                    area.number == run.number && area.frame.minX == run.frame.minX
                        && area.frame.width == run.frame.width && area.origin.x == run.origin.x
                        && area.origin.y + area.frame.height == run.origin.y
                }
                guard let above else {
                    continued.append(run)
                    continue
                }
                var area = open.remove(at: above)
                area.frame.size.height += 1
                continued.append(area)
            }
            areas += open
            open = continued
        }
        return areas + open
    }

    private func runs(in grid: CellGrid, row y: Int) -> [Area] {
        var runs: [Area] = []
        for x in 0..<grid.size.width {
            guard let (number, place) = place(in: grid[x, y]) else { continue }
            if let run = runs.last, run.frame.maxX == x, run.number == number, run.origin.y == place.row,
                run.origin.x + run.frame.width == place.column
            {
                runs[runs.count - 1].frame.size.width += 1
                continue
            }
            runs.append(
                Area(
                    frame: Rect(x: x, y: y, width: 1, height: 1), origin: Point(x: place.column, y: place.row),
                    number: number))
        }
        return runs
    }

    /// Returns the sequence that draws areas and restores the cursor.
    func sequence(for areas: [Area]) -> [UInt8] {
        var bytes: [UInt8] = []
        for area in areas {
            guard let (picture, cell) = sixel(area.number) else { continue }
            let left = area.origin.x * cell.width
            let top = area.origin.y * cell.height
            let pixels = picture.sequence(
                columns: left..<left + area.frame.width * cell.width, rows: top..<top + area.frame.height * cell.height)
            guard !pixels.isEmpty else { continue }
            bytes += Array("\u{1B}7\u{1B}[\(area.frame.minY + 1);\(area.frame.minX + 1)H".utf8) + pixels
            bytes += Array("\u{1B}8".utf8)
        }
        return bytes
    }
}
