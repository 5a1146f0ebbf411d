/// A container whose bars hide while the user scrolls.
@MainActor
protocol ScrollObserver: ViewController {
    /// Called when the user scrolls a text in the container.
    func textDidScroll(isDown: Bool)
}

/// A container that can show a list in a popover, which gives way to other popovers (row POP-05).
@MainActor
protocol ListPopoverContainer: ViewController {
    /// Called before a popover is presented from a controller in the container.
    func popoverWillBePresented(from presenter: ViewController)
    /// Returns the button of the popover in which a controller is shown, or `nil` if it isn't in one.
    func popoverItem(around presenter: ViewController) -> BarButtonItem?
}
