/// Shows colours that a terminal has not by patterns of those that it has: ordered dithering, which stays where it is while a
/// picture is moved over it as little as it can.
@MainActor
final class Dithering {
    private let depth: TerminalCapabilities.ColorDepth
    private let palette: [RGB]
    private let isOnLight: Bool
    /// For each colour in four bits a part: the two of the palette between which it lies, and how many of 64 are the second.
    private var plans: [Int32]

    /// Makes one for what a terminal can show.
    init(_ capabilities: TerminalCapabilities) {
        depth = capabilities.colors
        let own = capabilities.ownColors
        palette = TerminalColors.usual.prefix(capabilities.hasBrightColors ? 16 : 8).enumerated().map {
            own?.ansi[$0.offset] ?? $0.element
        }
        isOnLight = (own?.background.luminance ?? 0) > 0.18
        plans = depth == .sixteen ? Array(repeating: -1, count: 4096) : []
    }

    /// The thresholds, 0 to 63, of Bayer's matrix of 8 x 8.
    private static let thresholds: [Int] = (0..<64).map { index in
        let (x, y) = (index % 8, index / 8)
        var value = 0
        for bit in 0..<3 {
            let (a, b) = (x >> bit & 1, y >> bit & 1)
            value = value << 2 | (a ^ b) << 1 | b
        }
        return value
    }

    private func threshold(_ x: Int, _ y: Int) -> Int { Dithering.thresholds[(y & 7) << 3 | (x & 7)] }

    /// The colour for a place of the picture.
    ///
    /// - Parameter value: What is wanted there, as 0xRRGGBB.
    func color(_ value: UInt32, x: Int, y: Int) -> Color {
        switch depth {
        case .none: return .standard
        case .direct: return ImageView.color(value)
        case .palette: return .palette(ofPalette(value, threshold(x, y)))
        case .sixteen: return .ansi(ofSixteen(value, threshold(x, y)))
        }
    }

    /// Between the two nearest steps of the cube in each part, or of the greys for what is grey.
    private func ofPalette(_ value: UInt32, _ threshold: Int) -> UInt8 {
        let (red, green, blue) = (Int(value >> 16 & 255), Int(value >> 8 & 255), Int(value & 255))
        if max(red, green, blue) - min(red, green, blue) < 12 {
            // 24 greys, ten apart, from 8 on.
            let place = max(0, (red + green + blue) / 3 - 8)
            let isNext = (place % 10) * 64 > threshold * 10 + 5
            let step = place / 10 + (isNext ? 1 : 0)
            return step > 23 ? 231 : UInt8(232 + step)
        }
        let steps = (
            Dithering.step(red, threshold), Dithering.step(green, threshold), Dithering.step(blue, threshold)
        )
        return UInt8(16 + 36 * steps.0 + 6 * steps.1 + steps.2)
    }

    /// One of the cube's six levels: 0, 95 and then every 40.
    private static func step(_ part: Int, _ threshold: Int) -> Int {
        let lower = part < 95 ? 0 : min(4, (part - 55) / 40)
        let from = lower == 0 ? 0 : 55 + 40 * lower
        let span = 55 + 40 * (lower + 1) - from
        return (part - from) * 64 > threshold * span + span / 2 ? lower + 1 : lower
    }

    private func ofSixteen(_ value: UInt32, _ threshold: Int) -> UInt8 {
        let (red, green, blue) = (Int(value >> 20 & 15), Int(value >> 12 & 15), Int(value >> 4 & 15))
        let key = red << 8 | green << 4 | blue
        if plans[key] < 0 { plans[key] = plan(key) }
        let found = plans[key]
        return UInt8(threshold < Int(found & 0xFF) ? found >> 8 & 0xFF : found >> 16 & 0xFF)
    }

    /// The pair that mixes nearest to a colour; pairs that are far apart make a coarse pattern, and cost for that.
    private func plan(_ key: Int) -> Int32 {
        let wanted = [key >> 8 & 15, key >> 4 & 15, key & 15].map { Double($0 * 17) }
        let weights = [0.299, 0.587, 0.114]
        let colors = palette.map { [Double($0.red), Double($0.green), Double($0.blue)] }
        var best = (cost: Double.infinity, plan: Int32(0))
        for first in colors.indices {
            for second in first..<colors.count {
                var (along, length) = (0.0, 0.0)
                for part in 0..<3 {
                    let span = colors[second][part] - colors[first][part]
                    along += weights[part] * span * (wanted[part] - colors[first][part])
                    length += weights[part] * span * span
                }
                let share = length > 0 ? max(0, min(1, along / length)) : 0
                var cost = 0.05 * length * share * (1 - share) * 4
                for part in 0..<3 {
                    let mixed = colors[first][part] + share * (colors[second][part] - colors[first][part])
                    cost += weights[part] * (mixed - wanted[part]) * (mixed - wanted[part])
                }
                guard cost < best.cost else { continue }
                best = (cost, Int32(first) << 16 | Int32(second) << 8 | Int32((share * 64).rounded()))
            }
        }
        return best.plan
    }

    private static let shades: [Glyph] = " ░▒▓█".unicodeScalars.map { Glyph($0) ?? .replacement }
    private static let inks: [Glyph] = " .:-=+*#%@".unicodeScalars.map { Glyph($0) ?? .replacement }

    /// How light a colour is, 0 to 255.
    private func light(_ value: UInt32) -> Int {
        (Int(value >> 16 & 255) * 3 + Int(value >> 8 & 255) * 6 + Int(value & 255)) / 10
    }

    private func light(_ cell: PixelScaling.Halves) -> Int { (light(cell.upper) + light(cell.lower)) / 2 }

    /// From the darkest to the lightest of some cells, but for a few of them: what the shades are spread over.
    func lights(_ rows: [[PixelScaling.Halves]]) -> ClosedRange<Int> {
        let all = rows.joined().map { light($0) }.sorted()
        guard all.count > 1 else { return 0...255 }
        let (low, high) = (all[all.count / 50], all[all.count - 1 - all.count / 50])
        return high - low >= 16 ? low...high : 0...255
    }

    /// A character with as much ink as a cell has light, or as it has dark where the ground is light.
    func ink(_ cell: PixelScaling.Halves, lights: ClosedRange<Int>, hasUnicode: Bool) -> Glyph {
        let glyphs = hasUnicode ? Dithering.shades : Dithering.inks
        let span = lights.upperBound - lights.lowerBound
        let place = max(0, min(span, light(cell) - lights.lowerBound))
        let level = (place * (glyphs.count - 1) + span / 2) / max(1, span)
        return glyphs[isOnLight ? glyphs.count - 1 - level : level]
    }
}
