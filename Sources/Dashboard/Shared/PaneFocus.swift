/// Whether somebody looks at the pane, as far as the terminal tells (focus reports, mode 1004).
@MainActor
final class PaneFocus {
    /// `nil`: the terminal has said nothing; then somebody may look.
    var hasFocus: Bool? {
        didSet {
            guard hasFocus == true, oldValue != true else { return }
            let waiting = returns
            returns = []
            for begin in waiting { begin() }
        }
    }

    /// Whether a notification reaches somebody who does not see the news on the screen.
    var needsNotifications: Bool { hasFocus != true }

    private var returns: [@MainActor () -> Void] = []

    /// Does something once somebody looks again.
    func onReturn(_ work: @escaping @MainActor () -> Void) { returns.append(work) }
}
