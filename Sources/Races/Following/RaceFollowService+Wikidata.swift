import Feeds
import RaceCentre

extension RaceFollowService {
    /// Returns where the data at an address come from and what to know about the source, or `nil` for sources of the
    /// user's own.
    package static func credit(of address: String) -> String? {
        if address.hasPrefix(RaceEdition.scheme + ":") { return "\(RaceEdition.credit), \(RaceEdition.notice)" }
        if address.hasPrefix(WikidataItem.scheme) { return "\(WikidataEdition.credit), \(WikidataEdition.notice)" }
        return nil
    }
}

/// The calendar of a season and past winners, requested from Wikidata only when the user asks for them.
extension RaceFollowService {
    /// Requests and stores the calendar of a season.
    ///
    /// - Parameter acceptsFewer: Whether to accept a calendar that has lost more than half of its races.
    /// - Returns: The number of races.
    package func updateCalendar(year: Int, acceptsFewer: Bool = false) async throws -> Int {
        try await wikidata.updateCalendar(year: year, acceptsFewer: acceptsFewer)
    }

    /// Requests and stores the past winners of a race.
    ///
    /// - Parameter acceptsFewer: Whether to accept a list that has lost more than half of its winners.
    /// - Returns: The number of winners.
    package func updateWinners(of series: WikidataItem, acceptsFewer: Bool = false) async throws -> Int {
        try await wikidata.updateWinners(of: series, acceptsFewer: acceptsFewer)
    }
}
