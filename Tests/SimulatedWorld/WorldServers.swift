import Fetching
import Foundation
import LoopbackServer
import Platform
import Synchronization

/// All servers of a simulated world, and what they think of their guests.
final class WorldServers: Sendable {
    struct State {
        var sites: [WorldSite] = (0..<6).map(WorldSite.init)
        var guests = [GoodGuest](repeating: GoodGuest(), count: 6)
        /// The pages by address, and the page hosts by site.
        var pages: [String: Pause] = [:]
        var hosts: [Int: Pause] = [:]
        var centre = WorldCentre()
        var requests = 0
        var violations: [String] = []
        var states: [String: Int] = [:]
        /// A fault of the account's server and the number of requests until then.
        var fault: (fault: WorldEvent.AccountFault, requests: Int)?
    }

    /// When something may be asked again.
    struct Pause {
        var failures = 0
        var until = Int64.min
        var isDone = false
    }

    static let account = "https://account.example"
    let account: ReaderServer
    private let clock: WorldClock
    private let state = Mutex(State())

    init(_ clock: WorldClock) {
        self.clock = clock
        account = ReaderServer(withoutPort: ())
    }

    func with<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        try state.withLock { try body(&$0) }
    }

    /// Counts a rare state.
    func reach(_ name: String) { with { $0.states[name, default: 0] += 1 } }

    func answer(_ request: SimulatedNetwork.Request) async throws(FetchError) -> SimulatedNetwork.Answer {
        guard let caller = Caller.current else { throw .failed("a request of nobody: \(request.address)") }
        if request.address.hasPrefix(WorldCentre.base) { return try await answerForCentre(request.address, caller) }
        let parts = request.address.split(separator: "/").map(String.init)
        guard parts.count > 2, let site = Int(parts[1].dropFirst(4).prefix { $0.isNumber }), parts[1].hasPrefix("site")
        else { return try await answerForAccount(request, caller) }
        if parts[2] == "recording", let number = Int(parts[3].prefix(1)) {
            return try await answerRecording(request, site, number, caller)
        }
        let isPage = parts[2] == "page"
        if isPage { notePage(request.address, site) } else { note(request, site, caller) }
        do throws(FetchError) {
            try await caller.passGate()
            if isPage { return try answerPage(request.address, site, parts[3]) }
            let (answer, delivery) = try withSite(site) { (site) throws(FetchError) in try site.answer(request) }
            if let delivery { caller.note(delivery, of: site) }
            if answer.status == 304 { reach("not modified") }
            return answer
        } catch {
            if !isPage { caller.note(.failure(retryAfter: nil), of: site) }
            throw error
        }
    }

    private func withSite<Value: Sendable>(_ number: Int, _ body: (inout WorldSite) throws(FetchError) -> Value)
        throws(FetchError) -> Value
    {
        let result = state.withLock { state in
            Result { () throws(FetchError) in try body(&state.sites[number]) }
        }
        return try result.get()
    }

    private func note(_ request: SimulatedNetwork.Request, _ site: Int, _ caller: Caller) {
        guard caller.begins(site) else { return }
        let second = clock.seconds
        if World.isTraced { print("  \(second): program \(caller.program) (\(caller.reason)) asks site \(site)") }
        with { state in
            state.requests += 1
            if let fault = state.guests[site].request(caller.reason, request.headers, at: second) {
                state.violations.append(
                    "second \(second): program \(caller.program) (\(caller.reason)) asks site \(site), but \(fault)")
            }
        }
    }

    // MARK: Recordings and races

    private func answerRecording(
        _ request: SimulatedNetwork.Request, _ site: Int, _ number: Int, _ caller: Caller
    ) async throws(FetchError) -> SimulatedNetwork.Answer {
        let isFirst = with { $0.sites[site].recordings.sending.insert(number).inserted }
        defer { with { _ = $0.sites[site].recordings.sending.remove(number) } }
        if !isFirst { with { $0.violations.append("two programs download \(request.address)") } }
        if let range = request.headers["range"], !range.hasPrefix("bytes=0-") {
            reach("recording continued")
            if request.headers["if-range"] == nil { with { $0.violations.append("\(request.address): no If-Range") } }
        }
        try await caller.passGate()
        return try withSite(site) { (site) throws(FetchError) in
            try site.recordings.answer(request, number, site: site.number)
        }
    }

    private func answerForCentre(_ address: String, _ caller: Caller) async throws(FetchError)
        -> SimulatedNetwork.Answer
    {
        let (second, now) = (clock.seconds, clock.truth)
        with { state in
            state.states["requests for the race", default: 0] += 1
            guard let fault = state.centre.request(at: second) else { return }
            state.violations.append(
                "second \(second): program \(caller.program) asks the race centre for \(address), but \(fault)")
        }
        if World.isTraced { print("  \(second): program \(caller.program) asks the race centre for \(address)") }
        try await caller.passGate()
        let result = state.withLock { state in
            Result { () throws(FetchError) in try state.centre.answer(address, at: now, second: second) }
        }
        return try result.get()
    }

    // MARK: Pages

    private func notePage(_ address: String, _ site: Int) {
        let second = clock.seconds
        with { state in
            let (page, host) = (state.pages[address] ?? Pause(), state.hosts[site] ?? Pause())
            if page.isDone { state.violations.append("second \(second): \(address) is asked again") }
            if second < max(page.until, host.until) {
                state.violations.append(
                    "second \(second): \(address) is asked before \(page.until), or its host before \(host.until)")
            }
        }
    }

    private func answerPage(_ address: String, _ number: Int, _ token: String) throws(FetchError)
        -> SimulatedNetwork.Answer
    {
        let second = clock.seconds
        let result = state.withLock { state in
            let site = state.sites[number]
            let result = Result { () throws(FetchError) in try site.page(token) }
            var (page, host) = (state.pages[address] ?? Pause(), state.hosts[number] ?? Pause())
            if (try? result.get())?.status == 200 {
                (page.isDone, host) = (true, Pause())
            } else {
                page.failures += 1
                page.until = second + min(30 * 86_400, 3600 << Int64(min(page.failures - 1, 10)))
                state.states["page paused", default: 0] += 1
                if let wait = WorldSite.asksToWait(site.pageBehaviour) {
                    host.until = second + wait
                    state.states["page host paused", default: 0] += 1
                }
            }
            (state.pages[address], state.hosts[number]) = (page, host)
            return result
        }
        return try result.get()
    }

    // MARK: The account

    private func answerForAccount(_ request: SimulatedNetwork.Request, _ caller: Caller) async throws(FetchError)
        -> SimulatedNetwork.Answer
    {
        guard request.address.hasPrefix(WorldServers.account) else { throw .noSuchHost(request.address) }
        try await caller.passGate()
        let fault: WorldEvent.AccountFault? = with { state in
            guard let next = state.fault else { return nil }
            state.fault = next.requests > 1 ? (next.fault, next.requests - 1) : nil
            return next.requests > 1 ? nil : next.fault
        }
        if fault == .lostRequest { throw .failed("the connection was lost") }
        if fault == .unavailable { return .init(503, headers: ["retry-after": "60"]) }
        if fault == .page { return .init(200, headers: ["content-type": "text/html"], body: Array("<html>".utf8)) }
        if fault == .emptyArray { return .init(200, body: Array("[]".utf8)) }
        let path = String(request.address.dropFirst(WorldServers.account.count))
        let answer = account.answer(
            .init(method: request.method, path: path, headers: request.headers, body: request.body))
        if fault == .lostAnswer { throw .failed("the connection was lost") }
        let headers = Dictionary(answer.headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        guard fault == .halfAnswer else { return .init(answer.status, headers: headers, body: answer.body) }
        return .init(
            answer.status, headers: headers, body: Array(answer.body.prefix(answer.body.count / 2)), isCut: true)
    }
}
