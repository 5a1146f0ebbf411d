import FeedParsing
import Foundation
import GRDB

/// What is hidden of races until its user has looked: results of stages, and the entries that would give them away.
///
/// Everything that leaves the library for a screen or a command goes through it; there is no other way to read a race or an entry.
/// While nothing is hidden, which is the rule, there is none.
struct ResultCover {
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

    private let races: Set<String>
    /// Stages that were looked at, by race.
    private let seen: [String: Set<Int>]
    /// Of dated stages, the latest first.
    private let stages: [HiddenStage]
    /// The riders of each race.
    private let riders: [String: Phrases]
    private let uncovered: Set<Int64>

    /// - Returns: `nil` when nothing is hidden.
    static func read(_ db: Database) throws -> ResultCover? {
        let hidden = try db.cachedStatement(sql: "SELECT race_id FROM covered_race")
        let races = Set(try String.fetchAll(hidden))
        return races.isEmpty ? nil : try ResultCover(races, db)
    }

    private init(_ races: Set<String>, _ db: Database) throws {
        self.races = races
        var seen: [String: Set<Int>] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT race_id, number FROM seen_stage") {
            seen[try row.at(0), default: []].insert(try row.at(1))
        }
        self.seen = seen
        uncovered = try Set(Int64.fetchAll(db, sql: "SELECT entry_id FROM uncovered_entry"))
        var stages: [HiddenStage] = []
        var riders: [String: Phrases] = [:]
        for id in try String.fetchAll(db, sql: "SELECT id FROM race")
        where races.contains(id) || races.contains(ResultCover.all) {
            guard var race = try Library.raceUncovered(id, db) else { continue }
            let hidden = race.stages.filter { seen[id]?.contains($0.number) != true }
            guard !hidden.isEmpty else { continue }
            for stage in hidden {
                guard let day = stage.day else { continue }
                var places = Phrases()
                for name in [race.race, stage.start, stage.finish] { places.add(name) }
                stages.append(
                    HiddenStage(
                        race: id, name: "\(race.race) \(race.year), stage \(stage.number)", day: day.number,
                        places: places))
            }
            var names = Phrases()
            try StoredRace.addRoster(&race, of: id, db)
            let placed = try String.fetchAll(
                db, sql: "SELECT DISTINCT rider FROM stage_placing WHERE race_id = ? AND rider IS NOT NULL",
                arguments: [id])
            for name in race.namesOfRiders.union(race.riders == nil ? placed : []) {
                names.add(name, alsoLastWord: true)
            }
            riders[id] = names
        }
        self.stages = stages.sorted { $0.day > $1.day }
        self.riders = riders
    }

    // MARK: Races

    func hides(_ race: String, stage: Int) -> Bool {
        (races.contains(ResultCover.all) || races.contains(race)) && seen[race]?.contains(stage) != true
    }

    func cover(_ stage: inout Stage, of race: String) {
        if hides(race, stage: stage.number) { stage.coverResult() }
    }

    /// Takes out of a race what gives away stages that are hidden.
    func cover(_ race: inout Race) {
        let id = race.id
        for index in race.stages.indices { cover(&race.stages[index], of: id) }
        guard let last = race.stages.last, hides(id, stage: last.number) else { return coverWithdrawals(&race) }
        race.overall = nil
        coverWithdrawals(&race)
    }

    private func coverWithdrawals(_ race: inout Race) {
        let id = race.id
        race.withdrawals?.removeAll { hides(id, stage: $0.stage) }
    }

    // MARK: Entries

    /// What stands in the place of a text that gives a stage away.
    private static func words(for stage: String) -> String { "Hidden: about \(stage)" }

    /// The stage that a text of a date gives away, in words.
    private func stage(givenAwayBy texts: [String], at instant: Int64) -> String? {
        let day = CalendarDay(instant: instant).number
        guard let newest = stages.first(where: { $0.day <= day }), day - newest.day <= ResultCover.daysOfNames else {
            return nil
        }
        let texts = texts.map { Phrases.words(of: $0) }
        for stage in stages where stage.day <= day && day - stage.day <= ResultCover.daysOfNames {
            let isNear = day - stage.day <= ResultCover.daysOfPlaces
            let givesAway = texts.contains { words in
                (isNear && stage.places.occur(in: words)) || riders[stage.race]?.occur(in: words) == true
            }
            if givesAway { return stage.name }
        }
        return nil
    }

    /// What stands in the place of an entry's title; `nil`: itself.
    func covered(_ title: String, of entry: Int64, at date: Int64) -> String? {
        if uncovered.contains(entry) { return nil }
        return stage(givenAwayBy: [title], at: date).map(ResultCover.words)
    }

    func cover(_ row: inout EntryRow) {
        guard let words = covered(row.title, of: row.id, at: row.sortDate) else { return }
        row.title = words
        row.isCovered = true
    }

    /// Whether what an entry says is hidden.
    func hides(_ entry: EntryDetail) -> String? {
        guard !uncovered.contains(entry.id) else { return nil }
        let texts = [entry.title, entry.author, entry.html, entry.text, entry.fullHTML, entry.link].compactMap { $0 }
        let instant = entry.dates.published ?? entry.dates.updated ?? entry.dates.firstSeen
        return stage(givenAwayBy: texts, at: instant)
    }

    func cover(_ entry: inout EntryDetail) {
        guard let stage = hides(entry) else { return }
        entry.title = ResultCover.words(for: stage)
        entry.link = nil
        entry.author = nil
        entry.html = nil
        entry.text = "What this entry says is hidden, since it may give away a stage that you have not looked at yet."
        entry.fullHTML = nil
        entry.extras = EntryExtras()
        entry.dates.former = nil
        entry.isCovered = true
    }
}

extension Race {
    /// The names of all who are known to have won, to have led or to ride.
    fileprivate var namesOfRiders: Set<String> {
        var names = Set(riders?.map(\.name) ?? [])
        names.formUnion(overall ?? [])
        for stage in stages { names.formUnion([stage.winner, stage.leaderAfter].compactMap { $0 }) }
        return names
    }
}

extension Stage {
    /// Takes out what gives its result away.
    fileprivate mutating func coverResult() {
        let hadNews = winner != nil || leaderAfter != nil || results != nil || general != nil || ticker != nil
        (winner, leaderAfter, ticker) = (nil, nil, nil)
        for list in Classification.allCases { self[keyPath: list.path] = nil }
        // A photograph and an article show who has won; before the stage there is nothing to see in them.
        if hadNews { (imageURL, articleURL, liveURL) = (nil, nil, nil) }
        isCovered = true
    }
}

/// Names that are looked for in texts, word by word, whatever their accents and letters' sizes.
private struct Phrases {
    /// A word as it is compared, and whether it stood there with a capital.
    struct Word {
        var folded: String
        var hasCapital: Bool
    }

    /// What follows a first word, by that word.
    private var rests: [String: [[String]]] = [:]
    /// Words that are enough by themselves: with a capital where they are short.
    private var alone: Set<String> = []
    private static let (shortest, short) = (3, 5)

    mutating func add(_ name: String, alsoLastWord: Bool = false) {
        let words = Phrases.words(of: name).map(\.folded)
        guard let first = words.first else { return }
        rests[first, default: []].append(Array(words.dropFirst()))
        if alsoLastWord, let last = words.last, last.count >= Phrases.shortest { alone.insert(last) }
    }

    func occur(in words: [Word]) -> Bool {
        for (index, word) in words.enumerated() {
            if alone.contains(word.folded), word.hasCapital || word.folded.count >= Phrases.short { return true }
            for rest in rests[word.folded] ?? [] where words.dropFirst(index + 1).lazy.map(\.folded).starts(with: rest)
            {
                return true
            }
        }
        return false
    }

    static func words(of text: String) -> [Word] {
        text.split { !$0.isLetter && !$0.isNumber }.map { word in
            let isPlain = word.utf8.allSatisfy { $0 < 0x80 }
            let folded =
                isPlain
                ? word.lowercased()
                : word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
            return Word(folded: folded, hasCapital: word.first?.isUppercase == true)
        }
    }
}
