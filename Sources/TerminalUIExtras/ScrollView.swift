import TerminalUI

/// A view that scrolls a larger view.
@MainActor
open class ScrollView: View {
    /// The scrolled view, whose size is ``contentSize``.
    public let content = View()
    /// The size of the content.
    public var contentSize: Size = .zero { didSet { if contentSize != oldValue { setNeedsLayout() } } }
    /// The content's cell in the upper left corner.
    public private(set) var contentOffset = Point.zero

    /// Creates an empty scroll view.
    public override init() {
        super.init()
        addSubview(content)
    }

    /// It can have the focus, unless its content can.
    open override var canBecomeFocused: Bool { content.firstFocusable == nil }

    /// Returns the nearest point to which the content can be scrolled.
    private func limited(_ point: Point) -> Point {
        let (right, bottom) = (contentSize.width - bounds.width, contentSize.height - bounds.height)
        return Point(x: max(0, min(point.x, right)), y: max(0, min(point.y, bottom)))
    }

    /// Scrolls to a point, limited to the content.
    public func scroll(to point: Point) {
        let target = limited(point)
        guard target != contentOffset else { return }
        contentOffset = target
        setNeedsLayout()
    }

    /// Scrolls until a rectangle of the content is visible.
    public func scrollToVisible(_ rect: Rect) {
        var target = contentOffset
        if rect.maxY > target.y + bounds.height { target.y = rect.maxY - bounds.height }
        if rect.minY < target.y { target.y = rect.minY }
        if rect.maxX > target.x + bounds.width { target.x = rect.maxX - bounds.width }
        if rect.minX < target.x { target.x = rect.minX }
        scroll(to: target)
    }

    /// Scrolls to a part of the content.
    open override func scroll(to rect: Rect, of subview: View) -> Rect {
        guard subview === content else { return rect }
        let (left, top) = (content.frame.minX, content.frame.minY)
        scrollToVisible(rect.offsetBy(x: -left, y: -top))
        return rect.offsetBy(x: -contentOffset.x - left, y: -contentOffset.y - top)
    }

    private func move(_ x: Int, _ y: Int) { scroll(to: Point(x: contentOffset.x + x, y: contentOffset.y + y)) }

    private var placedSize = Size.zero

    /// Places the content. After a resize, the focused view stays visible.
    open override func layoutSubviews() {
        if bounds.size != placedSize {
            placedSize = bounds.size
            if let focused = window?.focusedView, focused !== self, focused.isDescendant(of: self) {
                focused.scrollIntoSight()
            }
        }
        let shown = limited(contentOffset)
        content.frame = Rect(x: -shown.x, y: -shown.y, width: contentSize.width, height: contentSize.height)
    }

    /// The keys for scrolling.
    open override var commands: [Command] {
        func move(_ definition: CommandDefinition, _ x: Int, _ y: Int) -> Command {
            Command(definition) { [weak self] in self?.move(x, y) }
        }
        let page = max(1, bounds.height - 1)
        let pages = [
            move(ScrollViewCommands.pageDown, 0, page), move(ScrollViewCommands.pageUp, 0, -page),
        ]
        // In a form, the arrow keys move between fields.
        guard canBecomeFocused else { return pages }
        return pages + [
            move(ScrollViewCommands.down, 0, 1), move(ScrollViewCommands.up, 0, -1),
            move(ScrollViewCommands.right, 4, 0), move(ScrollViewCommands.left, -4, 0),
        ]
    }

    /// Scrolls with the wheel.
    open override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .wheel(let rows): move(0, rows * 3)
        case .horizontalWheel(let columns): move(columns * 4, 0)
        default: return false
        }
        return true
    }
}
