/// Approximates missing colours by patterns of available ones (ordered dithering). The pattern moves as little as
/// possible while a picture moves.
@MainActor
final class Dithering {
    private let depth: TerminalCapabilities.ColorDepth
    private let palette: [(index: UInt8, color: SIMD3<Double>)]
    private let isOnLight: Bool
    /// For each colour with four bits a channel: the two palette colours to mix, and how many of 64 cells show the
    /// second.
    private var plans: [Int32]

    /// Creates the patterns for a terminal.
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

    /// Returns the colour at a position.
    ///
    /// - Parameter value: The wanted colour as 0xRRGGBB.
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

    /// The weights of differences in red, green and blue. They preserve hues better than luminance weights would.
    private static let weights = SIMD3<Double>(0.5, 0.6, 0.4)

    /// Returns the pair of colours whose mixture is nearest to a colour. Distant pairs make coarse patterns and are
    /// penalised.
    private func plan(red: Int, green: Int, blue: Int) -> Int32 {
        var wanted = SIMD3(Double(red), Double(green), Double(blue))
        // With so few colours, everything nearly grey would become grey.
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

    /// Returns the lightness of a colour, 0 to 255.
    private func light(_ value: UInt32) -> Int {
        (Int(value >> 16 & 255) * 3 + Int(value >> 8 & 255) * 6 + Int(value & 255)) / 10
    }

    private func light(_ cell: PixelScaling.Halves) -> Int { (light(cell.upper) + light(cell.lower)) / 2 }

    /// Returns the range from the darkest to the lightest cells without outliers, over which the shades are spread.
    func lights(_ rows: [[PixelScaling.Halves]]) -> ClosedRange<Int> {
        let all = rows.joined().map { light($0) }.sorted()
        guard all.count > 1 else { return 0...255 }
        let (low, high) = (all[all.count / 50], all[all.count - 1 - all.count / 50])
        return high - low >= 16 ? low...high : 0...255
    }

    /// Returns the character whose ink matches the lightness of a cell, or its darkness on a light background.
    func ink(_ cell: PixelScaling.Halves, lights: ClosedRange<Int>, hasUnicode: Bool) -> Glyph {
        let glyphs = hasUnicode ? Dithering.shades : Dithering.inks
        let span = lights.upperBound - lights.lowerBound
        let place = max(0, min(span, light(cell) - lights.lowerBound))
        let level = (place * (glyphs.count - 1) + span / 2) / max(1, span)
        return glyphs[isOnLight ? glyphs.count - 1 - level : level]
    }
}
