/// Does something once nothing has begun it anew for a while.
@MainActor
final class RestTimer {
    private var task: Task<Void, Never>?

    /// Waits, and then does the work; what waited before is forgotten.
    func start(_ rest: Duration, _ work: @escaping @MainActor () -> Void) {
        task?.cancel()
        task = Task {
            try? await Task.sleep(for: rest)
            if !Task.isCancelled { work() }
        }
    }

    func stop() { task?.cancel() }
}
