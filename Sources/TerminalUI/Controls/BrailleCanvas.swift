/// A drawing made of dots, two across and four down in each cell, for plots and maps.
///
/// On ASCII terminals, a cell with dots is drawn as `*`.
public struct BrailleCanvas {
    /// The size in cells.
    public let size: Size
    private var cells: [UInt8]
    private var styles: [Style?]

    /// Creates an empty canvas.
    public init(size: Size) {
        self.size = size
        cells = Array(repeating: 0, count: max(0, size.width * size.height))
        styles = Array(repeating: nil, count: cells.count)
    }

    /// The width in dots.
    public var width: Int { size.width * 2 }
    /// The height in dots.
    public var height: Int { size.height * 4 }

    /// The bits of a braille character by column and row of the dot (Unicode, block 2800).
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Sets a dot, ignoring those outside. A cell has the style of its last dot.
    public mutating func set(_ x: Int, _ y: Int, style: Style) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        let index = y / 4 * size.width + x / 2
        cells[index] |= BrailleCanvas.bits[x % 2][y % 4]
        styles[index] = style
    }

    /// Draws a straight line of dots.
    public mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), style: Style) {
        // Points far outside need not be visited.
        guard let (a, b) = clip(start, end) else { return }
        // A clipped line is at most a dot longer than the canvas on each side.
        let steps = Int(clamping: max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up)).limited(1, max(width, height) + 2)
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            set(
                Int(clamping: (a.x + (b.x - a.x) * share).rounded(.down)),
                Int(clamping: (a.y + (b.y - a.y) * share).rounded(.down)),
                style: style)
        }
    }

    /// Returns the part of a line inside the canvas (Liang and Barsky).
    private func clip(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> (
        (x: Double, y: Double), (x: Double, y: Double)
    )? {
        guard a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { return nil }
        var (enter, leave) = (0.0, 1.0)
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        for (p, q) in [(-dx, a.x + 1), (dx, Double(width) - a.x), (-dy, a.y + 1), (dy, Double(height) - a.y)] {
            if p == 0 {
                if q < 0 { return nil }
            } else {
                let share = q / p
                if p < 0 { enter = max(enter, share) } else { leave = min(leave, share) }
            }
        }
        guard enter <= leave else { return nil }
        return ((a.x + dx * enter, a.y + dy * enter), (a.x + dx * leave, a.y + dy * leave))
    }

    /// Draws the dots. Cells without dots stay unchanged.
    @MainActor
    public func draw(in surface: Surface, at origin: Point = .zero, isASCII: Bool = false) {
        for row in 0..<size.height {
            for column in 0..<size.width {
                let bits = cells[row * size.width + column]
                guard bits != 0, let style = styles[row * size.width + column] else { continue }
                let scalar: Unicode.Scalar = isASCII ? "*" : Unicode.Scalar(0x2800 + UInt32(bits)) ?? "*"
                surface.draw(
                    Glyph(scalar) ?? .replacement, at: Point(x: origin.x + column, y: origin.y + row), style: style)
            }
        }
    }
}
