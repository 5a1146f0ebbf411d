import Dispatch
import Synchronization

/// Time for the whole program: the only place, with ``Stopwatch``, that asks the system for it or waits for it.
///
/// A simulation replaces it once, at the start of its process. Weeks then pass as fast as the work in them is done.
package enum Clock {
    /// A source of time that replaces the system's.
    package protocol Source: Sendable {
        /// The present time, which may be wrong or jump.
        var now: Instant { get }
        /// The time since an arbitrary beginning, which never jumps.
        var uptime: ContinuousClock.Instant { get }
        /// Returns once the uptime has arrived.
        func sleep(until end: ContinuousClock.Instant) async throws
    }

    private static let isSimulated = Atomic(false)
    private static let simulation = Mutex<(any Source)?>(nil)

    /// Replaces the system's time for the rest of the process.
    package static func simulate(_ source: any Source) {
        simulation.withLock { $0 = source }
        isSimulated.store(true, ordering: .releasing)
    }

    /// The source in use, or `nil` for the system.
    static var source: (any Source)? {
        guard isSimulated.load(ordering: .acquiring) else { return nil }
        return simulation.withLock { $0 }
    }

    /// The time since an arbitrary beginning, which never jumps.
    package static var uptime: ContinuousClock.Instant { source?.uptime ?? .now }

    /// Suspends the task for a duration, unless it is cancelled.
    package static func sleep(for duration: Duration) async throws {
        guard let source else { return try await Task.sleep(for: duration) }
        try await source.sleep(until: source.uptime + duration)
    }

    /// Suspends the task until an uptime, unless it is cancelled.
    package static func sleep(until end: ContinuousClock.Instant) async throws {
        guard let source else { return try await Task.sleep(until: end, clock: .continuous) }
        try await source.sleep(until: end)
    }
}

/// The real time, for measuring and limiting this computer's own work.
///
/// A simulation doesn't replace it, because threads and programs that wait for each other do real work meanwhile.
package enum Stopwatch {
    /// The real time since an arbitrary beginning.
    package static var now: ContinuousClock.Instant { .now }

    /// The number of nanoseconds since the computer started, not counting sleep.
    package static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Blocks the thread.
    package static func pause(for duration: Duration) { Semaphore().wait(atMost: duration) }
}

extension Duration {
    fileprivate var interval: DispatchTimeInterval {
        .nanoseconds(Int(clamping: max(.zero, self) / .nanoseconds(1)))
    }
}

/// A number of signals, for which threads wait.
///
/// Dispatch's semaphores on Linux wait until a time of day, so that a clock that is set back prolongs their waits by hours.
package final class Semaphore: Sendable {
    #if os(Linux)
        private struct Content {
            var lock = pthread_mutex_t()
            var condition = pthread_cond_t()
            var count = 0
        }

        /// Allocated, because threads that wait need its address.
        private nonisolated(unsafe) let content = UnsafeMutablePointer<Content>.allocate(capacity: 1)

        package init() {
            content.initialize(to: Content())
            pthread_mutex_init(&content.pointee.lock, nil)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(&content.pointee.condition, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        deinit {
            pthread_cond_destroy(&content.pointee.condition)
            pthread_mutex_destroy(&content.pointee.lock)
            content.deallocate()
        }

        package func signal() {
            pthread_mutex_lock(&content.pointee.lock)
            content.pointee.count += 1
            pthread_cond_signal(&content.pointee.condition)
            pthread_mutex_unlock(&content.pointee.lock)
        }

        /// Waits for a signal of another thread.
        package func wait() { wait(until: nil) }

        /// Waits for a signal of another thread.
        ///
        /// - Returns: Whether the signal arrived in time.
        @discardableResult
        package func wait(atMost duration: Duration) -> Bool {
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            let nanoseconds = Int(clamping: duration / .nanoseconds(1)).limited(0, 1 << 61) + end.tv_nsec
            end.tv_sec += nanoseconds / 1_000_000_000
            end.tv_nsec = nanoseconds % 1_000_000_000
            return wait(until: end)
        }

        @discardableResult
        private func wait(until end: timespec?) -> Bool {
            pthread_mutex_lock(&content.pointee.lock)
            defer { pthread_mutex_unlock(&content.pointee.lock) }
            while content.pointee.count == 0 {
                if var end {
                    let result = pthread_cond_timedwait(&content.pointee.condition, &content.pointee.lock, &end)
                    if result != 0, content.pointee.count == 0 { return false }
                } else {
                    pthread_cond_wait(&content.pointee.condition, &content.pointee.lock)
                }
            }
            content.pointee.count -= 1
            return true
        }
    #else
        private let semaphore = DispatchSemaphore(value: 0)

        package init() {}

        package func signal() { semaphore.signal() }

        /// Waits for a signal of another thread.
        package func wait() { semaphore.wait() }

        /// Waits for a signal of another thread.
        ///
        /// - Returns: Whether the signal arrived in time.
        @discardableResult
        package func wait(atMost duration: Duration) -> Bool {
            semaphore.wait(timeout: .now() + duration.interval) == .success
        }
    #endif
}

extension DispatchQueue {
    /// Runs work after a duration of real time.
    package func run(after duration: Duration, _ work: @escaping @Sendable () -> Void) {
        asyncAfter(deadline: .now() + duration.interval, execute: work)
    }
}
