/// A rectangle of cells that draws itself and has others inside.
///
/// Subclasses draw in ``draw(in:)`` and place their subviews in ``layoutSubviews()``; both are called when something
/// said ``setNeedsDisplay()`` or ``setNeedsLayout()``, once for any number of changes.
@MainActor
open class View: Responder {
    /// The place in the superview's coordinates.
    public var frame: Rect = .zero {
        didSet {
            if frame.size != oldValue.size { setNeedsLayout() } else if frame != oldValue { setNeedsDisplay() }
        }
    }

    /// The views inside, those drawn later after those drawn earlier.
    public private(set) var subviews: [View] = []
    /// The view around this one.
    public private(set) weak var superview: View?
    /// The controller whose view this is, if it is one's.
    public internal(set) weak var viewController: ViewController?
    /// The window, when this is the outermost view of one.
    weak var hostWindow: Window?

    /// Whether it is left out of drawing, focus and clicks.
    public var isHidden = false {
        didSet { if isHidden != oldValue { setNeedsLayout() } }
    }

    /// Whether keys can be directed at it.
    open var canBecomeFocused: Bool { false }

    /// Whether Tab goes to it rather than on to the next field of its form: for fields that complete what is typed, or
    /// take indentation.
    open var wantsTab: Bool { false }

    /// Whether Tab goes on from it to the next field: in a form one goes through controls and fields of text.
    open var isFormElement: Bool { false }

    /// The rectangle in its own coordinates.
    public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

    /// The superview, or the controller when this is a controller's view.
    open override var nextResponder: Responder? { viewController ?? superview }

    /// The window it is in.
    public var window: Window? {
        var view: View? = self
        while let present = view {
            if let window = present.hostWindow { return window }
            view = present.superview
        }
        return nil
    }

    /// Whether keys go to it first.
    public var isFocused: Bool { window?.focusedView === self }

    /// The looks of the window it is in.
    public var theme: Theme { window?.theme ?? .standard }

    /// The controller whose view this is, or stands in.
    var nearestViewController: ViewController? {
        var view = self
        while view.viewController == nil, let superview = view.superview { view = superview }
        return view.viewController
    }

    /// The surroundings of the controller that it belongs to.
    public var traits: Traits {
        nearestViewController?.traits ?? window?.traits ?? Traits(horizontal: .regular, vertical: .regular)
    }

    // MARK: Hierarchy

    /// Puts a view inside, above the others.
    public func addSubview(_ view: View) {
        insertSubview(view, at: subviews.count)
    }

    /// Puts a view inside at a place in the order of drawing.
    public func insertSubview(_ view: View, at index: Int) {
        if view.superview === self {
            guard let present = subviews.firstIndex(where: { $0 === view }) else { return }
            if present == index || (index == subviews.count && present == index - 1) { return }
        }
        view.removeFromSuperview()
        subviews.insert(view, at: min(index, subviews.count))
        view.superview = self
        setNeedsLayout()
    }

    /// Takes it out of its superview.
    public func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        superview.setNeedsLayout()
        self.superview = nil
    }

    /// Whether it is the given view or inside of it.
    public func isDescendant(of view: View) -> Bool {
        var present: View? = self
        while let candidate = present {
            if candidate === view { return true }
            present = candidate.superview
        }
        return false
    }

    // MARK: Layout and drawing

    /// Says that places have to be found anew before the next drawing.
    public func setNeedsLayout() { window?.setNeedsLayout() }

    /// Says that it looks otherwise than drawn.
    public func setNeedsDisplay() { window?.setNeedsDisplay() }

    /// Places the subviews. The base class leaves them where they are.
    open func layoutSubviews() {}

    /// Draws into a surface of the view's size, before the subviews do.
    open func draw(in surface: Surface) {}

    /// Draws over the subviews.
    open func drawOver(in surface: Surface) {}

    /// The size it would like within a limit; the base class takes the limit.
    open func sizeThatFits(_ limit: Size) -> Size { limit }

    func layoutTree() {
        viewController?.viewWillLayoutSubviews()
        layoutSubviews()
        for view in subviews where !view.isHidden { view.layoutTree() }
    }

    func drawTree(in surface: Surface) {
        guard !surface.isEmpty else { return }
        draw(in: surface)
        for view in subviews where !view.isHidden { view.drawTree(in: surface.subsurface(view.frame)) }
        drawOver(in: surface)
    }

    // MARK: Places and clicks

    /// A place in the window's coordinates, given in the view's own.
    public func convertToWindow(_ point: Point) -> Point {
        var point = point
        var view: View? = self
        while let present = view {
            point = Point(x: point.x + present.frame.minX, y: point.y + present.frame.minY)
            view = present.superview
        }
        return point
    }

    /// A rectangle in the window's coordinates, given in the view's own.
    public func convertToWindow(_ rect: Rect) -> Rect {
        Rect(origin: convertToWindow(rect.origin), size: rect.size)
    }

    /// The part of the view that its superviews do not cut off, in the window's coordinates; empty in a hidden view.
    var visibleRectInWindow: Rect {
        var rect = bounds
        var view: View = self
        while true {
            if view.isHidden { return .zero }
            rect = rect.offsetBy(x: view.frame.minX, y: view.frame.minY)
            guard let superview = view.superview else { return rect }
            rect = rect.intersection(superview.bounds)
            view = superview
        }
    }

    /// The innermost visible view at a place, given in the superview's coordinates.
    public func hitTest(_ point: Point) -> View? {
        guard !isHidden, frame.contains(point) else { return nil }
        let inside = Point(x: point.x - frame.minX, y: point.y - frame.minY)
        for view in subviews.reversed() {
            if let hit = view.hitTest(inside) { return hit }
        }
        return self
    }

    /// Takes a mouse report; its location is in the view's own coordinates.
    ///
    /// - Returns: Whether it was used; if not, the superview is asked.
    open func handle(_ event: MouseEvent) -> Bool { false }

    /// Scrolls what is around it until it can be seen.
    func scrollIntoSight() {
        var rect = bounds
        var view: View = self
        while let superview = view.superview {
            rect = rect.offsetBy(x: view.frame.minX, y: view.frame.minY)
            if let scroll = superview as? ScrollView, view === scroll.content {
                scroll.scrollToVisible(rect.offsetBy(x: -view.frame.minX, y: -view.frame.minY))
                rect = rect.offsetBy(
                    x: -scroll.contentOffset.x - view.frame.minX, y: -scroll.contentOffset.y - view.frame.minY)
            }
            view = superview
        }
    }

    /// Where the text cursor stands, in the view's own coordinates, while the view is focused.
    open var cursor: Point? { nil }
    /// Where somebody reads who follows the cursor: on what is chosen. Used where ``Window/isLinear``.
    open var reading: Point? { .zero }

    /// The first view inside, or this one, that keys can be directed at.
    var firstFocusable: View? {
        if isHidden { return nil }
        if canBecomeFocused { return self }
        for view in subviews where view.viewController == nil {
            if let found = view.firstFocusable { return found }
        }
        return nil
    }
}
