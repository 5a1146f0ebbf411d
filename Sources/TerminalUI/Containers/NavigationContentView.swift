/// The view for the top controller of a navigation controller. It animates pushes and pops, and lets the user drag the
/// top away from the left edge.
@MainActor
final class NavigationContentView: View {
    private var leaving: (snapshot: Snapshot, transition: NavigationTransition)?
    private var share = 1.0
    /// The number of columns by which the top was dragged to the right.
    private(set) var dragged = 0
    /// Whether the top can be dragged away.
    var canDrag: () -> Bool = { false }
    /// Called when a drag starts, and when it ends with whether the top is popped.
    var dragDidBegin: () -> Void = {}
    var dragDidEnd: (_ pops: Bool) -> Void = { _ in }
    private(set) var isDragging = false
    private var passesThrough = false

    /// The number of columns at the left edge where a drag can start.
    static let edge = 2

    func slide(from snapshot: Snapshot, _ transition: NavigationTransition, in window: Window) {
        leaving = (snapshot, transition)
        window.animate { [weak self] share in
            guard let self else { return }
            self.share = share
            if share >= 1 { self.leaving = nil }
            self.setNeedsLayout()
        }
    }

    override func layoutSubviews() {
        guard let top = subviews.last else { return }
        var offset = dragged
        if let leaving, leaving.transition == .push { offset = Int(clamping: Double(bounds.width) * (1 - share)) }
        top.frame = Rect(x: offset, y: 0, width: bounds.width, height: bounds.height)
        for below in subviews.dropLast() { below.frame = bounds }
    }

    override func draw(in surface: Surface) {
        if let leaving, leaving.transition == .push { surface.draw(leaving.snapshot.grid, at: .zero) }
    }

    override func drawOver(in surface: Surface) {
        guard let leaving, leaving.transition == .pop else { return }
        surface.draw(leaving.snapshot.grid, at: Point(x: Int(clamping: Double(bounds.width) * share), y: 0))
    }

    // MARK: Dragging

    override func hitTest(_ point: Point) -> View? {
        if !isHidden, !passesThrough, frame.contains(point), point.x - frame.minX < NavigationContentView.edge,
            canDrag()
        {
            return self
        }
        return super.hitTest(point)
    }

    override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left) where event.location.x < NavigationContentView.edge && canDrag() && !passesThrough:
            return true
        case .drag(.left):
            if !isDragging {
                guard event.location.x > NavigationContentView.edge, canDrag() else { return true }
                isDragging = true
                dragDidBegin()
            }
            dragged = max(0, min(event.location.x, bounds.width))
            setNeedsLayout()
            return true
        case .release where isDragging:
            let pops = event.location.x >= bounds.width / 3
            isDragging = false
            dragged = 0
            dragDidEnd(pops)
            return true
        case .release:
            // A click that was no drag belongs to the content there, as does the wheel.
            if event.location.x < NavigationContentView.edge { passOn(.press(.left), of: event) }
            return true
        case .wheel, .horizontalWheel:
            guard !passesThrough, event.location.x < NavigationContentView.edge, canDrag() else { return false }
            passOn(event.action, of: event)
            return true
        default:
            return false
        }
    }

    /// Sends an action at the place of an event to the content there.
    private func passOn(_ action: MouseEvent.Action, of event: MouseEvent) {
        passesThrough = true
        window?.send(MouseEvent(action, at: convertToWindow(event.location), event.modifiers))
        passesThrough = false
    }

    /// Cancels a drag, such as for a resize.
    func abandonDrag() {
        isDragging = false
        dragged = 0
    }
}
