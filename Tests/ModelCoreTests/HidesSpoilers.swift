import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Spoilers at their limits: the days of entries, the fields of a stage, and the names that count.
@Suite struct HidesSpoilers {
    /// Midnight of 20 November 2026, the day of the stage, in UTC.
    private static let day: Instant = 1_795_132_800
    private static let hour: Int64 = 3600

    private func library(_ change: (inout Race) -> Void = { _ in }) async throws -> Library {
        let library = try Library(path: nil)
        var stage = Stage(
            number: 1, date: "2026-11-20", start: "Porto", finish: "Vila Nova", winner: "Bea Costa",
            leaderAfter: "Ana Sá")
        stage.results = [Placing(place: 1, rider: "Bea Costa"), Placing(place: 2, rider: "Dina Lo")]
        var race = Race(
            race: "Volta", year: 2026,
            stages: [stage, Stage(number: 2, date: "2026-11-25", start: "Faro", finish: "Faro")])
        race.overall = ["Carla Dias"]
        change(&race)
        try await library.store(race)
        try await library.changes.perform(.hideResults(true, race: nil))
        return library
    }

    private func isHidden(_ title: String, _ seconds: Int64, in library: Library) throws -> Bool {
        try library.races.shown(title, at: HidesSpoilers.day + seconds) != title
    }

    /// Towns and the race for three days, riders for thirty, from four hours before the day of the stage in UTC.
    @Test func hidesEntriesOfTheDaysAfterAStage() async throws {
        let library = try await library()
        let hour = HidesSpoilers.hour
        let words: [(title: String, days: Int64)] = [
            ("Rain in Porto", 3), ("Vila Nova waits", 3), ("The Volta goes on", 3), ("Bea Costa wins", 30),
            ("A day for Costa", 30),
            ("Ana Sá leads", 30), ("Dina Lo is second", 30), ("Dias takes it all", 30),
        ]
        for (title, days) in words {
            #expect(
                try !isHidden(title, -4 * hour - 1, in: library) && isHidden(title, -4 * hour, in: library), "\(title)")
            let end = (days + 1) * 24 * hour - 4 * hour
            // Of the second stage, five days later, only the common words stay hidden longer.
            if days == 3, !title.contains("Volta") {
                #expect(try isHidden(title, end - 1, in: library) && !isHidden(title, end, in: library), "\(title)")
            }
            if days == 30 { #expect(try isHidden(title, 20 * 24 * hour, in: library), "\(title)") }
        }
        for title in ["Nova opens", "Lo and behold", "Sá", "A costly day", "Bread"] {
            #expect(try !isHidden(title, hour, in: library), "\(title)")
        }
        let alone = try await self.library { $0.stages.removeLast() }
        let end = 31 * 24 * hour - 4 * hour
        #expect(try isHidden("Bea Costa wins", end - 1, in: alone) && !isHidden("Bea Costa wins", end, in: alone))
        #expect(try alone.races.shown("Bea Costa wins", at: HidesSpoilers.day) == "Hidden: about Volta 2026, stage 1")
    }

    /// The latest hidden stage is named, and a revealed one hides nothing.
    @Test func namesTheLatestHiddenStage() async throws {
        let library = try await library()
        let later = HidesSpoilers.day + 5 * 86_400
        #expect(try library.races.shown("The Volta goes on", at: later) == "Hidden: about Volta 2026, stage 2")
        #expect(try library.races.shown("Bea Costa wins", at: later) == "Hidden: about Volta 2026, stage 2")
        try await library.changes.perform(.revealStage(2, race: "volta-2026", true))
        #expect(try library.races.shown("The Volta goes on", at: later) == "The Volta goes on")
        #expect(try library.races.shown("Bea Costa wins", at: later) == "Hidden: about Volta 2026, stage 1")
        try await library.changes.perform(.revealStage(1, race: "volta-2026", true))
        #expect(try library.races.shown("Bea Costa wins", at: later) == "Bea Costa wins")
    }

    /// Exactly the fields of a stage that reveal its result are hidden.
    @Test func hidesTheFieldsOfAStage() async throws {
        var whole = Stage(
            number: 1, date: "2026-11-20", start: "A", finish: "B", distance: 9, type: "flat", winner: "W",
            leaderAfter: "L")
        (whole.imageURL, whole.articleURL, whole.liveURL) = (
            "https://x.example/i", "https://x.example/a", "https://x.example/l"
        )
        (whole.weather, whole.status, whole.broadcastURL, whole.trackURL) = (
            "rain", "shortened", "https://x.example/b", "https://x.example/t"
        )
        for list in Classification.allCases { whole[keyPath: list.path] = [Placing(place: 1, rider: "W", team: "T")] }
        whole.ticker = [TickerLine(time: "2026-11-20T12:00:00Z", text: "W wins")]
        (whole.climbs, whole.sprints) = ([Climb(km: 3, winner: "W")], [Sprint(km: 4, winner: "W")])
        var race = Race(
            race: "X", year: 2026, stages: [whole, Stage(number: 2, date: "2026-11-21", start: "B", finish: "C")])
        race.stages[1].imageURL = "https://x.example/2"
        race.stages[1].articleURL = "https://x.example/a2"
        race.overall = ["W"]
        race.riders = [Rider(name: "W")]
        race.withdrawals = [Withdrawal(rider: "W", stage: 1), Withdrawal(rider: "W", stage: 2)]
        let library = try await Library.storing(race)
        try await library.changes.perform(.hideResults(true, race: "x-2026"))
        let hidden = try #require(try library.races.wholeRace("x-2026"))
        var expected = Stage(number: 1, date: "2026-11-20", start: "A", finish: "B", distance: 9, type: "flat")
        (expected.weather, expected.status, expected.broadcastURL, expected.trackURL) = (
            whole.weather, whole.status, whole.broadcastURL, whole.trackURL
        )
        (expected.climbs, expected.sprints) = ([Climb(km: 3)], [Sprint(km: 4)])
        expected.isSpoiler = true
        #expect(hidden.stages[0] == expected)
        // Before a stage, its picture and article reveal nothing.
        #expect(
            hidden.stages[1].imageURL == "https://x.example/2" && hidden.stages[1].articleURL == "https://x.example/a2")
        #expect(hidden.overall == nil && hidden.withdrawals == [] && hidden.riders?.count == 1)
        #expect(try library.races.race("x-2026")?.stages[0].winner == nil)
        for list in Classification.allCases { #expect(try library.races.standings(list, of: 1, in: "x-2026").isEmpty) }
        #expect(
            try library.races.ticker(of: 1, in: "x-2026").isEmpty
                && library.races.leaders(after: 1, in: "x-2026").isEmpty)
        // The final standings belong to the last stage, a withdrawal to its own.
        try await library.changes.perform(.revealStage(1, race: "x-2026", true))
        let first = try #require(try library.races.wholeRace("x-2026"))
        #expect(first.stages[0] == whole && first.overall == nil && first.withdrawals?.map(\.stage) == [1])
        try await library.changes.perform(.revealStage(2, race: "x-2026", true))
        #expect(try library.races.wholeRace("x-2026") == race)
        // Each of these alone reveals that there is a result.
        let news: [(inout Stage) -> Void] = [
            { $0.winner = "W" }, { $0.leaderAfter = "L" }, { $0.results = [Placing(place: 1, rider: "W")] },
            { $0.general = [Placing(place: 1, rider: "W")] }, { $0.ticker = whole.ticker },
        ]
        for (number, change) in news.enumerated() {
            var stage = Stage(number: 1, start: "A", finish: "B")
            (stage.imageURL, stage.articleURL) = ("https://x.example/i", "https://x.example/a")
            change(&stage)
            let race = Race(race: "N\(number)", year: 2026, stages: [stage])
            try await library.store(race)
            try await library.changes.perform(.hideResults(true, race: race.id))
            let found = try #require(try library.races.wholeRace(race.id)?.stages.first)
            #expect(found.imageURL == nil && found.articleURL == nil && found.isSpoiler, "\(number)")
        }
    }

    /// Hiding no race, one, all, and one again.
    @Test func hidesTheChosenRaces() async throws {
        let library = try Library(path: nil)
        for name in ["A", "B"] {
            try await library.store(
                Race(race: name, year: 2026, stages: [Stage(number: 1, start: "S", finish: "F", winner: "W")]))
        }
        func shown() throws -> [Bool] {
            try ["a-2026", "b-2026"].map { try library.races.race($0)?.stages[0].winner == "W" }
        }
        #expect(try shown() == [true, true] && library.races.hidingSpoilers() == [])
        try await library.changes.perform(.hideResults(true, race: "b-2026"))
        #expect(try shown() == [true, false] && library.races.hidingSpoilers() == ["b-2026"])
        try await library.changes.perform(.hideResults(true, race: nil))
        #expect(try shown() == [false, false] && library.races.hidingSpoilers() == nil)
        try await library.changes.perform(.revealStage(1, race: "a-2026", true))
        #expect(try shown() == [true, false])
        try await library.changes.perform(.hideResults(false, race: nil))
        #expect(try shown() == [true, true] && library.races.hidingSpoilers() == [])
        try await library.changes.perform(.hideResults(true, race: "a-2026"))
        try await library.changes.perform(.hideResults(true, race: "b-2026"))
        try await library.changes.perform(.hideResults(false, race: "a-2026"))
        #expect(try shown() == [true, false])
    }

    /// Words are compared without accents and case; a short last name needs its capital, a shorter one the first name.
    @Test func findsNamesInTexts() {
        let reader = WordReader()
        func occurs(_ name: String, _ text: String, lastWord: Bool = true) -> Bool {
            var names = Phrases()
            names.add(reader.read(name), alsoLastWord: lastWord)
            return names.occur(in: reader.read(text))
        }
        let table: [(name: String, text: String, occurs: Bool)] = [
            ("Bea Costa", "bea costa", true), ("Bea Costa", "COSTA!", true), ("Bea Costa", "costa", true),
            ("Bea Costa", "bea", false),
            ("Bea Costa", "Costa Bea's", true), ("Ana Roux", "Roux", true), ("Ana Roux", "roux", false),
            ("Ana Roux", "ana roux", true),
            ("Ana Lo", "Lo", false), ("Ana Lo", "ana lo", true), ("Ana Lo", "ana and lo", false),
            ("Ana Roi", "Roi", true),
            ("Tadej Pogačar", "pogacar", true), ("Çelik Özil", "OZIL", true), ("X1 Team", "x1 team", true),
            ("Bea", "Costa", false), ("", "x", false),
        ]
        for (name, text, expected) in table { #expect(occurs(name, text) == expected, "\(name) in \(text)") }
        #expect(!occurs("Bea Costa", "Costa", lastWord: false) && occurs("Bea Costa", "x bea costa y", lastWord: false))
        #expect(!occurs("Bea Costa", "bea", lastWord: false) && !occurs("A B C", "A B", lastWord: false))
    }
}
