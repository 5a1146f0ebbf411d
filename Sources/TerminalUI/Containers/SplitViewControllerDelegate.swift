/// Customises a split view (rows SPL-02, SPL-06 and SPL-07).
@MainActor
public protocol SplitViewControllerDelegate: AnyObject {
    /// The display mode will change.
    func splitViewController(_ split: SplitViewController, willChangeTo mode: SplitViewController.DisplayMode)
    /// Returns the display mode for the display-mode button, or automatic to let the split view choose.
    func targetDisplayMode(for split: SplitViewController) -> SplitViewController.DisplayMode
    /// Shows a list level. Returns `true` if it was handled.
    func splitViewController(_ split: SplitViewController, show controller: ViewController) -> Bool
    /// Shows a detail. Returns `true` if it was handled.
    func splitViewController(_ split: SplitViewController, showDetail controller: ViewController) -> Bool
    /// Returns the column on top after a collapse. The proposed column is the last one used (row SPL-08).
    func splitViewController(
        _ split: SplitViewController, topColumnForCollapsing proposed: SplitViewController.Column
    ) -> SplitViewController.Column
    /// Returns the display mode after an expansion. The proposed mode suits the width.
    func splitViewController(
        _ split: SplitViewController, displayModeForExpanding proposed: SplitViewController.DisplayMode
    ) -> SplitViewController.DisplayMode
    /// Returns the primary controller while collapsed, or `nil` to keep the current one.
    func primaryViewController(forCollapsing split: SplitViewController) -> ViewController?
    /// Performs the collapse. Returns `true` to leave the detail out of the joined stack.
    func splitViewController(
        _ split: SplitViewController, collapse secondary: ViewController, onto primary: ViewController
    ) -> Bool
    /// Returns the primary controller after an expansion, or `nil` to restore the previous one.
    func primaryViewController(forExpanding split: SplitViewController) -> ViewController?
    /// Returns the controller that becomes the detail, or `nil` to separate the joined stack.
    func splitViewController(
        _ split: SplitViewController, separateSecondaryFrom primary: ViewController
    ) -> ViewController?
}

extension SplitViewControllerDelegate {
    /// The default does nothing.
    public func splitViewController(_ split: SplitViewController, willChangeTo mode: SplitViewController.DisplayMode) {}
    /// By default the split view chooses.
    public func targetDisplayMode(for split: SplitViewController) -> SplitViewController.DisplayMode { .automatic }
    /// By default the split view handles it.
    public func splitViewController(_ split: SplitViewController, show controller: ViewController) -> Bool { false }
    /// By default the split view handles it.
    public func splitViewController(_ split: SplitViewController, showDetail controller: ViewController) -> Bool {
        false
    }
    /// By default the proposed column.
    public func splitViewController(
        _ split: SplitViewController, topColumnForCollapsing proposed: SplitViewController.Column
    ) -> SplitViewController.Column { proposed }
    /// By default the proposed mode.
    public func splitViewController(
        _ split: SplitViewController, displayModeForExpanding proposed: SplitViewController.DisplayMode
    ) -> SplitViewController.DisplayMode { proposed }
    /// By default the current controller.
    public func primaryViewController(forCollapsing split: SplitViewController) -> ViewController? { nil }
    /// By default the split view handles it.
    public func splitViewController(
        _ split: SplitViewController, collapse secondary: ViewController, onto primary: ViewController
    ) -> Bool { false }
    /// By default the previous controller.
    public func primaryViewController(forExpanding split: SplitViewController) -> ViewController? { nil }
    /// By default the joined stack is separated.
    public func splitViewController(
        _ split: SplitViewController, separateSecondaryFrom primary: ViewController
    ) -> ViewController? { nil }
}
