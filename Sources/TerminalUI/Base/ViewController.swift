/// Manages a view and its life cycle in a tree of controllers.
///
/// Containers (``NavigationController``, ``SplitViewController``) hold other controllers as ``children``, place their
/// views and report in ``visibleChildren`` which are visible. The life-cycle calls follow from that (row SEG-04).
@MainActor
open class ViewController: Responder {
    /// The title for bars and segments. Set it in the initialiser, because it is read before the view is loaded (row
    /// SEG-02).
    open var title: DisplayText = .empty {
        didSet {
            guard title != oldValue else { return }
            titleListener?()
            viewIfLoaded?.setNeedsLayout()
            navigationItem.changed()
        }
    }

    /// The content of a navigation bar for this controller.
    public private(set) lazy var navigationItem = NavigationItem(owner: self)

    /// Whether a sheet around it shows the item Done. Alerts and prompts have their own items.
    open var hasDoneItem: Bool { true }

    /// Whether an unhandled key dismisses the presented controller and then goes to what is below.
    open var closesOnOtherKeys: Bool { false }

    /// Whether the content that a key has asked for is still missing.
    ///
    /// Further keys wait for it, in their order and for a second at most, because they are meant for that content. Only
    /// those of commands that need no content don't (``CommandDefinition/Traits/needsNoContent``).
    open var awaitsContent: Bool { false }

    /// The items of a navigation controller's toolbar, or of the lower border of a popover or sheet.
    public var toolbarItems: [BarButtonItem] = [] {
        didSet {
            for item in toolbarItems { item.owner = self }
            viewIfLoaded?.setNeedsLayout()
        }
    }

    /// The preferred size in a popover without the border, or zero to use the view's preferred size.
    open var preferredContentSize: Size = .zero {
        didSet { if preferredContentSize != oldValue { viewIfLoaded?.setNeedsLayout() } }
    }

    /// The child controllers.
    public private(set) var children: [ViewController] = []
    /// The container.
    public private(set) weak var parent: ViewController?
    /// The window, if this is its root controller or is presented over one.
    weak var hostWindow: Window?
    /// The column of a split view in which it was shown. Controllers pushed onto it share the column.
    var splitColumn: SplitColumn?
    /// The columns in which vertical rules of its view touch the bar above. Containers with rules override it.
    open var verticalRules: [Int] { [] }
    /// The controller that presents this one. If it is no longer in the window, what lies beneath takes its place.
    public var presentingViewController: ViewController? { window?.presented.presenter(of: self) }
    /// The controller that this one presents.
    public var presentedViewController: ViewController? { window?.presented.controller(presentedBy: self) }
    /// The style of presentation.
    public var modalPresentationStyle: ModalPresentationStyle = .automatic
    /// The controller of its popover, created on first use.
    public private(set) lazy var popoverPresentationController = PopoverPresentationController(presented: self)

    weak var chosenFocus: View?
    /// The traits that a parent overrides for this controller, stored here so that they don't outlive it.
    private var override: (parent: WeakParent, traits: TraitOverrides)?
    private var knownTraits: Traits?
    var appearance = AppearanceState.disappeared

    /// Whether it appears because it was added to a container. Valid during life-cycle calls.
    public internal(set) var isMovingToParent = false
    /// Whether it disappears because it is removed from its container.
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

    /// Creates a controller.
    public override init() { super.init() }

    /// The view's superview, the parent, or the presenting controller.
    open override var nextResponder: Responder? {
        viewIfLoaded?.superview ?? parent ?? hostWindow
    }

    // MARK: View

    /// The view, which is loaded on first use.
    public var view: View {
        if let viewIfLoaded { return viewIfLoaded }
        let view = makeView()
        viewIfLoaded = view
        view.viewController = self
        viewDidLoad()
        return view
    }

    /// The view if it is loaded.
    public private(set) var viewIfLoaded: View?

    /// Creates the view. The base class creates an empty one.
    open func makeView() -> View { View() }

    /// Called once after the view was loaded.
    open func viewDidLoad() {}
    /// Called before the view is laid out.
    open func viewWillLayoutSubviews() {}
    /// Called before the view becomes visible.
    open func viewWillAppear() {}
    /// Called after the view became visible.
    open func viewDidAppear() {}
    /// Called before the view is hidden or removed.
    open func viewWillDisappear() {}
    /// Called after the view was hidden or removed.
    open func viewDidDisappear() {}
    /// Called before a new size takes effect (row SPL-14). Containers that override it pass it on.
    open func willTransition(to size: Size) {
        for child in children { child.willTransition(to: size) }
    }
    /// Called when memory is short, to release what can be created again (row SPL-10).
    open func didReceiveMemoryWarning() {
        for child in children { child.didReceiveMemoryWarning() }
    }

    // MARK: Containment

    /// The visible children. Containers that hide some override it.
    open var visibleChildren: [ViewController] { children }

    /// The child with the focus. The base class uses the last visible one.
    open var focusedChild: ViewController? { visibleChildren.last }

    /// The view that gets the focus if no child does. The base class uses the first that can.
    open var preferredFocusedView: View? { viewIfLoaded?.firstFocusable }

    /// The view that last had the focus if it still can, otherwise ``preferredFocusedView``.
    var focusTarget: View? {
        if let chosenFocus, chosenFocus.canBecomeFocused, let viewIfLoaded, chosenFocus.isVisible(in: viewIfLoaded) {
            return chosenFocus
        }
        return preferredFocusedView
    }

    /// Called when a child or a view in it got the focus. Containers remember it.
    open func childTookFocus(_ child: ViewController) {}

    /// Called before it is added to a parent, or with `nil` before it is removed.
    open func willMove(to parent: ViewController?) {}
    /// Called after it was added to a parent, or with `nil` after it was removed.
    open func didMove(to parent: ViewController?) {}

    /// Adds a child. The caller then adds its view and calls ``didMove(to:)`` (row SPL-15).
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

    /// Removes the controller from its parent. Its view must be removed before.
    public func removeFromParent() {
        guard let parent else { return }
        willMove(to: nil)
        viewIfLoaded?.removeFromSuperview()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        isMovingFromParent = true
        isMovingToParent = false
        override = nil
        didMove(to: nil)
    }

    /// The controller and those around it, from the inside outwards.
    var selfAndParents: some Sequence<ViewController> { sequence(first: self) { $0.parent } }

    /// Returns the nearest controller of a type around it.
    func ancestor<Container>() -> Container? { parent.flatMap { $0 as? Container ?? $0.ancestor() } }

    /// The window that shows it.
    public var window: Window? { hostWindow ?? parent?.window }

    /// The root of its tree.
    var root: ViewController { parent?.root ?? self }

    /// Called when the title changes, if it is the root of a segment.
    var titleListener: (() -> Void)?

    // MARK: Traits

    /// The traits received from the parent.
    public var traits: Traits {
        knownTraits ?? parent?.traits(for: self) ?? window?.traits
            ?? Traits(horizontal: .regular, vertical: .regular)
    }

    /// Returns the traits for a child. Containers override it to change size classes (row SPL-11).
    open func traits(for child: ViewController) -> Traits {
        guard let override = child.override, override.parent.controller === self else { return traits }
        return override.traits.applied(to: traits)
    }

    /// Overrides traits for one child while it is a child; `nil` removes the override (row SPL-11).
    public func setOverrideTraits(_ override: TraitOverrides?, for child: ViewController) {
        child.override = override.map { (WeakParent(controller: self), $0) }
        child.updateTraits()
    }

    /// Called after the traits changed and before the next drawing. `previous` is `nil` the first time.
    open func traitsDidChange(previous: Traits?) {}

    func updateTraits() {
        let current: Traits
        if let parent {
            // A parent without traits is not in a window yet; its children wait for it.
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

    /// Shows a list level. The nearest container that can pushes it (row SPL-07); without one it is presented.
    open func show(_ controller: ViewController) {
        if let parent { parent.show(controller) } else { present(controller) }
    }

    /// Shows a detail in a split view's secondary column, or pushes it if the split view is collapsed (row SPL-10).
    /// Without a container it is presented.
    open func showDetail(_ controller: ViewController) {
        if let parent { parent.showDetail(controller) } else { present(controller) }
    }

    /// Scrolls to the beginning. Called when the selected segment is selected again at its root (row SEG-05).
    open func scrollToTop() {
        focusTarget?.scrollToTop()
    }

    /// Presents a controller over this one. What is below stays visible but receives no input (row POP-02).
    ///
    /// A previously presented controller is dismissed first (row POP-05).
    public func present(_ controller: ViewController) {
        window?.presented.present(controller, from: self)
    }

    /// Dismisses the presented controller, or otherwise this one.
    public func dismiss() {
        if let window, let controller = presentedViewController ?? window.presented.controller(around: self) {
            window.presented.dismiss(controller)
        }
    }
}

/// Whether a controller is visible, or is about to be.
enum AppearanceState { case disappeared, appearing, appeared, disappearing }

private struct WeakParent { weak var controller: ViewController? }
