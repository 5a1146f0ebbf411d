import TerminalUI

/// What is stored about a released picture: its size, and a few colours for a blurred placeholder.
package struct PictureHint: Hashable, Sendable {
    /// The size in pixels.
    package var width: Int, height: Int
    /// Red, green and blue of ``columns`` × ``rows`` samples, row by row.
    package var colors: [UInt8]

    package static let columns = 8, rows = 6
    package static let bytes = columns * rows * 3

    /// Creates a hint, or returns `nil` if the values are invalid.
    package init?(width: Int, height: Int, colors: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, colors.count == PictureHint.bytes else {
            return nil
        }
        (self.width, self.height, self.colors) = (width, height, colors)
    }

    /// Creates a hint from a picture's average colours.
    package init?(_ picture: PixelBuffer) {
        guard picture.width > 0, picture.height > 0 else { return nil }
        var colors: [UInt8] = []
        for row in 0..<PictureHint.rows {
            for column in 0..<PictureHint.columns {
                colors += PictureHint.mean(picture, column, row)
            }
        }
        self.init(width: picture.width, height: picture.height, colors: colors)
    }

    private static func mean(_ picture: PixelBuffer, _ column: Int, _ row: Int) -> [UInt8] {
        func span(_ place: Int, _ count: Int, _ size: Int) -> Range<Int> {
            let first = place * size / count
            return first..<max(first + 1, (place + 1) * size / count)
        }
        var sums = [0, 0, 0]
        var count = 0
        // A few hundred pixels suffice for an average.
        let (down, across) = (span(row, rows, picture.height), span(column, columns, picture.width))
        for y in stride(from: down.lowerBound, to: down.upperBound, by: max(1, down.count / 16)) {
            for x in stride(from: across.lowerBound, to: across.upperBound, by: max(1, across.count / 16)) {
                let index = (min(y, picture.height - 1) * picture.width + min(x, picture.width - 1)) * 4
                for part in 0..<3 { sums[part] += Int(picture.rgba[index + part]) * Int(picture.rgba[index + 3]) / 255 }
                count += 1
            }
        }
        return sums.map { UInt8($0 / max(1, count)) }
    }

    /// A blurred picture with the original proportions.
    var blurred: PixelBuffer {
        let maximum = max(width, height)
        let size = (max(1, width * 48 / maximum), max(1, height * 48 / maximum))
        var rgba: [UInt8] = []
        rgba.reserveCapacity(size.0 * size.1 * 4)
        for y in 0..<size.1 {
            for x in 0..<size.0 {
                let column = (Double(x) + 0.5) / Double(size.0) * Double(PictureHint.columns) - 0.5
                let row = (Double(y) + 0.5) / Double(size.1) * Double(PictureHint.rows) - 0.5
                for part in 0..<3 { rgba.append(between(column, row, part)) }
                rgba.append(255)
            }
        }
        return PixelBuffer(width: size.0, height: size.1, rgba: rgba)
    }

    private func between(_ column: Double, _ row: Double, _ part: Int) -> UInt8 {
        func color(_ column: Int, _ row: Int) -> Double {
            let place = min(max(0, row), PictureHint.rows - 1) * PictureHint.columns
            return Double(colors[(place + min(max(0, column), PictureHint.columns - 1)) * 3 + part])
        }
        let (left, top) = (Int(clamping: column.rounded(.down)), Int(clamping: row.rounded(.down)))
        let (x, y) = (column - Double(left), row - Double(top))
        let upper = color(left, top) * (1 - x) + color(left + 1, top) * x
        let lower = color(left, top + 1) * (1 - x) + color(left + 1, top + 1) * x
        return UInt8(clamping: upper * (1 - y) + lower * y)
    }
}
