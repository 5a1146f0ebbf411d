/// The view that a navigation controller shows its top controller in: it shows pushes and pops as slides, and lets the
/// top be dragged off from the left edge.
@MainActor
final class NavigationContentView: View {
    private var leaving: (snapshot: Snapshot, transition: NavigationTransition)?
    private var share = 1.0
    /// Columns that the top is dragged to the right by; 0: none.
    private(set) var dragged = 0
    /// Whether the top can be dragged off.
    var canDrag: () -> Bool = { false }
    /// Called when a drag begins, and at its end with whether the top is to go.
    var dragDidBegin: () -> Void = {}
    var dragDidEnd: (_ pops: Bool) -> Void = { _ in }
    private var isDragging = false
    private var passesThrough = false

    /// The columns at the left edge that a drag can begin in.
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
            passOn(event)
            return true
        case .wheel, .horizontalWheel:
            guard !passesThrough, event.location.x < NavigationContentView.edge, canDrag(), let window else {
                return false
            }
            // The edge takes drags alone: the wheel is meant for what stands there.
            passesThrough = true
            window.send(MouseEvent(event.action, at: convertToWindow(event.location), event.modifiers))
            passesThrough = false
            return true
        default:
            return false
        }
    }

    /// A click at the edge that was no drag belongs to what stands there.
    private func passOn(_ event: MouseEvent) {
        guard event.location.x < NavigationContentView.edge, let window else { return }
        let place = convertToWindow(event.location)
        passesThrough = true
        window.send(MouseEvent(.press(.left), at: place, event.modifiers))
        passesThrough = false
    }

    /// Ends a drag where it began, as a resize does.
    func abandonDrag() {
        isDragging = false
        dragged = 0
    }

    /// Whether the top is in the user's hand.
    var isInHand: Bool { isDragging }
}
