/// The lightness of a picture's pixels, over which shades are spread.
struct PictureLight {
    /// The lightness of all pixels, in order.
    private let sorted: [Double]
    /// The range from the darkest to the lightest pixels without outliers.
    let range: ClosedRange<Double>

    init(_ rows: [[TwoColorCell]]) {
        let all = rows.joined().flatMap { [PictureLight.of($0.foreground), PictureLight.of($0.background)] }.sorted()
        sorted = all
        let (low, high) = all.isEmpty ? (0, 0) : (all[all.count / 50], all[all.count - 1 - all.count / 50])
        range = high - low >= 16 ? low...high : 0...255
    }

    /// Returns the lightness of a colour as 0xRRGGBB, 0 to 255.
    static func of(_ value: UInt32) -> Double {
        Double(value >> 16 & 255) * 0.3 + Double(value >> 8 & 255) * 0.6 + Double(value & 255) * 0.1
    }

    /// Returns the position of a lightness in the range, from 0 to 1.
    func level(of light: Double) -> Double {
        max(0, min(1, (light - range.lowerBound) / (range.upperBound - range.lowerBound)))
    }

    /// Returns the position of a pixel, from 0 to 1, which also depends on how many pixels are darker. So each of a few
    /// shades shows something.
    func balancedLevel(of value: UInt32) -> Double {
        let light = PictureLight.of(value)
        let level = level(of: light)
        guard range != 0...255, sorted.count > 1 else { return level }
        var (low, high) = (0, sorted.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < light { low = middle + 1 } else { high = middle }
        }
        return (level + Double(low) / Double(sorted.count - 1)) / 2
    }
}
