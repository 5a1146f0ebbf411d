/// Does something once nothing has begun it anew for a while.
@MainActor
final class IdleTimer {
    private var task: Task<Void, Never>?
    private let paneFocus: PaneFocus?

    /// - Parameter paneFocus: Where given, time counts only while somebody looks: it begins anew when they come back.
    init(whileLookedAt paneFocus: PaneFocus? = nil) { self.paneFocus = paneFocus }

    /// Waits, and then does the work; what waited before is forgotten.
    func start(_ rest: Duration, _ work: @escaping @MainActor () -> Void) {
        task?.cancel()
        task = Task { [paneFocus] in
            repeat {
                if paneFocus?.hasFocus == false {
                    await withCheckedContinuation { resumed in paneFocus?.onReturn { resumed.resume() } }
                }
                try? await Task.sleep(for: rest)
            } while !Task.isCancelled && paneFocus?.hasFocus == false
            if !Task.isCancelled { work() }
        }
    }

    func stop() { task?.cancel() }
}
