/// A position in cells: `x` columns from the left, `y` rows from the top.
public struct Point: Hashable, Sendable {
    /// The column.
    public var x: Int
    /// The row.
    public var y: Int

    /// The upper left corner.
    public static let zero = Point(x: 0, y: 0)

    /// Creates a point.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// A size in cells.
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// The empty size.
    public static let zero = Size(width: 0, height: 0)

    /// Creates a size. Negative values become 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    /// The upper left corner.
    public var origin: Point
    /// The size.
    public var size: Size

    /// The empty rectangle at the origin.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// Creates a rectangle. Negative sizes become 0.
    public init(x: Int, y: Int, width: Int, height: Int) {
        origin = Point(x: x, y: y)
        size = Size(width: width, height: height)
    }

    /// Creates a rectangle from its upper left corner and size.
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
    /// The columns of the rectangle. The range is empty, and never traps, if there are none.
    public var columns: Range<Int> { minX..<max(minX, maxX) }
    /// The rows of the rectangle. The range is empty, and never traps, if there are none.
    public var rows: Range<Int> { minY..<max(minY, maxY) }
    /// The number of columns.
    public var width: Int { size.width }
    /// The number of rows.
    public var height: Int { size.height }
    /// The column in the middle.
    public var midX: Int { origin.x + size.width / 2 }
    /// The row in the middle.
    public var midY: Int { origin.y + size.height / 2 }
    /// Whether it contains no cells.
    public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

    /// Whether it contains a cell.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// Returns the cells that both rectangles contain.
    public func intersection(_ other: Rect) -> Rect {
        let x = max(minX, other.minX)
        let y = max(minY, other.minY)
        return Rect(x: x, y: y, width: min(maxX, other.maxX) - x, height: min(maxY, other.maxY) - y)
    }

    /// Returns the rectangle moved by columns and rows.
    public func offsetBy(x: Int, y: Int) -> Rect {
        Rect(origin: Point(x: origin.x + x, y: origin.y + y), size: size)
    }

    /// Returns the parts on both sides of a column. A part without columns is empty.
    public func split(at column: Int) -> (left: Rect, right: Rect) {
        let rightmost = max(minX, column + 1)
        return (
            Rect(x: minX, y: minY, width: min(column, maxX) - minX, height: height),
            Rect(x: rightmost, y: minY, width: maxX - rightmost, height: height)
        )
    }

    /// Returns the rectangle without some cells at each side.
    public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
        Rect(x: minX + left, y: minY + top, width: width - left - right, height: height - top - bottom)
    }
}
