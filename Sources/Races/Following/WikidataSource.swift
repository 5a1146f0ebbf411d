import Feeds
import Fetching
import Foundation
import LibraryKernel
import RaceCentre

/// Asks Wikidata's query service, at most as often as its allowance permits (``QueryAllowance``).
struct WikidataSource: Sendable {
    let library: Library
    let fetcher: Fetcher
    let clock: @Sendable () -> Instant
    private static let maximumBytes = JSONDocument.maximumBytes

    /// Returns the reason why no request is possible now, or `nil`.
    func refusal() throws(LibraryError) -> String? {
        guard let next = try library.races.allowance().next(at: clock()) else { return nil }
        return "Wikidata can be asked again at \(QueryAllowance.time(next))"
    }

    func answer(_ query: WikidataQuery) async throws -> [UInt8] {
        if let refusal = try refusal() { throw PageService.Failure(description: refusal) }
        let response = try await fetcher.document(
            at: query.address(at: library.knownRaces.wikidataService), upTo: WikidataSource.maximumBytes, clock: clock)
        try await record(status: response.status, retryAfter: response.retryAfter)
        do { return try response.body.get() } catch let error as PageService.Failure {
            throw PageService.Failure(description: "Wikidata: \(error)")
        }
    }

    private func record(status: Int?, retryAfter: Int64?) async throws {
        var allowance = try library.races.allowance()
        allowance.record(status: status, retryAfter: retryAfter, at: clock())
        try await library.changes.perform(StoreAllowance(allowance: allowance))
    }
}
