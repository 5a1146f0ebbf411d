/// A picture with few enough colours for DEC's sixels: <https://vt100.net/docs/vt3xx-gp/chapter14.html>.
///
/// The colours are made for the picture, as many as the terminal has registers, and pixels are dithered among them by their
/// place, so that any part of the picture can be written alone and fits to the rest.
struct SixelPicture: Sendable {
    private let width: Int
    private let height: Int
    /// The colours that there are, 0xRRGGBB.
    private let palette: [UInt32]
    /// The colour of each pixel, row after row.
    private let indexes: [UInt8]

    /// What it takes in memory.
    var bytes: Int { indexes.count }

    /// Chooses the colours of a picture.
    ///
    /// - Parameter colors: How many there may be.
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
                        // Half the extent down, or up, by the place.
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

    /// Writes a part of the picture as a sixel sequence, to be shown from the cursor on.
    ///
    /// - Parameters:
    ///   - columns: Pixels from the left.
    ///   - rows: Pixels from the top.
    func sequence(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
        let columns = columns.clamped(to: 0..<width)
        let rows = rows.clamped(to: 0..<height)
        guard !columns.isEmpty, !rows.isEmpty else { return [] }
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(columns.count);\(rows.count)".utf8)
        var isDefined = [Bool](repeating: false, count: 256)
        // For each colour of a band its columns, six pixels a byte.
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
                // Also after its definition: xterm and foot do not choose what they define.
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

    /// A colour's definition in percents of red, green and blue.
    private func definition(_ color: Int) -> String {
        let parts = [16, 8, 0].map { Int(palette[color] >> UInt32($0) & 255) }
        return "#\(color);2;" + parts.map { String(($0 * 100 + 127) / 255) }.joined(separator: ";")
    }

    /// Writes a line of sixels, repeated ones as a number of times; empty ones at its end are left out.
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
