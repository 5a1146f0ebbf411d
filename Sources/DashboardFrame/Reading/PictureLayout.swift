import TerminalUI

/// The space for a picture in an article's text, and the distance at which to load it.
enum PictureLayout {
    /// The minimum number of pixels in a column, so that small pictures stay small.
    private static let pixelsOfColumn = 8
    private static let maximumRows = 20
    /// The minimum width or height in pixels. Smaller pictures are ornaments.
    private static let smallest = 16

    /// The distance of a picture from the visible part of the text.
    enum Distance {
        /// At most a page away. The picture is loaded.
        case near
        /// Neither near nor far. The picture stays as it is.
        case between
        /// More than four pages away. The picture is released.
        case far
    }

    /// Whether a picture of this size in pixels is too small to be shown.
    static func isOrnament(_ size: Size) -> Bool { min(size.width, size.height) < smallest }

    /// Returns the number of rows for a picture of a size in pixels, since a cell is twice as high as it is wide.
    ///
    /// - Parameters:
    ///   - columns: The width of the text.
    ///   - height: The height of the view.
    static func rows(of size: Size, columns: Int, height: Int) -> Int {
        let width = min(columns, maximum(width: size.width).width)
        let rows = (width * size.height + 2 * size.width - 1) / (2 * size.width)
        return max(1, min(rows, maximumRows, max(3, height - 2)))
    }

    /// Returns the maximum size in cells of a picture with a width in pixels.
    static func maximum(width: Int) -> Size { Size(width: max(1, width / pixelsOfColumn), height: maximumRows) }

    /// Returns the distance of a picture from the visible part.
    ///
    /// - Parameters:
    ///   - frame: Its frame in the view, whose visible part starts at 0.
    ///   - height: The height of the view.
    static func distance(of frame: Rect, height: Int) -> Distance {
        if frame.maxY >= -height, frame.minY <= 2 * height { return .near }
        return frame.maxY < -4 * height || frame.minY > 5 * height ? .far : .between
    }
}
