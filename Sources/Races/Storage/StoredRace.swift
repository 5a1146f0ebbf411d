import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// The storage of races.
///
/// Columns and one JSON text hold what lists show. Roster, placings and tickers are stored separately, because only the
/// pages that show them read them. Numbers outside ``RaceLimits`` are dropped when they are read.
enum StoredRace {
    /// The properties of a race that have no column.
    private struct Details: Codable {
        var schema: Int?
        var kind: String?
        var ttl: Int?
        var jerseys: [Jersey]?
        var source: RaceCredit?
    }

    private struct Roster: Codable {
        var teams: [Team]?
        var riders: [Rider]?
        var withdrawals: [Withdrawal]?
    }

    /// The properties of a stage that have no column.
    private struct StageDetails: Codable, Equatable {
        var label, startTime, finishTime: String?
        var neutral: Double?
        var neutralStartTime: String?
        var status: String?
        var climbs: [Climb]?
        var sprints: [Sprint]?
        var weather, broadcastURL, liveURL, trackURL: String?
        var way: [[Double]]?
        var isProvisional, isRunning: Bool?
        var timeLimit: Int?
        var wearers: [String: String]?
        /// The splits without their times.
        var splits: [Split]?
        var live: LiveReport?
    }

    private static func json<Value: Encodable>(_ value: Value) throws -> String? {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        return text == "{}" ? nil : text
    }

    private static func value<Value: Decodable>(_ text: String?, _ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data((text ?? "{}").utf8))
    }

    // MARK: Reading

    static func race(_ row: Row, stages: [Stage]) throws -> Race {
        let details = try value(row.at("details"), Details.self)
        func list(_ column: String) throws -> [String]? {
            let text: String = try row.at(column)
            return text == "[]" ? nil : try JSONDecoder().decode([String].self, from: Data(text.utf8))
        }
        let edition: Int? = try row.at("edition")
        var race = Race(race: try row.at("name"), year: try row.at("year"), stages: stages)
        race.edition = edition.ifSound(RaceLimits.editions.contains)
        race.country = try row.at("country")
        race.leaderJersey = try row.at("leader_jersey")
        race.restDays = try list("rest_days")
        race.overall = try list("overall")
        race.schema = details.schema
        race.kind = details.kind
        race.ttl = details.ttl.ifSound(RaceLimits.lifetimes.contains)
        race.jerseys = details.jerseys
        race.source = details.source
        race.isWhole = false
        return race
    }

    /// Returns a stage without placings and ticker, or `nil` if the race has no such stage.
    static func stage(_ number: Int, of race: String, _ db: Database) throws -> Stage? {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM stage WHERE race_id = ? AND number = ?", arguments: [race, number])
        return try row.map { try stage($0) }
    }

    static func stage(_ row: Row) throws -> Stage {
        func place(_ latitude: String, _ longitude: String) throws -> [Double]? {
            guard let north: Double = try row.at(latitude), let east: Double = try row.at(longitude) else { return nil }
            return Optional([north, east]).ifSound(RaceLimits.isPlace)
        }
        let distance: Double? = try row.at("distance_km")
        var stage = try Stage(
            number: row.at("number"), date: row.at("date"), start: row.at("start"), finish: row.at("finish"),
            distance: distance.ifSound(RaceLimits.isDistance), type: row.at("type"), winner: row.at("winner"),
            leaderAfter: row.at("leader_after"))
        stage.imageURL = try row.at("image_url")
        stage.articleURL = try row.at("article_url")
        stage.startPlace = try place("start_lat", "start_lon")
        stage.finishPlace = try place("finish_lat", "finish_lon")
        guard let text: String = try row.at("details") else { return stage }
        let details = try value(text, StageDetails.self)
        stage.label = details.label
        stage.startTime = details.startTime
        stage.finishTime = details.finishTime
        stage.neutral = details.neutral.ifSound(RaceLimits.isNeutral)
        stage.neutralStartTime = details.neutralStartTime
        stage.status = details.status
        stage.climbs = details.climbs?.filter { RaceLimits.isOnStage($0.km, distance: stage.distance) }.map(sound)
        stage.sprints = details.sprints?.filter { RaceLimits.isOnStage($0.km, distance: stage.distance) }
        stage.weather = details.weather
        stage.broadcastURL = details.broadcastURL
        stage.liveURL = details.liveURL
        stage.trackURL = details.trackURL
        stage.way = details.way?.filter(RaceLimits.isPlace)
        stage.isProvisional = details.isProvisional
        stage.isRunning = details.isRunning
        stage.timeLimit = details.timeLimit.ifSound(RaceLimits.times.contains)
        stage.wearers = details.wearers
        stage.splits = details.splits?.filter { RaceLimits.isOnStage($0.km, distance: stage.distance) }
        stage.live = details.live.map(sound)
        return stage
    }

    static func addOmittedParts(_ race: inout Race, _ db: Database) throws {
        try addRoster(&race, of: race.id, db)
        let places = Dictionary(race.stages.indices.map { (race.stages[$0].number, $0) }) { first, _ in first }
        let placings = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, classification, place, rider, team, time, gap, points, bonus FROM stage_placing
                WHERE race_id = ? ORDER BY number, classification, row
                """, arguments: [race.id])
        var list = (number: 0, kind: 0, placings: [Placing]())
        func addList() {
            if let index = places[list.number] { add(list.placings, kind: list.kind, to: &race.stages[index]) }
        }
        while let row = try placings.next() {
            let (number, kind): (Int, Int) = (try row.at(0), try row.at(1))
            if number != list.number || kind != list.kind {
                addList()
                list = (number, kind, [])
            }
            list.placings.append(try placing(row, from: 2))
        }
        addList()
        let lines = try Row.fetchCursor(
            db, sql: "SELECT number, time, km, text, kind FROM ticker_line WHERE race_id = ? ORDER BY number, row",
            arguments: [race.id])
        while let row = try lines.next() {
            let number: Int = try row.at(0)
            guard let index = places[number] else { continue }
            if race.stages[index].ticker == nil { race.stages[index].ticker = [] }
            race.stages[index].ticker?.append(try line(row, from: 1))
        }
        race.isWhole = true
    }

    static func addRoster(_ race: inout Race, of id: String, _ db: Database) throws {
        let roster = try value(
            String.fetchOne(db, sql: "SELECT roster FROM race WHERE id = ?", arguments: [id]), Roster.self)
        race.teams = roster.teams
        race.riders = roster.riders?.map { rider in
            var rider = rider
            rider.number = rider.number.ifSound(RaceLimits.riderNumbers.contains)
            return rider
        }
        race.withdrawals = roster.withdrawals
    }

    static func placing(_ row: Row, from column: Int) throws -> Placing {
        let place: Int = try row.at(column)
        let (time, gap): (Int?, Int?) = (try row.at(column + 3), try row.at(column + 4))
        let points: Double? = try row.at(column + 5)
        let bonus: Int? = try row.at(column + 6)
        return try Placing(
            place: place.limited(to: RaceLimits.places), rider: row.at(column + 1), team: row.at(column + 2),
            time: time.ifSound(RaceLimits.times.contains), gap: gap.ifSound(RaceLimits.gaps.contains),
            points: points.ifSound(RaceLimits.isPoints), bonus: bonus.ifSound(RaceLimits.bonuses.contains))
    }

    static func line(_ row: Row, from column: Int) throws -> TickerLine {
        let km: Double? = try row.at(column + 1)
        return try TickerLine(
            time: row.at(column), km: km.ifSound { RaceLimits.isOnStage($0, distance: nil) }, text: row.at(column + 2),
            kind: row.at(column + 3))
    }

    // MARK: Writing

    /// Writes a race. If it exists, only changed stages are written.
    static func write(_ race: Race, isBundled: Bool, _ db: Database) throws {
        let before =
            race.isWhole
            ? try RaceStore.wholeRaceWithSpoilers(race.id, db) : try RaceStore.raceWithSpoilers(race.id, db)
        try write(race, isBundled: isBundled, over: before, db)
    }

    /// Writes a race. If it exists, only changed stages are written.
    ///
    /// - Parameter before: The existing race, as complete as the new one.
    static func write(_ race: Race, isBundled: Bool, over before: Race?, _ db: Database) throws {
        try writeRace(race, isBundled: isBundled, before, db)
        let numbers = Set(race.stages.map(\.number))
        for stage in before?.stages ?? [] where !numbers.contains(stage.number) {
            try db.execute(
                sql: "DELETE FROM stage WHERE race_id = ? AND number = ?", arguments: [race.id, stage.number])
        }
        let previous = Dictionary((before?.stages ?? []).map { ($0.number, $0) }) { first, _ in first }
        // A stage without its hidden result was read for display and must not be stored.
        for stage in race.stages where previous[stage.number] != stage && !stage.isSpoiler {
            try write(stage, of: race.id, db)
            guard race.isWhole else { continue }
            let last = previous[stage.number]
            for list in Classification.allCases where last?[keyPath: list.path] != stage[keyPath: list.path] {
                try write(stage[keyPath: list.path] ?? [], list.rawValue, of: race.id, stage.number, db)
            }
            if last?.splits != stage.splits { try write(stage.splits ?? [], of: race.id, stage.number, db) }
            if last?.ticker != stage.ticker { try write(stage.ticker ?? [], of: race.id, stage.number, db) }
        }
    }

    private static func writeRace(_ race: Race, isBundled: Bool, _ before: Race?, _ db: Database) throws {
        func list(_ list: [String]?) throws -> String {
            String(decoding: try JSONEncoder().encode(list ?? []), as: UTF8.self)
        }
        try db.execute(
            sql: """
                INSERT INTO race (id, name, year, edition, country, leader_jersey, rest_days, overall, is_bundled, details)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, year = excluded.year, edition = excluded.edition,
                    country = excluded.country, leader_jersey = excluded.leader_jersey, rest_days = excluded.rest_days,
                    overall = excluded.overall, is_bundled = excluded.is_bundled, details = excluded.details
                """,
            arguments: [
                race.id, race.race, race.year, race.edition, race.country, race.leaderJersey, try list(race.restDays),
                try list(race.overall), isBundled,
                try json(
                    Details(
                        schema: race.schema, kind: race.kind, ttl: race.ttl, jerseys: race.jerseys, source: race.source)
                ),
            ])
        guard race.isWhole else { return }
        try db.execute(
            sql: "UPDATE race SET roster = ? WHERE id = ?",
            arguments: [
                try json(Roster(teams: race.teams, riders: race.riders, withdrawals: race.withdrawals)), race.id,
            ])
    }

    private static func write(_ stage: Stage, of race: String, _ db: Database) throws {
        let splits = stage.splits?.map { Split(name: $0.name, km: $0.km) }
        let details = StageDetails(
            label: stage.label, startTime: stage.startTime, finishTime: stage.finishTime, neutral: stage.neutral,
            neutralStartTime: stage.neutralStartTime, status: stage.status, climbs: stage.climbs,
            sprints: stage.sprints, weather: stage.weather, broadcastURL: stage.broadcastURL, liveURL: stage.liveURL,
            trackURL: stage.trackURL, way: stage.way, isProvisional: stage.isProvisional, isRunning: stage.isRunning,
            timeLimit: stage.timeLimit, wearers: stage.wearers, splits: splits, live: stage.live)
        // Replacing the row would delete its placings.
        try db.execute(
            sql: """
                INSERT INTO stage (race_id, number, date, start, finish, distance_km, type, winner, leader_after, image_url,
                    article_url, start_lat, start_lon, finish_lat, finish_lon, details)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (race_id, number) DO UPDATE SET date = excluded.date, start = excluded.start,
                    finish = excluded.finish, distance_km = excluded.distance_km, type = excluded.type,
                    winner = excluded.winner, leader_after = excluded.leader_after, image_url = excluded.image_url,
                    article_url = excluded.article_url, start_lat = excluded.start_lat, start_lon = excluded.start_lon,
                    finish_lat = excluded.finish_lat, finish_lon = excluded.finish_lon, details = excluded.details
                """,
            arguments: [
                race, stage.number, stage.date, stage.start, stage.finish, stage.distance, stage.type, stage.winner,
                stage.leaderAfter, stage.imageURL, stage.articleURL, stage.startPlace?.first, stage.startPlace?.last,
                stage.finishPlace?.first, stage.finishPlace?.last, try json(details),
            ])
    }

    private static func write(_ splits: [Split], of race: String, _ stage: Int, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM stage_placing WHERE race_id = ? AND number = ? AND classification >= ?",
            arguments: [race, stage, Classification.firstSplit])
        for (place, split) in splits.enumerated() {
            try write(split.placings ?? [], Classification.firstSplit + place, of: race, stage, db)
        }
    }

    private static func write(
        _ placings: [Placing], _ list: Int, of race: String, _ stage: Int, _ db: Database
    ) throws {
        try db.execute(
            sql: "DELETE FROM stage_placing WHERE race_id = ? AND number = ? AND classification = ?",
            arguments: [race, stage, list])
        let insert = try db.cachedStatement(sql: "INSERT INTO stage_placing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (row, placing) in placings.enumerated() {
            try insert.execute(arguments: [
                race, stage, list, row, placing.place, placing.rider, placing.team, placing.time, placing.gap,
                placing.points, placing.bonus,
            ])
        }
    }

    private static func write(_ lines: [TickerLine], of race: String, _ stage: Int, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM ticker_line WHERE race_id = ? AND number = ?", arguments: [race, stage])
        let insert = try db.cachedStatement(sql: "INSERT INTO ticker_line VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (row, line) in lines.enumerated() {
            try insert.execute(arguments: [race, stage, row, line.time, line.km, line.text, line.kind])
        }
    }

    /// Adds the placings of a stored list.
    ///
    /// - Parameter kind: A ``Classification``, or from ``Classification/firstSplit`` a split.
    private static func add(_ placings: [Placing], kind: Int, to stage: inout Stage) {
        guard !placings.isEmpty else { return }
        let split = kind.subtractingClamped(Classification.firstSplit)
        if stage.splits?.indices.contains(split) == true { stage.splits?[split].placings = placings }
        if let list = Classification(rawValue: kind) { stage[keyPath: list.path] = placings }
    }
}
