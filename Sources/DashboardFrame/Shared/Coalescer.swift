import Platform

/// Combines frequent requests into one run of the work, since a reload changes the library hundreds of times a second.
///
/// The first request runs at once, so that the effect of a key appears as soon as it is stored.
@MainActor
package struct Coalescer {
    private final class State {
        var isScheduled = false
        var last: ContinuousClock.Instant?
    }
    private let state = State()
    private static let pause = Duration.milliseconds(50)

    /// Whether work is scheduled by the effect of a key, which appears with the frame of the key.
    static var answersInput = false

    package init() {}

    /// Runs the work now or after a short delay, unless it is already scheduled.
    package func schedule(_ work: @escaping @MainActor () -> Void) {
        let now = Clock.uptime
        if Coalescer.answersInput {
            (state.isScheduled, state.last) = (false, now)
            return work()
        }
        guard !state.isScheduled else { return }
        guard let last = state.last, now < last + Coalescer.pause else {
            state.last = now
            return work()
        }
        state.isScheduled = true
        let state = state
        Task {
            try? await Clock.sleep(until: last + Coalescer.pause)
            guard state.isScheduled else { return }
            state.isScheduled = false
            state.last = Clock.uptime
            work()
        }
    }
}
