/// Runs work once for any number of requests that come close together: a reload changes the library hundreds of times a
/// second.
@MainActor
struct Coalescer {
    private final class State { var isScheduled = false }
    private let state = State()

    /// Runs the work after a short while, unless it is waiting to be run already.
    func schedule(_ work: @escaping @MainActor () -> Void) {
        guard !state.isScheduled else { return }
        state.isScheduled = true
        let state = state
        Task {
            try? await Task.sleep(for: .milliseconds(50))
            state.isScheduled = false
            work()
        }
    }
}
