/// A cell of a picture with the colours that the terminal can show.
struct PictureCell: Hashable, Sendable {
    var glyph: Glyph
    var style: Style

    /// The two halves of a cell, one above the other.
    static let upperHalf = Glyph("▀") ?? .replacement
}

/// A cell of a picture in two wanted colours, as 0xRRGGBB.
struct TwoColorCell: Hashable, Sendable {
    /// The character that shows a part of the cell in the foreground.
    var glyph: Glyph
    var foreground: UInt32
    var background: UInt32
    /// The share of the foreground.
    var share: Double

    /// Creates a cell from two pixels, one above the other.
    init(_ halves: PixelScaling.Halves) {
        (foreground, background, share) = (halves.upper, halves.lower, 0.5)
        glyph = PictureCell.upperHalf
    }

    /// Creates a cell from its parts, row by row.
    init(parts: [UInt32], detail: ImageDetail) {
        let split = ImageDetail.split(parts)
        (foreground, background) = (split.foreground, split.background)
        share = Double(split.bits.nonzeroBitCount) / Double(max(1, parts.count))
        glyph = Glyph(detail.scalar(split.bits)) ?? .replacement
    }

    /// The lightness of the whole cell, 0 to 255.
    var light: Double { PictureLight.of(foreground) * share + PictureLight.of(background) * (1 - share) }
}
