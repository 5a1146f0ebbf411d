import LibraryKernel
import Synchronization

/// Limits how many bytes are processed at once. Others wait in order.
final class ByteLimiter: Sendable {
    private struct State {
        var used = 0
        var waiting: [(bytes: Int, turn: CheckedContinuation<Void, Never>)] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Runs `body` once its bytes are within the limit. One task always runs, however large.
    func run<Value>(_ bytes: Int, _ body: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { turn in
            let mayBegin = state.withLock { state in
                let mayBegin = state.waiting.isEmpty && fits(bytes, state)
                if mayBegin { state.used += bytes } else { state.waiting.append((bytes, turn)) }
                return mayBegin
            }
            if mayBegin { turn.resume() }
        }
        defer { finish(bytes) }
        return try await body()
    }

    private func fits(_ bytes: Int, _ state: State) -> Bool { state.used == 0 || state.used + bytes <= limit }

    private func finish(_ bytes: Int) {
        let next = state.withLock { state in
            state.used -= bytes
            var next: [CheckedContinuation<Void, Never>] = []
            while let first = state.waiting.first, fits(first.bytes, state) {
                state.used += first.bytes
                next.append(state.waiting.removeFirst().turn)
            }
            return next
        }
        for turn in next { turn.resume() }
    }
}
