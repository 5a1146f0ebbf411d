import Foundation
import GRDB

extension Library {
    /// All races: the user's own, the newest first, then those that came with the program in the order of their years.
    package func races() throws(LibraryError) -> [RaceRow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, name, year, (SELECT count(*) FROM stage WHERE race_id = race.id) FROM race
                    ORDER BY \(Library.raceOrder)
                    """
            ).map { try RaceRow(id: $0.at(0), name: $0.at(1), year: $0.at(2), stageCount: $0.at(3)) }
        }
    }

    private static let raceOrder = "is_bundled, iif(is_bundled, year, -year), name"

    /// The first stage of any race on a day or after it.
    package func nextStage(from day: CalendarDay) throws(LibraryError) -> (
        raceID: String, raceName: String, stage: Stage, day: CalendarDay
    )? {
        try read { db in
            let found = try Row.fetchOne(
                db,
                sql: """
                    SELECT stage.*, race.name FROM stage JOIN race ON race.id = race_id
                    WHERE date = (SELECT min(date) FROM stage WHERE date >= ?)
                    ORDER BY \(Library.raceOrder), number
                    """, arguments: [day.text])
            let cover = try SpoilerFilter.read(db)
            return try found.flatMap { row in
                var stage = try StoredRace.stage(row)
                cover?.cover(&stage, of: try row.at("race_id"))
                return try stage.day.map { (try row.at("race_id"), try row.at("name"), stage, $0) }
            }
        }
    }

    /// The stages of all races on some days.
    package func stages(on days: ClosedRange<CalendarDay>) throws(LibraryError) -> [(
        raceID: String, raceName: String, stage: Stage
    )] {
        try read { db in
            let cover = try SpoilerFilter.read(db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT stage.*, race.name FROM stage JOIN race ON race.id = race_id WHERE date BETWEEN ? AND ?
                    ORDER BY \(Library.raceOrder), number
                    """, arguments: [days.lowerBound.text, days.upperBound.text]
            ).map { row in
                var stage = try StoredRace.stage(row)
                cover?.cover(&stage, of: try row.at("race_id"))
                return (try row.at("race_id"), try row.at("name"), stage)
            }
        }
    }

    /// The user's race with the stage whose day is nearest to one: of two that are as near, the one to come. Races that came with the
    /// program are of no day that matters.
    package func nearestRace(to day: CalendarDay) throws(LibraryError) -> String? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT race_id FROM stage JOIN race ON race.id = race_id WHERE date IS NOT NULL AND NOT is_bundled
                    ORDER BY abs(julianday(date) - julianday(?1)), date < ?1, race_id LIMIT 1
                    """, arguments: [day.text])
        }
    }

    /// A race with its stages in their order, without roster, placings and tickers; results that are hidden are taken out.
    package func race(_ id: String) throws(LibraryError) -> Race? {
        try read { db in try Library.covered(Library.raceWithSpoilers(id, db), db) }
    }

    /// A race with its roster, all placings and tickers: as its file has it, but for results that are hidden.
    package func wholeRace(_ id: String) throws(LibraryError) -> Race? {
        try read { db in try Library.covered(Library.wholeRaceWithSpoilers(id, db), db) }
    }

    /// The races whose results are hidden until they are looked at; `nil`: all.
    package func racesThatHide() throws(LibraryError) -> Set<String>? {
        try read { db in
            let races = Set(try String.fetchAll(db, sql: "SELECT race_id FROM covered_race"))
            return races.contains(SpoilerFilter.all) ? nil : races
        }
    }

    private static func covered(_ race: Race?, _ db: Database) throws -> Race? {
        guard var race, let cover = try SpoilerFilter.read(db) else { return race }
        cover.cover(&race)
        return race
    }

    /// A race with all that it has, to be changed and stored again.
    static func raceWithSpoilers(_ id: String, _ db: Database) throws -> Race? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM race WHERE id = ?", arguments: [id]) else {
            return nil
        }
        let stages = try Row.fetchAll(
            db, sql: "SELECT * FROM stage WHERE race_id = ? ORDER BY number", arguments: [id]
        ).map(StoredRace.stage)
        return try StoredRace.race(row, stages: stages)
    }

    static func wholeRaceWithSpoilers(_ id: String, _ db: Database) throws -> Race? {
        guard var race = try raceWithSpoilers(id, db) else { return nil }
        try StoredRace.makeWhole(&race, db)
        return race
    }
}
