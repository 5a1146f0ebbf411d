/// The ordered dither of 8 by 8 places (Bayer): how strong a share has to be at a place to be seen there.
public enum OrderedDither {
    private static let thresholds: [Int] = (0..<64).map { place in
        let (x, y) = (place % 8, place / 8)
        return (0..<3).reduce(0) { sum, bit in
            let (a, b) = (x >> bit & 1, y >> bit & 1)
            return sum | ((a ^ b) << 1 | b) << (4 - 2 * bit)
        }
    }

    /// The threshold of a place, 0 to 63; each of them once in 8 by 8 places.
    public static func threshold(_ x: Int, _ y: Int) -> Int { thresholds[(y & 7) << 3 | (x & 7)] }
}
