import Platform

/// Runs work after a period without a restart.
@MainActor
package final class IdleTimer {
    private var task: Task<Void, Never>?
    private let paneFocus: PaneFocus?

    /// - Parameter paneFocus: If given, time counts only while the pane has focus, and restarts when focus returns.
    package init(whileLookedAt paneFocus: PaneFocus? = nil) { self.paneFocus = paneFocus }

    /// Restarts the timer with new work.
    package func start(_ rest: Duration, _ work: @escaping @MainActor () -> Void) {
        task?.cancel()
        task = Task { [paneFocus] in
            repeat {
                if paneFocus?.hasFocus == false {
                    await withCheckedContinuation { resumed in paneFocus?.onReturn { resumed.resume() } }
                }
                try? await Clock.sleep(for: rest)
            } while !Task.isCancelled && paneFocus?.hasFocus == false
            if !Task.isCancelled { work() }
        }
    }

    package func stop() { task?.cancel() }
}
