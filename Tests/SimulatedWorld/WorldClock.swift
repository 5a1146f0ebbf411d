@testable import ModelCore
import Platform
import Synchronization

/// The time of a simulated world. It passes only when the world says so, or when a program sleeps.
final class WorldClock: Clock.Source {
    /// 2026-11-21 19:23 UTC, the clock of the simulated account server.
    private static let beginning = Instant(1_795_289_000)

    private struct State {
        var elapsed = Duration.zero
        /// The number of seconds by which the computer's clock is wrong.
        var error: Int64 = 0
    }

    private let state = Mutex(State())
    private let origin = Stopwatch.now

    /// The number of seconds since the world began.
    var seconds: Int64 { state.withLock { $0.elapsed.components.seconds } }

    /// The true time, which servers know.
    var truth: Instant { WorldClock.beginning + seconds }

    var now: Instant { state.withLock { WorldClock.beginning + ($0.elapsed.components.seconds + $0.error) } }
    var uptime: ContinuousClock.Instant { origin + state.withLock { $0.elapsed } }

    func pass(_ duration: Duration) { state.withLock { $0.elapsed += duration } }

    /// Sets the computer's clock.
    func jump(by seconds: Int64) { state.withLock { $0.error += seconds } }

    /// Sets the computer's clock right.
    func setRight() { state.withLock { $0.error = 0 } }

    func sleep(until end: ContinuousClock.Instant) async throws {
        state.withLock { $0.elapsed = max($0.elapsed, origin.duration(to: end)) }
        await Task.yield()
        try Task.checkCancellation()
    }
}
