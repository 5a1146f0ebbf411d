/// A stack of controllers that shows its top between a bar and a toolbar (rows NAV-01 to NAV-03).
///
/// Inside another navigation controller it has its own bar only in tall panes. In lower panes the outermost bar shows
/// the title and the back item of the stack with the focus.
open class NavigationController: ViewController, ScrollObserver {
    /// The controllers from the root to the top.
    public private(set) var viewControllers: [ViewController] = []
    /// The delegate.
    public weak var delegate: (any NavigationControllerDelegate)?
    /// A view that is always in the bar, such as a segmented control (row SEG-02).
    public var persistentTitleView: View? { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// A view at the right edge of the bar, such as a progress bar.
    public var accessoryView: View? { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// A view over the last lines, at most a third of the content. It is shown while it has content and the bar can't
    /// show all of the accessory view.
    public var overflowView: View? {
        didSet {
            oldValue?.removeFromSuperview()
            viewIfLoaded?.setNeedsLayout()
        }
    }
    /// The line and the column beside the stack.
    public private(set) lazy var extras = NavigationExtras(of: self)
    /// Whether the bar has a rule below it.
    public var hasRule = false
    /// Whether the bar is hidden.
    public var isNavigationBarHidden = false { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// Whether the bars hide while the user scrolls down in low panes. They return when scrolling up or at the
    /// beginning.
    public var hidesBarsOnScroll = false
    private var hasScrolledDown = false
    private var wantsNoBars = false
    /// Returns a short text such as "2/3" for bars without space for a segmented control.
    public var positionText: () -> DisplayText? = { nil }
    /// The last items of the footer, whichever controller has the focus.
    public var footerItems: [BarButtonItem] = [] { didSet { for item in footerItems { item.owner = self } } }
    /// Returns commands that apply to any top controller.
    public var additionalCommands: () -> [Command] = { [] }

    /// Called when memory is short, after the controllers on the stack.
    var memoryWarning: () -> Void = {}

    private let bar = NavigationBar()
    private let toolbar = Toolbar()
    private let content = NavigationContentView()
    private lazy var draggedPop = DraggedPop(of: self, in: content)
    private var frameView: NavigationFrameView { view as? NavigationFrameView ?? NavigationFrameView() }

    /// Creates a stack with a root.
    public convenience init(rootViewController: ViewController) {
        self.init()
        setViewControllers([rootViewController])
    }

    /// Creates an empty stack.
    public override init() { super.init() }

    // MARK: The stack

    /// The visible controller.
    public var topViewController: ViewController? { viewControllers.last }

    /// Pushes a controller.
    ///
    /// Pushing a navigation controller, or one that is already on the stack, is an error in the program (row NAV-02).
    public func push(_ controller: ViewController) {
        precondition(
            !(controller is NavigationController),
            "a navigation controller cannot be pushed: push its controllers, or set them with setViewControllers")
        precondition(
            !viewControllers.contains { $0 === controller }, "this controller is on the navigation stack already")
        controller.splitColumn = controller.splitColumn ?? topViewController?.splitColumn
        setViewControllers(viewControllers + [controller], animated: true)
    }

    /// Pops the top controller and returns it. The root stays.
    @discardableResult
    public func pop(animated: Bool = true) -> ViewController? {
        guard viewControllers.count > 1, let top = topViewController else { return nil }
        setViewControllers(Array(viewControllers.dropLast()), animated: animated)
        return top
    }

    /// Pops all controllers above another and returns them in order.
    @discardableResult
    public func pop(to controller: ViewController) -> [ViewController] {
        guard let index = viewControllers.firstIndex(where: { $0 === controller }) else { return [] }
        let removed = Array(viewControllers[(index + 1)...])
        if !removed.isEmpty { setViewControllers(Array(viewControllers[...index]), animated: true) }
        return removed
    }

    /// Pops all controllers except the root and returns them in order.
    @discardableResult
    public func popToRoot() -> [ViewController] {
        viewControllers.first.map { pop(to: $0) } ?? []
    }

    /// Replaces the stack. Controllers that stay keep their state. Whether the new top is pushed or popped depends on
    /// whether it was on the stack (row NAV-01).
    ///
    /// - Parameters:
    ///   - controllers: The controllers from the root to the top.
    ///   - animated: Whether the change may be animated.
    public func setViewControllers(_ controllers: [ViewController], animated: Bool = false) {
        precondition(
            Set(controllers.map(ObjectIdentifier.init)).count == controllers.count,
            "a controller appears twice in the new navigation stack")
        let transition = NavigationTransition(from: viewControllers, to: controllers)
        let oldTop = topViewController
        draggedPop.cancel()
        let snapshot = animated && transition != .none ? snapshotOfTop : nil
        if let top = controllers.last, transition != .none {
            delegate?.navigationController(self, willShow: top, by: transition)
        }
        let removed = viewControllers.filter { old in !controllers.contains { $0 === old } }
        viewControllers = controllers
        for controller in removed where controller.parent === self { controller.removeFromParent() }
        let added = controllers.filter { $0.parent !== self }
        for controller in added { addChild(controller) }
        if oldTop !== topViewController {
            oldTop?.viewIfLoaded?.removeFromSuperview()
            if viewIfLoaded != nil { placeTop() }
        }
        for controller in added { controller.didMove(to: self) }
        window?.updateAppearance()
        if let snapshot, let window { content.slide(from: snapshot, transition, in: window) }
        if let top = topViewController, transition != .none {
            delegate?.navigationController(self, didShow: top, by: transition)
        }
    }

    /// A picture of the top, if it can slide away.
    private var snapshotOfTop: Snapshot? {
        guard let window, window.motion == .full, let top = topViewController?.viewIfLoaded, top.superview === content,
            !content.bounds.isEmpty
        else { return nil }
        return Snapshot(of: content)
    }

    /// Notifies the controllers on the stack, then the owner of several stacks.
    open override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        memoryWarning()
    }

    /// Whether the top can be dragged away from the left edge, which is possible in a single stack. An early release
    /// cancels it (row SEG-04).
    private var canBeDragged: Bool { traits.horizontal <= .compact && canGoBack }

    /// A resize cancels a drag.
    open override func willTransition(to size: Size) {
        draggedPop.cancel()
        super.willTransition(to: size)
    }

    private func placeTop() {
        guard let top = topViewController, top.view.superview !== content else { return }
        content.addSubview(top.view)
    }

    /// Only the top is visible, and the column at the right.
    open override var visibleChildren: [ViewController] {
        [extras.shownSide, topViewController].compactMap { $0 }
    }

    /// The size class of the width that is left beside the column at the right.
    open override func traits(for child: ViewController) -> Traits {
        extras.limit(super.traits(for: child), for: child)
    }

    /// Pushes a list level.
    open override func show(_ controller: ViewController) {
        if let splitViewController { splitViewController.show(controller) } else { push(controller) }
    }

    /// Forwards to the split view around it, or pushes.
    open override func showDetail(_ controller: ViewController) {
        if let splitViewController { splitViewController.showDetail(controller) } else { push(controller) }
    }

    private var canGoBack: Bool {
        viewControllers.count > 1 && topViewController?.navigationItem.hidesBackButton != true
    }

    /// The commands for going back.
    open override var commands: [Command] {
        let back = Command(NavigationCommands.back, isEnabled: canGoBack) { [weak self] in self?.pop() }
        // A list that slides over a detail can be hidden from every level.
        let away = splitViewController.map { [SplitCommands(split: $0).hideList] } ?? []
        let bars = Command(NavigationCommands.toggleBars) { [weak self] in
            guard let self else { return }
            self.wantsNoBars.toggle()
            self.viewIfLoaded?.setNeedsLayout()
        }
        return away + [back] + (isNested ? [] : [bars]) + additionalCommands()
    }

    // MARK: View

    /// The frame of the top controller between the bars.
    var contentFrame: Rect { content.frame }

    /// Creates the bar, the view for the top controller and the toolbar.
    open override func makeView() -> View { NavigationFrameView() }

    /// Adds the bars to the view.
    open override func viewDidLoad() {
        for subview in [content, bar, toolbar] { view.addSubview(subview) }
        frameView.fit = { [weak self] in self?.size(thatFits: $0) ?? $0 }
        frameView.place = { [weak self] in self?.place() }
        content.canDrag = { [weak self] in self?.canBeDragged ?? false }
        content.dragDidBegin = { [weak self] in self?.draggedPop.begin() }
        content.dragDidEnd = { [weak self] in self?.draggedPop.release(pops: $0) }
        frameView.drawLines = { [weak self] in self?.drawLines(in: $0) }
        placeTop()
    }

    /// Whether another navigation controller is around it.
    var isNested: Bool { navigationController != nil }

    private var outermost: NavigationController { navigationController?.outermost ?? self }

    /// Whether all bars of the outermost stack are hidden: by key, or while the user scrolls down in a low pane.
    private var areBarsHidden: Bool {
        if let around = navigationController { return around.outermost.areBarsHidden }
        if wantsNoBars { return true }
        return hidesBarsOnScroll && hasScrolledDown && traits.vertical <= .compact && window?.focusedView is TextView
    }

    /// Hides the bars when the user scrolls down, and shows them when scrolling up or at the beginning.
    func textDidScroll(isDown: Bool) {
        if let around = navigationController { return around.textDidScroll(isDown: isDown) }
        guard hasScrolledDown != isDown else { return }
        hasScrolledDown = isDown
        viewIfLoaded?.setNeedsLayout()
    }

    private var showsBar: Bool {
        if isNavigationBarHidden || areBarsHidden { return false }
        return isNested ? traits.vertical == .regular : true
    }

    private var showsRule: Bool {
        hasRule && !areBarsHidden && traits.vertical == .regular && traits.horizontal > .minimal
    }

    private func place() {
        let bounds = view.bounds
        bar.isHidden = !showsBar
        var top = 0
        if showsBar {
            bar.content = barContent()
            top = min(bar.lines, bounds.height)
            bar.frame = Rect(x: 0, y: 0, width: bounds.width, height: top)
        }
        lines = NavigationLines()
        let line = extras.placeLine(below: top, isHidden: !showsBar)
        if line == .below { top += 1 }
        if showsRule {
            lines.rule = top
            top += 1
        }
        if showsProgress(in: bounds.size) {
            lines.progress = top
            top += 1
        }
        let showsToolbar =
            !isNested && !areBarsHidden && traits.vertical >= .compact && traits.horizontal > .minimal
            && bounds.height > 4 && placeFooter()
        toolbar.isHidden = !showsToolbar
        let bottom = (showsToolbar ? 1 : 0) + (line == .atEdge ? 1 : 0)
        toolbar.frame = Rect(x: 0, y: bounds.height - 1, width: bounds.width, height: 1)
        if line == .atEdge { extras.line?.frame.origin.y = bounds.height - bottom }
        content.frame = bounds.inset(top: top, bottom: bottom)
        lines.side = extras.placeSide(in: content.frame)
        if let side = lines.side { content.frame.size.width = max(0, side.minX) }
        placeTop()
        placeOverflow()
    }

    /// Shows the keys of the focused column and the position in it. Nested stacks leave this to the outermost one.
    ///
    /// - Returns: Whether there is anything to show.
    private func placeFooter() -> Bool {
        let focused = sequence(first: self as ViewController) { $0.focusedChild }.dropFirst()
        guard let owner = focused.filter({ !$0.toolbarItems.isEmpty }).last, let window else {
            toolbar.items = footerItems
            return !footerItems.isEmpty
        }
        // A key that does nothing here would contradict what the list says.
        let offered = window.keys.offered(owner.toolbarItems.compactMap { $0.definition?.name }, from: owner)
        let own = owner.toolbarItems.filter { item in item.definition.map { offered.contains($0.name) } ?? true }
        let items = own + footerItems
        if !items.elementsEqual(toolbar.items, by: ===) { toolbar.items = items }
        toolbar.positioned = { [weak owner] in owner?.focusTarget }
        return true
    }

    private func placeOverflow() {
        guard let overflowView else { return }
        if overflowView.superview == nil { view.addSubview(overflowView) }
        let bounds = view.bounds
        overflowView.isHidden = true
        let height = overflowView.sizeThatFits(Size(width: bounds.width, height: max(1, bounds.height / 3))).height
        guard bounds.height > 1, height > 0 else { return }
        // The views in the bar were laid out for previous content.
        if showsBar { bar.layoutSubviews() }
        let shown = showsBar && bar.content.accessory != nil ? accessoryView?.frame.width ?? 0 : 0
        let wanted = accessoryView?.sizeThatFits(bounds.size).width ?? 0
        overflowView.isHidden = wanted <= shown
        // A message appears once: in the bar, or over the content if the bar would truncate it.
        if !overflowView.isHidden, bar.content.accessory != nil {
            bar.content.accessory = nil
            bar.layoutSubviews()
        }
        overflowView.frame = Rect(x: 0, y: bounds.height - height, width: bounds.width, height: height)
    }

    private var lines = NavigationLines()

    private func showsProgress(in size: Size) -> Bool {
        guard let item = topViewController?.navigationItem, item.showsProgress, showsBar, !showsRule else {
            return false
        }
        return traits.vertical == .regular && traits.horizontal > .minimal && size.height >= 12
    }

    /// Returns the content's size including the bars.
    private func size(thatFits limit: Size) -> Size {
        let bars =
            (showsBar ? bar.lines : 0) + (showsRule ? 1 : 0)
            + (isNested || topViewController?.toolbarItems.isEmpty ?? true ? 0 : 1)
        let room = Size(width: limit.width, height: max(0, limit.height - bars))
        let inner = topViewController?.view.sizeThatFits(room) ?? room
        return Size(width: inner.width, height: min(limit.height, inner.height + bars))
    }

    private func drawLines(in surface: Surface) {
        let top = topViewController
        lines.draw(
            in: surface, of: view, progress: top?.navigationItem.progress, verticalRules: top?.verticalRules ?? [])
    }
}
