/// A palette made for a picture by median cut (Heckbert 1982), and the way from a colour to the nearest of it.
struct ColorQuantization {
    /// The colours, 0xRRGGBB.
    let palette: [UInt32]
    /// How far pixels are moved by the dither: the mean extent of what one colour stands for.
    let spread: Int
    /// For each colour in five bits a part the nearest of the palette; 255 beyond those that are known.
    private var nearest: [Int16]

    /// Pixels that are looked at, at most: the others are like them.
    private static let samples = 32_768

    /// Chooses the colours of a picture.
    ///
    /// - Parameter count: How many there may be, 2 to 256.
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

    /// Colours that one of the palette will stand for.
    private struct Box {
        var colors: [UInt32]
        /// The part in which they differ most, as its bits' place, and by how much.
        let shift: UInt32
        let extent: Int

        init(_ colors: [UInt32]) {
            self.colors = colors
            var best: (shift: UInt32, extent: Int) = (0, -1)
            for shift: UInt32 in [16, 8, 0] {
                var (least, most) = (255, 0)
                for color in colors {
                    let part = Int(color >> shift & 255)
                    least = min(least, part)
                    most = max(most, part)
                }
                if most - least > best.extent { best = (shift, most - least) }
            }
            (shift, extent) = (best.shift, max(0, best.extent))
        }

        /// What is gained by dividing it.
        var weight: Int { extent * extent * colors.count }

        var halves: (Box, Box) {
            let sorted = colors.sorted { $0 >> shift & 255 < $1 >> shift & 255 }
            var middle = sorted.count / 2
            // Equal ones stay together, so that neither half is empty or the same.
            let pivot = sorted[middle] >> shift & 255
            let first = sorted.firstIndex { $0 >> shift & 255 == pivot } ?? middle
            middle = first > 0 ? first : sorted.firstIndex { $0 >> shift & 255 > pivot } ?? middle
            return (Box(Array(sorted[..<middle])), Box(Array(sorted[middle...])))
        }

        var mean: UInt32 {
            var sums = (0, 0, 0)
            for color in colors {
                sums.0 += Int(color >> 16 & 255)
                sums.1 += Int(color >> 8 & 255)
                sums.2 += Int(color & 255)
            }
            let count = max(1, colors.count)
            return UInt32(sums.0 / count) << 16 | UInt32(sums.1 / count) << 8 | UInt32(sums.2 / count)
        }
    }

    /// The place in the palette of the colour nearest to one.
    mutating func index(red: Int, green: Int, blue: Int) -> Int {
        let key = (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
        if nearest[key] >= 0 { return Int(nearest[key]) }
        var best = (distance: Int.max, place: 0)
        // The middle of what falls under the key.
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
