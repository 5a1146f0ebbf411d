/// A controller that is presented over a window's root, in a box.
@MainActor
protocol PresentedLayer: AnyObject {
    /// The presented controller.
    var controller: ViewController { get }
    /// The controller in the box: the presented one, or the delegate's replacement (row POP-03).
    var root: ViewController { get }
    /// The controller that presented it, as long as it exists.
    var presenter: ViewController? { get }
    /// The view around that of ``root``.
    var box: View { get }
    /// The cells of the box's shadow in the window.
    var shadow: [Rect] { get }
    /// The cells in the window that a box without a ground of its own needs for itself.
    var surroundings: Rect { get }
    /// Returns the requested style, whether or not there is enough space for it.
    func style(in window: Window) -> ModalPresentationStyle
    /// Places the box and the view in it for the window's current size.
    ///
    /// - Returns: Whether the controller can still be shown.
    func layOut(in window: Window) -> Bool
}

/// The controllers presented over a window's root, from bottom to top.
///
/// Boxes contain bars and menus, which depend on windows, so the stack doesn't know the type of the boxes.
@MainActor
final class PresentationStack {
    private var histories: [DisplayText: PromptHistory] = [:]

    /// Returns the history that all prompts of the window with a title share.
    func history(of title: DisplayText) -> PromptHistory {
        let history = histories[title] ?? PromptHistory()
        histories[title] = history
        return history
    }

    private(set) var layers: [any PresentedLayer] = []
    weak var window: Window?
    /// The root controller of the window, and those in the boxes over it.
    var roots: [ViewController] { [window?.rootViewController].compactMap { $0 } + layers.map(\.root) }
    /// Creates the box around a controller in a window.
    typealias MakeLayer = (_ controller: ViewController, _ presenter: ViewController, Window) -> any PresentedLayer
    private let makeLayer: MakeLayer

    init(makeLayer: @escaping MakeLayer) { self.makeLayer = makeLayer }

    private func index(of controller: ViewController) -> Int? {
        layers.firstIndex { $0.controller === controller || $0.root === controller }
    }

    // The stack alone knows who presents whom, because a presenter may leave the window before what it has presented.

    /// Returns the controller that presents another one: its presenter, or once that has left the window the controller
    /// beneath.
    func presenter(of controller: ViewController) -> ViewController? {
        guard let index = index(of: controller) else { return nil }
        let beneath = index > 0 ? layers[index - 1].root : window?.rootViewController
        return layers[index].presenter.flatMap { $0.root === beneath ? $0 : nil } ?? beneath
    }

    func controller(presentedBy presenter: ViewController) -> ViewController? {
        layers.first { self.presenter(of: $0.controller) === presenter }?.controller
    }

    /// Returns the presented controller whose box contains a controller.
    func controller(around controller: ViewController) -> ViewController? {
        layers.first { $0.root === controller.root }?.controller
    }

    /// Whether a popover is presented, or a sheet in its place.
    var hasPopover: Bool {
        guard let window else { return false }
        return layers.contains { $0.style(in: window) == .popover }
    }

    func present(_ controller: ViewController, from presenter: ViewController) {
        // Presenting from inside a presented controller stacks; otherwise it replaces (row POP-05).
        while let top = layers.last, presenter.root !== top.root { dismiss(top.controller) }
        guard let window, !layers.contains(where: { $0.controller === controller }) else { return }
        let layer = makeLayer(controller, presenter, window)
        if controller.modalPresentationStyle == .popover {
            precondition(
                controller.popoverPresentationController.hasAnchor,
                "a popover needs a barButtonItem or a sourceView before it is presented")
            let container: (any ListPopoverContainer)? = presenter.ancestor()
            container?.popoverWillBePresented(from: presenter)
        }
        controller.hostWindow = window
        controller.updateTraits()
        layer.box.hostWindow = window
        layers.append(layer)
        layer.box.addSubview(controller.view)
        controller.isBeingPresented = true
        window.updateAppearance()
    }

    /// Dismisses a controller and all above it.
    func dismiss(_ controller: ViewController) {
        guard let index = index(of: controller) else { return }
        for layer in layers[index...].reversed() {
            layer.root.view.removeFromSuperview()
            layer.controller.isBeingDismissed = true
        }
        let gone = layers[index...].map(\.root)
        layers.removeSubrange(index...)
        window?.updateAppearance()
        // What disappears may present it again.
        for root in gone where !layers.contains(where: { $0.root === root }) { root.hostWindow = nil }
    }

    func dismissAll() {
        if let first = layers.first { dismiss(first.controller) }
    }

    /// Dismisses a controller at the user's request, unless the delegate of its popover refuses.
    func dismissByUser(_ layer: any PresentedLayer) {
        let popover = layer.controller.popoverPresentationController
        guard popover.delegate?.popoverShouldDismiss(popover) ?? true else { return }
        dismiss(layer.controller)
        popover.delegate?.popoverDidDismiss(popover)
    }

    func dismissTopByUser() {
        if let top = layers.last { dismissByUser(top) }
    }

    /// Places the boxes and lays out their views.
    ///
    /// - Returns: The controllers that can no longer be shown.
    func layOut() -> [ViewController] {
        guard let window else { return [] }
        var lost: [ViewController] = []
        for layer in layers {
            if layer.layOut(in: window) { layer.box.layoutTree() } else { lost.append(layer.controller) }
        }
        return lost
    }

    /// Returns the frame of a bar item in the window if a bar shows it.
    func rect(of item: BarButtonItem) -> Rect? {
        func search(_ view: View) -> Rect? {
            guard !view.isHidden else { return nil }
            if let bar = view as? any BarButtonItemHost, let rect = bar.rect(of: item) {
                return view.convertToWindow(rect)
            }
            for subview in view.subviews {
                if let found = search(subview) { return found }
            }
            return nil
        }
        for layer in layers.reversed() {
            if let found = search(layer.box) { return found }
        }
        return window.flatMap { search($0.rootViewController.view) }
    }
}
