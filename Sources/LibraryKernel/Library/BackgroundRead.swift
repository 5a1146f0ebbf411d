import Dispatch
import Platform
import Synchronization

/// A read on a background thread. Releasing it cancels the read, even in the middle of a query.
package final class BackgroundRead: Sendable {
    fileprivate let token = ReadToken()
    static let queue = DispatchQueue(label: "tappa.library-reads", attributes: .concurrent)

    deinit { token.cancel() }
}

/// What a background read has found.
package struct ReadResult<Value: Sendable>: Sendable {
    package var value: Result<Value, any Error>
    /// Whether the read has ended. Otherwise `value` is the part that was read so far.
    package var isWhole: Bool
    /// The processor time of the read so far.
    package var cost: Duration
}

extension Library {
    /// Starts a read on a background thread and hands over its result on the main actor.
    ///
    /// - Parameters:
    ///   - patience: How long the caller waits. A result that comes within this time is handed over before this
    ///     function returns.
    ///   - body: The read. It may pass on parts of its value before it returns the whole.
    ///   - use: Receives the result, and parts that come after `patience`. It isn't called after a cancellation.
    /// - Returns: The read, which is cancelled when it is released.
    @MainActor
    package func read<Value: Sendable>(
        waiting patience: Duration,
        _ body: @escaping @Sendable (_ library: Library, _ part: (Value) -> Void) throws -> Value,
        then use: @escaping @MainActor (ReadResult<Value>) -> Void
    ) -> BackgroundRead {
        let read = BackgroundRead()
        let handover = Handover(token: read.token, use: use)
        BackgroundRead.queue.async { [token = read.token] in
            let start = processorTime()
            let value = ReadToken.$current.withValue(token) {
                Result {
                    try body(self) { part in
                        handover.add(ReadResult(value: .success(part), isWhole: false, cost: processorTime() - start))
                    }
                }
            }
            handover.add(ReadResult(value: value, isWhole: true, cost: processorTime() - start))
        }
        handover.wait(patience)
        return read
    }
}

/// The results on their way from a background thread to the main actor. A newer one replaces an older one.
private final class Handover<Value: Sendable>: Sendable {
    private struct State {
        var latest: ReadResult<Value>?
        /// Whether the main thread waits for the end of the read.
        var isAwaited = true
    }
    private let state = Mutex(State())
    private let ended = Semaphore()
    private let token: ReadToken
    private let use: @MainActor (ReadResult<Value>) -> Void

    init(token: ReadToken, use: @escaping @MainActor (ReadResult<Value>) -> Void) {
        self.token = token
        self.use = use
    }

    func add(_ result: ReadResult<Value>) {
        let isAwaited = state.withLock { state in
            state.latest = result
            return state.isAwaited
        }
        if !isAwaited {
            // Detached, because what the receiver reads doesn't belong to this read.
            Task.detached { @MainActor in self.deliver() }
        } else if result.isWhole {
            ended.signal()
        }
    }

    @MainActor
    func wait(_ patience: Duration) {
        if patience > .zero {
            ended.wait(atMost: patience)
        }
        state.withLock { $0.isAwaited = false }
        deliver()
    }

    @MainActor
    private func deliver() {
        let latest = state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
        if let latest, !token.isCancelled { use(latest) }
    }
}

/// Returns the processor time that the calling thread has used.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
