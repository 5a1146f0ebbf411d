import TerminalText

/// A cell of the screen. It has sixteen bytes without padding, so that rows can be compared as memory.
public struct Cell: Hashable, Sendable {
    var glyph: UInt32
    var foreground: UInt32
    var background: UInt32
    var attributes: UInt16
    /// The width: 1 or 2 columns, or 0 in the second half of a wide character.
    var columns: UInt16

    /// A blank cell in the terminal's default colours.
    public static let blank = Cell(glyph: .space, style: .standard)

    /// Creates a cell.
    public init(glyph: Glyph, style: Style) {
        self.glyph = glyph.rawValue
        foreground = style.foreground.bits
        background = style.background.bits
        attributes = style.attributes.shown.rawValue
        columns = UInt16(glyph.columns)
    }

    /// The text of the cell; empty in the second half of a wide character.
    public var text: String {
        guard columns > 0 else { return "" }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: Glyph(rawValue: glyph).scalars)
        return String(view)
    }

    /// Whether it belongs to a flag, whose two cells must be sent together.
    var isFlag: Bool { Glyph(rawValue: glyph).isFlag }

    var isBlank: Bool { glyph == Glyph.space.rawValue }

    /// Whether a blank looks the same with the colour and attributes of another cell. If so, reusing them saves bytes.
    func canLook(like other: Cell) -> Bool {
        let seen = TextAttributes([.underline, .reverse, .struck]).rawValue
        guard background == other.background, attributes & seen == other.attributes & seen else { return false }
        return attributes & TextAttributes.reverse.rawValue == 0 || foreground == other.foreground
    }

    /// The style of the cell.
    public var style: Style {
        Style(
            foreground: Color(rawBits: foreground), background: Color(rawBits: background),
            attributes: TextAttributes(rawValue: look))
    }

    /// The visible attributes.
    var look: UInt16 { attributes & ~Cell.linkBit }

    /// Whether the cell is part of a link. Drawing over the cell removes the link.
    var isLink: Bool {
        get { attributes & Cell.linkBit != 0 }
        set { attributes = newValue ? attributes | Cell.linkBit : look }
    }

    private static let linkBit: UInt16 = 1 << 15
}

/// A grid of cells that covers the screen, row by row.
@MainActor
public final class CellGrid {
    /// The size in cells.
    public private(set) var size: Size
    private(set) var cells: [Cell]
    /// The links in the grid, including cells that may have been overwritten.
    private(set) var links: [HyperlinkRun] = []

    /// Creates a blank grid.
    public init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: max(0, size.width * size.height))
    }

    /// Resizes the grid and clears all cells.
    public func reset(to size: Size) {
        links = []
        if size == self.size {
            cells.withUnsafeMutableBufferPointer { $0.update(repeating: .blank) }
        } else {
            self.size = size
            cells = Array(repeating: .blank, count: max(0, size.width * size.height))
        }
    }

    /// Replaces signs by those of ASCII, for a terminal whose locale isn't UTF-8.
    package func replaceSigns() {
        for index in cells.indices where cells[index].columns == 1 && cells[index].glyph > 0x7F {
            let scalar = Glyph(rawValue: cells[index].glyph).scalar
            if let sign = scalar.flatMap(ASCIISigns.sign).flatMap({ Glyph($0) }) { cells[index].glyph = sign.rawValue }
        }
    }

    /// The cell at a position, which must be inside the grid.
    public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

    /// Returns the text of a row including trailing blanks.
    public func text(row: Int) -> String {
        var text = String.UnicodeScalarView()
        text.reserveCapacity(size.width)
        for cell in cells[row * size.width..<(row + 1) * size.width] where cell.columns > 0 {
            let glyph = Glyph(rawValue: cell.glyph)
            if let scalar = glyph.scalar { text.append(scalar) } else { text.append(contentsOf: glyph.scalars) }
        }
        return String(text)
    }

    /// Draws glyphs from a position on within the columns `clip`. Returns the column after the last.
    @discardableResult
    func put(_ glyphs: some Sequence<Glyph>, at point: Point, style: Style, clip: Range<Int>) -> Int {
        guard point.y >= 0, point.y < size.height else { return point.x }
        let rowStart = point.y * size.width
        let width = size.width
        // The storage is accessed once for all glyphs, because this loop draws every frame.
        return cells.withUnsafeMutableBufferPointer { cells in
            let row = UnsafeMutableBufferPointer(rebasing: cells[rowStart..<rowStart + width])
            let (left, right) = (clip.lowerBound, clip.upperBound)
            var cell = Cell(glyph: .space, style: style)
            var x = point.x
            for glyph in glyphs {
                let columns = glyph.columns
                defer { x += columns }
                if x + columns <= left { continue }
                if x >= right { break }
                if columns == 1 {
                    CellGrid.mend(row, x)
                    cell.glyph = glyph.rawValue
                    cell.columns = 1
                    row[x] = cell
                } else if x < left || x + 1 >= right {
                    // Half of a wide character would be outside, so a blank replaces it.
                    let place = max(x, left)
                    CellGrid.mend(row, place)
                    cell.glyph = Glyph.space.rawValue
                    cell.columns = 1
                    row[place] = cell
                } else {
                    CellGrid.mend(row, x)
                    cell.glyph = glyph.rawValue
                    cell.columns = 2
                    row[x] = cell
                    CellGrid.mend(row, x + 1)
                    cell.columns = 0
                    row[x + 1] = cell
                }
            }
            return x
        }
    }

    func fill(_ rect: Rect, with cell: Cell) {
        let area = rect.intersection(Rect(origin: .zero, size: size))
        guard !area.isEmpty else { return }
        let width = size.width
        cells.withUnsafeMutableBufferPointer { cells in
            for y in area.minY..<area.maxY {
                let row = UnsafeMutableBufferPointer(rebasing: cells[y * width..<(y + 1) * width])
                CellGrid.mend(row, area.minX)
                CellGrid.mend(row, area.maxX - 1)
                row[area.minX..<area.maxX].update(repeating: cell)
            }
        }
    }

    func link(_ columns: Range<Int>, row: Int, to link: Hyperlink) {
        let columns = columns.clamped(to: 0..<size.width)
        guard !columns.isEmpty, row >= 0, row < size.height else { return }
        for x in columns { cells[row * size.width + x].isLink = true }
        links.append(HyperlinkRun(row: row, columns: columns, link: link))
    }

    /// Changes the style of cells and keeps their content.
    ///
    /// - Parameter change: Returns the new style for a style. It is not called again for a run of equal styles.
    func restyle(_ rect: Rect, _ change: (Style) -> Style) {
        let area = rect.intersection(Rect(origin: .zero, size: size))
        guard !area.isEmpty else { return }
        let width = size.width
        // Neighbouring cells mostly have the same style.
        var (old, new) = (Cell.blank, Cell(glyph: .space, style: change(.standard)))
        cells.withUnsafeMutableBufferPointer { cells in
            for y in area.minY..<area.maxY {
                for index in y * width + area.minX..<y * width + area.maxX {
                    let cell = cells[index]
                    // The colour of a picture's cell is the picture's number.
                    if Glyph(rawValue: cell.glyph).picturePlaceholder != nil { continue }
                    if cell.foreground != old.foreground || cell.background != old.background || cell.look != old.look {
                        (old, new) = (cell, Cell(glyph: .space, style: change(cell.style)))
                    }
                    cells[index].foreground = new.foreground
                    cells[index].background = new.background
                    cells[index].attributes = new.attributes
                    cells[index].isLink = cell.isLink
                }
            }
        }
    }

    func copy(from other: CellGrid) {
        size = other.size
        cells = other.cells
        links = other.links
    }

    /// Replaces the other half of a wide character by a blank before one half is overwritten.
    @inline(__always)
    private static func mend(_ row: UnsafeMutableBufferPointer<Cell>, _ x: Int) {
        if row[x].columns != 1 { eraseCharacter(row, x) }
    }

    private static func eraseCharacter(_ row: UnsafeMutableBufferPointer<Cell>, _ x: Int) {
        let other = row[x].columns == 0 ? x - 1 : x + 1
        for place in [x, other] where place >= 0 && place < row.count {
            row[place].glyph = Glyph.space.rawValue
            row[place].columns = 1
        }
    }
}
