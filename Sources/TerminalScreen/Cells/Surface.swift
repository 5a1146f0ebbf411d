import TerminalText

/// The part of a grid into which a view draws, with the view's own coordinates.
///
/// A surface is a window onto a ``CellGrid``. Its origin is the view's upper left corner, and nothing outside its clip
/// is drawn.
///
/// ```swift
/// surface.draw("Stage 15", at: .zero, style: theme[.title])
/// surface.fill(Rect(x: 0, y: 1, width: 20, height: 1), with: "─", style: theme[.rule])
/// ```
@MainActor
public struct Surface {
    private let grid: CellGrid
    /// The position of the surface's upper left corner in the grid.
    public let origin: Point
    /// The rectangle in the grid's coordinates outside which nothing is drawn.
    public let clip: Rect
    /// The size of the drawing view.
    public let size: Size

    /// Creates a surface for a whole grid.
    public init(_ grid: CellGrid) {
        self.grid = grid
        origin = .zero
        size = grid.size
        clip = Rect(origin: .zero, size: grid.size)
    }

    private init(grid: CellGrid, origin: Point, size: Size, clip: Rect) {
        self.grid = grid
        self.origin = origin
        self.size = size
        self.clip = clip
    }

    /// The rectangle of the view in its own coordinates.
    public var bounds: Rect { Rect(origin: .zero, size: size) }

    /// Whether nothing drawn here is visible.
    public var isEmpty: Bool { clip.isEmpty }

    /// Returns a surface for a rectangle of this one, clipped to both.
    public func subsurface(_ frame: Rect) -> Surface {
        let placed = frame.offsetBy(x: origin.x, y: origin.y)
        return Surface(grid: grid, origin: placed.origin, size: frame.size, clip: clip.intersection(placed))
    }

    /// Draws text from a point on. What doesn't fit is cut off without an ellipsis.
    ///
    /// - Returns: The column after the last glyph.
    @discardableResult
    public func draw(_ text: DisplayText, at point: Point, style: Style) -> Int {
        put(text.glyphs, at: point, style: style) ?? point.x + text.columns
    }

    /// Draws a glyph at a point.
    public func draw(_ glyph: Glyph, at point: Point, style: Style) {
        put(CollectionOfOne(glyph), at: point, style: style)
    }

    /// Returns the column after the last glyph, or `nil` if the row is outside the clip.
    @discardableResult
    private func put(_ glyphs: some Sequence<Glyph>, at point: Point, style: Style) -> Int? {
        let place = Point(x: origin.x + point.x, y: origin.y + point.y)
        guard place.y >= clip.minY, place.y < clip.maxY, !clip.isEmpty else { return nil }
        return grid.put(glyphs, at: place, style: style, clip: clip.minX..<clip.maxX) - origin.x
    }

    /// Draws the cells of another grid with its upper left corner at a point. Cells outside the clip are omitted, and a
    /// clipped wide character becomes a blank.
    public func draw(_ cells: CellGrid, at point: Point) {
        for y in 0..<cells.size.height {
            for x in 0..<cells.size.width where cells[x, y].columns > 0 {
                let cell = cells[x, y]
                draw(Glyph(rawValue: cell.glyph), at: Point(x: point.x + x, y: point.y + y), style: cell.style)
            }
        }
    }

    /// Fills a rectangle with a glyph of one column.
    public func fill(_ rect: Rect, with glyph: Glyph = .space, style: Style) {
        let placed = rect.offsetBy(x: origin.x, y: origin.y).intersection(clip)
        grid.fill(placed, with: Cell(glyph: glyph.columns == 1 ? glyph : .space, style: style))
    }

    /// Makes drawn columns of a row a link, if the terminal opens links itself.
    public func link(_ columns: Range<Int>, row: Int, to link: Hyperlink) {
        let place = Rect(x: columns.lowerBound, y: row, width: columns.count, height: 1)
            .offsetBy(x: origin.x, y: origin.y).intersection(clip)
        guard !place.isEmpty else { return }
        grid.link(place.minX..<place.maxX, row: place.minY, to: link)
    }

    /// Fills the whole surface with blanks of a style.
    public func clear(style: Style) { fill(bounds, style: style) }

    /// Changes the style of everything drawn in a rectangle, for example to dim it.
    public func restyle(_ rect: Rect, _ change: (Style) -> Style) {
        grid.restyle(rect.offsetBy(x: origin.x, y: origin.y).intersection(clip), change)
    }
}
