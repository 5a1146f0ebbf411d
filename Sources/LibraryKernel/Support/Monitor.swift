import Platform
import Synchronization

/// A state that threads share, and for whose changes they wait.
package final class Monitor<State: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (State) -> Bool
        let signal: Semaphore
    }

    private let content: Mutex<(state: State, waiters: [Waiter])>

    package init(_ state: State) { content = Mutex((state, [])) }

    /// Reads or changes the state, and wakes the threads that have waited for the change.
    package func withState<Result>(_ body: (inout State) -> Result) -> Result {
        content.withLock { content in
            let result = body(&content.state)
            guard !content.waiters.isEmpty else { return result }
            let state = content.state
            content.waiters.removeAll { waiter in
                guard waiter.isMet(state) else { return false }
                waiter.signal.signal()
                return true
            }
            return result
        }
    }

    /// Blocks the thread until the state meets a condition, or until an instant.
    ///
    /// - Returns: Whether the state met the condition in time.
    @discardableResult
    package func wait(until deadline: ContinuousClock.Instant, for isMet: @escaping @Sendable (State) -> Bool) -> Bool {
        // A semaphore of its own has no signals that were meant for an earlier wait.
        let signal = Semaphore()
        let mustWait = content.withLock { content in
            if isMet(content.state) { return false }
            content.waiters.append(Waiter(isMet: isMet, signal: signal))
            return true
        }
        if !mustWait || signal.wait(atMost: Stopwatch.now.duration(to: deadline)) { return true }
        return content.withLock { content in
            content.waiters.removeAll { $0.signal === signal }
            return isMet(content.state)
        }
    }
}
