import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// Hides results of stages, and entries that would reveal them, until the user reveals them.
///
/// Everything that leaves the library for a screen or command passes through this filter; races and entries can't be
/// read any other way. If nothing is hidden, which is the default, there is no filter.
package final class SpoilerFilter: SpoilerHiding {
    /// A stage whose result is hidden.
    private struct HiddenStage {
        var race: String
        /// The race and stage, such as "Giro d'Italia 2026, stage 5".
        var name: String
        var day: Int64
        /// The stage's towns and the race's name, as phrases.
        var places: Phrases
    }

    /// The row of ``race_spoiler`` that means all races.
    static let all = "*"
    /// The number of days after a stage in which names of towns and the race, or of riders, count as spoilers.
    private static let (daysOfPlaces, daysOfNames): (Int64, Int64) = (3, 30)

    /// The number of seconds before a stage's day in UTC from which it may have a result.
    private static let early: Int64 = 4 * 3600

    private let db: Database
    private let races: Set<String>
    /// The revealed stages by race.
    private let seen: [String: Set<Int>]
    private let revealedEntries: Set<EntryID>
    /// The hidden stages of the month before a day, latest first, and the riders of races. Both are read on first use.
    private var stages: [Int64: [HiddenStage]] = [:]
    private var riders: [String: Phrases] = [:]
    private let words = WordReader()

    /// - Returns: The filter, valid for this read only, or `nil` if nothing is hidden.
    package static func read(_ db: Database) throws -> SpoilerFilter? {
        let hidden = try db.cachedStatement(sql: "SELECT race_id FROM race_spoiler")
        let races = Set(try String.fetchAll(hidden))
        return races.isEmpty ? nil : try SpoilerFilter(races, db)
    }

    private init(_ races: Set<String>, _ db: Database) throws {
        self.db = db
        self.races = races
        var seen: [String: Set<Int>] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT race_id, number FROM seen_stage") {
            seen[try row.at(0), default: []].insert(try row.at(1))
        }
        self.seen = seen
        revealedEntries = try Set(EntryID.fetchAll(db, sql: "SELECT entry_id FROM revealed_entry"))
    }

    private func hiddenStages(before day: Int64) throws -> [HiddenStage] {
        if let known = stages[day] { return known }
        let from = CalendarDay(number: day - SpoilerFilter.daysOfNames).text
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT s.race_id, s.number, s.date, s.start, s.finish, r.name, r.year FROM stage s
                JOIN race r ON r.id = s.race_id WHERE s.date BETWEEN ? AND ? ORDER BY s.date DESC
                """, arguments: [from, CalendarDay(number: day).text]
        ).compactMap { row -> HiddenStage? in
            let (race, number, date): (String, Int, String) = (try row.at(0), try row.at(1), try row.at(2))
            guard hides(race, stage: number), let day = CalendarDay(date) else { return nil }
            let (name, year): (String, Int) = (try row.at(5), try row.at(6))
            var places = Phrases()
            for place in [name, try row.at(3), try row.at(4)] { places.add(words.read(place)) }
            return HiddenStage(race: race, name: "\(name) \(year), stage \(number)", day: day.number, places: places)
        }
        stages[day] = found
        return found
    }

    /// Returns the names of all riders who are known to have won, led or started.
    private func riders(of race: String) throws -> Phrases {
        if let known = riders[race] { return known }
        var whole = Race(race: race, year: 0, stages: [])
        try StoredRace.addRoster(&whole, of: race, db)
        var names = Set(whole.riders?.map(\.name) ?? [])
        names.formUnion(
            try String.fetchAll(
                db,
                sql: """
                    SELECT winner FROM stage WHERE race_id = ?1 AND winner IS NOT NULL
                    UNION SELECT leader_after FROM stage WHERE race_id = ?1 AND leader_after IS NOT NULL
                    UNION SELECT value FROM race, json_each(race.overall) WHERE race.id = ?1
                    """, arguments: [race]))
        if whole.riders == nil {
            names.formUnion(
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT rider FROM stage_placing WHERE race_id = ? AND rider IS NOT NULL",
                    arguments: [race]))
        }
        var phrases = Phrases()
        for name in names { phrases.add(words.read(name), alsoLastWord: true) }
        riders[race] = phrases
        return phrases
    }

    // MARK: Races

    func hides(_ race: String, stage: Int) -> Bool {
        (races.contains(SpoilerFilter.all) || races.contains(race)) && seen[race]?.contains(stage) != true
    }

    func hide(_ stage: inout Stage, of race: String) {
        guard hides(race, stage: stage.number) else { return }
        stage.removeNews()
        stage.isSpoiler = true
    }

    func hide(_ race: inout Race) {
        let id = race.id
        for index in race.stages.indices {
            // The jerseys of a stage show the standings after the previous one.
            if index > 0, hides(id, stage: race.stages[index - 1].number) { race.stages[index].wearers = nil }
            hide(&race.stages[index], of: id)
        }
        // Files may list riders in the order of a result.
        if race.stages.contains(where: \.isSpoiler) {
            race.riders?.sort { ($0.number ?? .max, $0.name) < ($1.number ?? .max, $1.name) }
        }
        if let last = race.stages.last, hides(id, stage: last.number) { race.overall = nil }
        race.withdrawals?.removeAll { hides(id, stage: $0.stage) }
    }

    // MARK: Entries

    /// Returns the name of the stage whose result a text of this date would reveal.
    private func stage(givenAwayBy texts: [String], at instant: Instant) throws -> String? {
        // In the far east the day begins long before it does in UTC.
        let day = CalendarDay(instant: instant + SpoilerFilter.early).number
        let stages = try hiddenStages(before: day)
        guard !stages.isEmpty else { return nil }
        let texts = texts.map { words.read($0) }
        var ridersOccur: [String: Bool] = [:]
        for stage in stages {
            let isNear = day - stage.day <= SpoilerFilter.daysOfPlaces
            if isNear, texts.contains(where: { stage.places.occur(in: $0) }) { return stage.name }
            if ridersOccur[stage.race] == nil {
                let names = try riders(of: stage.race)
                ridersOccur[stage.race] = texts.contains { names.occur(in: $0) }
            }
            if ridersOccur[stage.race] == true { return stage.name }
        }
        return nil
    }

    package func replacement(for texts: [String], at date: Instant) throws -> String? {
        try stage(givenAwayBy: texts, at: date).map { "Hidden: about \($0)" }
    }

    package func replacement(forTitle title: String, of entry: EntryID, at date: Instant) throws -> String? {
        revealedEntries.contains(entry) ? nil : try replacement(for: [title], at: date)
    }

    package func replacement(for entry: EntryDetail) throws -> String? {
        guard !revealedEntries.contains(entry.id) else { return nil }
        // Attributes count too, such as addresses and descriptions of pictures.
        let documents = [entry.html, entry.fullHTML].compactMap { $0 }
        let texts =
            [entry.title, entry.author, entry.text, entry.link].compactMap { $0 } + documents
            + documents.map { Markup.plainText($0) }
        let instant = entry.dates.published ?? entry.dates.updated ?? entry.dates.firstSeen
        return try replacement(for: texts, at: instant)
    }
}

extension RaceStore {
    /// Returns a title that belongs to no entry, such as that of a web page, or its replacement.
    package func shown(_ title: String, at date: Instant) throws(LibraryError) -> String {
        try store.read { db in
            try SpoilerFilter.read(db)?.replacement(for: [title], at: date) ?? title
        }
    }
}

extension Stage {
    /// Removes everything that was not known before the stage.
    mutating func removeNews() {
        let hadNews = winner != nil || leaderAfter != nil || results != nil || general != nil || ticker != nil
        (winner, leaderAfter, ticker, live, splits) = (nil, nil, nil, nil, nil)
        (isProvisional, isRunning, timeLimit, wearers) = (nil, nil, nil, nil)
        for list in Classification.allCases { self[keyPath: list.path] = nil }
        for index in (climbs ?? []).indices { climbs?[index].winner = nil }
        for index in (sprints ?? []).indices { sprints?[index].winner = nil }
        // Photograph and article show the winner. Before the stage they reveal nothing.
        if hadNews { (imageURL, articleURL, liveURL) = (nil, nil, nil) }
    }
}
