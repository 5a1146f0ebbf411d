/// The resolution at which a picture is drawn when it doesn't move.
public enum ImageDetail: String, Hashable, Sendable, CaseIterable {
    /// Pixels by the method that the terminal reports, otherwise quadrants.
    case automatic = "auto"
    /// Two pixels in a cell, each with its own colour. Every font supports it.
    case halves
    /// Four parts in a cell with two colours.
    case quadrants
    /// Six parts in a cell with two colours. It needs a font with the symbols for legacy computing of Unicode 13.
    case sextants
    /// Pixels by kitty's graphics protocol, or quadrants if the terminal doesn't support it.
    case kitty
    /// Pixels as sixels, or quadrants if the terminal doesn't support them.
    case sixel

    /// Whether pixels are transmitted if the terminal supports it.
    var usesGraphics: Bool { self == .automatic || self == .kitty || self == .sixel }

    /// Returns the graphics protocol to use, if any.
    public func graphics(in support: GraphicsSupport) -> GraphicsProtocol? {
        let wanted: [GraphicsProtocol] =
            switch self {
            case .automatic: [.kitty, .sixel]
            case .kitty: [.kitty]
            case .sixel: [.sixel]
            case .halves, .quadrants, .sextants: []
            }
        return wanted.first { support.protocols.contains($0) }
    }

    /// The number of parts in a cell from top to bottom.
    var down: Int { self == .sextants ? 3 : 2 }

    /// Returns the character that shows some parts in the foreground. Each bit is a part, row by row from the upper
    /// left.
    func scalar(_ bits: Int) -> Unicode.Scalar {
        guard self == .sextants else { return ImageDetail.quadrantScalars[bits & 15] }
        switch bits {
        case 0: return " "
        case 21: return "▌"
        case 42: return "▐"
        case 63: return "█"
        default: return Unicode.Scalar(0x1FB00 + UInt32(bits - 1 - (bits > 21 ? 1 : 0) - (bits > 42 ? 1 : 0))) ?? " "
        }
    }

    private static let quadrantScalars = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars)

    /// Returns the two colours that approximate a cell best, and the parts in the first of them.
    static func split(_ parts: [UInt32]) -> (bits: Int, foreground: UInt32, background: UInt32) {
        func channels(_ color: UInt32) -> (Int, Int, Int) {
            (Int(color >> 16 & 255), Int(color >> 8 & 255), Int(color & 255))
        }
        let colors = parts.map(channels)
        var best = (error: Int.max, bits: 0, foreground: UInt32(0), background: UInt32(0))
        // The last part is always background, since the inverse is the same picture.
        for bits in 0..<(1 << (parts.count - 1)) {
            var sums = [(red: 0, green: 0, blue: 0, count: 0), (red: 0, green: 0, blue: 0, count: 0)]
            for (index, color) in colors.enumerated() {
                let side = bits >> index & 1
                sums[side].red += color.0
                sums[side].green += color.1
                sums[side].blue += color.2
                sums[side].count += 1
            }
            let means = sums.map { sum in
                sum.count == 0 ? (0, 0, 0) : (sum.red / sum.count, sum.green / sum.count, sum.blue / sum.count)
            }
            var error = 0
            for (index, color) in colors.enumerated() {
                let mean = means[bits >> index & 1]
                let (red, green, blue) = (color.0 - mean.0, color.1 - mean.1, color.2 - mean.2)
                error += red * red + green * green + blue * blue
            }
            guard error < best.error else { continue }
            func joined(_ mean: (Int, Int, Int)) -> UInt32 {
                UInt32(mean.0) << 16 | UInt32(mean.1) << 8 | UInt32(mean.2)
            }
            best = (error, bits, joined(means[1]), joined(means[0]))
        }
        return (best.bits, best.foreground, best.background)
    }
}
