/// Runs work once for any number of requests that come close together: a reload changes the library hundreds of times a
/// second. The first of them is run at once, so that what a key has changed is seen as soon as it is stored.
@MainActor
struct Coalescer {
    private final class State {
        var isScheduled = false
        var last: ContinuousClock.Instant?
    }
    private let state = State()
    private static let pause = Duration.milliseconds(50)

    /// Runs the work now, or after a short while, unless it is waiting to be run already.
    func schedule(_ work: @escaping @MainActor () -> Void) {
        guard !state.isScheduled else { return }
        let now = ContinuousClock.now
        guard let last = state.last, now < last + Coalescer.pause else {
            state.last = now
            return work()
        }
        state.isScheduled = true
        let state = state
        Task {
            try? await Task.sleep(until: last + Coalescer.pause, clock: .continuous)
            state.isScheduled = false
            state.last = .now
            work()
        }
    }
}
