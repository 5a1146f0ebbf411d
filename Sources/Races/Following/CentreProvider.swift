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
    private static let mostRequests = 12
    /// The longest pause between two requests of an update in seconds.
    static let longestPause: Int64 = 3
    /// The maximum size of a document in bytes.
    private static let mostBytes = 8 << 20

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
        subscription.plan?.refusalWords(at: clock())
    }

    func begin(_ address: String, name: String) async throws -> FollowedRace {
        let races = library.knownRaces
        let edition = try edition(at: address, in: races)
        var parts = EditionParts(edition: edition)
        var plan = try plan(nil, of: edition, in: races)
        // The stages and the roster suffice to show the race. The standings follow with the first updates.
        try await read(&parts, &plan, most: 3)
        guard let race = try EditionAssembler.race(parts) else { throw failure(of: parts, plan) }
        remember(parts)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: edition.race.name)
        subscription.plan = plan
        schedule(&subscription, parts, plan)
        // The delay of live data counts from the last of the documents.
        subscription.lastSuccess = clock()
        return FollowedRace(race: race, subscription: subscription)
    }

    func update(_ subscription: inout RaceSubscription, from previous: Race?) async throws -> Race? {
        let races = library.knownRaces
        let edition = try edition(at: subscription.address, in: races)
        // What another program has read since is newer.
        let isHolder = subscription.reservation?.holder == holder
        let known = isHolder ? known.withLock { $0[subscription.address] } : nil
        var parts = known ?? EditionParts(edition: edition)
        var plan = try plan(subscription.plan, of: edition, in: races)
        // After a restart, or an update by another program, the schedule of the stages is unknown.
        if parts.stages.value == nil { plan.forget(.stages) }
        let hasNews = try await read(
            &parts, &plan, most: CentreProvider.mostRequests, reservedAt: subscription.address)
        remember(parts)
        subscription.plan = plan
        schedule(&subscription, parts, plan)
        guard parts.stages.value != nil || previous != nil else { throw failure(of: parts, plan) }
        // What was read before the refusal is stored.
        subscription.error = refusal(of: subscription) ?? parts.failureWords(after: plan)
        guard hasNews else { return nil }
        return try EditionAssembler.race(
            parts, keeping: library.read { try HeldStages.newestRace(subscription.raceID, $0) })
    }

    private func edition(at address: String, in races: KnownRaces) throws -> RaceEdition {
        guard let edition = races.edition(at: address) else {
            throw PageService.Failure(description: "no known race has the address '\(address)'")
        }
        return edition
    }

    /// Returns the plan of an edition. It counts the requests that any program has made to the same race centre.
    private func plan(_ stored: RequestPlan?, of edition: RaceEdition, in races: KnownRaces) throws -> RequestPlan {
        var plan = stored ?? RequestPlan()
        for other in try library.races.subscriptions() {
            guard let used = other.plan, races.edition(at: other.address)?.race.base == edition.race.base else {
                continue
            }
            plan.adopt(used)
        }
        return plan
    }

    private func remember(_ parts: EditionParts) {
        known.withLock { $0[parts.edition.address] = parts }
    }

    // MARK: Requests

    /// Requests the documents that are due.
    ///
    /// - Parameter address: The address of a followed race, whose update is reserved.
    /// - Returns: Whether one of them has changed something.
    @discardableResult
    private func read(
        _ parts: inout EditionParts, _ plan: inout RequestPlan, most: Int, reservedAt address: String? = nil
    ) async throws -> Bool {
        var hasNews = false
        var count = 0
        while count < most {
            switch plan.next(at: clock(), in: context(parts)) {
            case .wait(let until):
                let seconds = until.seconds(since: clock())
                guard seconds <= CentreProvider.longestPause else { return hasNews }
                try await pause(max(1, seconds))
            case .request(let endpoint):
                count += 1
                if try await request(endpoint, &parts, &plan) { hasNews = true }
                if let address { try await renew(address, plan) }
            }
        }
        return hasNews
    }

    private func renew(_ address: String, _ plan: RequestPlan) async throws {
        let step = RenewRaceUpdate(address: address, holder: holder, plan: plan, now: clock())
        guard try await library.changes.perform(step).count > 0 else { throw LostReservation() }
    }

    /// Requests a document.
    ///
    /// - Returns: Whether it has changed something.
    private func request(_ endpoint: Endpoint, _ parts: inout EditionParts, _ plan: inout RequestPlan) async throws
        -> Bool
    {
        let response = try await fetcher.document(
            at: endpoint.address(in: parts.edition), upTo: CentreProvider.mostBytes, clock: clock)
        let now = clock()
        var random = SystemRandomNumberGenerator()
        let body = try? response.body.get()
        let isEmpty = body.map { $0.isEmpty || $0 == Array("[]".utf8) } ?? false
        var outcome =
            response.status.map {
                RequestOutcome.response(status: $0, isEmpty: isEmpty, retryAfter: response.retryAfter)
            } ?? .failed
        var isNews = false
        switch response.body {
        case .success(let body):
            let change = parts.take(body, of: endpoint, at: now)
            // A document that can't be read is requested again.
            if case .failed = change { outcome = .failed }
            isNews = change == .changed
        case .failure(let error):
            // A document that doesn't exist is no error, unless there is no race without it.
            if response.status != 404 || endpoint == .stages { parts.fail(endpoint, "\(error)") }
        }
        plan.record(outcome, of: endpoint, at: now, using: &random)
        return isNews
    }

    /// Returns what decides which documents are due.
    private func context(_ parts: EditionParts) -> RequestContext {
        let stages = parts.stages.value ?? []
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
