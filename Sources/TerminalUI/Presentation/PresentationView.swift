/// The box of a presentation with border, arrow, title and Done item.
@MainActor
final class PresentationView: View {
    private enum Form {
        case popover(PopoverPlacement)
        case sheet
        case fullScreen
    }

    var title: DisplayText = .empty
    /// Whether a sheet has an item that closes it, in addition to its own.
    var hasDone = true
    /// The items of the controller in the lower border.
    let bar = Toolbar()
    private var form = Form.sheet
    private(set) var contentFrame: Rect = .zero
    private weak var owner: Window?
    private var doneRect: Rect = .zero

    init(window: Window) {
        owner = window
        super.init()
        addSubview(bar)
    }

    override func layoutSubviews() {
        let isBoxed = if case .fullScreen = form { false } else { true }
        bar.isHidden = !isBoxed || bar.items.isEmpty || bounds.width < 12
        var border = bounds.inset(left: 1, right: 1)
        // Beside the arrow, on the side with more space.
        if case .popover(let placement) = form, placement.direction == .down, let arrow = placement.arrow {
            let column = arrow.x - frame.minX
            let (left, right) = border.split(at: column)
            border = column > bounds.width / 2 ? left : right
        }
        let wanted = bar.width(within: border.width)
        bar.frame = Rect(x: max(border.minX, border.maxX - wanted - 1), y: bounds.maxY - 1, width: wanted, height: 1)
        if wanted < 6 { bar.isHidden = true }
    }

    /// The cells of its shadow in the window, on the sides that don't touch the anchor.
    var shadow: [Rect] {
        let place = bounds.offsetBy(x: frame.minX, y: frame.minY)
        let right = Rect(x: place.maxX, y: place.minY + 1, width: 1, height: place.height)
        let below = Rect(x: place.minX + 1, y: place.maxY, width: place.width - 1, height: 1)
        switch form {
        case .fullScreen: return []
        case .popover(let placement) where placement.direction == .down:
            return [Rect(x: right.minX, y: right.minY, width: 1, height: place.height - 1)]
        case .popover(let placement) where placement.direction == .right: return [below]
        default: return [right, below]
        }
    }

    /// The box with one cell around it in the window, except on the side of the anchor.
    var surroundings: Rect {
        switch form {
        case .fullScreen: return frame
        case .sheet: return frame.inset(left: -1, top: -1, right: -1, bottom: -1)
        case .popover(let placement):
            let side = placement.arrow == nil ? nil : placement.direction
            return frame.inset(
                left: side == .left ? 0 : -1, top: side == .up ? 0 : -1, right: side == .right ? 0 : -1,
                bottom: side == .down ? 0 : -1)
        }
    }

    override var nextResponder: Responder? { owner }

    override var groundRole: ThemeRole { .popover }

    func show(popover placement: PopoverPlacement, in pane: Size) {
        if symbols.isLinear { return showFullScreen(pane) }
        form = .popover(placement)
        frame = placement.box
        contentFrame = bounds.inset(left: 1, top: 1, right: 1, bottom: 1)
    }

    func show(sheet content: Size, in pane: Size) {
        // Without space for a border, it fills the pane, with a line for title and Done.
        guard pane.height >= 5, pane.width >= 14, !symbols.isLinear else { return showFullScreen(pane) }
        form = .sheet
        let minimum = title.columns + 12
        let size = Size(
            width: min(pane.width, max(content.width + 2, min(minimum, pane.width))),
            height: min(pane.height, content.height + 2))
        frame = Rect(
            x: (pane.width - size.width) / 2, y: (pane.height - size.height) / 2, width: size.width,
            height: size.height)
        contentFrame = bounds.inset(left: 1, top: 1, right: 1, bottom: 1)
    }

    func showFullScreen(_ pane: Size) {
        form = .fullScreen
        frame = Rect(origin: .zero, size: pane)
        contentFrame = bounds.inset(top: pane.height > 2 ? 1 : 0)
    }

    override func handle(_ event: MouseEvent) -> Bool {
        if case .press(.left) = event.action, doneRect.contains(event.location) { owner?.presented.dismissTopByUser() }
        return true
    }

    /// The content has the background of the box.
    override func drawOver(in surface: Surface) {
        let (inside, ground) = (theme[.popover].background, theme[.text].background)
        guard inside != ground else { return }
        surface.restyle(bounds) { style in
            guard style.background == ground else { return style }
            return Style(foreground: style.foreground, background: inside, attributes: style.attributes)
        }
    }

    override func draw(in surface: Surface) {
        let inside = theme[.popover]
        let border = theme[.popoverBorder]
        doneRect = .zero
        switch form {
        case .fullScreen:
            surface.fill(bounds, style: inside)
            guard bounds.height > 2 else { return }
            drawTitle(in: surface, from: 1, to: bounds.width)
        case .sheet:
            drawBox(in: surface, inside, border)
            drawTitle(in: surface, from: 2, to: bounds.width - 2)
        case .popover(let placement):
            drawBox(in: surface, inside, border)
            guard let place = placement.arrow else { return }
            let arrow = Point(x: place.x - frame.minX, y: place.y - frame.minY)
            let glyph =
                switch placement.direction {
                case .up: symbols.arrowUp
                case .down: symbols.arrowDown
                case .left: symbols.arrowLeft
                default: symbols.arrowRight
                }
            surface.draw(glyph, at: arrow, style: border)
        }
    }

    /// Draws background and border, with gaps for the items.
    private func drawBox(in surface: Surface, _ inside: Style, _ border: Style) {
        surface.fill(bounds, style: inside)
        surface.drawBorder(bounds, symbols: symbols, style: border)
        if !bar.isHidden { surface.fill(bar.frame, style: inside) }
    }

    private func drawTitle(in surface: Surface, from left: Int, to right: Int) {
        let done: DisplayText = " Done "
        let doneColumn = hasDone ? right - done.columns : right
        if hasDone, doneColumn > left {
            doneRect = Rect(x: doneColumn, y: 0, width: done.columns, height: 1)
            surface.draw(done, at: doneRect.origin, style: theme[.accent])
        }
        guard !title.isEmpty else { return }
        let room = max(0, doneColumn - left - 2)
        surface.draw(
            " " + title.truncated(to: room) + " ", at: Point(x: left, y: 0), style: theme[.popover].adding(.bold))
    }
}
