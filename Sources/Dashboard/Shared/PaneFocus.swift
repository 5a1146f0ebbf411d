/// Whether the pane has focus, as far as the terminal reports it (focus reports, mode 1004).
@MainActor
final class PaneFocus {
    /// The reported focus, or `nil` if the terminal has reported none, so that the user may be looking.
    var hasFocus: Bool? {
        didSet {
            guard hasFocus == true, oldValue != true else { return }
            let waiting = returns
            returns = []
            for begin in waiting { begin() }
        }
    }

    /// Whether a terminal shows the pane. Multiplexers don't always report that the last one has left.
    var isShown = true

    /// Whether the user may be looking at the pane.
    var mayBeSeen: Bool { hasFocus != false && isShown }

    /// Whether to send notifications, because the user may not see the screen.
    var needsNotifications: Bool { hasFocus != true }

    private var returns: [@MainActor () -> Void] = []

    /// Runs work once the pane gets focus again.
    func onReturn(_ work: @escaping @MainActor () -> Void) { returns.append(work) }
}
