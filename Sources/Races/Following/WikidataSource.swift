import Feeds
import Fetching
import Foundation
import LibraryKernel
import RaceCentre
import WebAddresses

/// Asks Wikidata's query service, at most as often as its allowance permits (``QueryAllowance``).
struct WikidataSource: Sendable {
    let library: Library
    let fetcher: Fetcher
    let clock: @Sendable () -> Instant
    /// The maximum size of an answer in bytes.
    private static let mostBytes = JSONDocument.mostBytes

    /// Returns the reason why no request is possible now, or `nil`.
    func refusal() throws(LibraryError) -> String? {
        guard let next = try library.races.allowance().next(at: clock()) else { return nil }
        return "Wikidata can be asked again at \(QueryAllowance.time(next))"
    }

    /// Returns the answer to a query.
    func answer(_ query: WikidataQuery) async throws -> [UInt8] {
        if let refusal = try refusal() { throw PageService.Failure(description: refusal) }
        let service = library.knownRaces.wikidataService
        // A service of the user's own may be in a private network. The usual one has TLS.
        var request = FetchRequest(
            url: query.address(at: service), allowsPrivateHost: WebAddress(service)?.scheme == "http")
        request.limits.body = WikidataSource.mostBytes
        let answer: FetchResponse
        do { answer = try await fetcher.fetch(request) } catch FetchError.cancelled {
            throw FetchError.cancelled
        } catch {
            try await record(status: nil, retryAfter: nil)
            throw error
        }
        let now = clock()
        let wish = FetchSchedule.retryAfter(answer.headers["retry-after"], now: now)
        try await record(status: answer.status, retryAfter: wish.map { $0.seconds(since: now) })
        guard (200..<300).contains(answer.status) else {
            throw PageService.Failure(description: "Wikidata: \(HTTPStatus.sentence(for: answer.status))")
        }
        if answer.isCut { throw PageService.Failure(description: "Wikidata: the answer was cut off") }
        return answer.body
    }

    private func record(status: Int?, retryAfter: Int64?) async throws {
        var allowance = try library.races.allowance()
        allowance.record(status: status, retryAfter: retryAfter, at: clock())
        try await library.changes.perform(StoreAllowance(allowance: allowance))
    }
}
