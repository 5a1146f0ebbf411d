/// Does something once nothing has begun it anew for a while.
@MainActor
final class RestTimer {
    private var task: Task<Void, Never>?
    private let attention: Attention?

    /// - Parameter attention: Where given, time counts only while somebody looks: it begins anew when they come back.
    init(whileLookedAt attention: Attention? = nil) { self.attention = attention }

    /// Waits, and then does the work; what waited before is forgotten.
    func start(_ rest: Duration, _ work: @escaping @MainActor () -> Void) {
        task?.cancel()
        task = Task { [attention] in
            repeat {
                if attention?.isLookedAt == false {
                    await withCheckedContinuation { resumed in attention?.onReturn { resumed.resume() } }
                }
                try? await Task.sleep(for: rest)
            } while !Task.isCancelled && attention?.isLookedAt == false
            if !Task.isCancelled { work() }
        }
    }

    func stop() { task?.cancel() }
}
