import LoopbackServer
import Synchronization

@testable import LibraryKernel
@testable import RaceCentre
@testable import Races

/// A race centre on loopback, and a clock that the pauses of its clients move on.
final class LoopbackCentre: Sendable {
    private struct State {
        var now: Instant
        var answers: [String: LoopbackServer.Answer] = [:]
        var log: [(bind: String, at: Instant)] = []
    }

    private let state: SharedState
    let server: LoopbackServer

    private final class SharedState: Sendable {
        let value: Mutex<State>
        init(_ state: State) { value = Mutex(state) }
    }

    init(now: Instant) throws {
        let state = SharedState(State(now: now))
        self.state = state
        server = try LoopbackServer { request in
            state.value.withLock { state in
                let bind = String(request.path.dropFirst("/api/".count))
                state.log.append((bind, state.now))
                return state.answers[bind] ?? .init(204)
            }
        }
    }

    var now: Instant {
        get { state.value.withLock { $0.now } }
        set { state.value.withLock { $0.now = newValue } }
    }

    /// The requests with their instants.
    var log: [(bind: String, at: Instant)] { state.value.withLock { $0.log } }
    var paths: [String] { log.map(\.bind) }

    func serve(_ bind: String, _ answer: LoopbackServer.Answer) { state.value.withLock { $0.answers[bind] = answer } }

    func serve(_ bind: String, _ body: [UInt8], status: Int = 200) { serve(bind, .init(status, body: body)) }

    var races: KnownRaces {
        var race = Invented.race
        race.base = "http://127.0.0.1:\(server.port)"
        return KnownRaces(races: [race])
    }
    var address: String { address(of: 2026) }

    func address(of year: Int) -> String { "aso:http://127.0.0.1:\(server.port)/\(year)" }
}
