/// A picture as rows of pixels with red, green, blue and opacity, one byte each.
public struct PixelBuffer: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// Four bytes for each pixel, row by row.
    public let rgba: [UInt8]

    /// Creates a buffer, which needs four bytes for each pixel.
    public init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(width >= 0 && height >= 0 && rgba.count == width * height * 4, "four bytes a pixel")
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}
