import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// A race as lists show it.
package struct RaceRow: Hashable, Sendable, Identifiable {
    package var id: String
    package var name: String
    package var year: Int
    package var stageCount: Int
}

/// Reads races, their stages and what belongs to them, with spoilers hidden.
package struct RaceStore: Sendable {
    let store: Store

    /// Returns all races: the user's, newest first, then the bundled ones by year.
    package func all() throws(LibraryError) -> [RaceRow] {
        try store.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, name, year, (SELECT count(*) FROM stage WHERE race_id = race.id) FROM race
                    ORDER BY \(RaceStore.raceOrder)
                    """
            ).map { try RaceRow(id: $0.at(0), name: $0.at(1), year: $0.at(2), stageCount: $0.at(3)) }
        }
    }

    static let raceOrder = "is_bundled, iif(is_bundled, year, -year), name"

    /// Returns the stages of all races within some days.
    package func stages(on days: ClosedRange<CalendarDay>) throws(LibraryError) -> [(
        raceID: String, raceName: String, stage: Stage
    )] {
        try store.read { db in
            let filter = try SpoilerFilter.read(db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT stage.*, race.name FROM stage JOIN race ON race.id = race_id WHERE date BETWEEN ? AND ?
                    ORDER BY \(RaceStore.raceOrder), number
                    """, arguments: [days.lowerBound.text, days.upperBound.text]
            ).map { row in
                var stage = try StoredRace.stage(row)
                filter?.hide(&stage, of: try row.at("race_id"))
                return (try row.at("race_id"), try row.at("name"), stage)
            }
        }
    }

    /// Returns the user's race with the stage nearest to a day, preferring a future one. Bundled races are ignored.
    package func nearest(to day: CalendarDay) throws(LibraryError) -> String? {
        try store.read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT race_id FROM (
                        SELECT * FROM (
                            SELECT date, race_id FROM stage CROSS JOIN race ON race.id = race_id
                            WHERE date >= ?1 AND NOT is_bundled ORDER BY date, race_id LIMIT 1)
                        UNION ALL SELECT * FROM (
                            SELECT date, race_id FROM stage CROSS JOIN race ON race.id = race_id
                            WHERE date < ?1 AND NOT is_bundled ORDER BY date DESC, race_id LIMIT 1))
                    ORDER BY abs(julianday(date) - julianday(?1)), date < ?1 LIMIT 1
                    """, arguments: [day.text])
        }
    }

    /// Returns a race with its stages in order, without roster, placings and tickers, and without hidden results.
    package func race(_ id: String) throws(LibraryError) -> Race? {
        try store.read { db in try RaceStore.withoutSpoilers(RaceStore.raceWithSpoilers(id, db), db) }
    }

    /// Returns a race with roster, placings and tickers as in its file, but without hidden results.
    package func wholeRace(_ id: String) throws(LibraryError) -> Race? {
        try store.read { db in try RaceStore.withoutSpoilers(RaceStore.wholeRaceWithSpoilers(id, db), db) }
    }

    /// Returns the races whose spoilers are hidden, or `nil` if all are.
    package func hidingSpoilers() throws(LibraryError) -> Set<String>? {
        try store.read { db in
            let races = Set(try String.fetchAll(db, sql: "SELECT race_id FROM race_spoiler"))
            return races.contains(SpoilerFilter.all) ? nil : races
        }
    }

    private static func withoutSpoilers(_ race: Race?, _ db: Database) throws -> Race? {
        guard var race, let filter = try SpoilerFilter.read(db) else { return race }
        filter.hide(&race)
        return race
    }

    /// Returns a race with everything, including spoilers, to be modified and stored again.
    static func raceWithSpoilers(_ id: String, _ db: Database) throws -> Race? {
        let row = try Row.fetchOne(db, sql: "SELECT * FROM race WHERE id = ?", arguments: [id])
        guard let row else { return nil }
        let stages = try Row.fetchAll(
            db, sql: "SELECT * FROM stage WHERE race_id = ? ORDER BY number", arguments: [id]
        ).map(StoredRace.stage)
        return try StoredRace.race(row, stages: stages)
    }

    static func wholeRaceWithSpoilers(_ id: String, _ db: Database) throws -> Race? {
        guard var race = try raceWithSpoilers(id, db) else { return nil }
        try StoredRace.addOmittedParts(&race, db)
        return race
    }
}
