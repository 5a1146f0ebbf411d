import Feeds
import Fetching
import LibraryKernel
import RaceCentre
import RaceModel
import Synchronization

/// Reads races from the organisers' race centres, one document at a time (``RequestPlan``).
final class CentreProvider: RaceProvider {
    private let library: Library
    private let fetcher: Fetcher
    private let clock: @Sendable () -> Instant
    private let pause: @Sendable (Int64) async throws -> Void
    /// The identifier of the program among those that share the library (``RaceReservation``).
    private let holder: String
    /// What was read of each edition since the program was started, by address.
    private let known = Mutex<[String: EditionParts]>([:])
    /// Who would see new data.
    let audience = Mutex(RaceAudience.dashboard)
    /// The maximum number of requests of an update. The rest follows with the next updates.
    private static let maximumRequests = 12
    /// The longest pause between two requests of an update in seconds.
    static let longestPause: Int64 = 3
    private static let maximumBytes = 8 << 20

    /// - Parameter pause: Waits for a number of seconds.
    init(
        library: Library, fetcher: Fetcher, holder: String, clock: @escaping @Sendable () -> Instant,
        pause: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.library = library
        self.fetcher = fetcher
        self.holder = holder
        self.clock = clock
        self.pause = pause
    }

    func reads(_ address: String) -> Bool { address.hasPrefix(RaceEdition.scheme + ":") }

    func refusal(of subscription: RaceSubscription) -> String? {
        let now = clock()
        return subscription.plan?.believable(at: now).refusalWords(at: now)
    }

    func begin(_ address: String, name: String) async throws -> FollowedRace {
        let races = library.knownRaces
        let edition = try edition(at: address, in: races)
        var parts = EditionParts(edition: edition)
        // A race that is followed already keeps what was read of it.
        let followed = try library.races.subscriptions().first { $0.address == address }
        let stored = try followed.flatMap { try newest($0.raceID) }
        var plan = try plan(followed?.plan, of: edition, in: races)
        plan.forgetWhatIsMissing(in: stored)
        for endpoint in [Endpoint.stages, .teams, .competitors] { plan.forget(endpoint) }
        // The stages and the roster suffice to show the race. The standings follow with the first updates.
        for _ in 0..<3 {
            guard let endpoint = try await next(parts, plan) else { break }
            _ = try await request(endpoint, &parts, &plan, keeping: stored, isFollowed: false)
        }
        guard parts.stages.value != nil, let race = try EditionAssembler.race(parts, keeping: stored) else {
            throw failure(of: parts, plan)
        }
        remember(parts)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: edition.race.name)
        subscription.plan = plan
        schedule(&subscription, parts, plan)
        // The delay of live data counts from the last of the documents.
        subscription.lastSuccess = clock()
        return FollowedRace(race: race, subscription: subscription)
    }

    func update(
        _ subscription: inout RaceSubscription, from previous: Race?, didRead: @Sendable (Int) -> Void
    ) async throws -> ProviderNews {
        let races = library.knownRaces
        let edition = try edition(at: subscription.address, in: races)
        // What another program has read since is newer.
        let isHolder = subscription.reservation?.holder == holder
        var plan = try plan(subscription.plan, of: edition, in: races)
        var newest = try newest(subscription.raceID)
        var parts: EditionParts
        if isHolder, let known = known.withLock({ $0[subscription.address] }) {
            parts = known
        } else {
            parts = EditionParts(edition: edition, stored: newest, after: plan)
            // After a restart, or an update by another program, the schedule of the stages may be outdated.
            plan.forget(.stages)
            plan.forgetWhatIsMissing(in: newest)
        }
        // Also if the update ends early, for example because the user stops it.
        defer {
            remember(parts)
            subscription.plan = plan
        }
        var hasNews = false
        var count = 0
        while count < CentreProvider.maximumRequests, let endpoint = try await next(parts, plan) {
            count += 1
            let race = try await request(endpoint, &parts, &plan, keeping: newest, isFollowed: true)
            try await store(race, plan, in: &subscription)
            if let race {
                if newest.map({ race.differs(from: $0) }) ?? true { hasNews = true }
                newest = race
            }
            didRead(plan.due(at: clock(), in: context(parts)).count)
        }
        subscription.plan = plan
        schedule(&subscription, parts, plan)
        guard parts.stages.value != nil || previous != nil else { throw failure(of: parts, plan) }
        subscription.error = refusal(of: subscription) ?? parts.failureWords(after: plan)
        return hasNews ? .stored : .nothing
    }

    /// Returns the parts of a followed edition that could not be read, a sentence each.
    func failures(of subscription: RaceSubscription) -> [String] {
        guard let plan = subscription.plan, let parts = known.withLock({ $0[subscription.address] }) else { return [] }
        return parts.failures(after: plan)
    }

    /// Returns the newest version of a race, including what is held back.
    private func newest(_ id: String) throws -> Race? { try library.read { try HeldStages.newestRace(id, $0) } }

    private func edition(at address: String, in races: KnownRaces) throws -> RaceEdition {
        guard let edition = races.edition(at: address) else {
            throw PageService.Failure(description: "no known race has the address '\(address)'")
        }
        return edition
    }

    /// Returns the plan of an edition. It counts the requests that any program has made to the same race centre.
    private func plan(_ stored: RequestPlan?, of edition: RaceEdition, in races: KnownRaces) throws -> RequestPlan {
        let now = clock()
        var plan = (stored ?? RequestPlan()).believable(at: now)
        for other in try library.races.subscriptions() {
            guard let used = other.plan, races.edition(at: other.address)?.race.base == edition.race.base else {
                continue
            }
            plan.adopt(used.believable(at: now))
        }
        return plan
    }

    private func remember(_ parts: EditionParts) {
        known.withLock { $0[parts.edition.address] = parts }
    }

    // MARK: Requests

    /// Returns the next document that is due, after a short pause if necessary, or `nil` if none is.
    private func next(_ parts: EditionParts, _ plan: RequestPlan) async throws -> Endpoint? {
        while true {
            switch plan.next(at: clock(), in: context(parts)) {
            case .request(let endpoint): return endpoint
            case .wait(let until):
                let seconds = until.seconds(since: clock())
                guard seconds <= CentreProvider.longestPause else { return nil }
                try await pause(max(1, seconds))
            }
        }
    }

    /// Stores a race after a document together with the plan's note of it, so that neither is lost without the other.
    private func store(_ race: Race?, _ plan: RequestPlan, in subscription: inout RaceSubscription) async throws {
        let step = StoreRaceDocument(
            address: subscription.address, holder: holder, plan: plan, race: race, now: clock())
        guard try await library.changes.perform(step).count > 0 else { throw LostReservation() }
        subscription.raceID = race?.id ?? subscription.raceID
    }

    /// Requests a document.
    ///
    /// - Parameters:
    ///   - newest: The newest version of the race.
    ///   - isFollowed: Whether the race may not lose most of its stages, which the user accepts by following it again.
    /// - Returns: The race with the document, or `nil` if that has changed nothing.
    private func request(
        _ endpoint: Endpoint, _ parts: inout EditionParts, _ plan: inout RequestPlan, keeping newest: Race?,
        isFollowed: Bool
    ) async throws -> Race? {
        let response = try await fetcher.document(
            at: endpoint.address(in: parts.edition), upTo: CentreProvider.maximumBytes, clock: clock)
        let now = clock()
        let body = try? response.body.get()
        let isEmpty = body.map { $0.isEmpty || $0 == Array("[]".utf8) } ?? false
        var outcome =
            response.status.map {
                RequestOutcome.response(status: $0, isEmpty: isEmpty, retryAfter: response.retryAfter)
            } ?? .failed
        var race: Race?
        var reason: String?
        let before = parts
        switch response.body {
        case .success(let body):
            switch parts.take(body, of: endpoint, at: now) {
            case .changed:
                do throws(RaceFileError) { race = try EditionAssembler.race(parts, keeping: newest) } catch {
                    // A document that contradicts the others changes nothing.
                    (parts, reason) = (before, error.problems.first ?? "")
                }
            case .failed(let words): reason = words
            case .unchanged, .empty: break
            }
            // A document that can't be read is requested again.
            if reason != nil { outcome = .failed }
        case .failure(let error):
            // A document that doesn't exist is no error, unless there is no race without it.
            if response.status != 404 || endpoint == .stages { reason = "\(error)" }
        }
        if let reason { parts.fail(endpoint, reason, receivedAt: plan.lastAnswer(of: endpoint)) }
        plan.record(outcome, of: endpoint, at: now)
        if let reason { plan.note(reason, of: endpoint) }
        guard let race else { return nil }
        if isFollowed, let shrunk = ShrunkRace(race, after: newest) {
            parts = before
            throw shrunk
        }
        plan.note(race, has: endpoint)
        plan.forgetPartner(of: endpoint, in: parts)
        return race
    }

    /// Returns what decides which documents are due.
    private func context(_ parts: EditionParts) -> RequestContext {
        let stages = parts.schedule
        let now = clock()
        var context = RequestContext(stages: stages, audience: audience.withLock { $0 })
        guard let stage = stages.first(where: { $0.start.map { $0 <= now && now < $0 + 86_400 } ?? false }) else {
            return context
        }
        let head = parts.head(of: stage, at: now)
        (context.kmToGo, context.kmToGoAt) = (head?.kmToGo, head?.instant)
        return context
    }

    private func schedule(_ subscription: inout RaceSubscription, _ parts: EditionParts, _ plan: RequestPlan) {
        let now = clock()
        subscription.notBefore = nil
        subscription.lastSuccess = parts.stages.receivedAt ?? subscription.lastSuccess
        switch plan.next(at: now, in: context(parts)) {
        case .request: subscription.nextFetch = now
        case .wait(let until): subscription.nextFetch = until
        }
        subscription.reservation = RaceReservation(
            holder: holder, rank: audience.withLock { $0.rawValue },
            until: (subscription.nextFetch ?? now) + RaceReservation.grace)
    }

    // MARK: Results

    private func failure(of parts: EditionParts, _ plan: RequestPlan) -> PageService.Failure {
        let now = clock()
        if plan.isPaused(at: now) { return PageService.Failure(description: plan.status(at: now)) }
        return PageService.Failure(description: parts.stages.failure ?? "the race centre has no stages of this edition")
    }
}
