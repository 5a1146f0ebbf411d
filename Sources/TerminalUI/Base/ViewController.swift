/// Manages a view and its life, and takes part in a tree of controllers.
///
/// Containers (``NavigationController``, ``SplitViewController``) hold other controllers as ``children``, place their views
/// and say in ``visibleChildren`` which can be seen; the calls of the life cycle follow from that (row SEG-04).
@MainActor
open class ViewController: Responder {
    /// What the bar says about it, and a segment's name. Set it in the initialiser: it is read before the view is loaded
    /// (row SEG-02).
    open var title: DisplayText = .empty {
        didSet { if title != oldValue { titleDidChange() } }
    }

    /// What the bar of a navigation controller shows for it.
    public private(set) lazy var navigationItem = NavigationItem(owner: self)

    /// Whether a sheet around it has the item Done; alerts and prompts have their own ways out.
    open var hasDoneItem: Bool { true }

    /// Whether a key that it has no use for closes it where it is presented, and goes to what lies beneath.
    open var endsWithOtherKeys: Bool { false }

    /// What the toolbar of a navigation controller, or the lower border of a popover or sheet, shows for it; empty: nothing.
    public var toolbarItems: [BarButtonItem] = [] {
        didSet {
            for item in toolbarItems { item.owner = self }
            viewIfLoaded?.setNeedsLayout()
        }
    }

    /// The size it would like in a popover, without the border; zero: what its view asks for.
    open var preferredContentSize: Size = .zero {
        didSet { if preferredContentSize != oldValue { viewIfLoaded?.setNeedsLayout() } }
    }

    /// The controllers inside.
    public private(set) var children: [ViewController] = []
    /// The container around it.
    public private(set) weak var parent: ViewController?
    /// The window, when it is the root of one or presented over one.
    weak var hostWindow: Window?
    /// The column of a split view that it was shown in; what is pushed onto it shares that.
    var splitColumn: SplitViewController.Column?
    /// The columns where vertical rules of its view touch what lies above; containers that have some override it.
    open var verticalRules: [Int] { [] }
    /// Who presents it.
    public internal(set) weak var presentingViewController: ViewController?
    /// Whom it presents.
    public internal(set) var presentedViewController: ViewController?
    /// How it is shown when presented.
    public var modalPresentationStyle: ModalPresentationStyle = .automatic
    /// The manager of its popover, made on first use.
    public private(set) lazy var popoverPresentationController = PopoverPresentationController(presented: self)

    private var loadedView: View?
    weak var chosenFocus: View?
    /// What a parent hands down otherwise to this very controller: kept here, so that it ends with it.
    private var override: (parent: Weak, traits: TraitOverrides)?
    private struct Weak { weak var controller: ViewController? }
    private var knownTraits: Traits?
    var appearance = Appearance.disappeared

    /// Whether it appears because a container has taken it; told while the calls of the life cycle come.
    public internal(set) var isMovingToParent = false
    /// Whether it disappears because its container lets it go.
    public internal(set) var isMovingFromParent = false
    /// Whether it appears because it is presented.
    public internal(set) var isBeingPresented = false
    /// Whether it disappears because it is dismissed.
    public internal(set) var isBeingDismissed = false

    func forgetWhyItMoves() {
        isMovingToParent = false
        isMovingFromParent = false
        isBeingPresented = false
        isBeingDismissed = false
    }

    enum Appearance { case disappeared, appearing, appeared, disappearing }

    /// Makes a controller.
    public override init() { super.init() }

    /// The view's superview, or the parent, or who presents it.
    open override var nextResponder: Responder? {
        loadedView?.superview ?? parent ?? hostWindow
    }

    // MARK: View

    /// The view; the first use loads it.
    public var view: View {
        if let loadedView { return loadedView }
        let view = makeView()
        loadedView = view
        view.viewController = self
        viewDidLoad()
        return view
    }

    /// The view, if it is loaded.
    public var viewIfLoaded: View? { loadedView }

    /// Makes the view. The base class makes an empty one.
    open func makeView() -> View { View() }

    /// Called once, when the view is loaded.
    open func viewDidLoad() {}
    /// Called before the view is placed.
    open func viewWillLayoutSubviews() {}
    /// Called when the view is about to be seen.
    open func viewWillAppear() {}
    /// Called when the view can be seen.
    open func viewDidAppear() {}
    /// Called when the view is about to be hidden or removed.
    open func viewWillDisappear() {}
    /// Called when the view can no longer be seen.
    open func viewDidDisappear() {}
    /// Called before a new size takes effect (row SPL-14). Overriding containers pass it on.
    open func willTransition(to size: Size) {
        for child in children { child.willTransition(to: size) }
    }
    /// Called when memory is short: what can be made again is let go (row SPL-10).
    open func didReceiveMemoryWarning() {
        for child in children { child.didReceiveMemoryWarning() }
    }

    // MARK: Containment

    /// The children that can be seen; a container that hides some overrides it.
    open var visibleChildren: [ViewController] { children }

    /// The child that keys are directed at; the base class takes the last visible one.
    open var focusedChild: ViewController? { visibleChildren.last }

    /// The view that keys are directed at when no child takes them; the base class takes the first that can.
    open var preferredFocusedView: View? { loadedView?.firstFocusable }

    /// The view that was given the focus last, while it can have it; else ``preferredFocusedView``.
    var focusTarget: View? {
        if let chosenFocus, chosenFocus.canBecomeFocused, !chosenFocus.isHidden, let loadedView,
            chosenFocus.isDescendant(of: loadedView)
        {
            return chosenFocus
        }
        return preferredFocusedView
    }

    /// Called when a child, or a view inside it, is given the focus; containers remember it.
    open func childTookFocus(_ child: ViewController) {}

    /// Called before a parent takes it (or, with `nil`, lets it go).
    open func willMove(to parent: ViewController?) {}
    /// Called after a parent took it (or, with `nil`, let it go).
    open func didMove(to parent: ViewController?) {}

    /// Takes a child; its view is then added by the caller, and ``didMove(to:)`` called (row SPL-15).
    public func addChild(_ child: ViewController) {
        guard child.parent !== self else { return }
        precondition(child !== self, "a view controller cannot be its own child")
        child.removeFromParent()
        child.willMove(to: self)
        children.append(child)
        child.parent = self
        child.isMovingToParent = true
        child.isMovingFromParent = false
        child.updateTraits()
    }

    /// Lets the parent go; its view is removed first.
    public func removeFromParent() {
        guard let parent else { return }
        willMove(to: nil)
        loadedView?.removeFromSuperview()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        isMovingFromParent = true
        isMovingToParent = false
        override = nil
        didMove(to: nil)
    }

    /// The nearest navigation controller around it (row SEG-03).
    public var navigationController: NavigationController? { ancestor() }
    /// The nearest split view around it.
    public var splitViewController: SplitViewController? { ancestor() }

    private func ancestor<Container: ViewController>() -> Container? {
        var candidate = parent
        while let present = candidate {
            if let found = present as? Container { return found }
            candidate = present.parent
        }
        return nil
    }

    /// The window it is shown in.
    public var window: Window? {
        var controller: ViewController? = self
        while let present = controller {
            if let window = present.hostWindow { return window }
            controller = present.parent
        }
        return nil
    }

    /// The root of the tree it is in.
    var root: ViewController { parent?.root ?? self }

    /// Hears of another title: the segment that it is the root of.
    var titleListener: (() -> Void)?

    private func titleDidChange() {
        titleListener?()
        viewIfLoaded?.setNeedsLayout()
        navigationItem.changed()
    }

    // MARK: Traits

    /// The surroundings as its parent hands them down.
    public var traits: Traits {
        knownTraits ?? parent?.traits(for: self) ?? window?.traits
            ?? Traits(horizontal: .regular, vertical: .regular)
    }

    /// What a child gets; containers override it to hand down other classes (row SPL-11).
    open func traits(for child: ViewController) -> Traits {
        guard let override = child.override, override.parent.controller === self else { return traits }
        return override.traits.applied(to: traits)
    }

    /// Sets traits otherwise for one child, as long as it is one; `nil` takes that back (row SPL-11).
    public func setOverrideTraits(_ override: TraitOverrides?, for child: ViewController) {
        child.override = override.map { (Weak(controller: self), $0) }
        child.updateTraits()
    }

    /// Called after the surroundings changed and before the next drawing; `previous` is `nil` the first time.
    open func traitsDidChange(previous: Traits?) {}

    func updateTraits() {
        let current: Traits
        if let parent {
            // A parent without traits of its own is not in a window yet; its children wait with it.
            guard parent.knownTraits != nil else { return }
            current = parent.traits(for: self)
        } else if let window = hostWindow {
            current = window.traits
        } else {
            return
        }
        if current != knownTraits {
            let previous = knownTraits
            knownTraits = current
            traitsDidChange(previous: previous)
            viewIfLoaded?.setNeedsLayout()
        }
        for child in children { child.updateTraits() }
    }

    // MARK: Showing others

    /// Shows a list level: the nearest container that can pushes it (row SPL-07); outside of all it is presented.
    open func show(_ controller: ViewController) {
        if let parent { parent.show(controller) } else { present(controller) }
    }

    /// Shows a detail: in a split view's secondary column, pushed where it is collapsed (row SPL-10); outside of all containers
    /// it is presented.
    open func showDetail(_ controller: ViewController) {
        if let parent { parent.showDetail(controller) } else { present(controller) }
    }

    /// Goes to the beginning of what it shows: a chosen segment that is chosen again at its root asks for it (row SEG-05).
    open func scrollToTop() {
        switch focusTarget {
        case let table as TableView where table.numberOfRows > 0: table.move(to: RowPath(row: 0))
        case let text as TextView: text.restore(TextView.Place(paragraph: 0, offset: 0))
        default: break
        }
    }

    /// Presents a controller over this one; what lies beneath stays visible and takes no input (row POP-02).
    ///
    /// One at a time: one that is already presented is dismissed first (row POP-05).
    public func present(_ controller: ViewController) {
        window?.present(controller, from: self)
    }

    /// Dismisses the controller it presents, or else itself.
    public func dismiss() {
        guard let window else { return }
        if let presented = presentedViewController {
            window.dismiss(presented)
        } else {
            var controller: ViewController? = self
            while let present = controller {
                if present.presentingViewController != nil { return window.dismiss(present) }
                controller = present.parent
            }
        }
    }
}
