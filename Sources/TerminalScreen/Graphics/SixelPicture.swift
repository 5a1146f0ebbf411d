/// A picture with few enough colours for DEC's sixels: <https://vt100.net/docs/vt3xx-gp/chapter14.html>.
///
/// Its palette has as many colours as the terminal has registers. Pixels are dithered by position, so that parts of the
/// picture can be written separately and still match.
struct SixelPicture: Sendable {
    private let width: Int
    private let height: Int
    /// The palette as 0xRRGGBB.
    private let palette: [UInt32]
    /// The palette index of each pixel, row by row.
    private let indexes: [UInt8]

    /// The memory size in bytes.
    var bytes: Int { indexes.count }

    /// - Parameter colors: The maximum number of colours.
    init(_ picture: PixelBuffer, colors: Int) {
        width = picture.width
        height = picture.height
        var quantization = ColorQuantization(picture, count: colors)
        palette = quantization.palette
        let spread = quantization.spread
        let (width, height) = (picture.width, picture.height)
        indexes = picture.rgba.withUnsafeBufferPointer { rgba in
            [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
                for y in 0..<height {
                    for x in 0..<width {
                        let start = (y * width + x) * 4
                        // Moved up or down by half the extent, depending on the position.
                        let moved = (OrderedDither.threshold(x, y) * 2 - 63) * spread / 128
                        let opacity = Int(rgba[start + 3])
                        func part(_ channel: Int) -> Int {
                            max(0, min(255, Int(rgba[start + channel]) * opacity / 255 + moved))
                        }
                        buffer[y * width + x] = UInt8(
                            quantization.index(red: part(0), green: part(1), blue: part(2)))
                    }
                }
                count = width * height
            }
        }
    }

    /// Returns columns and rows of pixels as a sixel sequence to be drawn at the cursor.
    func sequence(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
        let columns = columns.clamped(to: 0..<width)
        let rows = rows.clamped(to: 0..<height)
        guard !columns.isEmpty, !rows.isEmpty else { return [] }
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(columns.count);\(rows.count)".utf8)
        var isDefined = [Bool](repeating: false, count: 256)
        // The columns of a band for each colour, with six pixels a byte.
        var bands = [UInt8](repeating: 0, count: palette.count * columns.count)
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: 6) {
            var used: [Int] = []
            var isUsed = [Bool](repeating: false, count: 256)
            for y in top..<min(top + 6, rows.upperBound) {
                let bit = UInt8(1 << (y - top))
                for x in columns {
                    let color = Int(indexes[y * width + x])
                    if !isUsed[color] {
                        isUsed[color] = true
                        used.append(color)
                    }
                    bands[color * columns.count + x - columns.lowerBound] |= bit
                }
            }
            for color in used {
                if !isDefined[color] {
                    isDefined[color] = true
                    bytes += Array(definition(color).utf8)
                }
                // A definition doesn't select the colour in xterm and foot, so it is selected afterwards.
                bytes += Array("#\(color)".utf8)
                let start = color * columns.count
                SixelPicture.write(bands[start..<start + columns.count], to: &bytes)
                for place in start..<start + columns.count { bands[place] = 0 }
                bytes.append(0x24)
            }
            bytes.append(0x2D)
        }
        bytes += [0x1B, 0x5C]
        return bytes
    }

    /// Returns the definition of a colour in per cent of red, green and blue.
    private func definition(_ color: Int) -> String {
        let parts = [16, 8, 0].map { Int(palette[color] >> UInt32($0) & 255) }
        return "#\(color);2;" + parts.map { String(($0 * 100 + 127) / 255) }.joined(separator: ";")
    }

    /// Writes a line of sixels with run lengths, omitting empty ones at its end.
    private static func write(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var end = line.endIndex
        while end > line.startIndex, line[end - 1] == 0 { end -= 1 }
        var place = line.startIndex
        while place < end {
            var next = place + 1
            while next < end, line[next] == line[place] { next += 1 }
            let character = 0x3F + line[place]
            if next - place > 3 {
                bytes += Array("!\(next - place)".utf8)
                bytes.append(character)
            } else {
                for _ in place..<next { bytes.append(character) }
            }
            place = next
        }
    }
}
