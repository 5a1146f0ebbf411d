import Feeds
import Fetching
import Foundation
import LibraryKernel

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

    /// The reason why the race didn't change, or `nil` if nothing is wrong.
    package var error: String? {
        switch result {
        case .failed(let error): error
        case .shrunk(let kept, let previous):
            "it now has only \(kept) of \(previous) stages; 'tappa race follow \(subscription.shownAddress)' accepts this"
        case .changed, .unchanged, .heldBack: nil
        }
    }
}

/// Updates followed races.
///
/// It uses conditional requests, once a day, and every five minutes on days with a stage.
package final class RaceFollowService: Sendable {
    let library: Library
    private let fetcher: Fetcher
    let clock: @Sendable () -> Int64
    /// The number of seconds between updates on days with a stage, and on other days.
    private static let (pauseOfRaceDays, pause): (Int64, Int64) = (300, 86_400)

    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Int64 = { Int64(clamping: Date().timeIntervalSince1970) }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Reads a race or a directory of races to follow.
    ///
    /// - Parameter name: The name for a document without one.
    /// - Returns: The document with the change that follows it.
    package func read(_ address: String, name: String? = nil) async throws -> FollowedDocument {
        let address = RaceSource.address(address) ?? address
        let name = name ?? RaceFile.name(ofFile: address)
        var notBefore: Int64?
        let answer = try await answer(address, etag: nil, lastModified: nil, notBefore: &notBefore)
        let data = Data(answer.body)
        if RaceReader.isDirectory(answer.body) {
            let page = try RaceDirectory.read(data, at: address)
            var directory = DirectorySubscription(address: address, title: page.title ?? name)
            directory.etag = answer.headers["etag"]
            directory.lastModified = answer.headers["last-modified"]
            directory.lastSuccess = clock()
            directory.nextFetch = clock() + 86_400
            return .directory(try await rest(of: page, at: address), directory)
        }
        let race = try RaceFile.read(data, name: name)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: name)
        succeed(&subscription, answer, clock())
        subscription.etag = answer.headers["etag"]
        subscription.lastModified = answer.headers["last-modified"]
        return .race(race, subscription)
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

    private func update(_ previous: RaceSubscription, _ reason: ReloadService.Reason) async -> RaceUpdate {
        var subscription = previous
        let now = clock()
        let held = FetchSchedule.heldBack(
            notBefore: previous.notBefore, nextFetch: previous.nextFetch, reason, now: now)
        if let held { return RaceUpdate(subscription: previous, result: .heldBack(held)) }
        do {
            let before = try library.races.race(previous.raceID)
            let race = try await ask(&subscription)
            if let race, let before, race.stages.count * 2 < before.stages.count {
                let result = RaceUpdate.Result.shrunk(to: race.stages.count, of: before.stages.count)
                return await keep(previous, notBefore: subscription.notBefore, result, now: now)
            }
            subscription.raceID = race?.id ?? previous.raceID
            subscription.nextFetch = max(
                subscription.nextFetch ?? 0, RaceFollowService.next(of: race ?? before, after: now))
            let receipt = try await library.changes.perform(UpdateRace(race, subscription))
            return RaceUpdate(subscription: subscription, result: receipt.count > 0 ? .changed : .unchanged)
        } catch FetchError.cancelled {
            return RaceUpdate(subscription: previous, result: .heldBack("stopped"))
        } catch {
            return await keep(previous, notBefore: subscription.notBefore, .failed("\(error)"), now: now)
        }
    }

    /// Keeps the race and its schedule after an error, and stores the reason, which the race's heading shows.
    private func keep(_ previous: RaceSubscription, notBefore: Int64?, _ result: RaceUpdate.Result, now: Int64) async
        -> RaceUpdate
    {
        var failed = RaceUpdate(subscription: previous, result: result)
        failed.subscription.failures += 1
        failed.subscription.error = failed.error
        failed.subscription.notBefore = notBefore
        failed.subscription.nextFetch = FetchSchedule.retry(failures: failed.subscription.failures, now: now)
        _ = try? await library.changes.perform(UpdateRace(nil, failed.subscription))
        return failed
    }

    /// Returns the instant of the next automatic update.
    ///
    /// It is five minutes away from the start of a stage until an hour after its end, and a day otherwise. It is later
    /// if the document is valid for longer.
    static func next(of race: Race?, after now: Int64) -> Int64 {
        let holds = Int64(race?.ttl ?? 0) * 60
        let spans = (race?.stages ?? []).compactMap(RaceFollowService.span)
        if spans.contains(where: { $0.contains(now) }) { return now + max(pauseOfRaceDays, holds) }
        let start = spans.map(\.lowerBound).filter { $0 > now }.min() ?? .max
        return max(now + holds, min(start, now + pause))
    }

    /// Returns the time in which news of a stage is expected.
    private static func span(_ stage: Stage) -> Range<Int64>? {
        guard !stage.isCancelled else { return nil }
        if let start = stage.startInstant {
            let finish = stage.finishInstant ?? start + longestStage
            return start..<max(finish, start) + 3600
        }
        // Because of time zones, the day of a stage lasts longer than 24 hours.
        return stage.day.map { ($0.number - 1) * 86_400..<($0.number + 2) * 86_400 }
    }

    private static let longestStage: Int64 = 8 * 3600

    /// Fetches the document of a race.
    ///
    /// - Returns: The race, or `nil` if it has not changed.
    private func ask(_ subscription: inout RaceSubscription) async throws -> Race? {
        let answer = try await answer(
            subscription.address, etag: subscription.etag, lastModified: subscription.lastModified,
            notBefore: &subscription.notBefore)
        guard answer.status != 304 else {
            succeed(&subscription, answer, clock())
            return nil
        }
        let race = try RaceFile.read(Data(answer.body), name: subscription.name)
        subscription.etag = answer.headers["etag"]
        subscription.lastModified = answer.headers["last-modified"]
        succeed(&subscription, answer, clock())
        return race
    }

    /// Fetches a document.
    ///
    /// - Parameter notBefore: Receives the instant until which the server asks clients to wait.
    /// - Returns: The document, or a response with status 304 if it has not changed.
    func answer(_ address: String, etag: String?, lastModified: String?, notBefore: inout Int64?) async throws
        -> FetchResponse
    {
        var request = FetchRequest(
            url: address, allowsPrivateHost: try library.races.mayBePrivate(address), etag: etag,
            lastModified: lastModified)
        request.limits.body = RaceSource.maximumBytes
        let answer = try await fetcher.fetch(request)
        if answer.status == 304, etag != nil || lastModified != nil { return answer }
        guard (200..<300).contains(answer.status) else {
            notBefore = FetchSchedule.retryAfter(answer.headers["retry-after"], now: clock())
            throw failure(HTTPStatus.sentence(for: answer.status))
        }
        if answer.isCut { throw failure("the document was cut off") }
        return answer
    }

    private func succeed(_ subscription: inout RaceSubscription, _ answer: FetchResponse, _ now: Int64) {
        subscription.error = nil
        subscription.failures = 0
        subscription.notBefore = nil
        subscription.lastSuccess = now
        subscription.nextFetch = FetchSchedule.next(headers: answer.headers, ttlMinutes: nil, now: now)
    }

    private func failure(_ sentence: String) -> PageService.Failure { PageService.Failure(description: sentence) }
}
