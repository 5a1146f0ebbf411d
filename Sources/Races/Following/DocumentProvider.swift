import Feeds
import Fetching
import Foundation
import LibraryKernel

/// Reads race files at web addresses with conditional requests, once a day, and every five minutes on days with a stage.
struct DocumentProvider: RaceProvider {
    let documents: RaceDocuments

    func reads(_ address: String) -> Bool { RaceSource.address(address) != nil }

    func begin(_ address: String, name: String) async throws -> FollowedDocument {
        var notBefore: Instant?
        let answer = try await documents.answer(address, etag: nil, lastModified: nil, notBefore: &notBefore)
        guard !RaceReader.isDirectory(answer.body) else { return try await directory(answer, at: address, name: name) }
        let race = try RaceFile.read(Data(answer.body), name: name)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: name)
        note(answer, in: &subscription, race)
        // The first update finds out when the next is due.
        subscription.nextFetch = FetchSchedule.next(headers: answer.headers, ttlMinutes: nil, now: documents.clock())
        return .race(race, subscription)
    }

    private func directory(_ answer: FetchResponse, at address: String, name: String) async throws -> FollowedDocument {
        let page = try RaceDirectory.read(Data(answer.body), at: address)
        var directory = DirectorySubscription(address: address, title: page.title ?? name)
        directory.etag = answer.headers["etag"]
        directory.lastModified = answer.headers["last-modified"]
        directory.lastSuccess = documents.clock()
        directory.nextFetch = documents.clock() + 86_400
        return .directory(try await documents.rest(of: page, at: address), directory)
    }

    func update(_ subscription: inout RaceSubscription, from previous: Race?) async throws -> Race? {
        let answer = try await documents.answer(
            subscription.address, etag: subscription.etag, lastModified: subscription.lastModified,
            notBefore: &subscription.notBefore)
        guard answer.status != 304 else {
            schedule(&subscription, answer, previous)
            return nil
        }
        let race = try RaceFile.read(Data(answer.body), name: subscription.name)
        note(answer, in: &subscription, race)
        return race
    }

    private func note(_ answer: FetchResponse, in subscription: inout RaceSubscription, _ race: Race) {
        subscription.etag = answer.headers["etag"]
        subscription.lastModified = answer.headers["last-modified"]
        schedule(&subscription, answer, race)
    }

    private func schedule(_ subscription: inout RaceSubscription, _ answer: FetchResponse, _ race: Race?) {
        let now = documents.clock()
        subscription.notBefore = nil
        subscription.lastSuccess = now
        let valid = FetchSchedule.next(headers: answer.headers, ttlMinutes: nil, now: now)
        subscription.nextFetch = max(valid ?? 0, RaceFollowService.next(of: race, after: now))
    }
}

/// Fetches race files and directories.
struct RaceDocuments: Sendable {
    let library: Library
    let fetcher: Fetcher
    let clock: @Sendable () -> Instant

    /// Fetches a document.
    ///
    /// - Parameter notBefore: Receives the instant until which the server asks clients to wait.
    /// - Returns: The document, or a response with status 304 if it has not changed.
    func answer(_ address: String, etag: String?, lastModified: String?, notBefore: inout Instant?) async throws
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
            throw PageService.Failure(description: HTTPStatus.sentence(for: answer.status))
        }
        if answer.isCut { throw PageService.Failure(description: "the document was cut off") }
        return answer
    }

    /// Returns the races of a page and all following pages. Each page is read once, even if pages link in a circle.
    func rest(of first: RaceDirectory, at address: String) async throws -> [ListedRace] {
        var (races, page, visited) = (first.races, first, Set([address]))
        while let next = page.next, visited.insert(next).inserted {
            guard visited.count <= RaceDirectory.mostPages, races.count <= RaceDirectory.mostRaces else {
                throw PageService.Failure(
                    description:
                        "it has more than \(RaceDirectory.mostPages) pages or \(RaceDirectory.mostRaces) races")
            }
            // A page on another host doesn't belong to the directory.
            guard TrustedHost.of(next) == TrustedHost.of(address) else {
                throw PageService.Failure(
                    description: "its next page is on another host: \(TrustedHost.of(next) ?? next)")
            }
            var ignored: Instant?
            let answer = try await answer(next, etag: nil, lastModified: nil, notBefore: &ignored)
            page = try RaceDirectory.read(Data(answer.body), at: next)
            races += page.races
        }
        return races
    }
}
