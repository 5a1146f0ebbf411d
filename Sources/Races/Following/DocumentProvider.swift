import Feeds
import Fetching
import Foundation
import LibraryKernel
import RaceModel

/// Reads race files at web addresses with conditional requests, once a day, and every five minutes on days with a stage.
struct DocumentProvider: RaceProvider {
    let fetcher: Fetcher
    let clock: @Sendable () -> Instant

    func reads(_ address: String) -> Bool { RaceSource.address(address) != nil }

    func begin(_ address: String, name: String) async throws -> FollowedRace {
        var notBefore: Instant?
        let answer = try await answer(address, etag: nil, lastModified: nil, notBefore: &notBefore)
        let race = try RaceFile.read(Data(answer.body), name: name)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: name)
        note(answer, in: &subscription, race)
        // The first update finds out when the next is due.
        subscription.nextFetch = FetchSchedule.next(headers: answer.headers, ttlMinutes: nil, now: clock())
        return FollowedRace(race: race, subscription: subscription)
    }

    func update(
        _ subscription: inout RaceSubscription, from previous: Race?, didRead: @Sendable (Int) -> Void
    ) async throws -> ProviderNews {
        let answer = try await answer(
            subscription.address, etag: subscription.etag, lastModified: subscription.lastModified,
            notBefore: &subscription.notBefore)
        guard answer.status != 304 else {
            schedule(&subscription, answer, previous)
            return .nothing
        }
        let race = try RaceFile.read(Data(answer.body), name: subscription.name)
        note(answer, in: &subscription, race)
        return .race(race)
    }

    /// Fetches a document.
    ///
    /// - Parameter notBefore: Receives the instant until which the server asks clients to wait.
    /// - Returns: The document, or a response with status 304 if it has not changed.
    private func answer(_ address: String, etag: String?, lastModified: String?, notBefore: inout Instant?) async throws
        -> FetchResponse
    {
        var request = FetchRequest(url: address, allowsPrivateHost: true, etag: etag, lastModified: lastModified)
        request.limits.body = RaceSource.maximumBytes
        let answer = try await fetcher.fetch(request)
        if answer.status == 304, etag != nil || lastModified != nil { return answer }
        guard (200..<300).contains(answer.status) else {
            notBefore = FetchSchedule.retryAfter(answer.headers["retry-after"], now: clock())
            throw PageService.Failure(description: HTTPStatus.sentence(for: answer.status))
        }
        if answer.isCut { throw PageService.Failure(description: "the document was cut off") }
        return answer
    }

    private func note(_ answer: FetchResponse, in subscription: inout RaceSubscription, _ race: Race) {
        subscription.etag = answer.headers["etag"]
        subscription.lastModified = answer.headers["last-modified"]
        schedule(&subscription, answer, race)
    }

    private func schedule(_ subscription: inout RaceSubscription, _ answer: FetchResponse, _ race: Race?) {
        let now = clock()
        subscription.notBefore = nil
        subscription.lastSuccess = now
        let valid = FetchSchedule.next(headers: answer.headers, ttlMinutes: nil, now: now)
        subscription.nextFetch = max(valid ?? 0, RaceFollowService.next(of: race, after: now))
    }
}
