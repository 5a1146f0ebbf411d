import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The limit on bytes processed at once, in order; one piece is always admitted.
@Suite(.timeLimit(.minutes(10))) struct ByteLimiterTests {
    private final class Work: Sendable {
        let now = Mutex((bytes: 0, maximum: 0, done: 0))

        func run(_ bytes: Int) async {
            now.withLock { now in
                now.bytes += bytes
                // A piece above the limit is admitted alone.
                now.maximum = max(now.maximum, now.bytes > 25 ? .max : now.bytes == 25 ? 10 : now.bytes)
            }
            await Task.yield()
            now.withLock { now in
                now.bytes -= bytes
                now.done += 1
            }
        }
    }

    @Test func neverExceedsTheLimit() async throws {
        let turns = ByteLimiter(limit: 10)
        let work = Work()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let bytes = [1, 4, 10, 25][number % 4]
                group.addTask { await turns.run(bytes) { await work.run(bytes) } }
            }
        }
        #expect(work.now.withLock { $0.maximum } == 10)
        #expect(work.now.withLock { $0.done } == 40)
    }

    /// A failed task releases its bytes.
    @Test func releasesBytesAfterAFailure() async throws {
        let turns = ByteLimiter(limit: 1)
        for _ in 0..<3 {
            await #expect(throws: CancellationError.self) { try await turns.run(5) { throw CancellationError() } }
        }
        #expect(await turns.run(1) { 7 } == 7)
    }
}
