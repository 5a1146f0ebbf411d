/// Takes part in what a split view does (rows SPL-02, SPL-06 and SPL-07).
@MainActor
public protocol SplitViewControllerDelegate: AnyObject {
    /// The display mode is about to be another, for whatever cause.
    func splitViewController(_ split: SplitViewController, willChangeTo mode: SplitViewController.DisplayMode)
    /// The mode that the display-mode button asks for; automatic: the split view chooses.
    func targetDisplayMode(for split: SplitViewController) -> SplitViewController.DisplayMode
    /// Shows a list level itself: answering `true` leaves nothing to the split view.
    func splitViewController(_ split: SplitViewController, show controller: ViewController) -> Bool
    /// Shows a detail itself: answering `true` leaves nothing to the split view.
    func splitViewController(_ split: SplitViewController, showDetail controller: ViewController) -> Bool
    /// The column that is on top once all are joined; proposed is the one that was last acted in (row SPL-08).
    func splitViewController(
        _ split: SplitViewController, topColumnForCollapsing proposed: SplitViewController.Column
    ) -> SplitViewController.Column
    /// The mode that is asked for once the columns are apart again; proposed is the one that suits the width.
    func splitViewController(
        _ split: SplitViewController, displayModeForExpanding proposed: SplitViewController.DisplayMode
    ) -> SplitViewController.DisplayMode
    /// The controller that is the list while collapsed; `nil`: the present one.
    func primaryViewController(forCollapsing split: SplitViewController) -> ViewController?
    /// Takes the collapse on itself: answering `true` leaves the detail out of the joined stack.
    func splitViewController(
        _ split: SplitViewController, collapse secondary: ViewController, onto primary: ViewController
    ) -> Bool
    /// The controller that is the list once expanded; `nil`: the one from before.
    func primaryViewController(forExpanding split: SplitViewController) -> ViewController?
    /// The controller that becomes the detail; `nil`: what was joined is separated.
    func splitViewController(
        _ split: SplitViewController, separateSecondaryFrom primary: ViewController
    ) -> ViewController?
}

extension SplitViewControllerDelegate {
    /// Does nothing.
    public func splitViewController(_ split: SplitViewController, willChangeTo mode: SplitViewController.DisplayMode) {}
    /// The split view chooses.
    public func targetDisplayMode(for split: SplitViewController) -> SplitViewController.DisplayMode { .automatic }
    /// Leaves it to the split view.
    public func splitViewController(_ split: SplitViewController, show controller: ViewController) -> Bool { false }
    /// Leaves it to the split view.
    public func splitViewController(_ split: SplitViewController, showDetail controller: ViewController) -> Bool {
        false
    }
    /// The proposed one.
    public func splitViewController(
        _ split: SplitViewController, topColumnForCollapsing proposed: SplitViewController.Column
    ) -> SplitViewController.Column { proposed }
    /// The proposed one.
    public func splitViewController(
        _ split: SplitViewController, displayModeForExpanding proposed: SplitViewController.DisplayMode
    ) -> SplitViewController.DisplayMode { proposed }
    /// The present one.
    public func primaryViewController(forCollapsing split: SplitViewController) -> ViewController? { nil }
    /// Leaves it to the split view.
    public func splitViewController(
        _ split: SplitViewController, collapse secondary: ViewController, onto primary: ViewController
    ) -> Bool { false }
    /// The one from before.
    public func primaryViewController(forExpanding split: SplitViewController) -> ViewController? { nil }
    /// What was joined.
    public func splitViewController(
        _ split: SplitViewController, separateSecondaryFrom primary: ViewController
    ) -> ViewController? { nil }
}
