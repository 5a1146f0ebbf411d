import Feeds
import LibraryKernel
import RaceCentre

extension RaceFollowService {
    /// Returns where the data at an address come from and what to know about the source, or `nil` for sources of the
    /// user's own.
    package static func credit(of address: String) -> String? {
        if address.hasPrefix(RaceEdition.scheme + ":") { return "\(RaceEdition.credit), \(RaceEdition.notice)" }
        if address.hasPrefix(WikidataItem.scheme) { return WikidataEdition.acknowledgement }
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
        let races = try CalendarRace.read(try await wikidata.answer(.season(year)), season: year)
        if !acceptsFewer {
            try RaceFollowService.check(
                races.count, of: library.races.calendarCount(year: year), "races", command: "season --update \(year)")
        }
        try await library.changes.perform(
            StoreCalendar(races: races, year: year, known: library.knownRaces, received: clock()))
        return races.count
    }

    /// Requests and stores the past winners of a race.
    ///
    /// - Parameter acceptsFewer: Whether to accept a list that has lost more than half of its winners.
    /// - Returns: The number of winners.
    package func updateWinners(of series: WikidataItem, acceptsFewer: Bool = false) async throws -> Int {
        let winners = try PastWinner.read(try await wikidata.answer(.winners(series)))
        if !acceptsFewer {
            try RaceFollowService.check(
                winners.count, of: library.races.winnerCount(of: series), "winners", command: "history --update")
        }
        try await library.changes.perform(StoreWinners(winners: winners, series: series, received: clock()))
        return winners.count
    }

    /// Throws an error if an answer has lost more than half of what is stored.
    private static func check(_ count: Int, of before: Int, _ things: String, command: String) throws {
        guard count * 2 < before else { return }
        throw PageService.Failure(
            description: "Wikidata now has only \(count) of \(before) \(things); 'tappa race \(command)' accepts this")
    }
}
