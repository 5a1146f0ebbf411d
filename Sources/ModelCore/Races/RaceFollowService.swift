import Fetching
import Foundation

/// What became of a followed race in an update.
package struct RaceUpdate: Sendable {
    package enum Result: Sendable {
        case changed
        case unchanged
        case failed(String)
        /// The document has lost more than half of the stages: it is taken only where the user wants it.
        case shrunk(to: Int, of: Int)
        /// It was not asked for: not due yet, or the server wants to be left alone for a while.
        case heldBack(String)
    }

    package var subscription: RaceSubscription
    package var result: Result

    /// Why what was there has stayed, in words; `nil` where nothing is wrong.
    package var error: String? {
        switch result {
        case .failed(let error): error
        case .shrunk(let kept, let previous):
            "it now has only \(kept) of \(previous) stages; 'tappa race follow \(subscription.shownAddress)' accepts this"
        case .changed, .unchanged, .heldBack: nil
        }
    }
}

/// Follows races at their addresses: asks only for what has changed, daily, and every five minutes on the days of their stages.
package final class RaceFollowService: Sendable {
    let library: Library
    private let fetcher: Fetcher
    let clock: @Sendable () -> Int64
    /// Seconds between two questions on a day with a stage, and on others.
    private static let (pauseOfRaceDays, pause): (Int64, Int64) = (300, 86_400)

    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Int64 = { Int64(clamping: Date().timeIntervalSince1970) }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Reads what is to be followed: a race, or a directory of races.
    ///
    /// - Parameter name: Its name where the document has none.
    /// - Returns: What it is, with the change that follows it.
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

    /// Asks for the followed races, one after the other.
    ///
    /// - Parameter reason: A timer keeps to what is due; the user only to what servers have asked to wait for.
    package func update(reason: ReloadService.Reason) async throws(LibraryError) -> [RaceUpdate] {
        var updates: [RaceUpdate] = []
        for subscription in try library.raceSubscriptions() {
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
            let before = try library.race(previous.raceID)
            let race = try await ask(&subscription)
            if let race, let before, race.stages.count * 2 < before.stages.count {
                let result = RaceUpdate.Result.shrunk(to: race.stages.count, of: before.stages.count)
                return await keep(previous, notBefore: subscription.notBefore, result, now: now)
            }
            subscription.raceID = race?.id ?? previous.raceID
            subscription.nextFetch = max(
                subscription.nextFetch ?? 0, RaceFollowService.next(of: race ?? before, after: now))
            let receipt = try await library.changes.perform(.updateRace(race, subscription))
            return RaceUpdate(subscription: subscription, result: receipt.count > 0 ? .changed : .unchanged)
        } catch FetchError.cancelled {
            return RaceUpdate(subscription: previous, result: .heldBack("stopped"))
        } catch {
            return await keep(previous, notBefore: subscription.notBefore, .failed("\(error)"), now: now)
        }
    }

    /// What was there stays, and is asked for as before; the race's heading tells why.
    private func keep(_ previous: RaceSubscription, notBefore: Int64?, _ result: RaceUpdate.Result, now: Int64) async
        -> RaceUpdate
    {
        var failed = RaceUpdate(subscription: previous, result: result)
        failed.subscription.failures += 1
        failed.subscription.error = failed.error
        failed.subscription.notBefore = notBefore
        failed.subscription.nextFetch = FetchSchedule.retry(failures: failed.subscription.failures, now: now)
        _ = try? await library.changes.perform(.updateRace(nil, failed.subscription))
        return failed
    }

    /// The instant from which a race is asked for again by itself: in a day, or when a stage is under way, which is from its start to an
    /// hour after its end, every five minutes; less often where the document says that it holds for longer.
    static func next(of race: Race?, after now: Int64) -> Int64 {
        let holds = Int64(race?.ttl ?? 0) * 60
        let spans = (race?.stages ?? []).compactMap(RaceFollowService.span)
        if spans.contains(where: { $0.contains(now) }) { return now + max(pauseOfRaceDays, holds) }
        let start = spans.map(\.lowerBound).filter { $0 > now }.min() ?? .max
        return max(now + holds, min(start, now + pause))
    }

    /// When there is something to hear of a stage.
    private static func span(_ stage: Stage) -> Range<Int64>? {
        guard !stage.isCancelled else { return nil }
        if let start = stage.startInstant {
            let finish = stage.finishInstant ?? start + longestStage
            return start..<max(finish, start) + 3600
        }
        // The day of a stage lasts longer than one: zones differ.
        return stage.day.map { ($0.number - 1) * 86_400..<($0.number + 2) * 86_400 }
    }

    private static let longestStage: Int64 = 8 * 3600

    /// Asks for a race's document.
    ///
    /// - Returns: `nil`: it has not changed.
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

    /// Asks for a document.
    ///
    /// - Parameter notBefore: Gets the instant that the server asks to wait for.
    /// - Returns: The document, or 304 where it has not changed.
    func answer(_ address: String, etag: String?, lastModified: String?, notBefore: inout Int64?) async throws
        -> FetchResponse
    {
        var request = FetchRequest(
            url: address, allowsPrivateHost: try library.mayBePrivate(race: address), etag: etag,
            lastModified: lastModified)
        request.limits.body = RaceSource.maximumBytes
        let answer = try await fetcher.fetch(request)
        if answer.status == 304, etag != nil || lastModified != nil { return answer }
        guard (200..<300).contains(answer.status) else {
            notBefore = FetchSchedule.retryAfter(answer.headers["retry-after"], now: clock())
            throw failure("the server answered \(answer.status)")
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
