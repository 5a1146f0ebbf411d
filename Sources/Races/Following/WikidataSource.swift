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

    // MARK: Calendar and history

    /// Requests and stores the calendar of a season.
    ///
    /// - Parameter acceptsFewer: Whether to accept a calendar that has lost more than half of its races.
    /// - Returns: The number of races.
    func updateCalendar(year: Int, acceptsFewer: Bool) async throws -> Int {
        let races = try CalendarRace.read(try await answer(.season(year)), season: year)
        let before = try library.races.calendarCount(year: year)
        guard acceptsFewer || races.count * 2 >= before else {
            throw PageService.Failure(
                description:
                    "Wikidata now has only \(races.count) of \(before) races; 'tappa race season --update \(year)' accepts this"
            )
        }
        try await library.changes.perform(
            StoreCalendar(races: races, year: year, known: library.knownRaces, received: clock()))
        return races.count
    }

    /// Requests and stores the past winners of a race.
    ///
    /// - Parameter acceptsFewer: Whether to accept a list that has lost more than half of its winners.
    /// - Returns: The number of winners.
    func updateWinners(of series: WikidataItem, acceptsFewer: Bool) async throws -> Int {
        let winners = try PastWinner.read(try await answer(.winners(series)))
        let before = try library.races.winnerCount(of: series)
        guard acceptsFewer || winners.count * 2 >= before else {
            throw PageService.Failure(
                description:
                    "Wikidata now has only \(winners.count) of \(before) winners; 'tappa race history --update' accepts this"
            )
        }
        try await library.changes.perform(StoreWinners(winners: winners, series: series, received: clock()))
        return winners.count
    }
}
