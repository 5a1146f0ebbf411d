import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import Platform
import RaceCentre
import RaceModel
import Synchronization

/// The result of updating a followed race.
package struct RaceUpdate: Sendable {
    package enum Result: Sendable {
        case changed
        case unchanged
        case failed(String)
        /// The document has lost more than half of the stages, so the user must accept it.
        case shrunk(to: Int, of: Int)
        /// The race was not fetched, because it isn't due or the server asks clients to wait.
        case heldBack(String)
    }

    package var subscription: RaceSubscription
    package var result: Result

    /// The reason why the race, or a part of it, could not be updated, or `nil` if nothing is wrong.
    package var error: String? {
        switch result {
        case .failed(let error): error
        case .shrunk(let kept, let previous):
            "it now has only \(kept) of \(previous) stages; 'tappa race follow \(subscription.shownAddress)' accepts this"
        // A race centre has refused the rest, or a part can't be read.
        case .changed, .unchanged: subscription.error
        case .heldBack: nil
        }
    }
}

/// Updates followed races. Each comes from the ``RaceProvider`` that reads its address.
package final class RaceFollowService: Sendable {
    let library: Library
    let clock: @Sendable () -> Instant
    /// The identifier among the programs that share the library.
    private let id = UUID().uuidString
    private let files: DocumentProvider
    private let centres: CentreProvider
    let wikidata: WikidataSource
    private let providers: [any RaceProvider]
    /// The number of seconds between updates on days without a stage.
    private static let pause: Int64 = 86_400

    /// - Parameter pause: Waits for a number of seconds between two requests.
    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Instant = { .now },
        pause: @escaping @Sendable (Int64) async throws -> Void = { try await Clock.sleep(for: .seconds($0)) }
    ) {
        self.library = library
        self.clock = clock
        files = DocumentProvider(fetcher: fetcher, clock: clock)
        centres = CentreProvider(library: library, fetcher: fetcher, holder: id, clock: clock, pause: pause)
        wikidata = WikidataSource(library: library, fetcher: fetcher, clock: clock)
        providers = [
            centres, WikidataProvider(source: wikidata), ProgramProvider(library: library, clock: clock), files,
        ]
    }

    /// Who would see new data. It decides which documents of a race centre are requested, and how often.
    package var audience: RaceAudience {
        get { centres.audience.withLock { $0 } }
        set { centres.audience.withLock { $0 = newValue } }
    }

    /// Reads a race to follow.
    ///
    /// - Parameters:
    ///   - address: A web address, `exec:` with a program, or the address of an edition in a race centre or Wikidata.
    ///   - name: The name for a document without one.
    /// - Returns: The race with the change that follows it.
    package func read(_ address: String, name: String? = nil) async throws -> FollowedRace {
        let address = RaceSource.address(address) ?? address
        let name = name ?? RaceFile.name(ofFile: address)
        let provider = providers.first { $0.reads(address) } ?? files
        return try await provider.begin(address, name: name)
    }

    /// Updates the followed races one after the other.
    ///
    /// - Parameter reason: With a timer only due races are fetched. A request of the user ignores the schedule, but not
    ///   the wait that a server asks for.
    package func update(reason: ReloadService.Reason) async throws(LibraryError) -> [RaceUpdate] {
        var updates: [RaceUpdate] = []
        for subscription in try library.races.subscriptions() {
            if Task.isCancelled { break }
            updates.append(await update(subscription, reason))
        }
        return updates
    }

    /// Reads everything of a followed race that is due, which takes a minute or two for a whole edition.
    ///
    /// - Parameters:
    ///   - didRead: Called after each document with the numbers of those that were read and of all.
    ///   - progress: Receives the result of each update.
    /// - Returns: The parts that could not be read, a sentence each.
    @discardableResult
    package func updateCompletely(
        _ address: String, didRead: @escaping @Sendable (_ count: Int, _ all: Int) -> Void = { _, _ in },
        progress: @Sendable (RaceUpdate) -> Void
    ) async throws -> [String] {
        let count = Mutex(0)
        while let subscription = try library.races.subscriptions().first(where: { $0.address == address }) {
            guard let next = subscription.nextFetch, next <= clock() + CentreProvider.longestPause else {
                return centres.failures(of: subscription)
            }
            let update = await update(subscription, .user) { due in
                let read = count.withLock { count in
                    count += 1
                    return count
                }
                didRead(read, read + due)
            }
            progress(update)
            switch update.result {
            // A part that can't be read doesn't keep the others from being read.
            case .changed, .unchanged: continue
            case .failed, .shrunk, .heldBack: return [update.error].compactMap { $0 }
            }
        }
        return []
    }

    private func update(
        _ previous: RaceSubscription, _ reason: ReloadService.Reason, didRead: @Sendable (Int) -> Void = { _ in }
    ) async -> RaceUpdate {
        var subscription = previous
        let now = clock()
        if let reason = heldBack(previous, reason, at: now) {
            return RaceUpdate(subscription: previous, result: .heldBack(reason))
        }
        do {
            guard let provider = providers.first(where: { $0.reads(previous.address) }) else {
                throw PageService.Failure(description: "tappa can't read such an address")
            }
            if let refusal = provider.refusal(of: previous) {
                return RaceUpdate(subscription: previous, result: .heldBack(refusal))
            }
            guard try await claim(previous, reason, at: now) else {
                return RaceUpdate(subscription: previous, result: .heldBack(RaceFollowService.otherProgram))
            }
            let before = try library.races.race(previous.raceID)
            subscription.error = nil
            subscription.failures = 0
            if !centres.reads(previous.address) { subscription.reservation = nil }
            let news = try await provider.update(&subscription, from: before, didRead: didRead)
            var race: Race?
            if case .race(let new) = news { race = new }
            if let shrunk = ShrunkRace(race, after: before) { throw shrunk }
            subscription.raceID = race?.id ?? subscription.raceID
            let receipt = try await library.changes.perform(UpdateRace(race, subscription, at: clock()))
            let hasStored = if case .stored = news { true } else { false }
            let hasChanged = receipt.count > 0 || hasStored
            return RaceUpdate(subscription: subscription, result: hasChanged ? .changed : .unchanged)
        } catch let shrunk as ShrunkRace {
            let result = RaceUpdate.Result.shrunk(to: shrunk.kept, of: shrunk.previous)
            return await keep(previous, after: subscription, result, now: now)
        } catch FetchError.cancelled, is CancellationError {
            return await stop(previous)
        } catch is LostReservation {
            return RaceUpdate(subscription: previous, result: .heldBack(RaceFollowService.otherProgram))
        } catch {
            return await keep(previous, after: subscription, .failed("\(error)"), now: now)
        }
    }

    /// Ends an update that the user has stopped. What was read is stored, and any program may continue.
    private func stop(_ race: RaceSubscription) async -> RaceUpdate {
        _ = try? await library.changes.perform(ReleaseRaceUpdate(address: race.address, holder: id, now: clock()))
        return RaceUpdate(subscription: race, result: .heldBack("stopped"))
    }

    private static let otherProgram = "another program updates it"

    /// Returns the reason why a race is not updated now, or `nil` if it may be.
    private func heldBack(_ race: RaceSubscription, _ reason: ReloadService.Reason, at now: Instant) -> String? {
        var next = race.nextFetch
        if centres.reads(race.address) {
            let audience = audience
            if reason == .timer, audience == .nobody { return "no pane has focus" }
            // The schedule is that of a program whose user sees less.
            if let reservation = race.reservation, reservation.rank < audience.rawValue { next = nil }
        }
        return FetchSchedule.heldBack(notBefore: race.notBefore, nextFetch: next, reason, now: now)
    }

    /// Reserves an update, because every pane has a timer.
    ///
    /// Updates of race centres are also reserved when the user requests them. This program then makes all further
    /// updates until it ends or another pane would show more, because it knows what it has read.
    ///
    /// - Returns: Whether this program may make the requests.
    private func claim(_ subscription: RaceSubscription, _ reason: ReloadService.Reason, at now: Instant) async throws
        -> Bool
    {
        let isFromCentre = centres.reads(subscription.address)
        guard reason == .timer || isFromCentre else { return true }
        let claim = ClaimRaceUpdate(
            address: subscription.address, seen: subscription.nextFetch, holder: id,
            rank: isFromCentre ? audience.rawValue : 0, now: now)
        return try await library.changes.perform(claim).count > 0
    }

    /// Keeps the race and its schedule after an error, and stores the reason, which the race's heading shows.
    ///
    /// - Parameter tried: What the provider has noted of its requests.
    private func keep(
        _ previous: RaceSubscription, after tried: RaceSubscription, _ result: RaceUpdate.Result, now: Instant
    ) async -> RaceUpdate {
        var failed = RaceUpdate(subscription: previous, result: result)
        failed.subscription.failures += 1
        failed.subscription.error = failed.error
        failed.subscription.notBefore = tried.notBefore
        failed.subscription.plan = tried.plan
        failed.subscription.reservation = nil
        failed.subscription.nextFetch = FetchSchedule.retry(failures: failed.subscription.failures, now: now)
        _ = try? await library.changes.perform(UpdateRace(nil, failed.subscription, at: now))
        return failed
    }

    /// Returns the instant of the next automatic update.
    ///
    /// It is five minutes away from the start of a stage until an hour after its end, and a day otherwise. It is later
    /// if the document is valid for longer.
    ///
    /// - Parameter pauseOfRaceDays: The number of seconds between updates during a stage.
    static func next(of race: Race?, after now: Instant, pauseOfRaceDays: Int64 = 300) -> Instant {
        let holds = Int64(race?.ttl ?? 0) * 60
        let spans = (race?.stages ?? []).compactMap(RaceFollowService.span)
        if spans.contains(where: { $0.contains(now) }) { return now + max(pauseOfRaceDays, holds) }
        let start = spans.map(\.lowerBound).filter { $0 > now }.min() ?? .distantFuture
        return max(now + holds, min(start, now + pause))
    }

    /// Returns the time in which news of a stage is expected.
    private static func span(_ stage: Stage) -> Range<Instant>? {
        guard !stage.isCancelled else { return nil }
        if let start = stage.startInstant {
            let finish = stage.finishInstant ?? start + longestStage
            return start..<max(finish, start) + 3600
        }
        // Because of time zones, the day of a stage lasts longer than 24 hours.
        return stage.day.map { ($0 - 1).midnight..<($0 + 2).midnight }
    }

    private static let longestStage: Int64 = 8 * 3600
}
