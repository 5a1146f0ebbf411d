/// Receives changes of a navigation controller's top.
@MainActor
public protocol NavigationControllerDelegate: AnyObject {
    /// A controller will become the top, by a push, a pop or a new stack.
    func navigationController(
        _ navigation: NavigationController, willShow controller: ViewController, by transition: NavigationTransition)
    /// A controller became the top.
    func navigationController(
        _ navigation: NavigationController, didShow controller: ViewController, by transition: NavigationTransition)
}

extension NavigationControllerDelegate {
    /// The default does nothing.
    public func navigationController(
        _ navigation: NavigationController, willShow controller: ViewController, by transition: NavigationTransition
    ) {}
}
