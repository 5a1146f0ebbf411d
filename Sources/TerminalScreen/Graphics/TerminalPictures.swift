import TerminalText

/// The pictures that a terminal was given: numbers them, keeps what has to be sent again, and knows what stands where.
@MainActor
final class TerminalPictures {
    /// A picture and how it gets to the terminal.
    private struct Entry {
        var picture: TerminalPicture
        var form: Form
    }

    /// What a picture was turned into.
    enum Form: Sendable {
        /// Commands that hand it over, to be written in their order.
        case kitty([[UInt8]])
        /// Pixels, and how many of them are a cell.
        case sixel(SixelPicture, cell: Size)

        /// What it takes in memory.
        var bytes: Int {
            switch self {
            case .kitty(let commands): commands.reduce(0) { $0 + $1.count }
            case .sixel(let picture, _): picture.bytes
            }
        }
    }

    /// Those given last are kept, so many and so many bytes of them: more than a screen shows at once.
    static let capacity = 200
    static let maximumBytes = 64 << 20

    private var entries: [Entry] = []
    private var last: UInt8 = 255
    /// Tells this program's pictures apart from those of others in the same terminal.
    let group: UInt8
    /// Whether tmux stands between.
    let throughTmux: Bool

    /// Makes an empty store.
    ///
    /// - Parameter place: A number that other programs in the same terminal do not have, such as tmux's for the pane.
    init(place: Int, throughTmux: Bool) {
        group = UInt8(1 + place.magnitude % 255)
        self.throughTmux = throughTmux
    }

    /// A number for another picture: the palette's colours beyond the first sixteen, in turn.
    func reserve(_ size: Size) -> TerminalPicture {
        repeat { last = last == 255 ? 16 : last + 1 } while entries.contains { $0.picture.number == last }
        return TerminalPicture(number: last, group: group, size: size)
    }

    /// The number that the protocol knows a picture by.
    nonisolated static func identifier(_ picture: TerminalPicture) -> UInt32 {
        UInt32(picture.group) << 24 | UInt32(picture.number)
    }

    /// Keeps a picture.
    ///
    /// - Returns: What to write so that the terminal forgets those that are too many.
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

    /// Whether a picture is still kept.
    func has(_ picture: TerminalPicture) -> Bool { entries.contains { $0.picture == picture } }

    /// Whether there are none.
    var isEmpty: Bool { entries.isEmpty }

    /// What hands all pictures over again, to a terminal that has lost them.
    var transmissions: [[UInt8]] {
        entries.flatMap { entry -> [[UInt8]] in
            if case .kitty(let commands) = entry.form { commands } else { [] }
        }
    }

    /// Lets all go.
    ///
    /// - Returns: What to write so that the terminal forgets them too.
    func removeAll() -> [[UInt8]] {
        defer { entries = [] }
        return entries.flatMap(deletion)
    }

    private func deletion(of entry: Entry) -> [[UInt8]] {
        guard case .kitty = entry.form else { return [] }
        return [
            KittyGraphics.deletion(
                number: TerminalPictures.identifier(entry.picture), throughTmux: throughTmux)
        ]
    }

    // MARK: Sixels

    /// Whether a cell belongs to a picture in sixels: then nothing but a blank is written there.
    func isSixel(_ cell: Cell) -> Bool {
        place(in: cell) != nil
    }

    /// The picture in sixels that a cell belongs to, and the cell's place in it.
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

    /// A part of a picture as it stands on the screen without anything over it.
    struct Area: Hashable {
        /// Cells of the screen.
        var frame: Rect
        /// Its upper left cell in the picture.
        var origin: Point
        /// The picture's number.
        var number: UInt8
    }

    /// The areas of pictures in sixels on a screen: as few rectangles as cover what can be seen of them. The last row of
    /// the screen is left out, since terminals scroll after a picture there.
    func areas(in grid: CellGrid) -> [Area] {
        guard entries.contains(where: { if case .sixel = $0.form { true } else { false } }) else { return [] }
        var areas: [Area] = []
        var open: [Area] = []
        for y in 0..<max(0, grid.size.height - 1) {
            var continued: [Area] = []
            for run in runs(in: grid, row: y) {
                // The same columns of the row before, one row further up in the picture: one area.
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

    /// What shows areas, the cursor and its looks left as they are.
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
