import Foundation
import Synchronization

/// Finds the nearest of the 240 palette colours that are the same in every terminal, and remembers the results.
///
/// Differences are measured in Oklab (<https://bottosson.github.io/posts/oklab/>), those of hue and saturation more than
/// those of lightness: dark greens would otherwise become greys.
struct NearestColors {
    /// The results so far, for all pictures.
    static let shared = Mutex(NearestColors())

    /// The results for colours with five bits a channel, or 0.
    private var known = [UInt8](repeating: 0, count: 32_768)

    private static let indexes = Array(UInt8(16)...255)
    private static let palette = indexes.map { index in
        let color = RGB.ofPalette(index)
        return perceived(Double(color.red), Double(color.green), Double(color.blue))
    }
    /// The weight of differences in hue and saturation.
    private static let hueWeight = 4.0

    private init() {}

    /// Returns the number of the nearest colour to one as 0xRRGGBB.
    mutating func nearest(_ value: UInt32) -> UInt8 {
        let (red, green, blue) = (value >> 19 & 31, value >> 11 & 31, value >> 3 & 31)
        let key = Int((red * 32 + green) * 32 + blue)
        if known[key] == 0 {
            let middle = [red, green, blue].map { Double($0) * 255 / 31 }
            known[key] = NearestColors.search(NearestColors.perceived(middle[0], middle[1], middle[2]))
        }
        return known[key]
    }

    private static func search(_ wanted: SIMD3<Double>) -> UInt8 {
        let weights = SIMD3(1, hueWeight, hueWeight)
        func distance(_ place: Int) -> Double {
            let difference = palette[place] - wanted
            return (difference * difference * weights).sum()
        }
        let best = palette.indices.min { distance($0) < distance($1) }
        return best.map { indexes[$0] } ?? 16
    }

    /// Returns lightness, the share of red against green, and that of yellow against blue.
    private static func perceived(_ red: Double, _ green: Double, _ blue: Double) -> SIMD3<Double> {
        func linear(_ part: Double) -> Double {
            let value = part / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let (r, g, b) = (linear(red), linear(green), linear(blue))
        let long = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
        let medium = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
        let short = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
        return SIMD3(
            0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
            1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
            0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short)
    }
}
