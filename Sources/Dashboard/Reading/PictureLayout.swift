import TerminalUI

/// How much room a picture has in the text of an article, and when it is worth loading.
enum PictureLayout {
    /// Pixels that a column shows at least: small pictures stay small.
    private static let pixelsOfColumn = 8
    private static let mostRows = 20
    /// Smaller pictures, in pixels, are ornaments.
    private static let smallest = 16

    /// How far a picture is from the visible part of the text.
    enum Distance {
        /// At most a page away: it is loaded.
        case near
        /// Neither near nor far: it stays as it is.
        case between
        /// More than four pages away: its pixels are released.
        case far
    }

    /// Whether a picture of this size, in pixels, is too small to be shown.
    static func isOrnament(_ size: Size) -> Bool { min(size.width, size.height) < smallest }

    /// The lines for a picture of a size in pixels: a cell is twice as high as wide.
    ///
    /// - Parameters:
    ///   - columns: The width of the text.
    ///   - height: The height of the view that shows the text.
    static func rows(of size: Size, columns: Int, height: Int) -> Int {
        let width = min(columns, most(width: size.width).width)
        let rows = (width * size.height + 2 * size.width - 1) / (2 * size.width)
        return max(1, min(rows, mostRows, max(3, height - 2)))
    }

    /// The most cells that a picture takes, by its width in pixels.
    static func most(width: Int) -> Size { Size(width: max(1, width / pixelsOfColumn), height: mostRows) }

    /// How far a picture is from the visible part.
    ///
    /// - Parameters:
    ///   - frame: Its place in the view; the visible part begins at 0.
    ///   - height: The height of the view.
    static func distance(of frame: Rect, height: Int) -> Distance {
        if frame.maxY >= -height, frame.minY <= 2 * height { return .near }
        return frame.maxY < -4 * height || frame.minY > 5 * height ? .far : .between
    }
}
