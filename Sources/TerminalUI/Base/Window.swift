/// The content of the screen: a root controller, presented controllers, the focus and the theme.
@MainActor
public final class Window: Responder {
    /// The size in cells.
    public private(set) var size: Size
    /// The theme of all views. The terminal's own (``Theme/standard``) is mixed from the colours that the terminal
    /// reports.
    public var theme: Theme {
        get { adaptedTheme }
        set {
            chosenTheme = newValue
            adaptedTheme = newValue.adapted(to: capabilities)
            setNeedsDisplay()
        }
    }
    private var chosenTheme: Theme, adaptedTheme: Theme

    /// The keys that the user has bound.
    public var keyMap = KeyMap() {
        didSet {
            keyMap.namesKeys = isLinear || !capabilities.hasUnicode
            if keyMap != oldValue { setNeedsLayout() }
        }
    }
    /// Whether the screen is read from top to bottom, by screen readers and braille displays.
    ///
    /// It then has one column at any width, no lines, key names, popovers and sheets alone on the screen, and the text
    /// cursor on the selection.
    public var isLinear = false {
        didSet {
            guard isLinear != oldValue else { return }
            keyMap.namesKeys = isLinear || !capabilities.hasUnicode
            traitsMayHaveChanged()
            updateAppearance()
        }
    }
    /// The boundaries of the size classes.
    public var thresholds = SizeClassThresholds() {
        didSet { if thresholds != oldValue { traitsMayHaveChanged() } }
    }
    /// The capabilities of the terminal.
    public internal(set) var capabilities: TerminalCapabilities {
        didSet {
            guard capabilities != oldValue else { return }
            adaptedTheme = chosenTheme.adapted(to: capabilities)
            keyMap.namesKeys = isLinear || !capabilities.hasUnicode
            traitsMayHaveChanged()
        }
    }
    /// The controller whose view fills the window.
    public let rootViewController: ViewController
    /// Whether changes are animated.
    public var motion = Motion.reduced { didSet { if motion == .reduced { animator.finish() } } }
    /// Called for a right click that no view has handled, with its position.
    public var contextMenu: (Point) -> Void = { _ in }
    /// Called for a key or sequence that was not handled, with the reason if its command is disabled.
    public var unusedKey: (KeySequence, DisplayText?) -> Void = { _, _ in }
    /// Called after a key was handled.
    public var usedKey: () -> Void = {}
    /// Called when text selected with the mouse was copied, with its number of characters.
    public var onCopy: (Int, Clipboard) -> Void = { _, _ in }
    /// Returns the commands that are available everywhere, even over a popover.
    public var globalCommands: () -> [Command] = { [] }

    weak var terminal: (any Terminal)?
    let presented: PresentationStack
    let appearance = AppearanceCoordinator()
    private let animator = Animator()
    private(set) lazy var keys = WindowKeys(of: self)
    private(set) lazy var mouse = WindowMouse(of: self)
    private var requests = RenderingRequests()
    private let grid: CellGrid
    let caches = WindowCaches()

    /// Creates a window for a root controller.
    ///
    /// - Parameter presented: An empty stack, which knows how to create the boxes around controllers.
    init(
        rootViewController: ViewController, size: Size, theme: Theme, capabilities: TerminalCapabilities,
        presented: PresentationStack
    ) {
        self.rootViewController = rootViewController
        self.presented = presented
        self.size = size
        chosenTheme = theme
        adaptedTheme = theme.adapted(to: capabilities)
        self.capabilities = capabilities
        grid = CellGrid(size: size)
        super.init()
        presented.window = self
        rootViewController.hostWindow = self
        rootViewController.updateTraits()
        rootViewController.view.hostWindow = self
        rootViewController.view.frame = Rect(origin: .zero, size: size)
        updateAppearance()
    }

    /// The topmost presented controller, if any.
    public var presentedViewController: ViewController? { presented.layers.last?.controller }

    /// The traits of the root controller.
    public var traits: Traits {
        Traits(
            horizontal: isLinear ? min(.compact, thresholds.horizontal(size.width)) : thresholds.horizontal(size.width),
            vertical: thresholds.vertical(size.height),
            capabilities: capabilities)
    }

    /// The commands that are available everywhere.
    public override var commands: [Command] { globalCommands() }

    // MARK: Size

    /// Resizes the window: notifies controllers first, then changes traits, then lays out views (row SPL-14).
    public func resize(to size: Size) {
        guard size != self.size else { return setNeedsDisplay() }
        let coordinator = beginTransition {
            for root in presented.roots { root.willTransition(to: size) }
        }
        self.size = size
        rootViewController.view.frame = Rect(origin: .zero, size: size)
        traitsMayHaveChanged()
        guard coordinator.hasAnimations else { return coordinator.end(isCancelled: false) }
        animate { share in
            coordinator.advance(to: share)
            if share >= 1 { coordinator.end(isCancelled: false) }
        }
    }

    /// The coordinator of the transition that is being announced, otherwise `nil`.
    public private(set) var transitionCoordinator: TransitionCoordinator?

    /// Announces a transition so that others can animate alongside. The caller must end it.
    func beginTransition(_ tell: () -> Void) -> TransitionCoordinator {
        let outer = transitionCoordinator
        let coordinator = TransitionCoordinator()
        transitionCoordinator = coordinator
        tell()
        transitionCoordinator = outer
        return coordinator
    }

    private func traitsMayHaveChanged() {
        for root in presented.roots { root.updateTraits() }
        setNeedsLayout()
        updateAppearance()
    }

    /// Notifies all controllers that memory is short (row SPL-10).
    public func receiveMemoryWarning() {
        caches.clear()
        for root in presented.roots { root.didReceiveMemoryWarning() }
    }

    // MARK: Movement

    /// Returns the current time for animations; tests replace it.
    public var now: () -> ContinuousClock.Instant = { .now }

    /// Animates a change. `step` receives shares from 0 to 1, each before a drawing, or only 1 if motion is reduced.
    ///
    /// - Parameter step: Shows the animation at a share.
    public func animate(_ step: @escaping (Double) -> Void) {
        // In a batch several containers change at once, such as when a pane is resized. Nothing slides then.
        guard motion == .full, !appearance.isInBatch else { return step(1) }
        animator.run(at: now()) { [weak self] share in
            step(share)
            self?.setNeedsLayout()
        }
    }

    /// Whether animations are running, so that the next frame is due soon.
    public var isAnimating: Bool { animator.isRunning }

    /// Shows the animations at a time.
    public func advanceAnimations(to now: ContinuousClock.Instant) { animator.advance(to: now) }

    /// Ends all animations in their final state. Called before input is handled, so that none waits for them.
    public func finishAnimations() { animator.finish() }

    // MARK: Drawing

    /// Requests layout and drawing of everything.
    public func setNeedsLayout() {
        setNeedsDisplay()
        requests.addLayout()
    }

    /// Requests a layout for changes of a bar. During a layout another one follows, because bars are laid out before the
    /// content below them.
    func setNeedsBarLayout() {
        setNeedsLayout()
        requests.addBarLayout()
    }

    func setNeedsDisplay() {
        if requests.addDisplay() { terminal?.wake() }
    }

    /// Whether the next ``render()`` has something to do.
    public var needsRendering: Bool { requests.needsDisplay || requests.needsLayout }

    /// Combines changes of several containers: the life-cycle methods are called once at the end.
    public func batchUpdates(_ changes: () -> Void) {
        appearance.batch(changes)
        updateAppearance()
    }

    /// Calls the life-cycle methods for controllers that became visible or invisible. Containers call it after each
    /// change.
    public func updateAppearance() {
        guard !appearance.isInBatch else { return }
        appearance.update(roots: presented.roots)
        setNeedsLayout()
    }

    /// Lays out the views if requested.
    public func layoutIfNeeded() {
        guard requests.beginLayout() else { return }
        defer { requests.endLayout() }
        func layOut() {
            rootViewController.view.frame = Rect(origin: .zero, size: size)
            rootViewController.view.layoutTree()
            let lost = presented.layOut()
            guard !lost.isEmpty else { return }
            requests.endLayout()
            for controller in lost { presented.dismiss(controller) }
        }
        layOut()
        if requests.needsBarLayout { layOut() }
        requests.dropBarLayout()
    }

    /// Draws everything into a grid of the window's size.
    public func render() -> CellGrid {
        layoutIfNeeded()
        requests.endDisplay()
        grid.reset(to: size)
        let surface = Surface(grid)
        surface.clear(style: theme[.text])
        rootViewController.view.drawTree(in: surface)
        for layer in presented.layers where !isLinear {
            surface.dim(Rect(origin: .zero, size: size), theme)
            for area in layer.shadow { surface.shade(area, theme) }
            // Without a ground of its own, the box needs space around it.
            if theme.fading == nil {
                surface.fill(layer.surroundings, style: theme[.text])
            }
            layer.box.drawTree(in: surface.subsurface(layer.box.frame))
        }
        if isLinear, let top = presented.layers.last { top.box.drawTree(in: surface.subsurface(top.box.frame)) }
        keys.drawHint(in: surface)
        return grid
    }

    /// The position of the text cursor, or `nil` if the focused view has none.
    public var cursor: Point? {
        guard let view = focusedView, let cursor = view.cursor ?? (isLinear ? view.reading : nil) else { return nil }
        let place = view.convertToWindow(cursor)
        return Rect(origin: .zero, size: size).contains(place) ? place : nil
    }

    /// Detects which pictures the terminal can show. The result arrives as a trait. Image views that need it request it
    /// themselves.
    public func detectGraphics() { terminal?.detectGraphics() }

    // MARK: Focus

    /// The innermost controller with the focus.
    public var focusedController: ViewController {
        var controller = presented.layers.last?.root ?? rootViewController
        while let child = controller.focusedChild { controller = child }
        return controller
    }

    /// The view with the focus.
    public var focusedView: View? { focusedController.focusTarget }

    /// Gives a view and the controllers around it the focus.
    public func focus(_ view: View) {
        guard let controller = view.nearestViewController else { return }
        controller.chosenFocus = view
        for child in controller.selfAndParents { child.parent?.childTookFocus(child) }
        view.scrollIntoSight()
        setNeedsLayout()
    }

    /// The responders that receive a key, innermost first.
    var responderChain: [Responder] {
        keys.responders(from: presented.layers.last?.root ?? rootViewController)
    }
}
