import Fetching
import Synchronization

/// The operation that sends a request.
final class Caller: Sendable {
    enum Reason: String, Sendable {
        case timer, user, insisting, discovery, account, recording, race
    }

    /// The operation of the current task.
    @TaskLocal static var current: Caller?

    let program: Int
    let reason: Reason
    private let state = Mutex(State())

    private struct State {
        var deliveries: [Int: WorldSite.Delivery] = [:]
        var asked: Set<Int> = []
        /// Whether the next request is not answered until the world says so.
        var holdsNext = false
        var isKilled = false
        var held: [CheckedContinuation<Void, Never>] = []
        var reported = 0
    }

    init(program: Int, _ reason: Reason, holdsNext: Bool = false) {
        (self.program, self.reason) = (program, reason)
        state.withLock { $0.holdsNext = holdsNext }
    }

    /// Notes that a site is asked. Returns false if this is the next step of a redirect.
    func begins(_ site: Int) -> Bool { state.withLock { $0.asked.insert(site).inserted } }

    func note(_ delivery: WorldSite.Delivery, of site: Int) { state.withLock { $0.deliveries[site] = delivery } }
    func delivery(of site: Int) -> WorldSite.Delivery? { state.withLock { $0.deliveries[site] } }

    var asked: Set<Int> { state.withLock { $0.asked } }

    func report() { state.withLock { $0.reported += 1 } }

    /// The number of feeds that are reported, or whose request is held.
    var settled: Int { state.withLock { $0.reported + $0.held.count } }
    var isHeld: Bool { state.withLock { !$0.held.isEmpty } }

    /// Waits for the world if the program is interrupted, and then loses the connection.
    func passGate() async throws(FetchError) {
        guard state.withLock({ $0.holdsNext || !$0.held.isEmpty }) else { return }
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.holdsNext = false
                state.held.append(continuation)
            }
        }
        throw state.withLock { $0.isKilled } ? .cancelled : .failed("the connection was lost")
    }

    /// Ends the held requests.
    ///
    /// - Parameter isKilled: Whether the program does nothing more.
    func release(isKilled: Bool = false) {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isKilled = isKilled
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
