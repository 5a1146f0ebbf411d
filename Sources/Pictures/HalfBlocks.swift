/// A cell of a picture: the colours of its upper and its lower half, as 0xRRGGBB.
package struct PictureCell: Hashable, Sendable {
    package var upper: UInt32
    package var lower: UInt32
}

/// The part of a picture that is looked at.
package struct PictureView: Hashable, Sendable {
    /// The middle, 0 to 1 across and down.
    package var centerX = 0.5
    package var centerY = 0.5
    /// 1 shows the whole picture, 5 a fifth across.
    package var zoom = 1.0

    package init() {}
}

/// Turns pixels into half blocks: two pixels a cell, one above the other.
package enum HalfBlocks {
    /// The cells of a picture that fits into so many columns and rows; the result may be smaller to keep its proportions.
    ///
    /// A cell is taken to be twice as high as it is wide.
    ///
    /// - Returns: Rows of cells.
    package static func render(_ picture: Picture, columns: Int, rows: Int, view: PictureView = PictureView())
        -> [[PictureCell]]
    {
        guard columns > 0, rows > 0, picture.width > 0, picture.height > 0 else { return [] }
        let scale = min(Double(columns) / Double(picture.width), Double(rows * 2) / Double(picture.height))
        let shownScale = scale * max(1, min(view.zoom, 5))
        let width = min(columns, max(1, Int((Double(picture.width) * shownScale).rounded())))
        let height = min(rows * 2, max(1, Int((Double(picture.height) * shownScale).rounded())))
        let left = origin(view.centerX, shown: Double(width) / shownScale, of: Double(picture.width))
        let top = origin(view.centerY, shown: Double(height) / shownScale, of: Double(picture.height))
        func pixel(_ x: Int, _ y: Int) -> UInt32 {
            average(
                picture, left + Double(x) / shownScale, top + Double(y) / shownScale, left + Double(x + 1) / shownScale,
                top + Double(y + 1) / shownScale)
        }
        return stride(from: 0, to: height, by: 2).map { y in
            (0..<width).map { x in
                PictureCell(upper: pixel(x, y), lower: y + 1 < height ? pixel(x, y + 1) : 0)
            }
        }
    }

    /// The first pixel that is shown: never beyond the picture's edges, in the middle when all of it fits.
    private static func origin(_ center: Double, shown: Double, of total: Double) -> Double {
        shown >= total ? (total - shown) / 2 : max(0, min(center * total - shown / 2, total - shown))
    }

    /// The mean colour of a rectangle of pixels, laid over black.
    private static func average(_ picture: Picture, _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> UInt32 {
        let columns = span(x0, x1, picture.width)
        let rows = span(y0, y1, picture.height)
        var (red, green, blue, count) = (0, 0, 0, 0)
        picture.rgba.withUnsafeBufferPointer { pixels in
            for y in rows {
                for x in columns {
                    let index = (y * picture.width + x) * 4
                    let opacity = Int(pixels[index + 3])
                    red += Int(pixels[index]) * opacity
                    green += Int(pixels[index + 1]) * opacity
                    blue += Int(pixels[index + 2]) * opacity
                    count += 255
                }
            }
        }
        guard count > 0 else { return 0 }
        return UInt32(red / count) << 16 | UInt32(green / count) << 8 | UInt32(blue / count)
    }

    private static func span(_ start: Double, _ end: Double, _ limit: Int) -> Range<Int> {
        let first = max(0, min(limit - 1, Int(start)))
        return first..<max(first + 1, min(limit, Int(end.rounded(.up))))
    }
}
