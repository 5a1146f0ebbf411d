/// A place in cells: `x` columns from the left, `y` rows from the top.
public struct Point: Hashable, Sendable {
    /// Columns from the left.
    public var x: Int
    /// Rows from the top.
    public var y: Int

    /// The upper left corner.
    public static let zero = Point(x: 0, y: 0)

    /// Makes a place.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// An extent in cells.
public struct Size: Hashable, Sendable {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// No extent.
    public static let zero = Size(width: 0, height: 0)

    /// Makes an extent; negative ones become 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    /// The upper left corner.
    public var origin: Point
    /// The extent.
    public var size: Size

    /// No rectangle.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// Makes a rectangle; negative extents become 0.
    public init(x: Int, y: Int, width: Int, height: Int) {
        origin = Point(x: x, y: y)
        size = Size(width: width, height: height)
    }

    /// Makes a rectangle of a corner and an extent.
    public init(origin: Point, size: Size) {
        self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
    }

    /// The first column.
    public var minX: Int { origin.x }
    /// The first row.
    public var minY: Int { origin.y }
    /// The column after the last.
    public var maxX: Int { origin.x + size.width }
    /// The row after the last.
    public var maxY: Int { origin.y + size.height }
    /// The columns from the first to the last; empty, never a trap, in a rectangle without any.
    public var columns: Range<Int> { minX..<max(minX, maxX) }
    /// The rows from the first to the last; empty, never a trap, in a rectangle without any.
    public var rows: Range<Int> { minY..<max(minY, maxY) }
    /// Columns.
    public var width: Int { size.width }
    /// Rows.
    public var height: Int { size.height }
    /// The column in the middle.
    public var midX: Int { origin.x + size.width / 2 }
    /// The row in the middle.
    public var midY: Int { origin.y + size.height / 2 }
    /// Whether it holds no cell.
    public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

    /// Whether the cell at a place belongs to it.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// The cells that belong to both.
    public func intersection(_ other: Rect) -> Rect {
        let x = max(minX, other.minX)
        let y = max(minY, other.minY)
        return Rect(x: x, y: y, width: min(maxX, other.maxX) - x, height: min(maxY, other.maxY) - y)
    }

    /// The rectangle moved by columns and rows.
    public func offsetBy(x: Int, y: Int) -> Rect {
        Rect(origin: Point(x: origin.x + x, y: origin.y + y), size: size)
    }

    /// The parts on both sides of a column; each is empty where there are no columns.
    public func split(at column: Int) -> (left: Rect, right: Rect) {
        let rightmost = max(minX, column + 1)
        return (
            Rect(x: minX, y: minY, width: min(column, maxX) - minX, height: height),
            Rect(x: rightmost, y: minY, width: maxX - rightmost, height: height)
        )
    }

    /// The rectangle without so many cells at each side.
    public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
        Rect(x: minX + left, y: minY + top, width: width - left - right, height: height - top - bottom)
    }
}
