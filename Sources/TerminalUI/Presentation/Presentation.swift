/// A presented controller with the box around it.
@MainActor
final class Presentation {
    let controller: ViewController
    /// The controller in the box: the presented one, or the delegate's replacement (row POP-03).
    private(set) var root: ViewController
    let view: PresentationView
    private var shownStyle: ModalPresentationStyle?
    private var paneSize: Size?
    /// The size of the pane when the controller was presented.
    private var firstPaneSize: Size?
    /// The size of the pane in which a popover's anchor was last visible.
    private var anchoredPaneSize: Size?
    /// The direction of the arrow when the popover was presented.
    private var preferredDirection: PopoverArrowDirection?

    init(controller: ViewController, window: Window) {
        self.controller = controller
        root = controller
        view = PresentationView(window: window)
    }

    /// Determines style and position for the window's current size.
    ///
    /// A popover closes when its anchor is no longer visible (row POP-01), except after a resize. Then it is a sheet
    /// until the anchor is visible again (row POP-03). So every sequence of resizes leads to the same style (row
    /// SPL-12).
    ///
    /// - Returns: Whether it can still be shown.
    func layout(in window: Window) -> Bool {
        let popover = controller.popoverPresentationController
        let limit = Size(width: max(1, window.size.width - 4), height: max(1, window.size.height - 2))
        let content = contentSize(limit: limit)
        view.title = controller.title
        view.hasDone = controller.hasDoneItem
        view.bar.items = root.toolbarItems
        let isSamePane = paneSize == window.size
        reposition(popover, in: window)
        paneSize = window.size
        if firstPaneSize == nil { firstPaneSize = window.size }
        switch style(in: window) {
        case .popover:
            let anchor = popover.anchor(in: window) ?? listAnchor(in: window)
            if anchor == nil, !popover.hasAnchor || anchoredPaneSize == window.size { return false }
            if anchor != nil { anchoredPaneSize = window.size }
            // The previous side comes first, or after a resize the original one.
            let current = isSamePane ? popover.arrowDirection : preferredDirection
            if let anchor,
                let placement = PopoverPlacement.place(
                    content: content, anchor: anchor, pane: window.size, permitted: popover.permittedArrowDirections,
                    current: current, canOverlap: popover.canOverlapSource)
            {
                popover.arrowDirection = placement.arrow == nil ? nil : placement.direction
                if firstPaneSize == window.size { preferredDirection = popover.arrowDirection }
                adapt(to: .popover, in: window)
                view.show(popover: placement, in: window.size)
            } else {
                showSheet(content, limit: limit, in: window)
            }
        case .fullScreen:
            popover.arrowDirection = nil
            adapt(to: .fullScreen, in: window)
            view.showFullScreen(window.size)
        case .sheet, .automatic: showSheet(content, limit: limit, in: window)
        }
        root.view.frame = view.contentFrame
        return true
    }

    /// Returns the button of a list in a popover, for controllers presented from that list, which replace it (row
    /// POP-05).
    private func listAnchor(in window: Window) -> Rect? {
        guard let presenter = controller.presentingViewController, let split = presenter.splitViewController,
            split.isInListPopover(presenter)
        else { return nil }
        return window.rect(of: split.displayModeButtonItem)
    }

    private func showSheet(_ content: Size, limit: Size, in window: Window) {
        controller.popoverPresentationController.arrowDirection = nil
        adapt(to: .sheet, in: window)
        view.show(sheet: root === controller ? content : contentSize(limit: limit), in: window.size)
    }

    /// Lets the delegate update the anchor after a resize.
    private func reposition(_ popover: PopoverPresentationController, in window: Window) {
        guard let paneSize, paneSize != window.size, let delegate = popover.delegate, var source = popover.sourceView,
            var rect = popover.sourceRect
        else { return }
        delegate.popover(popover, willRepositionTo: &rect, in: &source)
        popover.sourceRect = rect
        popover.sourceView = source
    }

    /// Notifies the delegate of a new style and shows its replacement for that style.
    private func adapt(to style: ModalPresentationStyle, in window: Window) {
        guard style != shownStyle else { return }
        shownStyle = style
        let popover = controller.popoverPresentationController
        guard let delegate = popover.delegate else { return }
        delegate.popover(popover, willBeShownAs: style)
        if root === controller {
            guard let other = delegate.viewController(for: popover, shownAs: style), other !== controller else {
                return
            }
            controller.view.removeFromSuperview()
            controller.hostWindow = nil
            root = other
        } else {
            root.view.removeFromSuperview()
            root.hostWindow = nil
            controller.removeFromParent()
            root = delegate.viewController(for: popover, shownAs: style) ?? controller
        }
        root.hostWindow = window
        root.presentingViewController = controller.presentingViewController
        root.updateTraits()
        view.addSubview(root.view)
        window.updateAppearance()
    }

    /// Returns the requested style, whether or not there is enough space for it.
    func style(in window: Window) -> ModalPresentationStyle {
        let popover = controller.popoverPresentationController
        switch controller.modalPresentationStyle {
        case .sheet: return .sheet
        case .fullScreen: return .fullScreen
        case .automatic where !popover.hasAnchor: return .sheet
        case .automatic, .popover:
            let adapted = popover.delegate?.adaptivePresentationStyle(for: popover, traits: window.traits)
            return adapted ?? .popover
        }
    }

    private func contentSize(limit: Size) -> Size {
        let preferred = root.preferredContentSize
        let size = preferred == .zero ? root.view.sizeThatFits(limit) : preferred
        return Size(width: max(1, min(size.width, limit.width)), height: max(1, min(size.height, limit.height)))
    }
}

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
        let wanted = min(border.width, bar.preferredWidth)
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

    override var nextResponder: Responder? { owner }

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
        let least = title.columns + 12
        let size = Size(
            width: min(pane.width, max(content.width + 2, min(least, pane.width))),
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
        if case .press(.left) = event.action, doneRect.contains(event.location) { owner?.dismissTopByUser() }
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
            drawTitle(in: surface, from: 1, to: bounds.width, style: border)
        case .sheet:
            drawBox(in: surface, inside, border)
            drawTitle(in: surface, from: 2, to: bounds.width - 2, style: border)
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

    private func drawTitle(in surface: Surface, from left: Int, to right: Int, style: Style) {
        let done: DisplayText = " Done "
        let doneColumn = hasDone ? right - done.columns : right
        if hasDone, doneColumn > left {
            doneRect = Rect(x: doneColumn, y: 0, width: done.columns, height: 1)
            surface.draw(done, at: doneRect.origin, style: theme[.accent])
        }
        guard !title.isEmpty else { return }
        let room = max(0, doneColumn - left - 2)
        surface.draw(" " + title.truncated(to: room) + " ", at: Point(x: left, y: 0), style: style.adding(.bold))
    }
}

extension Surface {
    /// Dims an area behind something else. Pictures stay as they are, because they have their own backgrounds.
    @MainActor
    func dim(_ area: Rect, _ theme: Theme) {
        let grounds = theme.grounds
        var known: [Style: Style] = [:]
        restyle(area) { style in
            guard grounds.contains(style.background), !style.isPicture else { return style }
            if let known = known[style] { return known }
            let faded = theme.fading?.faded(style) ?? Surface.dimmed(style, theme)
            known[style] = faded
            return faded
        }
    }

    /// Returns a style that attributes make less prominent.
    @MainActor
    private static func dimmed(_ style: Style, _ theme: Theme) -> Style {
        Style(
            foreground: theme[.secondary].foreground, background: style.background,
            attributes: style.attributes.intersection(.reverse).union(.dim))
    }

    /// Darkens the ground under a shadow. Words stay readable, and pictures that the terminal draws stay as they are.
    @MainActor
    func shade(_ area: Rect, _ theme: Theme) {
        guard let fading = theme.fading else { return }
        let grounds = theme.grounds
        restyle(area) { style in
            // Other grounds belong to pictures, of which both colours are pixels.
            grounds.contains(style.background) ? fading.shaded(style) : fading.darkened(style)
        }
    }

    /// Draws a box with the corners of the given symbols.
    public func drawBorder(_ box: Rect, symbols: Symbols, style: Style) {
        guard box.width >= 2, box.height >= 2 else { return }
        let (left, right, top, bottom) = (box.minX, box.maxX - 1, box.minY, box.maxY - 1)
        for row in [top, bottom] {
            fill(Rect(x: left + 1, y: row, width: box.width - 2, height: 1), with: symbols.horizontal, style: style)
        }
        for column in [left, right] {
            fill(Rect(x: column, y: top + 1, width: 1, height: box.height - 2), with: symbols.vertical, style: style)
        }
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
        for (corner, place) in zip(symbols.corners, corners) {
            draw(corner, at: Point(x: place.0, y: place.1), style: style)
        }
    }
}
