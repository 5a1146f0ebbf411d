/// A picture that can be moved and made larger: keys, wheel and drags (row STA-04).
///
/// It draws two pixels a cell, in the colours at hand; without colours in characters of more or less ink. At rest it is drawn
/// more finely, by the terminal itself where ``detail`` says so and the terminal can. At the zoom 1 the
/// whole picture is seen, in the middle; up to 5 the part around ``viewport`` is, which is kept over a resize.
@MainActor
public final class ImageView: View {
    /// The picture; `nil`: nothing is drawn.
    public var image: PixelBuffer? {
        didSet {
            hasMoved = false
            forget()
        }
    }
    /// The part that is looked at.
    public var viewport = Viewport() {
        didSet {
            guard viewport != oldValue else { return }
            hasMoved = true
            forget()
        }
    }
    /// How finely it is drawn a quarter of a second after the last movement; in ASCII and without colours it stays coarse.
    public var detail = ImageDetail.halves { didSet { if detail != oldValue { forget() } } }

    /// Whether keys and the mouse zoom and move it.
    public var isInteractive = true
    /// Columns and rows that it takes at most; `nil`: all that there are.
    public var most: Size? { didSet { if most != oldValue { forget() } } }
    /// Whether a picture that is smaller than the view stands at its upper left, as text does, and not in the middle.
    public var standsAtLeft = false { didSet { setNeedsDisplay() } }

    private var rendered: (scaling: PixelScaling, rows: [[PixelScaling.Halves]])?
    private var refined: ImageRefinement?
    private var refining: Task<Void, Never>?
    /// What the terminal could show when ``refined`` was begun.
    private var refinedFor = GraphicsSupport.unknown
    /// Whether the picture was moved or made larger since it is there.
    private var hasMoved = false
    /// How long nothing has to move before the finer drawing is worked out.
    private static let rest = Duration.milliseconds(250)
    private var dragStart: (place: Point, viewport: Viewport)?

    /// The greatest zoom.
    public static let maximumZoom = 5.0

    /// Makes a view without a picture.
    public override init() { super.init() }

    /// Keys go to it.
    public override var canBecomeFocused: Bool { isInteractive && image != nil }

    private func forget() {
        rendered = nil
        refined = nil
        refining?.cancel()
        refining = nil
        setNeedsDisplay()
    }

    private var size: Size { Size(width: image?.width ?? 0, height: image?.height ?? 0) }

    /// The cells that there are for it.
    private var room: Size {
        guard let most else { return bounds.size }
        return Size(width: min(bounds.width, most.width), height: min(bounds.height, most.height))
    }

    private var scaling: PixelScaling? { PixelScaling(source: size, cells: room, viewport: viewport) }

    // MARK: Moving

    /// Changes the zoom about a place of the view; what is there stays there.
    ///
    /// - Parameters:
    ///   - factor: How much larger it gets; the zoom stays between 1 and ``maximumZoom``.
    ///   - place: A cell of the view; `nil`: its middle.
    public func zoom(by factor: Double, about place: Point? = nil) {
        guard let before = scaling else { return }
        let (offsetX, offsetY) = offset(of: before)
        let column = place.map { Double($0.x - offsetX) + 0.5 } ?? Double(before.width) / 2
        let halfRow = place.map { Double($0.y - offsetY) * 2 + 1 } ?? Double(before.height) / 2
        let fixed = before.place(column: column, halfRow: halfRow)
        var next = viewport
        next.zoom = max(1, min(ImageView.maximumZoom, viewport.zoom * factor))
        guard let after = PixelScaling(source: size, cells: room, viewport: next) else { return }
        // The middle from which the fixed place lies as far in cells as before.
        let (newX, newY) = offset(of: after)
        let newColumn = place.map { Double($0.x - newX) + 0.5 } ?? Double(after.width) / 2
        let newHalfRow = place.map { Double($0.y - newY) * 2 + 1 } ?? Double(after.height) / 2
        next.centerX = fixed.x + (0.5 - newColumn / Double(after.width)) * after.shown.x
        next.centerY = fixed.y + (0.5 - newHalfRow / Double(after.height)) * after.shown.y
        viewport = limited(next)
    }

    /// Moves the part that is looked at, by columns and rows.
    public func pan(columns: Int, rows: Int) {
        guard let scaling else { return }
        var next = viewport
        next.centerX += Double(columns) / Double(scaling.width) * scaling.shown.x
        next.centerY += Double(rows * 2) / Double(scaling.height) * scaling.shown.y
        viewport = limited(next)
    }

    /// Shows the whole picture.
    public func fit() { viewport = Viewport() }

    /// Keeps the middle where the part does not reach over the picture's edges.
    private func limited(_ viewport: Viewport) -> Viewport {
        guard let scaling = PixelScaling(source: size, cells: room, viewport: viewport) else { return viewport }
        func limit(_ center: Double, _ shown: Double) -> Double {
            shown >= 1 ? 0.5 : max(shown / 2, min(1 - shown / 2, center))
        }
        var result = viewport
        result.centerX = limit(viewport.centerX, scaling.shown.x)
        result.centerY = limit(viewport.centerY, scaling.shown.y)
        return result
    }

    /// Keys to move and to zoom; the arrows act only while something is out of sight.
    public override var commands: [Command] {
        guard isInteractive, image != nil else { return [] }
        let isZoomed = viewport.zoom > 1
        func pan(_ definition: CommandDefinition, _ columns: Int, _ rows: Int) -> Command {
            Command(definition, isEnabled: isZoomed) { [weak self] in
                self?.pan(columns: columns, rows: rows)
            }
        }
        return [
            Command(ToolkitCommands.zoomIn, isEnabled: viewport.zoom < ImageView.maximumZoom) {
                [weak self] in
                self?.zoom(by: 1.25)
            },
            Command(ToolkitCommands.zoomOut, isEnabled: isZoomed) { [weak self] in
                self?.zoom(by: 0.8)
            },
            Command(ToolkitCommands.zoomFit, isEnabled: isZoomed) { [weak self] in self?.fit() },
            pan(ToolkitCommands.panLeft, -4, 0), pan(ToolkitCommands.panRight, 4, 0),
            pan(ToolkitCommands.panUp, 0, -2), pan(ToolkitCommands.panDown, 0, 2),
        ]
    }

    /// The wheel zooms about the pointer, a drag moves the picture.
    public override func handle(_ event: MouseEvent) -> Bool {
        guard isInteractive, image != nil else { return false }
        switch event.action {
        case .wheel(let direction): zoom(by: direction < 0 ? 1.25 : 0.8, about: event.location)
        case .horizontalWheel(let direction): pan(columns: direction * 4, rows: 0)
        case .press(.left): dragStart = (event.location, viewport)
        case .drag(.left):
            guard let dragStart else { return true }
            viewport = dragStart.viewport
            pan(columns: dragStart.place.x - event.location.x, rows: dragStart.place.y - event.location.y)
        case .release: dragStart = nil
        default: return false
        }
        return true
    }

    // MARK: Drawing

    private func offset(of scaling: PixelScaling) -> (x: Int, y: Int) {
        if standsAtLeft { return (0, 0) }
        return ((bounds.width - scaling.width) / 2, (bounds.height - (scaling.height + 1) / 2) / 2)
    }

    /// Draws the part that is looked at.
    public override func draw(in surface: Surface) {
        // A picture of characters says nothing to who reads it line by line.
        guard let image, let scaling, !symbols.isLinear else { return }
        if rendered?.scaling != scaling {
            rendered = (scaling, scaling.render(image))
            startRefining(image)
        } else if detail.usesGraphics, !isRefinementCurrent {
            startRefining(image)
        }
        guard let rows = rendered?.rows else { return }
        let (left, top) = offset(of: scaling)
        let dithering = dithering
        if let refined { return refined.draw(in: surface, left: left, top: top, dithering) }
        let capabilities = traits.capabilities
        let lights = capabilities.colors == .none ? dithering.lights(rows) : 0...255
        for (y, row) in rows.enumerated() {
            for (x, cell) in row.enumerated() {
                let place = Point(x: left + x, y: top + y)
                guard capabilities.colors > .none else {
                    let ink = dithering.ink(cell, lights: lights, hasUnicode: capabilities.hasUnicode)
                    surface.draw(ink, at: place, style: .standard)
                    continue
                }
                let style = Style(
                    foreground: dithering.color(cell.upper, x: x, y: 2 * y),
                    background: dithering.color(cell.lower, x: x, y: 2 * y + 1))
                surface.draw(ImageView.upperHalf, at: place, style: style)
            }
        }
    }

    private static let upperHalf = Glyph("▀") ?? .replacement
    static func color(_ value: UInt32) -> Color {
        .rgb(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    private var lastDithering: (capabilities: TerminalCapabilities, dithering: Dithering)?

    /// How colours that the terminal has not are shown.
    private var dithering: Dithering {
        let capabilities = traits.capabilities
        if let lastDithering, lastDithering.capabilities == capabilities { return lastDithering.dithering }
        let made = Dithering(capabilities)
        lastDithering = (capabilities, made)
        return made
    }

    // MARK: Refining

    /// Whether the finer drawing is what this terminal can show, or on its way to be.
    private var isRefinementCurrent: Bool {
        refinedFor == traits.capabilities.graphics && refined?.isKept(by: window?.terminal) != false
    }

    /// Works out the finer drawing before the picture is seen, where the terminal shows pictures itself: so that it can take
    /// another's place at once.
    ///
    /// - Parameter done: Called once it is there, or cannot be.
    public func prepare(_ done: @escaping @MainActor () -> Void) {
        guard let image, let scaling, detail.graphics(in: traits.capabilities.graphics) != nil else { return done() }
        rendered = (scaling, scaling.render(image))
        startRefining(image, whenDone: done)
    }

    /// A quarter of a second after the last movement the finer drawing is worked out, away from the main thread.
    private func startRefining(_ image: PixelBuffer, whenDone done: @escaping @MainActor () -> Void = {}) {
        refining?.cancel()
        refined = nil
        let capabilities = traits.capabilities
        refinedFor = capabilities.graphics
        guard detail != .halves, let scaling, capabilities.hasUnicode, capabilities.colors > .sixteen else {
            return done()
        }
        if detail.usesGraphics, capabilities.graphics == .unknown { window?.detectGraphics() }
        let detail = detail
        let terminal = window?.terminal
        let key = ImageRefinementCache.Key(
            image: image, scaling: scaling, detail: detail, capabilities: capabilities)
        if let known = window?.refinements.drawing(key, on: terminal) {
            refined = known
            return done()
        }
        // A picture that has just come is not moved.
        let rest = hasMoved ? ImageView.rest : .zero
        refining = Task { [weak self, weak terminal] in
            try? await Task.sleep(for: rest)
            guard !Task.isCancelled else { return }
            let result = await ImageRefinement.make(image, scaling, detail, capabilities, terminal)
            guard !Task.isCancelled else { return }
            self?.refined = result
            self?.window?.refinements.keep(result, for: key)
            self?.setNeedsDisplay()
            done()
        }
    }
}
