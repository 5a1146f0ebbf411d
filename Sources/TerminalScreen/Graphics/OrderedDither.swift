/// The ordered dither matrix of 8 × 8 (Bayer), with the threshold above which a share is visible at a position.
enum OrderedDither {
    private static let thresholds: [Int] = (0..<64).map { place in
        let (x, y) = (place % 8, place / 8)
        return (0..<3).reduce(0) { sum, bit in
            let (a, b) = (x >> bit & 1, y >> bit & 1)
            return sum | ((a ^ b) << 1 | b) << (4 - 2 * bit)
        }
    }

    /// Returns the threshold of a position, 0 to 63. Each value occurs once in the matrix.
    static func threshold(_ x: Int, _ y: Int) -> Int { thresholds[(y & 7) << 3 | (x & 7)] }
}
