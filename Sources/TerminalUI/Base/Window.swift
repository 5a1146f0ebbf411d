/// Everything on the screen: a root controller, what is presented over it, the focus and the looks.
@MainActor
public final class Window: Responder {
    /// Columns and rows.
    public private(set) var size: Size
    /// The looks of all views. The terminal's own (``Theme/standard``) is mixed of the colours that the terminal tells.
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

    /// Keys that the user has bound otherwise.
    public var keyMap = KeyMap() {
        didSet {
            keyMap.namesKeys = isLinear
            if keyMap != oldValue { setNeedsLayout() }
        }
    }
    /// Whether the screen is for being read from top to bottom, as screen readers and braille lines do: one column whatever the
    /// width, no lines, keys by name, popovers and sheets alone on the screen, the text cursor on what is chosen.
    public var isLinear = false {
        didSet {
            guard isLinear != oldValue else { return }
            keyMap.namesKeys = isLinear
            traitsMayHaveChanged()
            updateAppearance()
        }
    }
    /// Where the size classes begin.
    public var thresholds = SizeClassThresholds() {
        didSet { if thresholds != oldValue { traitsMayHaveChanged() } }
    }
    /// What the terminal can show.
    public internal(set) var capabilities: TerminalCapabilities {
        didSet {
            guard capabilities != oldValue else { return }
            adaptTheme()
            traitsMayHaveChanged()
        }
    }
    /// The controller whose view fills the window.
    public let rootViewController: ViewController
    /// Whether what slides is seen to slide.
    public var motion = Motion.reduced { didSet { if motion == .reduced { animator.finish() } } }
    /// Called by a right click that no view has used, with its place.
    public var contextMenu: (Point) -> Void = { _ in }
    /// Called with a key that nothing has used, and with why, where a command that it is bound to cannot be done now.
    public var unusedKey: (KeyPress, DisplayText?) -> Void = { _, _ in }
    /// Called after a key that something has used.
    public var usedKey: () -> Void = {}
    /// Called when what was chosen with the mouse was copied, with its number of characters.
    public var onCopy: (Int, Clipboard) -> Void = { _, _ in }
    /// Commands that apply everywhere, also over a popover.
    public var globalCommands: () -> [Command] = { [] }

    weak var terminal: (any Terminal)?
    var presentations: [Presentation] = []
    let appearance = AppearanceCoordinator()
    private let animator = Animator()
    var dispatcher = KeyDispatcher()
    private var needsLayout = true
    private var needsDisplay = true
    var isLayingOut = false
    private var batchDepth = 0
    weak var mouseTarget: View?
    var clicks = ClickCounter()
    private let grid: CellGrid
    let refinements = ImageRefinementCache()

    /// Makes a window for a root controller.
    public init(
        rootViewController: ViewController, size: Size, theme: Theme = .standard,
        capabilities: TerminalCapabilities = TerminalCapabilities()
    ) {
        self.rootViewController = rootViewController
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

    /// The surroundings that the root controller gets.
    public var traits: Traits {
        Traits(
            horizontal: isLinear ? min(.compact, thresholds.horizontal(size.width)) : thresholds.horizontal(size.width),
            vertical: thresholds.vertical(size.height),
            capabilities: capabilities)
    }

    /// The commands that apply everywhere.
    public override var commands: [Command] { globalCommands() }

    // MARK: Size

    /// Takes another size: controllers hear of it before it takes effect, then traits change, then views are laid out
    /// (row SPL-14).
    public func resize(to size: Size) {
        guard size != self.size else { return setNeedsDisplay() }
        let coordinator = beginTransition {
            rootViewController.willTransition(to: size)
            for presentation in presentations { presentation.root.willTransition(to: size) }
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

    /// What takes part in the transition that is told of just now; `nil` at other times.
    public private(set) var transitionCoordinator: TransitionCoordinator?

    /// Tells of a transition, so that others can take part in it; its end is the caller's to tell.
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
        for presentation in presentations { presentation.root.updateTraits() }
        setNeedsLayout()
        updateAppearance()
    }

    /// Tells all controllers that memory is short (row SPL-10).
    public func receiveMemoryWarning() {
        refinements.forget()
        rootViewController.didReceiveMemoryWarning()
        for presentation in presentations { presentation.root.didReceiveMemoryWarning() }
    }

    // MARK: Movement

    /// Gives the moment at which a movement begins; tests give one of their own.
    public var now: () -> ContinuousClock.Instant = { .now }

    /// Shows a change as a movement: `step` is called with shares from 0 to 1, each before a drawing; where motion is
    /// reduced, once with 1.
    ///
    /// - Parameter step: Shows the movement at a share.
    public func animate(_ step: @escaping (Double) -> Void) {
        // Inside a batch several containers change at once, as when a pane is resized: nothing slides then.
        guard motion == .full, batchDepth == 0 else { return step(1) }
        animator.run(at: now()) { [weak self] share in
            step(share)
            self?.setNeedsLayout()
        }
    }

    /// Whether movements are under way, so that the next frame should be drawn soon.
    public var isAnimating: Bool { animator.isRunning }

    /// Shows the movements as they are at a moment.
    public func advanceAnimations(to now: ContinuousClock.Instant) { animator.advance(to: now) }

    /// Ends all movements where they lead to; done before any input is handled, so that none waits for them.
    public func finishAnimations() { animator.finish() }

    // MARK: Drawing

    func setNeedsLayout() {
        setNeedsDisplay()
        // A layout in progress goes from the outside to the inside, so what it changes is placed by it too.
        if !isLayingOut { needsLayout = true }
    }

    func setNeedsDisplay() {
        guard !needsDisplay else { return }
        needsDisplay = true
        terminal?.wake()
    }

    /// Says that everything has to be placed and drawn anew.
    public func setNeedsRendering() { setNeedsLayout() }

    /// Whether the next ``render()`` has something to do.
    public var needsRendering: Bool { needsDisplay || needsLayout }

    /// Runs changes of several containers as one: the life cycle is called once, when all are done.
    public func batchUpdates(_ changes: () -> Void) {
        batchDepth += 1
        changes()
        batchDepth -= 1
        updateAppearance()
    }

    /// Calls the life cycle for what came into view or went out of it; containers call it after each change.
    public func updateAppearance() {
        guard batchDepth == 0 else { return }
        appearance.update(roots: [rootViewController] + presentations.map(\.root))
        setNeedsLayout()
    }

    /// Places the views, if something said that they have to be.
    public func layoutIfNeeded() {
        guard needsLayout, !isLayingOut else { return }
        isLayingOut = true
        defer { isLayingOut = false }
        needsLayout = false
        rootViewController.view.frame = Rect(origin: .zero, size: size)
        rootViewController.view.layoutTree()
        layoutPresentations()
    }

    /// Draws everything into a grid of the window's size.
    public func render() -> CellGrid {
        layoutIfNeeded()
        needsDisplay = false
        grid.reset(to: size)
        let surface = Surface(grid)
        surface.clear(style: theme[.text])
        rootViewController.view.drawTree(in: surface)
        for presentation in presentations where !isLinear {
            surface.dim(Rect(origin: .zero, size: size), theme)
            if let shade = rootViewController.view.symbols.shade {
                for area in presentation.view.shadow { surface.fill(area, with: shade, style: theme[.rule]) }
            }
            presentation.view.drawTree(in: surface.subsurface(presentation.view.frame))
        }
        if isLinear, let top = presentations.last { top.view.drawTree(in: surface.subsurface(top.view.frame)) }
        drawKeyHint(in: surface)
        return grid
    }

    /// After the first keys of a sequence: what may follow, at the lower right.
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

    /// Where the text cursor stands; `nil` when the focused view has none.
    public var cursor: Point? {
        guard let view = focusedView, let cursor = view.cursor ?? (isLinear ? view.reading : nil) else { return nil }
        let place = view.convertToWindow(cursor)
        return Rect(origin: .zero, size: size).contains(place) ? place : nil
    }

    /// Puts text into the terminal's clipboard, where it allows that.
    ///
    /// What is copied is text from outside as a rule, and is pasted where it is obeyed: it is made safe (``Sanitizer``), on one
    /// line.
    ///
    /// - Parameter report: Called with who was given it.
    public func copyToClipboard(_ text: String, report: @escaping @MainActor (Clipboard) -> Void = { _ in }) {
        terminal?.copy(Sanitizer.sanitize(text), report)
    }

    /// Puts a text of several lines into the clipboard.
    ///
    /// - Parameter report: Called with who was given it.
    public func copyToClipboard(lines: [String], report: @escaping @MainActor (Clipboard) -> Void = { _ in }) {
        terminal?.copy(lines.map { Sanitizer.sanitize($0) }.joined(separator: "\n"), report)
    }

    /// Puts what was chosen with the mouse into the clipboard: its lines stay lines.
    func copy(selected text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        copyToClipboard(lines: lines.map(String.init)) { [weak self] clipboard in
            self?.onCopy(text.count, clipboard)
        }
    }

    /// Finds out which pictures the terminal can show; a change comes as one of the traits. Image views that need to know
    /// ask for it themselves.
    public func detectGraphics() { terminal?.detectGraphics() }

    // MARK: Focus

    /// The innermost controller that keys are directed at.
    public var focusedController: ViewController {
        var controller = presentations.last?.root ?? rootViewController
        while let child = controller.focusedChild { controller = child }
        return controller
    }

    /// The view that keys are directed at.
    public var focusedView: View? { focusedController.focusTarget }

    /// Directs keys at a view, and with it at the controllers around it.
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

    /// Whether Tab goes through the fields of a form: in what is presented, and where a control has the focus. A view that
    /// wants Tab for itself gets it.
    var isInForm: Bool {
        guard let focusedView, !focusedView.wantsTab else { return false }
        return !presentations.isEmpty || focusedView.isFormElement
    }

    /// Goes round the views inside a view that keys can be directed at, by Tab in forms, and by arrows and Tab that nothing else
    /// uses.
    ///
    /// - Returns: Whether there were others to go to.
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

    /// The responders that a key is offered to, innermost first.
    var responderChain: [Responder] { responderChain(from: presentations.last?.root ?? rootViewController) }

    /// The same, if keys were directed at a controller.
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

    /// The commands that can be reached from the focus, innermost first, without those that an inner one hides.
    ///
    /// Each comes with the keys that reach it from here.
    public var availableCommands: [(command: Command, keys: [KeySequence])] {
        var taken: Set<KeySequence> = []
        var result: [(command: Command, keys: [KeySequence])] = []
        for responder in responderChain {
            for command in responder.commands where command.isEnabled {
                let keys = keyMap.keys(for: command.definition).filter { !taken.contains($0) }
                taken.formUnion(keys)
                if !keys.isEmpty, command.isListed { result.append((command, keys)) }
            }
        }
        return result
    }

    /// The commands that responders on the way from the focus offer, innermost first: each once, with those that cannot be
    /// done now.
    public var offeredCommands: [Command] {
        var taken: Set<String> = []
        return responderChain.flatMap(\.commands).filter { taken.insert($0.name).inserted }
    }

    /// Does a command as the innermost responder offers it that a key would reach in a controller; what stands in its way is
    /// told as for a key.
    ///
    /// - Returns: Whether it was done.
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
