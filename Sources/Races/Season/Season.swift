import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel

/// A race of the season: one in the library, or one in the calendar of Wikidata.
package struct SeasonRace: Hashable, Sendable {
    /// The identifier of the race in the library, or `nil` if only the calendar has it.
    package var id: String?
    package var name: String
    package var firstDay: CalendarDay?
    package var lastDay: CalendarDay?
    package var kind: String?
    package var country: String?
    /// The number of the edition, if the calendar has it.
    var edition: Int?
    /// The address at which it can be followed.
    package var address: String?

    /// The state of a race on a day.
    package enum State: Hashable, Sendable { case past, underWay, coming, undated }

    package func state(on day: CalendarDay) -> State {
        guard let firstDay, let lastDay else { return .undated }
        return lastDay < day ? .past : firstDay > day ? .coming : .underWay
    }

    /// Returns texts without accents and in lower case, as searches compare them.
    static func words(_ texts: [String?]) -> String {
        texts.compactMap { $0 }.joined(separator: " ")
            .folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
    }
}

extension RaceStore {
    /// Returns the races nearest to a day, both those that have ended and the others.
    ///
    /// - Parameters:
    ///   - text: Words to find in a race's name, kind, country or year. An empty text matches all.
    ///   - limit: The maximum number of races before and after the day.
    /// - Returns: The races by day, those without days last.
    package func season(_ text: String, around day: CalendarDay, limit: Int) throws(LibraryError) -> [SeasonRace] {
        let words = SeasonRace.words([text]).split(separator: " ").map(String.init)
        return try store.read { db in
            let own = try RaceStore.ownSeason(db).filter { race in
                let name = SeasonRace.words([race.name, race.kind, race.country])
                return words.allSatisfy { name.contains($0) }
            }
            let matches = words.map { _ in "instr(words, ?) > 0" }.joined(separator: " AND ")
            // A race that is followed must not appear twice.
            let listed =
                "address NOT IN (SELECT address FROM race_source) AND race_id NOT IN (SELECT id FROM race)"
                + (words.isEmpty ? "" : " AND " + matches)
            // The index contains everything needed to select; only the rows to show are read.
            func rows(_ condition: String, _ order: String, _ arguments: StatementArguments) throws -> [SeasonRace] {
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT * FROM calendar_race WHERE item IN (
                            SELECT item FROM calendar_race WHERE \(condition) AND \(listed)
                            ORDER BY first_day \(order) LIMIT ?)
                        """, arguments: arguments + StatementArguments(words) + [limit]
                ).map(SeasonRace.init(calendar:))
            }
            let past = try rows("last_day < ?", "DESC", [day.text])
            let coming = try rows("last_day >= ?", "ASC", [day.text])
            return (past + coming + own).enumerated().sorted { a, b in
                let (first, second) = (a.element.firstDay?.number ?? .max, b.element.firstDay?.number ?? .max)
                return first == second ? (a.element.name, a.offset) < (b.element.name, b.offset) : first < second
            }.map(\.element)
        }
    }

    private static func ownSeason(_ db: Database) throws -> [SeasonRace] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, name, year, country, json_extract(details, '$.kind'),
                    (SELECT min(date) FROM stage WHERE race_id = race.id), (SELECT max(date) FROM stage WHERE race_id = race.id),
                    (SELECT address FROM race_source WHERE race_id = race.id)
                FROM race
                """
        ).map { row in
            let (name, year): (String, Int) = (try row.at(1), try row.at(2))
            let (first, last): (String?, String?) = (try row.at(5), try row.at(6))
            return try SeasonRace(
                id: row.at(0), name: "\(name) \(year)", firstDay: first.flatMap { CalendarDay($0) },
                lastDay: last.flatMap { CalendarDay($0) }, kind: row.at(4), country: row.at(3), address: row.at(7))
        }
    }
}

extension SeasonRace {
    init(calendar row: Row) throws {
        let (first, last): (String, String) = (try row.at("first_day"), try row.at("last_day"))
        try self.init(
            name: row.at("name"), firstDay: CalendarDay(first), lastDay: CalendarDay(last), kind: row.at("kind"),
            country: row.at("country"), edition: row.at("edition"), address: row.at("address"))
    }
}
