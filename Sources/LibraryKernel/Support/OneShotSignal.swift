import Synchronization

/// A signal that is sent once and awaited by one task.
package final class OneShotSignal: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Void, Never>)
        case sent
    }

    private let state = Mutex(State.open)

    package init() {}

    /// Sends the signal. Further calls do nothing.
    package func send() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .sent }
            if case .awaited(let waiting) = state { return waiting }
            return nil
        }
        waiting?.resume()
    }

    package func wait() async {
        await withCheckedContinuation { continuation in
            let wasSent = state.withLock { state in
                if case .sent = state { return true }
                state = .awaited(continuation)
                return false
            }
            if wasSent { continuation.resume() }
        }
    }
}
