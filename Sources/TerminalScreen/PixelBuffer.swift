/// Rows of pixels: red, green, blue and opacity, a byte each.
public struct PixelBuffer: Hashable, Sendable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// Four bytes a pixel, row after row.
    public let rgba: [UInt8]

    /// Makes a buffer; there have to be four bytes for each pixel.
    public init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(width >= 0 && height >= 0 && rgba.count == width * height * 4, "four bytes a pixel")
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}
