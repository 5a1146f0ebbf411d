/// Shows colours that a terminal has not by patterns of those that it has: ordered dithering, which stays where it is while a
/// picture is moved over it as little as it can.
@MainActor
final class Dithering {
    private let depth: TerminalCapabilities.ColorDepth
    private let palette: [(index: UInt8, color: SIMD3<Double>)]
    private let isOnLight: Bool
    /// For each colour in four bits a part: the two of the palette between which it lies, and how many of 64 are the second.
    private var plans: [Int32]

    /// Makes one for what a terminal can show.
    init(_ capabilities: TerminalCapabilities) {
        depth = capabilities.colors
        let own = capabilities.ownColors
        let indexes: [UInt8] =
            switch capabilities.colors {
            case .sixteen: Array(0..<(capabilities.hasBrightColors ? 16 : 8))
            case .palette: Array(16...255)
            case .none, .direct: []
            }
        palette = indexes.map { index in
            let color = own?.ansi[Int(index)] ?? RGB.ofPalette(index)
            return (index, SIMD3(Double(color.red), Double(color.green), Double(color.blue)))
        }
        isOnLight = (own?.background.luminance ?? 0) > 0.18
        plans = palette.isEmpty ? [] : Array(repeating: -1, count: 4096)
    }

    /// The colour for a place of the picture.
    ///
    /// - Parameter value: What is wanted there, as 0xRRGGBB.
    func color(_ value: UInt32, x: Int, y: Int) -> Color {
        switch depth {
        case .none: return .standard
        case .direct: return ImageView.color(value)
        case .palette, .sixteen: return .palette(index(value, OrderedDither.threshold(x, y)))
        }
    }

    private func index(_ value: UInt32, _ threshold: Int) -> UInt8 {
        let (red, green, blue) = (Int(value >> 20 & 15), Int(value >> 12 & 15), Int(value >> 4 & 15))
        let key = red << 8 | green << 4 | blue
        if plans[key] < 0 { plans[key] = plan(red: red * 17, green: green * 17, blue: blue * 17) }
        let found = plans[key]
        return UInt8(threshold < Int(found & 0xFF) ? found >> 8 & 0xFF : found >> 16 & 0xFF)
    }

    /// How much the eye takes of a difference in red, green and blue: more of the hue than light alone would have.
    private static let weights = SIMD3<Double>(0.5, 0.6, 0.4)

    /// The pair that mixes nearest to a colour; pairs that are far apart make a coarse pattern, and cost for that.
    private func plan(red: Int, green: Int, blue: Int) -> Int32 {
        var wanted = SIMD3(Double(red), Double(green), Double(blue))
        // With so few, what is nearly grey would all be grey.
        let grey = wanted.sum() / 3
        wanted = grey + (wanted - grey) * (depth == .sixteen ? 1.5 : 1.15)
        func difference(_ color: SIMD3<Double>) -> Double {
            ((color - wanted) * (color - wanted) * Dithering.weights).sum()
        }
        let near = palette.indices.sorted { difference(palette[$0].color) < difference(palette[$1].color) }.prefix(16)
        var best = (cost: Double.infinity, plan: Int32(0))
        for first in near {
            let from = palette[first].color
            for second in near where second >= first {
                let span = palette[second].color - from
                let length = (span * span * Dithering.weights).sum()
                let along = (span * (wanted - from) * Dithering.weights).sum()
                let share = length > 0 ? max(0, min(1, along / length)) : 0
                let cost = difference(from + share * span) + coarseness * length * share * (1 - share) * 4
                guard cost < best.cost else { continue }
                best = (
                    cost,
                    Int32(palette[first].index) << 16 | Int32(palette[second].index) << 8
                        | Int32(clamping: (share * 64).rounded())
                )
            }
        }
        return best.plan
    }

    private var coarseness: Double { depth == .sixteen ? 0.03 : 0.08 }

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
