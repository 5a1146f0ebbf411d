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
            return try found.flatMap { row in
                let stage = try Library.stage(row)
                return try stage.day.map { (try row.at("race_id"), try row.at("name"), stage, $0) }
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

    /// A race with its stages in their order.
    package func race(_ id: String) throws(LibraryError) -> Race? { try read { db in try Library.race(id, db) } }

    static func race(_ id: String, _ db: Database) throws -> Race? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM race WHERE id = ?", arguments: [id]) else {
            return nil
        }
        func list(_ column: String) throws -> [String] {
            let text: String = try row.at(column)
            return try JSONDecoder().decode([String].self, from: Data(text.utf8))
        }
        let stages = try Row.fetchAll(
            db, sql: "SELECT * FROM stage WHERE race_id = ? ORDER BY number", arguments: [id]
        ).map(Library.stage)
        return try Race(
            race: row.at("name"), year: row.at("year"), edition: row.at("edition"), country: row.at("country"),
            leaderJersey: row.at("leader_jersey"), restDays: list("rest_days"), overall: list("overall"),
            stages: stages)
    }

    private static func stage(_ row: Row) throws -> Stage {
        func place(_ latitude: String, _ longitude: String) throws -> [Double]? {
            guard let north: Double = try row.at(latitude), let east: Double = try row.at(longitude) else { return nil }
            return [north, east]
        }
        return try Stage(
            number: row.at("number"), date: row.at("date"), start: row.at("start"), finish: row.at("finish"),
            distance: row.at("distance_km"), type: row.at("type"), winner: row.at("winner"),
            leaderAfter: row.at("leader_after"), imageURL: row.at("image_url"), articleURL: row.at("article_url"),
            startPlace: place("start_lat", "start_lon"), finishPlace: place("finish_lat", "finish_lon"))
    }
}
