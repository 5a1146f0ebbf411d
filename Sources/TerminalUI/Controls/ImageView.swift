/// A picture that can be panned and zoomed with keys, wheel and drags (row STA-04).
///
/// It draws two pixels in a cell with the available colours, or characters of different density without colours. When
/// it doesn't move, it is refined, if possible by the terminal itself as ``detail`` allows. Zoom 1 shows the whole
/// picture. Up to zoom 5 it shows the part around ``viewport``, which stays the same when resized.
@MainActor
public final class ImageView: View {
    /// The picture, or `nil` to draw nothing.
    public var image: PixelBuffer? {
        didSet {
            hasMoved = false
            forget()
        }
    }
    /// The visible part.
    public var viewport = Viewport() {
        didSet {
            guard viewport != oldValue else { return }
            hasMoved = true
            forget()
        }
    }
    /// The resolution a quarter of a second after the last movement. In ASCII and without colours it stays coarse.
    public var detail = ImageDetail.halves { didSet { if detail != oldValue { forget() } } }

    /// Whether keys and the mouse pan and zoom it.
    public var isInteractive = true
    /// The maximum size in cells, or `nil` for the whole view.
    public var maximum: Size? { didSet { if maximum != oldValue { forget() } } }
    /// Whether a picture smaller than the view is at its upper left, like text, instead of centred.
    public var isLeftAligned = false { didSet { setNeedsDisplay() } }

    private var rendered: (scaling: PixelScaling, capabilities: TerminalCapabilities, drawing: ImageRefinement)?
    private var refined: ImageRefinement?
    private var refining: Task<Void, Never>?
    /// The capabilities of the terminal for which ``refined`` was started.
    private var refinedFor = TerminalCapabilities()
    /// Whether the picture was panned or zoomed since it was set.
    private var hasMoved = false
    /// The time without movement after which the drawing is refined.
    private static let rest = Duration.milliseconds(250)
    private var dragStart: (place: Point, viewport: Viewport)?

    /// The maximum zoom.
    public static let maximumZoom = 5.0

    /// Creates a view without a picture.
    public override init() { super.init() }

    /// Whether it can have the focus.
    public override var canBecomeFocused: Bool { isInteractive && image != nil }

    private func forget() {
        rendered = nil
        refined = nil
        refining?.cancel()
        refining = nil
        setNeedsDisplay()
    }

    private var size: Size { Size(width: image?.width ?? 0, height: image?.height ?? 0) }

    /// The available size in cells.
    private var room: Size {
        guard let maximum else { return bounds.size }
        return bounds.intersection(Rect(origin: .zero, size: maximum)).size
    }

    /// The size of the whole picture in a space, with its proportions.
    public override func sizeThatFits(_ size: Size) -> Size {
        guard let scaling = PixelScaling(source: self.size, cells: size, viewport: Viewport()) else { return .zero }
        return Size(width: scaling.width, height: (scaling.height + 1) / 2)
    }

    private var scaling: PixelScaling? { PixelScaling(source: size, cells: room, viewport: viewport) }

    // MARK: Moving

    /// Zooms around a point of the view, which stays in place.
    ///
    /// - Parameters:
    ///   - factor: The factor. The zoom stays between 1 and ``maximumZoom``.
    ///   - place: A cell of the view, or `nil` for its centre.
    public func zoom(by factor: Double, about place: Point? = nil) {
        guard let before = scaling else { return }
        func cell(in scaling: PixelScaling) -> (column: Double, halfRow: Double) {
            guard let place else { return (Double(scaling.width) / 2, Double(scaling.height) / 2) }
            let (left, top) = offset(of: scaling)
            return (Double(place.x - left) + 0.5, Double(place.y - top) * 2 + 1)
        }
        let old = cell(in: before)
        let fixed = before.place(column: old.column, halfRow: old.halfRow)
        var next = viewport
        next.zoom = max(1, min(ImageView.maximumZoom, viewport.zoom * factor))
        guard let after = PixelScaling(source: size, cells: room, viewport: next) else { return }
        // The centre from which the fixed point has the same distance in cells as before.
        let new = cell(in: after)
        next.centerX = fixed.x + (0.5 - new.column / Double(after.width)) * after.shown.x
        next.centerY = fixed.y + (0.5 - new.halfRow / Double(after.height)) * after.shown.y
        viewport = limited(next)
    }

    /// Pans by columns and rows.
    public func pan(columns: Int, rows: Int) {
        guard let scaling else { return }
        var next = viewport
        next.centerX += Double(columns) / Double(scaling.width) * scaling.shown.x
        next.centerY += Double(rows * 2) / Double(scaling.height) * scaling.shown.y
        viewport = limited(next)
    }

    /// Shows the whole picture.
    public func fit() { viewport = Viewport() }

    /// Moves a viewport so that it doesn't extend beyond the picture's edges.
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

    /// The keys for panning and zooming. The arrow keys only work while a part is hidden.
    public override var commands: [Command] {
        guard isInteractive, image != nil else { return [] }
        let isZoomed = viewport.zoom > 1
        func pan(_ definition: CommandDefinition, _ columns: Int, _ rows: Int) -> Command {
            Command(definition, isEnabled: isZoomed) { [weak self] in
                self?.pan(columns: columns, rows: rows)
            }
        }
        return [
            Command(PictureCommands.zoomIn, isEnabled: viewport.zoom < ImageView.maximumZoom) { [weak self] in
                self?.zoom(by: 1.25)
            },
            Command(PictureCommands.zoomOut, isEnabled: isZoomed) { [weak self] in self?.zoom(by: 0.8) },
            Command(PictureCommands.fit, isEnabled: isZoomed) { [weak self] in self?.fit() },
            pan(PictureCommands.left, -4, 0), pan(PictureCommands.right, 4, 0),
            pan(PictureCommands.up, 0, -2), pan(PictureCommands.down, 0, 2),
        ]
    }

    /// The wheel zooms around the pointer, and drags pan.
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
        if isLeftAligned { return (0, 0) }
        return ((bounds.width - scaling.width) / 2, (bounds.height - (scaling.height + 1) / 2) / 2)
    }

    /// Draws the visible part.
    public override func draw(in surface: Surface) {
        // A picture made of characters means nothing to a screen reader.
        guard let image, let scaling, !symbols.isLinear else { return }
        let isOther = rendered?.scaling != scaling
        if isOther || rendered?.capabilities != traits.capabilities { render(image, scaling) }
        if isOther || detail != .halves && !isRefinementCurrent { startRefining(image) }
        let (left, top) = offset(of: scaling)
        (refined ?? rendered?.drawing)?.draw(in: surface, left: left, top: top)
    }

    /// Draws two pixels in a cell.
    private func render(_ image: PixelBuffer, _ scaling: PixelScaling) {
        let cells = scaling.render(image).map { row in row.map { TwoColorCell($0) } }
        let capabilities = traits.capabilities
        rendered = (scaling, capabilities, .cells(PictureColors(capabilities).cells(cells)))
    }

    nonisolated static func color(_ value: UInt32) -> Color {
        .rgb(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    // MARK: Refining

    /// Whether the refined drawing, or the one being computed, suits this terminal.
    private var isRefinementCurrent: Bool {
        let present = traits.capabilities
        return refinedFor.graphics == present.graphics && refinedFor.colors == present.colors
            && refined?.isKept(by: window?.terminal) != false
    }

    /// Computes the refined drawing before the picture is visible, if the terminal draws pictures itself, so that it
    /// can replace another at once.
    ///
    /// - Parameter done: Called when it is ready or impossible.
    public func prepare(_ done: @escaping @MainActor () -> Void) {
        guard let image, let scaling, detail.graphics(in: traits.capabilities.graphics) != nil else { return done() }
        render(image, scaling)
        startRefining(image, whenDone: done)
    }

    /// Computes the refined drawing on a background thread after a quarter of a second without movement.
    private func startRefining(_ image: PixelBuffer, whenDone done: @escaping @MainActor () -> Void = {}) {
        refining?.cancel()
        refined = nil
        let capabilities = traits.capabilities
        refinedFor = capabilities
        guard detail != .halves, let scaling, capabilities.hasUnicode, capabilities.colors > .sixteen else {
            return done()
        }
        if detail.usesGraphics, capabilities.graphics == .unknown { window?.detectGraphics() }
        let detail = detail
        let terminal = window?.terminal
        let key = ImageRefinementCache.Key(
            image: image, scaling: scaling, detail: detail, capabilities: capabilities)
        let cache = window?.caches[ImageRefinementCache.self]
        if let known = cache?.drawing(key, on: terminal) {
            refined = known
            return done()
        }
        // A new picture has not been moved, so it need not wait.
        let rest = hasMoved ? ImageView.rest : .zero
        refining = Task { [weak self, weak terminal] in
            try? await Task.sleep(for: rest)
            guard !Task.isCancelled else { return }
            let result = await ImageRefinement.make(image, scaling, detail, capabilities, terminal)
            guard !Task.isCancelled else { return }
            self?.refined = result
            self?.window?.caches[ImageRefinementCache.self].keep(result, for: key)
            self?.setNeedsDisplay()
            done()
        }
    }
}
