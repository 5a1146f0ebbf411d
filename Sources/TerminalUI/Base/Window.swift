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
            adaptTheme()
        }
    }
    private var chosenTheme: Theme
    private var adaptedTheme: Theme

    private func adaptTheme() {
        adaptedTheme = chosenTheme.adapted(to: capabilities)
        setNeedsDisplay()
    }

    /// The keys that the user has bound.
    public var keyMap = KeyMap() {
        didSet {
            keyMap.namesKeys = isLinear
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
            keyMap.namesKeys = isLinear
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
            adaptTheme()
            traitsMayHaveChanged()
        }
    }
    /// The controller whose view fills the window.
    public let rootViewController: ViewController
    /// Whether changes are animated.
    public var motion = Motion.reduced { didSet { if motion == .reduced { animator.finish() } } }
    /// Called for a right click that no view has handled, with its position.
    public var contextMenu: (Point) -> Void = { _ in }
    /// Called for a key that was not handled, with the reason if its command is disabled.
    public var unusedKey: (KeyPress, DisplayText?) -> Void = { _, _ in }
    /// Called after a key was handled.
    public var usedKey: () -> Void = {}
    /// Called when text selected with the mouse was copied, with its number of characters.
    public var onCopy: (Int, Clipboard) -> Void = { _, _ in }
    /// Returns the commands that are available everywhere, even over a popover.
    public var globalCommands: () -> [Command] = { [] }

    weak var terminal: (any Terminal)?
    /// The presented controllers.
    private(set) lazy var presented = PresentationStack(window: self, makeLayer: makeLayer)
    private let makeLayer: (ViewController, Window) -> any PresentedLayer
    let appearance = AppearanceCoordinator()
    private let animator = Animator()
    var dispatcher = KeyDispatcher()
    private var needsLayout = true
    /// Whether a bar has changed during a layout.
    private var needsBarLayout = false
    private var needsDisplay = true
    private var isLayingOut = false
    private var batchDepth = 0
    weak var mouseTarget: View?
    var clicks = ClickCounter()
    private let grid: CellGrid
    private var caches: [ObjectIdentifier: any WindowCache] = [:]

    /// Creates a window for a root controller.
    ///
    /// - Parameter makeLayer: Creates the box around a presented controller.
    init(
        rootViewController: ViewController, size: Size, theme: Theme, capabilities: TerminalCapabilities,
        makeLayer: @escaping (ViewController, Window) -> any PresentedLayer
    ) {
        self.rootViewController = rootViewController
        self.makeLayer = makeLayer
        self.size = size
        chosenTheme = theme
        adaptedTheme = theme.adapted(to: capabilities)
        self.capabilities = capabilities
        grid = CellGrid(size: size)
        super.init()
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
            rootViewController.willTransition(to: size)
            for layer in presented.layers { layer.root.willTransition(to: size) }
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
        rootViewController.updateTraits()
        for layer in presented.layers { layer.root.updateTraits() }
        setNeedsLayout()
        updateAppearance()
    }

    /// Notifies all controllers that memory is short (row SPL-10).
    public func receiveMemoryWarning() {
        for cache in caches.values { cache.forget() }
        rootViewController.didReceiveMemoryWarning()
        for layer in presented.layers { layer.root.didReceiveMemoryWarning() }
    }

    /// Returns the window's cache of a kind, which is created on first use and cleared when memory is short.
    func cache<Cache: WindowCache>(_ kind: Cache.Type = Cache.self) -> Cache {
        if let known = caches[ObjectIdentifier(kind)] as? Cache { return known }
        let cache = Cache()
        caches[ObjectIdentifier(kind)] = cache
        return cache
    }

    // MARK: Movement

    /// Returns the current time for animations; tests replace it.
    public var now: () -> ContinuousClock.Instant = { .now }

    /// Animates a change. `step` receives shares from 0 to 1, each before a drawing, or only 1 if motion is reduced.
    ///
    /// - Parameter step: Shows the animation at a share.
    public func animate(_ step: @escaping (Double) -> Void) {
        // In a batch several containers change at once, such as when a pane is resized. Nothing slides then.
        guard motion == .full, batchDepth == 0 else { return step(1) }
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

    func setNeedsLayout() {
        setNeedsDisplay()
        // A layout in progress goes from the outside inwards, so it also covers changes made during it.
        if !isLayingOut { needsLayout = true }
    }

    /// Requests a layout for changes of a bar. During a layout another one follows, because bars are laid out before the
    /// content below them.
    func setNeedsBarLayout() {
        setNeedsLayout()
        if isLayingOut { needsBarLayout = true }
    }

    func setNeedsDisplay() {
        guard !needsDisplay else { return }
        needsDisplay = true
        terminal?.wake()
    }

    /// Requests layout and drawing of everything.
    public func setNeedsRendering() { setNeedsLayout() }

    /// Whether the next ``render()`` has something to do.
    public var needsRendering: Bool { needsDisplay || needsLayout }

    /// Combines changes of several containers: the life-cycle methods are called once at the end.
    public func batchUpdates(_ changes: () -> Void) {
        batchDepth += 1
        changes()
        batchDepth -= 1
        updateAppearance()
    }

    /// Calls the life-cycle methods for controllers that became visible or invisible. Containers call it after each
    /// change.
    public func updateAppearance() {
        guard batchDepth == 0 else { return }
        appearance.update(roots: [rootViewController] + presented.layers.map(\.root))
        setNeedsLayout()
    }

    /// Lays out the views if requested.
    public func layoutIfNeeded() {
        guard needsLayout, !isLayingOut else { return }
        isLayingOut = true
        defer { isLayingOut = false }
        needsLayout = false
        layOut()
        if needsBarLayout { layOut() }
        needsBarLayout = false
    }

    private func layOut() {
        rootViewController.view.frame = Rect(origin: .zero, size: size)
        rootViewController.view.layoutTree()
        let lost = presented.layOut()
        guard !lost.isEmpty else { return }
        isLayingOut = false
        for controller in lost { presented.dismiss(controller) }
    }

    /// Draws everything into a grid of the window's size.
    public func render() -> CellGrid {
        layoutIfNeeded()
        needsDisplay = false
        grid.reset(to: size)
        let surface = Surface(grid)
        surface.clear(style: theme[.text])
        rootViewController.view.drawTree(in: surface)
        for layer in presented.layers where !isLinear {
            surface.dim(Rect(origin: .zero, size: size), theme)
            for area in layer.shadow { surface.shade(area, theme) }
            layer.box.drawTree(in: surface.subsurface(layer.box.frame))
        }
        if isLinear, let top = presented.layers.last { top.box.drawTree(in: surface.subsurface(top.box.frame)) }
        drawKeyHint(in: surface)
        return grid
    }

    /// Draws the possible next keys of a sequence at the lower right.
    private func drawKeyHint(in surface: Surface) {
        guard !dispatcher.pending.isEmpty else { return }
        let rows = dispatcher.continuations(in: responderChain, keyMap: keyMap)
        let pane = Rect(origin: .zero, size: size)
        let keys = rows.map(\.keys.columns).max() ?? 0
        let width = min(size.width, keys + 3 + (rows.map(\.title.columns).max() ?? 0))
        let height = min(rows.count, size.height)
        let box = Rect(x: size.width - width, y: size.height - height, width: width, height: height).intersection(pane)
        surface.fill(box, style: theme[.popover])
        for (index, row) in rows.prefix(height).enumerated() {
            let line = surface.subsurface(Rect(x: box.minX, y: box.minY + index, width: width, height: 1))
            line.draw(row.keys, at: Point(x: 1, y: 0), style: theme[.accent])
            line.draw(row.title, at: Point(x: keys + 2, y: 0), style: theme[.popover])
        }
    }

    /// The position of the text cursor, or `nil` if the focused view has none.
    public var cursor: Point? {
        guard let view = focusedView, let cursor = view.cursor ?? (isLinear ? view.reading : nil) else { return nil }
        let place = view.convertToWindow(cursor)
        return Rect(origin: .zero, size: size).contains(place) ? place : nil
    }

    /// Copies a text to the terminal's clipboard if the terminal allows it.
    ///
    /// Copied text usually comes from outside and may be pasted into a shell, so it is sanitised (``Sanitizer``) and
    /// joined into one line.
    ///
    /// - Parameter report: Called with the clipboard that received it.
    public func copyToClipboard(_ text: String, report: @escaping @MainActor (Clipboard) -> Void = { _ in }) {
        terminal?.copy(Sanitizer.sanitize(text), report)
    }

    /// Copies several lines to the clipboard.
    ///
    /// - Parameter report: Called with the clipboard that received them.
    public func copyToClipboard(lines: [String], report: @escaping @MainActor (Clipboard) -> Void = { _ in }) {
        terminal?.copy(lines.map { Sanitizer.sanitize($0) }.joined(separator: "\n"), report)
    }

    /// Copies text selected with the mouse, with its line breaks.
    func copy(selected text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        copyToClipboard(lines: lines.map(String.init)) { [weak self] clipboard in
            self?.onCopy(text.count, clipboard)
        }
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
        var child = controller
        while let parent = child.parent {
            parent.childTookFocus(child)
            child = parent
        }
        view.scrollIntoSight()
        setNeedsLayout()
    }

    /// Whether Tab moves through the fields of a form: in presented controllers, and if a control has the focus. A view
    /// that wants Tab gets it.
    var isInForm: Bool {
        guard let focusedView, !focusedView.wantsTab else { return false }
        return !presented.layers.isEmpty || focusedView.isFormElement
    }

    /// Moves the focus among the views inside a view, wrapping around: by Tab in forms, and by arrows and Tab that
    /// nothing else handles.
    ///
    /// - Returns: Whether there were other views.
    func moveFocus(_ step: Int, in root: View?) -> Bool {
        guard let root else { return false }
        var views: [View] = []
        func collect(_ view: View) {
            guard !view.isHidden else { return }
            if view.canBecomeFocused { views.append(view) }
            for subview in view.subviews { collect(subview) }
        }
        collect(root)
        guard views.count > 1, let focusedView, let index = views.firstIndex(of: focusedView) else { return false }
        focus(views[(index + step + views.count) % views.count])
        return true
    }

    /// The responders that receive a key, innermost first.
    var responderChain: [Responder] { responderChain(from: presented.layers.last?.root ?? rootViewController) }

    /// Returns the responders that would receive a key if a controller had the focus.
    private func responderChain(from controller: ViewController) -> [Responder] {
        var focused = controller
        while let child = focused.focusedChild { focused = child }
        var chain: [Responder] = []
        var responder: Responder? = focused.focusTarget ?? focused
        while let present = responder {
            chain.append(present)
            responder = present.nextResponder
        }
        if chain.last !== self { chain.append(self) }
        return chain
    }

    /// The reachable commands that help, palette and menus list.
    public var availableCommands: [(command: Command, keys: [KeySequence])] {
        reachableCommands.filter { $0.command.isListed }
    }

    /// The commands reachable from the focus, innermost first, without those hidden by inner ones.
    ///
    /// Each comes with the keys that reach it from here.
    public var reachableCommands: [(command: Command, keys: [KeySequence])] {
        var taken: Set<KeySequence> = []
        var result: [(command: Command, keys: [KeySequence])] = []
        for responder in responderChain {
            for command in responder.commands where command.isEnabled {
                let keys = keyMap.keys(for: command.definition).filter { !taken.contains($0) }
                taken.formUnion(keys)
                if !keys.isEmpty { result.append((command, keys)) }
            }
        }
        return result
    }

    /// The commands that responders from the focus outwards offer, innermost first, without duplicates but including
    /// disabled ones.
    public var offeredCommands: [Command] {
        var taken: Set<String> = []
        return responderChain.flatMap(\.commands).filter { taken.insert($0.name).inserted }
    }

    /// Performs a command as the innermost responder in a controller offers it. If it is disabled, the reason is
    /// reported as for a key.
    ///
    /// - Returns: Whether it was performed.
    @discardableResult
    public func perform(_ definition: CommandDefinition, from controller: ViewController) -> Bool {
        let offers = responderChain(from: controller).lazy.flatMap(\.commands).filter { $0.definition == definition }
        setNeedsDisplay()
        if let command = offers.first(where: \.isEnabled) {
            command.perform()
            return true
        }
        if let press = keyMap.keys(for: definition).first?.presses.last { unusedKey(press, offers.first?.obstacle) }
        return false
    }
}
