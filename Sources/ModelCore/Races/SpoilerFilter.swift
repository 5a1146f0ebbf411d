import FeedParsing
import Foundation
import GRDB

/// What is hidden of races until its user has looked: results of stages, and the entries that would give them away.
///
/// Everything that leaves the library for a screen or a command goes through it; there is no other way to read a race or an entry.
/// While nothing is hidden, which is the rule, there is none.
final class SpoilerFilter {
    /// A stage whose result is hidden.
    private struct HiddenStage {
        var race: String
        /// `Giro d'Italia 2026, stage 5`.
        var name: String
        var day: Int64
        /// Its towns and its race's name, as words.
        var places: Phrases
    }

    /// The row of ``covered_race`` that means all races.
    static let all = "*"
    /// Days after a stage for which the names of its towns and its race give it away, and the names of riders.
    private static let (daysOfPlaces, daysOfNames): (Int64, Int64) = (3, 30)

    /// Seconds before a stage's day in UTC from which on there may be a result of it.
    private static let early: Int64 = 4 * 3600

    private let db: Database
    private let races: Set<String>
    /// Stages that were looked at, by race.
    private let seen: [String: Set<Int>]
    private let uncovered: Set<Int64>
    /// The hidden stages of the month before a day, the latest first, and the riders of races: read where an entry is of such a
    /// day.
    private var stages: [Int64: [HiddenStage]] = [:]
    private var riders: [String: Phrases] = [:]
    private let words = WordReader()

    /// - Returns: `nil` when nothing is hidden. It holds for this read alone.
    static func read(_ db: Database) throws -> SpoilerFilter? {
        let hidden = try db.cachedStatement(sql: "SELECT race_id FROM covered_race")
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
        uncovered = try Set(Int64.fetchAll(db, sql: "SELECT entry_id FROM uncovered_entry"))
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
            return HiddenStage(
                race: race, name: "\(name) \(year), stage \(number)", day: day.number, places: places)
        }
        stages[day] = found
        return found
    }

    /// The names of all who are known to have won, to have led or to ride.
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

    func cover(_ stage: inout Stage, of race: String) {
        if hides(race, stage: stage.number) { stage.hideResult() }
    }

    /// Takes out of a race what gives away stages that are hidden.
    func cover(_ race: inout Race) {
        let id = race.id
        for index in race.stages.indices { cover(&race.stages[index], of: id) }
        guard let last = race.stages.last, hides(id, stage: last.number) else { return hideWithdrawals(&race) }
        race.overall = nil
        hideWithdrawals(&race)
    }

    private func hideWithdrawals(_ race: inout Race) {
        let id = race.id
        race.withdrawals?.removeAll { hides(id, stage: $0.stage) }
    }

    // MARK: Entries

    /// What stands in the place of a text that gives a stage away.
    fileprivate static func words(for stage: String) -> String { "Hidden: about \(stage)" }

    /// The stage that a text of a date gives away, in words.
    fileprivate func stage(givenAwayBy texts: [String], at instant: Int64) throws -> String? {
        // Where it is ridden in the far east the day has begun long before it does in UTC.
        let day = CalendarDay(instant: instant.addingClamped(SpoilerFilter.early)).number
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

    /// What stands in the place of an entry's title; `nil`: itself.
    func covered(_ title: String, of entry: Int64, at date: Int64) throws -> String? {
        if uncovered.contains(entry) { return nil }
        return try stage(givenAwayBy: [title], at: date).map(SpoilerFilter.words)
    }

    func cover(_ download: inout Download) throws {
        guard let stage = try stage(givenAwayBy: [download.title, download.url], at: download.added) else { return }
        download.title = SpoilerFilter.words(for: stage)
        download.isSpoiler = true
    }

    func cover(_ row: inout EntryRow) throws {
        guard let words = try covered(row.title, of: row.id, at: row.sortDate) else { return }
        row.title = words
        row.isSpoiler = true
    }

    /// Whether what an entry says is hidden.
    func hides(_ entry: EntryDetail) throws -> String? {
        guard !uncovered.contains(entry.id) else { return nil }
        // What is read and what stands in attributes, such as addresses and what pictures show.
        let documents = [entry.html, entry.fullHTML].compactMap { $0 }
        let texts =
            [entry.title, entry.author, entry.text, entry.link].compactMap { $0 } + documents
            + documents.map { Markup.plainText($0) }
        let instant = entry.dates.published ?? entry.dates.updated ?? entry.dates.firstSeen
        return try stage(givenAwayBy: texts, at: instant)
    }

    func cover(_ entry: inout EntryDetail) throws {
        guard let stage = try hides(entry) else { return }
        entry.title = SpoilerFilter.words(for: stage)
        entry.link = nil
        entry.author = nil
        entry.html = nil
        entry.text = "This entry may spoil a stage, so its text is hidden."
        entry.fullHTML = nil
        entry.extras = EntryExtras()
        entry.dates.previous = nil
        entry.isSpoiler = true
    }
}

extension Library {
    /// A title that is not of an entry, such as that of a page from the web, as it may be shown.
    package func shown(_ title: String, at date: Int64) throws(LibraryError) -> String {
        try read { db in
            guard let stage = try SpoilerFilter.read(db)?.stage(givenAwayBy: [title], at: date) else { return title }
            return SpoilerFilter.words(for: stage)
        }
    }
}

extension Stage {
    /// Takes out what gives its result away.
    fileprivate mutating func hideResult() {
        let hadNews = winner != nil || leaderAfter != nil || results != nil || general != nil || ticker != nil
        (winner, leaderAfter, ticker) = (nil, nil, nil)
        for list in Classification.allCases { self[keyPath: list.path] = nil }
        // A photograph and an article show who has won; before the stage there is nothing to see in them.
        if hadNews { (imageURL, articleURL, liveURL) = (nil, nil, nil) }
        isSpoiler = true
    }
}
