/// A picture that doesn't move, drawn at the best resolution of the terminal.
@MainActor
enum ImageRefinement {
    /// Cells with two colours.
    case cells([[PictureCell]])
    /// A picture drawn by the terminal.
    case picture(TerminalPicture)

    /// Computes the refined drawing on a background thread.
    static func make(
        _ image: PixelBuffer, _ scaling: PixelScaling, _ detail: ImageDetail, _ capabilities: TerminalCapabilities,
        _ terminal: (any Terminal)?
    ) async -> ImageRefinement {
        if let way = detail.graphics(in: capabilities.graphics), let terminal {
            let cells = Size(width: scaling.width, height: (scaling.height + 1) / 2)
            let size = pixelCount(of: scaling, in: cells, by: way, capabilities.graphics)
            // A terminal may claim cells of any size, and their pixels may need more memory than there is.
            if size.width * size.height <= GraphicsSupport.maximumPixels {
                let pixels = await Task.detached { scaling.pixels(image, size: size) }.value
                if !Task.isCancelled, let picture = await terminal.add(pixels, cells: cells, by: way) {
                    return .picture(picture)
                }
            }
        }
        let rows = await Task.detached {
            let cells = scaling.parts(image, down: detail.down).map { row in
                row.map { TwoColorCell(parts: $0, detail: detail) }
            }
            return PictureColors(capabilities).cells(cells)
        }.value
        return .cells(rows)
    }

    /// The assumed size of a cell in pixels if the terminal doesn't report it.
    private static let usualCell = Size(width: 10, height: 20)
    /// The maximum number of pixels to transmit by kitty's protocol. The terminal scales the picture up.
    private static let maximumPixels = 400_000.0

    private static func pixelCount(
        of scaling: PixelScaling, in cells: Size, by way: GraphicsProtocol, _ support: GraphicsSupport
    ) -> Size {
        let cell = support.cellSize ?? usualCell
        let (across, down) = (Double(cells.width * cell.width), Double(cells.height * cell.height))
        guard way == .kitty else { return Size(width: Int(clamping: across), height: Int(clamping: down)) }
        // No more pixels than the picture has, and no more than a slow connection can transmit quickly.
        let source = scaling.visibleSource
        let share = min(
            1, Double(source.width) / across, Double(source.height) / down,
            (maximumPixels / (across * down)).squareRoot())
        return Size(width: max(1, Int(clamping: across * share)), height: max(1, Int(clamping: down * share)))
    }

    /// Whether the terminal still has the picture.
    func isKept(by terminal: (any Terminal)?) -> Bool {
        if case .picture(let picture) = self { terminal?.has(picture) == true } else { true }
    }

    func draw(in surface: Surface, left: Int, top: Int) {
        switch self {
        case .cells(let rows):
            for (y, row) in rows.enumerated() {
                for (x, cell) in row.enumerated() {
                    surface.draw(cell.glyph, at: Point(x: left + x, y: top + y), style: cell.style)
                }
            }
        case .picture(let picture):
            for y in 0..<picture.size.height {
                for x in 0..<picture.size.width {
                    let place = Point(x: left + x, y: top + y)
                    surface.draw(picture.glyph(row: y, column: x), at: place, style: picture.style)
                }
            }
        }
    }
}
