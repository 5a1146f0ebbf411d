import Foundation
import GRDB

extension Library {
    /// Stores a race; one of the same id is replaced.
    ///
    /// - Parameter isBundled: Whether it came with the program: such races stand after the user's own.
    package func store(_ race: Race, isBundled: Bool = false) throws(LibraryError) {
        try writeNow { db in try Library.store(race, isBundled: isBundled, db) }
    }

    static func store(_ race: Race, isBundled: Bool, _ db: Database) throws {
        let encoder = JSONEncoder()
        func json(_ list: [String]?) throws -> String {
            String(decoding: try encoder.encode(list ?? []), as: UTF8.self)
        }
        // The tracks of its stages were added apart, and stay.
        try db.execute(sql: "DELETE FROM race WHERE id = ?", arguments: [race.id])
        try db.execute(
            sql: "INSERT INTO race VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                race.id, race.race, race.year, race.edition, race.country, race.leaderJersey,
                try json(race.restDays), try json(race.overall), isBundled,
            ])
        for stage in race.stages {
            try db.execute(
                sql: "INSERT INTO stage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    race.id, stage.number, stage.date, stage.start, stage.finish, stage.distance, stage.type,
                    stage.winner, stage.leaderAfter, stage.imageURL, stage.articleURL, stage.startPlace?.first,
                    stage.startPlace?.last, stage.finishPlace?.first, stage.finishPlace?.last,
                ])
        }
    }

    /// All races: the user's own, the newest first, then those that came with the program in the order of their years.
    package func races() throws(LibraryError) -> [RaceRow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, name, year, (SELECT count(*) FROM stage WHERE race_id = race.id) FROM race
                    ORDER BY \(Library.raceOrder)
                    """
            ).map { RaceRow(id: $0[0], name: $0[1], year: $0[2], stageCount: $0[3]) }
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
            return found.flatMap { row in
                let stage = Library.stage(row)
                return stage.day.map { (row["race_id"], row["name"], stage, $0) }
            }
        }
    }

    /// Takes a race away.
    ///
    /// - Returns: The race as it was, to be stored again by an undo; `nil` when there was none.
    @discardableResult
    package func removeRace(_ id: String) throws(LibraryError) -> Race? {
        guard let race = try race(id) else { return nil }
        try writeNow { db in try db.execute(sql: "DELETE FROM race WHERE id = ?", arguments: [id]) }
        return race
    }

    /// A race with its stages in their order.
    package func race(_ id: String) throws(LibraryError) -> Race? {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM race WHERE id = ?", arguments: [id]) else {
                return nil
            }
            func list(_ column: String) throws -> [String] {
                let text: String = row[column]
                return try JSONDecoder().decode([String].self, from: Data(text.utf8))
            }
            let stages = try Row.fetchAll(
                db, sql: "SELECT * FROM stage WHERE race_id = ? ORDER BY number", arguments: [id]
            ).map(Library.stage)
            return Race(
                race: row["name"], year: row["year"], edition: row["edition"], country: row["country"],
                leaderJersey: row["leader_jersey"], restDays: try list("rest_days"), overall: try list("overall"),
                stages: stages)
        }
    }

    private static func stage(_ row: Row) -> Stage {
        func place(_ latitude: String, _ longitude: String) -> [Double]? {
            guard let north: Double = row[latitude], let east: Double = row[longitude] else { return nil }
            return [north, east]
        }
        return Stage(
            number: row["number"], date: row["date"], start: row["start"], finish: row["finish"],
            distance: row["distance_km"], type: row["type"], winner: row["winner"], leaderAfter: row["leader_after"],
            imageURL: row["image_url"], articleURL: row["article_url"], startPlace: place("start_lat", "start_lon"),
            finishPlace: place("finish_lat", "finish_lon"))
    }
}
