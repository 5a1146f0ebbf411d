/// Whether the pane has focus, as far as the terminal reports it (focus reports, mode 1004).
@MainActor
package final class PaneFocus {
    /// The reported focus, or `nil` if the terminal has reported none, so that the user may be looking.
    package var hasFocus: Bool? {
        didSet {
            guard hasFocus == true, oldValue != true else { return }
            let waiting = returns
            returns = []
            for begin in waiting { begin() }
        }
    }

    /// Whether a terminal shows the pane. Multiplexers don't always report that the last one has left.
    package var isShown = true

    /// Whether the user may be looking at the pane.
    package var mayBeSeen: Bool { hasFocus != false && isShown }

    /// Whether to send notifications, because the user may not see the screen.
    var needsNotifications: Bool { hasFocus != true }

    private var returns: [@MainActor () -> Void] = []

    package init() {}

    /// Runs work once the pane gets focus again.
    package func onReturn(_ work: @escaping @MainActor () -> Void) { returns.append(work) }
}
