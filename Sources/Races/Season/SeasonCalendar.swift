import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceCentre
import RaceModel

/// Stores the calendar of a season, and replaces the previous one.
struct StoreCalendar: MaintenanceStep {
    let races: [CalendarRace]
    let year: Int
    /// The catalogue, because a race with a race centre is followed there.
    let known: KnownRaces
    let received: Instant

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        try db.execute(sql: "DELETE FROM calendar_race WHERE year = ?", arguments: [year])
        let insert = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO calendar_race VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for race in races {
            let name = "\(race.name) \(year)"
            try insert.execute(arguments: [
                race.item.description, Race(race: race.name, year: year, stages: []).id, name, year,
                race.firstDay.text, race.lastDay.text, race.kind, race.country, race.edition, race.series?.description,
                known.address(of: race), SeasonRace.words([name, race.kind, race.country]),
            ])
        }
        try WikidataAnswers.note(.season(year), received, db)
        return Outcome(count: races.count)
    }
}

/// Stores how often Wikidata was asked, and when it may be asked again.
struct StoreAllowance: MaintenanceStep {
    let allowance: QueryAllowance

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let text = String(decoding: try JSONEncoder().encode(allowance), as: UTF8.self)
        try transaction.db.execute(sql: "DELETE FROM wikidata_allowance")
        try transaction.db.execute(sql: "INSERT INTO wikidata_allowance VALUES (?)", arguments: [text])
        return Outcome()
    }
}

/// The instants of the answers that are stored.
enum WikidataAnswers {
    static func note(_ query: WikidataQuery, _ received: Instant, _ db: Database) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO wikidata_answer VALUES (?, ?)", arguments: [query.name, received])
    }

    static func received(_ query: WikidataQuery, _ db: Database) throws -> Instant? {
        try Instant.fetchOne(db, sql: "SELECT received FROM wikidata_answer WHERE query = ?", arguments: [query.name])
    }
}

extension KnownRaces {
    /// Returns the address at which a race is followed: its race centre if it has one, otherwise Wikidata.
    func address(of race: CalendarRace) -> String {
        edition(of: race.series, year: race.firstDay.year)?.address ?? race.item.address
    }

    /// Returns the edition that a race centre has of a race in Wikidata, or `nil`.
    package func edition(of series: WikidataItem?, year: Int) -> RaceEdition? {
        guard let series else { return nil }
        return followable.first { $0.wikidata == series && $0.years.contains(year) }
            .map { RaceEdition(race: $0, year: year) }
    }
}

extension RaceStore {
    /// Returns the instant at which the calendar of a year was received, or `nil` if it was never requested.
    package func calendarReceived(year: Int) throws(LibraryError) -> Instant? {
        try store.read { db in try WikidataAnswers.received(.season(year), db) }
    }

    func calendarCount(year: Int) throws(LibraryError) -> Int {
        try store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM calendar_race WHERE year = ?", arguments: [year]) ?? 0
        }
    }

    /// Returns how often Wikidata was asked, and when it may be asked again.
    package func allowance() throws(LibraryError) -> QueryAllowance {
        try store.read { db in
            let text = try String.fetchOne(db, sql: "SELECT state FROM wikidata_allowance")
            return text.flatMap { try? JSONDecoder().decode(QueryAllowance.self, from: Data($0.utf8)) }
                ?? QueryAllowance()
        }
    }

    /// Returns the races of the calendar that a user means by words of a name and a year.
    ///
    /// - Parameter year: The year if the words have none. If its calendar has no such race, the next and the previous
    ///   ones count.
    func calendarRaces(named words: String, year: Int) throws(LibraryError) -> [SeasonRace] {
        let (terms, wanted) = RaceWords.split(words)
        guard !terms.isEmpty else { return [] }
        return try store.read { db in
            for year in wanted.map({ [$0] }) ?? [year, year + 1, year - 1] {
                let races = try Row.fetchAll(
                    db, sql: "SELECT * FROM calendar_race WHERE year = ? ORDER BY first_day, item", arguments: [year]
                ).map(SeasonRace.init(calendar:))
                let exact = races.filter { RaceWords.split($0.name).terms == terms }
                let found =
                    exact.isEmpty ? races.filter { RaceWords.contains(RaceWords.split($0.name).terms, terms) } : exact
                if !found.isEmpty { return found }
            }
            return []
        }
    }

    /// Returns the first and last day of an edition: those of its stages if it is followed, or else those of the calendar.
    func days(of race: KnownRace, year: Int) throws(LibraryError) -> (first: CalendarDay, last: CalendarDay)? {
        try store.read { db in
            let stages = try Row.fetchOne(
                db,
                sql: """
                    SELECT min(date), max(date) FROM stage JOIN race_source USING (race_id) WHERE address = ?
                    """, arguments: [RaceEdition(race: race, year: year).address])
            let calendar = try Row.fetchOne(
                db, sql: "SELECT first_day, last_day FROM calendar_race WHERE series = ? AND year = ?",
                arguments: [race.wikidata?.description, year])
            for row in [stages, calendar].compactMap({ $0 }) {
                let (first, last): (String?, String?) = (try row.at(0), try row.at(1))
                if let first = first.flatMap({ CalendarDay($0) }), let last = last.flatMap({ CalendarDay($0) }),
                    first <= last
                {
                    return (first, last)
                }
            }
            return nil
        }
    }

    /// Returns the names of all races of the calendar with their years, for completion.
    package func calendarNames() throws(LibraryError) -> [String] {
        try store.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM calendar_race ORDER BY year DESC, first_day, item")
        }
    }
}
