/// Handles the mouse in a window: finds the view for an event, and sends the rest of a drag to the same view.
@MainActor
final class WindowMouse {
    private unowned let window: Window
    /// The view in which a button is held.
    private weak var pressed: View?
    private var clicks = ClickCounter()

    init(of window: Window) { self.window = window }

    func send(_ event: MouseEvent) {
        window.layoutIfNeeded()
        var event = event
        event.clicks = clicks.count(event, at: window.now())
        switch event.action {
        case .drag, .release:
            if let pressed { deliver(event, to: pressed) }
            if case .release = event.action { pressed = nil }
        case .press:
            window.keys.reset()
            guard let target = target(of: event) else { return }
            focusByClick(target)
            pressed = deliver(event, to: target)
            if case .press(.right) = event.action, pressed == nil { window.contextMenu(event.location) }
        case .wheel, .horizontalWheel:
            if let target = target(of: event, dismisses: false) { deliver(event, to: target) }
        }
    }

    private func target(of event: MouseEvent, dismisses: Bool = true) -> View? {
        guard let top = window.presented.layers.last else {
            return window.rootViewController.view.hitTest(event.location)
        }
        if let hit = top.box.hitTest(event.location) { return hit }
        let popover = top.controller.popoverPresentationController
        if let hit = window.rootViewController.view.hitTest(event.location),
            popover.passthroughViews.contains(where: { hit.isDescendant(of: $0) })
        {
            return hit
        }
        // The click that dismisses does nothing else (row POP-02).
        if dismisses { window.presented.dismissByUser(top) }
        return nil
    }

    private func focusByClick(_ view: View) {
        if let focusable = view.selfAndSuperviews.first(where: \.canBecomeFocused) { window.focus(focusable) }
    }

    @discardableResult
    private func deliver(_ event: MouseEvent, to view: View) -> View? {
        view.selfAndSuperviews.first { candidate in
            let origin = candidate.convertToWindow(Point.zero)
            var local = event
            local.location = Point(x: event.location.x - origin.x, y: event.location.y - origin.y)
            return candidate.handle(local)
        }
    }
}
