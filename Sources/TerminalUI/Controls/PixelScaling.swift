/// The visible part of a picture (row STA-04).
public struct Viewport: Hashable, Sendable {
    /// The horizontal centre, from 0 to 1.
    public var centerX = 0.5
    /// The vertical centre, from 0 to 1.
    public var centerY = 0.5
    /// The zoom: 1 shows the whole picture, 5 a fifth of its width.
    public var zoom = 1.0

    /// Creates a viewport that shows the whole picture.
    public init() {}
}

/// Converts pixels to half blocks: two pixels in a cell, one above the other. A cell counts as twice as high as it is
/// wide.
struct PixelScaling: Hashable, Sendable {
    /// A cell of a picture: the colours of its upper and its lower half, as 0xRRGGBB.
    struct Halves: Hashable {
        var upper: UInt32
        var lower: UInt32
    }

    private let source: Size
    /// The number of half cells for a pixel.
    private let scale: Double
    /// The size of the picture in half cells.
    let width: Int, height: Int
    private let left: Double, top: Double

    /// Computes the scaling of a picture for an area in cells. Returns `nil` for an empty picture or area.
    init?(source: Size, cells: Size, viewport: Viewport) {
        guard cells.width > 0, cells.height > 0, source.width > 0, source.height > 0 else { return nil }
        let fit = min(Double(cells.width) / Double(source.width), Double(cells.height * 2) / Double(source.height))
        self.source = source
        scale = fit * max(1, min(viewport.zoom, 5))
        width = min(cells.width, max(1, Int(clamping: (Double(source.width) * scale).rounded())))
        height = min(cells.height * 2, max(1, Int(clamping: (Double(source.height) * scale).rounded())))
        left = PixelScaling.origin(viewport.centerX, shown: Double(width) / scale, of: Double(source.width))
        top = PixelScaling.origin(viewport.centerY, shown: Double(height) / scale, of: Double(source.height))
    }

    /// Returns the position in the picture, from 0 to 1, of a half cell in the visible part.
    func place(column: Double, halfRow: Double) -> (x: Double, y: Double) {
        ((left + column / scale) / Double(source.width), (top + halfRow / scale) / Double(source.height))
    }

    /// The visible share of the picture in both directions.
    var shown: (x: Double, y: Double) {
        (Double(width) / scale / Double(source.width), Double(height) / scale / Double(source.height))
    }

    func render(_ picture: PixelBuffer) -> [[Halves]] {
        picture.rgba.withUnsafeBufferPointer { pixels in
            stride(from: 0, to: height, by: 2).map { y in
                (0..<width).map { x in
                    let lower = y + 1 < height ? mean(pixels, Double(x), Double(y + 1), width: 1, height: 1) : 0
                    return Halves(upper: mean(pixels, Double(x), Double(y), width: 1, height: 1), lower: lower)
                }
            }
        }
    }

    /// Returns the first visible pixel, never beyond the picture's edges, and centred if all pixels fit.
    private static func origin(_ center: Double, shown: Double, of total: Double) -> Double {
        shown >= total ? (total - shown) / 2 : max(0, min(center * total - shown / 2, total - shown))
    }

    /// Returns the average colours of the parts of each cell, two across and `down` from top to bottom.
    func parts(_ picture: PixelBuffer, down: Int) -> [[[UInt32]]] {
        picture.rgba.withUnsafeBufferPointer { pixels in
            stride(from: 0, to: height, by: 2).map { y in
                (0..<width).map { x in
                    (0..<down * 2).map { part in
                        mean(
                            pixels, Double(x) + Double(part % 2) / 2, Double(y) + Double(part / 2) * 2 / Double(down),
                            width: 0.5, height: 2 / Double(down))
                    }
                }
            }
        }
    }

    /// Returns the visible part scaled to a size in pixels.
    func pixels(_ picture: PixelBuffer, size: Size) -> PixelBuffer {
        let (across, down) = (Double(width) / Double(size.width), Double(height) / Double(size.height))
        var rgba: [UInt8] = []
        rgba.reserveCapacity(size.width * size.height * 4)
        picture.rgba.withUnsafeBufferPointer { pixels in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let color = mean(pixels, Double(x) * across, Double(y) * down, width: across, height: down)
                    rgba.append(UInt8(color >> 16 & 255))
                    rgba.append(UInt8(color >> 8 & 255))
                    rgba.append(UInt8(color & 255))
                    rgba.append(255)
                }
            }
        }
        return PixelBuffer(width: size.width, height: size.height, rgba: rgba)
    }

    /// The size of the visible part in pixels of the source.
    var visibleSource: Size {
        Size(width: max(1, Int(clamping: Double(width) / scale)), height: max(1, Int(clamping: Double(height) / scale)))
    }

    /// Returns the average colour of an area in half cells, over black.
    private func mean(
        _ pixels: UnsafeBufferPointer<UInt8>, _ column: Double, _ row: Double, width: Double, height: Double
    ) -> UInt32 {
        let columns = PixelScaling.span(left + column / scale, left + (column + width) / scale, source.width)
        let rows = PixelScaling.span(top + row / scale, top + (row + height) / scale, source.height)
        var (red, green, blue, count) = (0, 0, 0, 0)
        for y in rows {
            var index = (y * source.width + columns.lowerBound) * 4
            for _ in columns {
                let opacity = Int(pixels[index + 3])
                red += Int(pixels[index]) * opacity
                green += Int(pixels[index + 1]) * opacity
                blue += Int(pixels[index + 2]) * opacity
                count += 255
                index += 4
            }
        }
        guard count > 0 else { return 0 }
        return UInt32(red / count) << 16 | UInt32(green / count) << 8 | UInt32(blue / count)
    }

    private static func span(_ start: Double, _ end: Double, _ limit: Int) -> Range<Int> {
        let first = max(0, min(limit - 1, Int(clamping: start)))
        return first..<max(first + 1, min(limit, Int(clamping: end.rounded(.up))))
    }
}
