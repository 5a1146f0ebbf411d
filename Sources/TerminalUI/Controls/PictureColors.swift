import Synchronization

/// Draws pictures with the colours that a terminal has.
///
/// With 256 colours each pixel has the nearest one. Patterns that mix colours would be coarse, because a pixel is as large
/// as half a cell. With sixteen colours only lightness is shown, in the terminal's greys, because their hues are too far
/// from most pictures'. With fewer greys, or without colours, characters of different density stand for it.
struct PictureColors: Sendable {
    private let depth: TerminalCapabilities.ColorDepth
    private let hasUnicode: Bool
    private let isOnLight: Bool
    /// The greys among sixteen colours, from dark to light.
    private let greys: [UInt8]

    /// The fewest greys that show a picture.
    private static let minimumGreys = 3
    /// The greatest difference between the channels of a grey, and the least between two greys.
    private static let (maximumChroma, minimumStep) = (64, 20.0)

    init(_ capabilities: TerminalCapabilities) {
        depth = capabilities.colors
        hasUnicode = capabilities.hasUnicode
        isOnLight = (capabilities.ownColors?.background.luminance ?? 0) > 0.18
        greys =
            depth == .sixteen
            ? PictureColors.greys(capabilities.ownColors, count: capabilities.hasBrightColors ? 16 : 8) : []
    }

    /// Returns the cells as the terminal shows them.
    func cells(_ rows: [[TwoColorCell]]) -> [[PictureCell]] {
        switch depth {
        case .direct: colored(rows, ImageView.color)
        case .palette: NearestColors.shared.withLock { known in colored(rows) { .palette(known.nearest($0)) } }
        case .sixteen where greys.count >= PictureColors.minimumGreys: colored(rows, grey(in: PictureLight(rows)))
        case .sixteen, .none: inked(rows)
        }
    }

    private func colored(_ rows: [[TwoColorCell]], _ color: (UInt32) -> Color) -> [[PictureCell]] {
        rows.map { row in
            row.map { cell in
                let style = Style(foreground: color(cell.foreground), background: color(cell.background))
                return PictureCell(glyph: cell.glyph, style: style)
            }
        }
    }

    private static func greys(_ own: TerminalColors?, count: Int) -> [UInt8] {
        var greys: [(index: UInt8, light: Double)] = []
        let found = (0..<UInt8(count)).compactMap { index -> (index: UInt8, light: Double)? in
            let color = own?.ansi[Int(index)] ?? RGB.ofPalette(index)
            let channels = [Int(color.red), Int(color.green), Int(color.blue)]
            guard (channels.max() ?? 0) - (channels.min() ?? 0) <= maximumChroma else { return nil }
            return (index, PictureLight.of(UInt32(channels[0] << 16 | channels[1] << 8 | channels[2])))
        }
        for grey in found.sorted(by: { $0.light < $1.light })
        where greys.last.map({ grey.light - $0.light >= minimumStep }) ?? true { greys.append(grey) }
        return greys.map(\.index)
    }

    /// Returns the function that finds a pixel's grey.
    private func grey(in lights: PictureLight) -> (UInt32) -> Color {
        let last = Double(greys.count - 1)
        return { .palette(greys[Int(clamping: (lights.balancedLevel(of: $0) * last).rounded())]) }
    }

    // MARK: Characters of different density

    private static let shades: [Glyph] = " ░▒▓█".unicodeScalars.map { Glyph($0) ?? .replacement }
    private static let inks: [Glyph] = " .:-=+*#%@".unicodeScalars.map { Glyph($0) ?? .replacement }

    /// Returns the characters whose ink matches the lightness of the cells, or their darkness on a light background.
    ///
    /// With colours, they are light on black, whatever the terminal's own colours.
    private func inked(_ rows: [[TwoColorCell]]) -> [[PictureCell]] {
        let glyphs = hasUnicode ? PictureColors.shades : PictureColors.inks
        let lights = PictureLight(rows)
        let isInverse = isOnLight && depth == .none
        let style = depth == .none ? Style.standard : Style(foreground: .white, background: .black)
        return rows.map { row in
            row.map { cell in
                let level = Int(clamping: (lights.level(of: cell.light) * Double(glyphs.count - 1)).rounded())
                return PictureCell(glyph: glyphs[isInverse ? glyphs.count - 1 - level : level], style: style)
            }
        }
    }
}
