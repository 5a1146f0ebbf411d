/// A pop by dragging: the top follows the pointer, and an early release cancels it (row SEG-04).
@MainActor
final class DraggedPop {
    private unowned let navigation: NavigationController
    private let content: NavigationContentView
    private var coordinator: TransitionCoordinator?

    init(of navigation: NavigationController, in content: NavigationContentView) {
        self.navigation = navigation
        self.content = content
    }

    private var below: ViewController? { navigation.viewControllers.dropLast().last }

    func begin() {
        guard let window = navigation.window, let top = navigation.topViewController, let below else { return }
        coordinator = window.beginTransition { window.appearance.beginTransition(from: top, to: below) }
        content.insertSubview(below.view, at: 0)
    }

    func release(pops: Bool) {
        guard pops else { return putBack() }
        navigation.pop(animated: false)
        coordinator?.advance(to: 1)
        coordinator?.end(isCancelled: false)
        coordinator = nil
    }

    private func putBack() {
        guard let window = navigation.window, let top = navigation.topViewController, let below else { return }
        below.view.removeFromSuperview()
        window.appearance.cancelTransition(from: top, to: below)
        coordinator?.end(isCancelled: true)
        coordinator = nil
        content.setNeedsLayout()
    }

    /// Ends the drag because of another change.
    func cancel() {
        guard content.isDragging else { return }
        content.abandonDrag()
        putBack()
    }
}
