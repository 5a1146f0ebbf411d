import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// A row of a stage's results or a classification, with names from the race's roster.
package struct Standing: Hashable, Sendable {
    package var place: Int
    /// The rider as ``Rider/key``, or the team.
    package var key: String
    package var name: String
    package var team: String?
    package var country: String?
    /// The time in seconds.
    package var time: Int?
    package var gap: Int?
    package var points: Double?
    /// The bonus in seconds.
    package var bonus: Int?
    /// The number of ranks gained since the previous stage, or `nil` without a previous one.
    package var gained: Int?
}

/// What a race contains about a rider.
package struct RiderRecord: Hashable, Sendable {
    /// A stage that the rider finished.
    package struct Day: Hashable, Sendable {
        package var stage: Int
        package var route: String
        /// The rank and gap in the stage's results.
        package var place: Int?
        package var gap: Int?
        /// The rank and gap in the general classification after the stage.
        package var overall: Int?
        package var overallGap: Int?
    }

    package var rider: Rider
    package var team: String?
    package var withdrawal: Withdrawal?
    package var days: [Day]
    /// The number of stages after which the rider led, by classification.
    package var leads: [Classification: Int]
}

extension RaceStore {
    /// Returns the lists that exist for a stage. There are none while its result is hidden.
    package func classifications(of stage: Int, in race: String) throws(LibraryError) -> [Classification] {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return [] }
            return try Int.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT classification FROM stage_placing WHERE race_id = ? AND number = ?
                    ORDER BY classification
                    """, arguments: [race, stage]
            ).compactMap(Classification.init)
        }
    }

    /// Returns a stage's results or a classification after it. It is empty while the result is hidden.
    package func standings(_ list: Classification, of stage: Int, in race: String) throws(LibraryError) -> [Standing] {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return [] }
            let roster = try RaceStore.roster(of: race, db)
            let placings = try RaceStore.placings(list.rawValue, of: stage, in: race, db)
            // Stage results are not compared with a previous stage.
            let previous = list.isOfStage ? [:] : try RaceStore.previousPlaces(list, before: stage, in: race, db)
            return placings.map { placing in
                RaceStore.standing(placing, in: list, previous: { previous[$0] }, roster)
            }
        }
    }

    /// Returns a row with names.
    ///
    /// - Parameter previous: Returns the place of a rider or team after the previous stage.
    static func standing(
        _ placing: Placing, in list: Classification, previous: (_ key: String) -> Int? = { _ in nil }, _ roster: Names
    ) -> Standing {
        let key = RaceStore.key(of: placing, in: list)
        let rider = roster.riders[key]
        let team = list.isOfTeams ? nil : placing.team ?? rider?.team
        return Standing(
            place: placing.place, key: key, name: rider?.name ?? roster.teams[key]?.name ?? key,
            team: team.map { roster.teams[$0]?.name ?? $0 }, country: rider?.country ?? roster.teams[key]?.country,
            time: placing.time, gap: placing.gap, points: placing.points, bonus: placing.bonus,
            gained: previous(key).map { $0 - placing.place })
    }

    /// Returns the rider or the team in a row.
    private static func key(of placing: Placing, in list: Classification) -> String {
        (list.isOfTeams ? placing.team ?? placing.rider : placing.rider ?? placing.team) ?? ""
    }

    /// Returns the leader of each classification after a stage. It is empty during the stage, and while its result is
    /// hidden.
    package func leaders(after stage: Int, in race: String) throws(LibraryError) -> [(
        list: Classification, name: String
    )] {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return [] }
            // Whoever is first during a stage does not lead yet.
            if try StoredRace.stage(stage, of: race, db)?.isRunning == true { return [] }
            let roster = try RaceStore.roster(of: race, db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT classification, iif(classification = ?3, coalesce(team, rider), coalesce(rider, team))
                    FROM stage_placing
                    WHERE race_id = ?1 AND number = ?2 AND row = 0 AND classification BETWEEN ?4 AND ?3
                    ORDER BY classification
                    """, arguments: [race, stage, Classification.teams.rawValue, Classification.general.rawValue]
            ).compactMap { row in
                let (kind, key): (Int, String) = (try row.at(0), try row.at(1))
                return Classification(rawValue: kind).map {
                    ($0, roster.riders[key]?.name ?? roster.teams[key]?.name ?? key)
                }
            }
        }
    }

    /// Returns what a race contains about a rider, without stages whose results are hidden.
    package func record(of rider: String, in race: String) throws(LibraryError) -> RiderRecord? {
        try store.read { db in
            guard let whole = try RaceStore.raceWithSpoilers(race, db) else { return nil }
            let filter = try SpoilerFilter.read(db)
            let roster = try RaceStore.roster(of: race, db)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT number, classification, place, gap, row FROM stage_placing WHERE race_id = ? AND rider = ?
                    ORDER BY number
                    """, arguments: [race, rider])
            var days: [Int: RiderRecord.Day] = [:]
            var leads: [Classification: Int] = [:]
            for row in rows {
                let (number, kind): (Int, Int) = (try row.at(0), try row.at(1))
                let stored: (place: Int, gap: Int?) = (try row.at(2), try row.at(3))
                let place = stored.place.limited(to: RaceLimits.places)
                let gap = stored.gap.ifSound(RaceLimits.gaps.contains)
                guard let list = Classification(rawValue: kind), filter?.hides(race, stage: number) != true,
                    let stage = whole.stages.first(where: { $0.number == number && $0.isRunning != true })
                else { continue }
                var day = days[number] ?? RiderRecord.Day(stage: number, route: stage.route)
                if list == .results { (day.place, day.gap) = (place, gap) }
                if list == .general { (day.overall, day.overallGap) = (place, gap) }
                days[number] = day
                if place == 1, !list.isOfStage { leads[list, default: 0] += 1 }
            }
            let known = roster.riders[rider]
            guard known != nil || !days.isEmpty else { return nil }
            return RiderRecord(
                rider: known ?? Rider(name: rider), team: known?.team.map { roster.teams[$0]?.name ?? $0 },
                withdrawal: roster.withdrawals.first {
                    $0.rider == rider && filter?.hides(race, stage: $0.stage) != true
                },
                days: days.values.sorted { $0.stage < $1.stage }, leads: leads)
        }
    }

    /// Returns the ticker of a stage, earliest message first. It is empty while the result is hidden.
    package func ticker(of stage: Int, in race: String) throws(LibraryError) -> [TickerLine] {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return [] }
            return try Row.fetchAll(
                db, sql: "SELECT time, km, text, kind FROM ticker_line WHERE race_id = ? AND number = ? ORDER BY row",
                arguments: [race, stage]
            ).map { try StoredRace.line($0, from: 0) }
        }
    }

    struct Names {
        var riders: [String: Rider]
        var teams: [String: Team]
        var withdrawals: [Withdrawal]
    }

    static func roster(of race: String, _ db: Database) throws -> Names {
        var whole = Race(race: race, year: 0, stages: [])
        try StoredRace.addRoster(&whole, of: race, db)
        return Names(
            riders: Dictionary((whole.riders ?? []).map { ($0.key, $0) }) { first, _ in first },
            teams: Dictionary((whole.teams ?? []).map { ($0.key, $0) }) { first, _ in first },
            withdrawals: whole.withdrawals ?? [])
    }

    /// - Parameter list: The number under which the list is stored.
    static func placings(_ list: Int, of stage: Int, in race: String, _ db: Database) throws -> [Placing] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT place, rider, team, time, gap, points, bonus FROM stage_placing
                WHERE race_id = ? AND number = ? AND classification = ? ORDER BY row
                """, arguments: [race, stage, list]
        ).map { try StoredRace.placing($0, from: 0) }
    }

    /// Returns the ranks in the same classification after the last stage that has it.
    private static func previousPlaces(_ list: Classification, before stage: Int, in race: String, _ db: Database)
        throws
        -> [String: Int]
    {
        let previous = try Int.fetchOne(
            db, sql: "SELECT max(number) FROM stage_placing WHERE race_id = ? AND number < ? AND classification = ?",
            arguments: [race, stage, list.rawValue])
        guard let previous else { return [:] }
        let pairs = try placings(list.rawValue, of: previous, in: race, db).map { (key(of: $0, in: list), $0.place) }
        return Dictionary(pairs) { first, _ in first }
    }
}
