/// A rectangle of cells that draws itself and contains subviews.
///
/// Subclasses draw in ``draw(in:)`` and place their subviews in ``layoutSubviews()``. Both are called after
/// ``setNeedsDisplay()`` or ``setNeedsLayout()``, once for any number of changes.
@MainActor
open class View: Responder {
    /// The position and size in the superview's coordinates.
    public var frame: Rect = .zero {
        didSet {
            if frame.size != oldValue.size { setNeedsLayout() } else if frame != oldValue { setNeedsDisplay() }
        }
    }

    /// The subviews in drawing order.
    public private(set) var subviews: [View] = []
    /// The view that contains this one.
    public private(set) weak var superview: View?
    /// The controller whose view this is, if any.
    public internal(set) weak var viewController: ViewController?
    /// The window, if this is its outermost view.
    weak var hostWindow: Window?

    /// Whether the view is excluded from drawing, focus and clicks.
    public var isHidden = false {
        didSet { if isHidden != oldValue { setNeedsLayout() } }
    }

    /// Whether the view can have the focus.
    open var canBecomeFocused: Bool { false }

    /// Whether the view handles Tab instead of moving to the next field. Fields that complete text or indent do.
    open var wantsTab: Bool { false }

    /// Whether the view accepts several typed characters as one edit (``insert(typed:)``). A view for which a character
    /// has another meaning doesn't.
    var acceptsTyping: Bool { false }

    /// Whether a command that is available everywhere has a key, such as one that suspends the program.
    package func isKeyOfProgram(_ press: KeyPress) -> Bool {
        guard let window else { return false }
        return window.commands.contains { command in
            window.keyMap.keys(for: command.definition).contains { $0.presses == [press] }
        }
    }

    /// Inserts several typed characters as one edit.
    func insert(typed characters: [Character]) {}

    /// Whether Tab in a form moves from this view to the next. Controls and text fields do.
    open var isFormElement: Bool { false }

    /// The view's rectangle in its own coordinates.
    public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

    /// The superview, or the controller if this is a controller's view.
    open override var nextResponder: Responder? { viewController ?? superview }

    /// The window that contains the view.
    public var window: Window? {
        var outermost = self
        while let around = outermost.superview { outermost = around }
        return outermost.hostWindow
    }

    /// Whether the view has the focus.
    public var isFocused: Bool { window?.focusedView === self }

    /// The theme of the window.
    public var theme: Theme { window?.theme ?? .standard }

    /// The nearest controller whose view is this one or contains it.
    package var nearestViewController: ViewController? { viewController ?? superview?.nearestViewController }

    /// The role of what is behind the view's content: text, or that of a box around it.
    var groundRole: ThemeRole { superview?.groundRole ?? .text }

    /// The traits of the controller that the view belongs to.
    public var traits: Traits {
        nearestViewController?.traits ?? window?.traits ?? Traits(horizontal: .regular, vertical: .regular)
    }

    // MARK: Hierarchy

    /// Adds a subview above the others.
    public func addSubview(_ view: View) {
        insertSubview(view, at: subviews.count)
    }

    /// Inserts a subview at an index in drawing order.
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

    /// Removes the view from its superview.
    public func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        superview.setNeedsLayout()
        self.superview = nil
    }

    /// The view and those around it, from the inside outwards.
    var selfAndSuperviews: some Sequence<View> { sequence(first: self) { $0.superview } }

    /// Whether this is the given view or a descendant of it.
    public func isDescendant(of view: View) -> Bool { self === view || superview?.isDescendant(of: view) == true }

    /// Whether this is the given view or a descendant of it, and not hidden in it.
    func isVisible(in root: View) -> Bool {
        var present: View? = self
        while let candidate = present, candidate === root && self !== root || !candidate.isHidden {
            if candidate === root { return true }
            present = candidate.superview
        }
        return false
    }

    // MARK: Layout and drawing

    /// Requests a layout before the next drawing.
    public func setNeedsLayout() { window?.setNeedsLayout() }

    /// Requests a drawing.
    public func setNeedsDisplay() { window?.setNeedsDisplay() }

    /// Places the subviews. The base class does nothing.
    open func layoutSubviews() {}

    /// Draws the view on a surface of its size, before its subviews.
    open func draw(in surface: Surface) {}

    /// Draws over the subviews.
    open func drawOver(in surface: Surface) {}

    /// Returns the preferred size within a limit. The base class returns the limit.
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

    /// Converts a point from the view's to the window's coordinates.
    public func convertToWindow(_ point: Point) -> Point {
        let place = Point(x: point.x + frame.minX, y: point.y + frame.minY)
        return superview?.convertToWindow(place) ?? place
    }

    /// Converts a rectangle from the view's to the window's coordinates.
    public func convertToWindow(_ rect: Rect) -> Rect {
        Rect(origin: convertToWindow(rect.origin), size: rect.size)
    }

    /// The part of the view that its superviews don't clip, in the window's coordinates. It is empty for a hidden view.
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

    /// Returns the innermost visible view at a point in the superview's coordinates.
    open func hitTest(_ point: Point) -> View? {
        guard !isHidden, frame.contains(point) else { return nil }
        let inside = Point(x: point.x - frame.minX, y: point.y - frame.minY)
        for view in subviews.reversed() {
            if let hit = view.hitTest(inside) { return hit }
        }
        return self
    }

    /// Handles a mouse event, whose location is in the view's own coordinates.
    ///
    /// - Returns: Whether it was handled. Otherwise the superview receives it.
    open func handle(_ event: MouseEvent) -> Bool { false }

    /// Scrolls the surrounding views until this one is visible.
    package func scrollIntoSight() {
        var rect = bounds
        var view: View = self
        while let superview = view.superview {
            rect = superview.scroll(to: rect.offsetBy(x: view.frame.minX, y: view.frame.minY), of: view)
            view = superview
        }
    }

    /// Scrolls until a part of a subview is visible. The base class doesn't scroll.
    ///
    /// - Parameter rect: The part in the view's own coordinates.
    /// - Returns: The part's rectangle after scrolling.
    open func scroll(to rect: Rect, of subview: View) -> Rect { rect }

    /// The position in the view's content for the footer, such as "3 of 26", or `nil` for none.
    open var positionText: DisplayText? { nil }

    /// Scrolls to the beginning. The base class doesn't scroll.
    func scrollToTop() { _ = go(toLine: 0) }

    /// Goes to a line or row, or to the last one if there are fewer.
    ///
    /// - Returns: Whether the view has lines to go to.
    func go(toLine line: Int) -> Bool { false }

    /// The position of the text cursor in the view's own coordinates, while it has the focus.
    open var cursor: Point? { nil }
    /// The position that a screen reader should follow, such as the selection, if ``Window/isLinear`` is on.
    open var reading: Point? { .zero }

    /// The first view that can have the focus, among this view and its descendants.
    package var firstFocusable: View? {
        if isHidden { return nil }
        if canBecomeFocused { return self }
        for view in subviews where view.viewController == nil {
            if let found = view.firstFocusable { return found }
        }
        return nil
    }
}

extension View {
    /// The symbols that the terminal can show.
    public var symbols: Symbols {
        guard let window else { return .unicode }
        return window.isLinear ? .linear : window.capabilities.hasUnicode ? .unicode : .ascii
    }

    /// Draws a progress bar on a line, of which some columns are completed.
    package func drawProgress(_ done: Int, on line: Rect, in surface: Surface) {
        let part = Rect(x: line.minX, y: line.minY, width: done, height: 1)
        surface.fill(line, with: symbols.progressOpen, style: theme[.rule])
        surface.fill(part, with: symbols.progressDone, style: theme[.progress])
    }
}
