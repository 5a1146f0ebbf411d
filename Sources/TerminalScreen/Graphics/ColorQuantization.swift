/// A palette for a picture, created by median cut (Heckbert 1982), and a lookup of the nearest colour.
struct ColorQuantization {
    /// The colours as 0xRRGGBB.
    let palette: [UInt32]
    /// The amplitude of the dither: the average extent of the colours that a palette entry represents.
    let spread: Int
    /// The nearest palette entry for each colour with five bits a channel, or more than 255 if unknown.
    private var nearest: [Int16]

    /// The maximum number of sampled pixels.
    private static let samples = 32_768

    /// - Parameter count: The maximum number of colours, 2 to 256.
    init(_ picture: PixelBuffer, count: Int) {
        var boxes = [Box(ColorQuantization.sampled(picture))]
        while boxes.count < max(2, min(count, 256)) {
            guard let place = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }), boxes[place].extent > 0
            else { break }
            let (left, right) = boxes[place].halves
            boxes[place] = left
            boxes.append(right)
        }
        palette = boxes.map(\.mean)
        let pixels = boxes.reduce(0) { $0 + $1.colors.count }
        spread = boxes.reduce(0) { $0 + $1.extent * $1.colors.count } / max(1, pixels)
        nearest = Array(repeating: -1, count: 32_768)
    }

    private static func sampled(_ picture: PixelBuffer) -> [UInt32] {
        let count = picture.width * picture.height
        let step = max(1, count / samples)
        return picture.rgba.withUnsafeBufferPointer { rgba in
            stride(from: 0, to: count, by: step).map { pixel in
                let opacity = UInt32(rgba[pixel * 4 + 3])
                func part(_ offset: Int) -> UInt32 { UInt32(rgba[pixel * 4 + offset]) * opacity / 255 }
                return part(0) << 16 | part(1) << 8 | part(2)
            }
        }
    }

    /// A set of colours that one palette entry will represent.
    private struct Box {
        var colors: [UInt32]
        /// The bit offset of the channel with the largest extent, and that extent.
        let shift: UInt32
        let extent: Int

        init(_ colors: [UInt32]) {
            self.colors = colors
            var best: (shift: UInt32, extent: Int) = (0, -1)
            for shift: UInt32 in [16, 8, 0] {
                var (minimum, maximum) = (255, 0)
                for color in colors {
                    let part = Int(color >> shift & 255)
                    minimum = min(minimum, part)
                    maximum = max(maximum, part)
                }
                if maximum - minimum > best.extent { best = (shift, maximum - minimum) }
            }
            (shift, extent) = (best.shift, max(0, best.extent))
        }

        /// The benefit of splitting the set.
        var weight: Int { extent * extent * colors.count }

        var halves: (Box, Box) {
            let sorted = colors.sorted { $0 >> shift & 255 < $1 >> shift & 255 }
            var middle = sorted.count / 2
            // Equal colours stay together, so that neither half is empty.
            let pivot = sorted[middle] >> shift & 255
            let first = sorted.firstIndex { $0 >> shift & 255 == pivot } ?? middle
            middle = first > 0 ? first : sorted.firstIndex { $0 >> shift & 255 > pivot } ?? middle
            return (Box(Array(sorted[..<middle])), Box(Array(sorted[middle...])))
        }

        var mean: UInt32 {
            let count = UInt32(max(1, colors.count))
            func part(_ shift: UInt32) -> UInt32 { (colors.reduce(0) { $0 + ($1 >> shift & 255) } / count) << shift }
            return part(16) | part(8) | part(0)
        }
    }

    mutating func index(red: Int, green: Int, blue: Int) -> Int {
        let key = (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
        if nearest[key] >= 0 { return Int(nearest[key]) }
        var best = (distance: Int.max, place: 0)
        // The centre of the colours that share this key.
        let (r, g, b) = ((red & ~7) | 4, (green & ~7) | 4, (blue & ~7) | 4)
        for (place, color) in palette.enumerated() {
            let (x, y, z) = (Int(color >> 16 & 255) - r, Int(color >> 8 & 255) - g, Int(color & 255) - b)
            let distance = 3 * x * x + 6 * y * y + z * z
            if distance < best.distance { best = (distance, place) }
        }
        nearest[key] = Int16(best.place)
        return best.place
    }
}
