/// A presented controller with the box around it.
@MainActor
final class Presentation: PresentedLayer {
    let controller: ViewController
    private(set) weak var presenter: ViewController?
    private(set) var root: ViewController
    private let view: PresentationView
    var box: View { view }
    var shadow: [Rect] { view.shadow }
    var surroundings: Rect { view.surroundings }
    private var shownStyle: ModalPresentationStyle?
    private var paneSize: Size?
    /// The size of the pane when the controller was presented.
    private var firstPaneSize: Size?
    /// The size of the pane in which a popover's anchor was last visible.
    private var anchoredPaneSize: Size?
    /// The direction of the arrow when the popover was presented.
    private var preferredDirection: PopoverArrowDirection?

    init(controller: ViewController, presenter: ViewController, window: Window) {
        self.controller = controller
        self.presenter = presenter
        root = controller
        view = PresentationView(window: window)
    }

    /// Determines style and position for the window's current size.
    ///
    /// A popover closes when its anchor is no longer visible (row POP-01), except after a resize. Then it is a sheet
    /// until the anchor is visible again (row POP-03). So every sequence of resizes leads to the same style (row
    /// SPL-12).
    func layOut(in window: Window) -> Bool {
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
        guard let presenter = controller.presentingViewController else { return nil }
        let container: (any ListPopoverContainer)? = presenter.ancestor()
        return container?.popoverItem(around: presenter).flatMap(window.presented.rect(of:))
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
        root.updateTraits()
        view.addSubview(root.view)
        window.updateAppearance()
    }

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
