import TerminalUI

/// Draws the sample of a setting, under a line that says so.
@MainActor
final class SettingSampleView: View {
    /// The sample, made for the width of the view.
    var sample: SettingSample? {
        didSet { lines = sample?.lines ?? [] }
    }
    private var lines: [SettingSample.Line] = []
    private let picture = ImageView()
    /// Whether the frame has space for all lines.
    var isWhole: Bool { lines.count < frame.height }
    var isEmpty: Bool { lines.isEmpty && !isPicture }

    override init() {
        super.init()
        picture.isInteractive = false
        picture.isLeftAligned = true
        addSubview(picture)
    }

    override func layoutSubviews() {
        picture.isHidden = !isPicture
        picture.frame = bounds.inset(top: 1)
        guard isPicture, let sample else { return }
        if picture.image == nil { picture.image = SettingSampleView.landscape }
        picture.detail = ImageDetail(rawValue: sample.value) ?? .halves
    }

    private var isPicture: Bool { sample?.kind == .picture }

    override func sizeThatFits(_ limit: Size) -> Size {
        guard sample != nil else { return .zero }
        return Size(width: limit.width, height: min(limit.height, isPicture ? 12 : lines.count + 1))
    }

    override func draw(in surface: Surface) {
        let end = surface.draw((sample?.title ?? .empty) + " ", at: .zero, style: theme[.secondary])
        surface.fill(
            Rect(x: end, y: 0, width: max(0, bounds.width - end), height: 1), with: symbols.horizontal,
            style: theme[.rule])
        for (index, line) in lines.enumerated() {
            var column = 0
            for piece in line {
                column = surface.draw(piece.text, at: Point(x: column, y: index + 1), style: theme[piece.role])
            }
        }
    }

    /// A landscape with a sun, hills and a lake, which shows edges and smooth colours.
    private static let landscape: PixelBuffer = {
        let (width, height) = (160, 96)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = color(x: x, y: y)
                pixels += [UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue), 255]
            }
        }
        return PixelBuffer(width: width, height: height, rgba: pixels)
    }()

    private static func color(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
        let ridge = 58 - abs(x - 50) * 34 / 50
        let hill = 62 - abs(x - 120) * 22 / 60
        if y > 74 { return (40 + (x + y * 5) % 16, 96 + (y - 74) * 2, 150 + (x * 3 + y * 7) % 24) }
        if y > 74 - max(0, hill - 40) { return (60 + y / 2, 120 + y / 3, 50) }
        if y > 74 - max(0, ridge) { return y < 40 ? (235, 238, 245) : (110 + y / 3, 104 + y / 4, 110) }
        let distance = (x - 126) * (x - 126) + (y - 20) * (y - 20)
        if distance < 120 { return (255, 214, 90) }
        return (110 + y * 2, 165 + y, 225)
    }
}
