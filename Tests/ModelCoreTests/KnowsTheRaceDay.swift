import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Which stage is today's, wherever the reader is, and which of several races comes first.
@Suite struct KnowsTheRaceDay {
    private static func stage(
        _ number: Int, _ day: Int, from: String = "13:00", to: String? = "17:00", zone: String = "+02:00"
    )
        -> Stage
    {
        var stage = Stage(
            number: number, date: "2026-07-\(day)", start: "A\(number)", finish: "B\(number)", distance: 100)
        stage.startTime = "2026-07-\(day)T\(from):00\(zone)"
        stage.finishTime = to.map { "2026-07-\(day)T\($0):00\(zone)" }
        return stage
    }

    /// Returns an instant of 18 July 2026 in Paris.
    private static func paris(_ hour: Int, _ minute: Int = 0) -> Instant {
        CalendarDay("2026-07-18").map { $0.midnight + Int64(hour - 2) * 3600 + Int64(minute) * 60 } ?? 0
    }

    /// Returns the day where the reader is.
    private static func local(_ now: Instant, _ hours: Int64) -> CalendarDay {
        CalendarDay(instant: now + hours * 3600)
    }

    /// The offsets of Honolulu, New York, London, Paris, Tokyo and Sydney.
    private static let zones: [Int64] = [-10, -4, 1, 2, 9, 10]

    @Test func aStageIsOnUntilAnHourAfterItsEndWhateverTheDateIsHere() async throws {
        let library = try Library(path: nil)
        try await library.store(
            Race(
                race: "Tour", year: 2026,
                stages: [KnowsTheRaceDay.stage(14, 18), KnowsTheRaceDay.stage(15, 19), KnowsTheRaceDay.stage(16, 21)]))
        let table: [(hour: Int, stage: Int, days: Int64)] = [
            (0, 14, 0), (9, 14, 0), (13, 14, 0), (16, 14, 0), (17, 14, 0), (23, 14, 0), (24, 15, 0), (37, 15, 0),
            (48, 16, 1), (72, 16, 0),
        ]
        for zone in KnowsTheRaceDay.zones {
            for (hour, number, days) in table {
                let now = KnowsTheRaceDay.paris(hour)
                let next = try #require(
                    try library.races.nextStage(from: KnowsTheRaceDay.local(now, zone), at: now))
                #expect(next.stage.number == number && next.days == days, "zone \(zone), hour \(hour): \(next)")
            }
        }
    }

    @Test func aStageLastsAsLongAsItsHeadIsOnTheRoad() {
        var stage = KnowsTheRaceDay.stage(14, 18)
        let late = KnowsTheRaceDay.paris(18, 30)
        #expect(stage.isOn(at: KnowsTheRaceDay.paris(17, 59)) && !stage.isOn(at: late))
        stage.live = LiveReport(at: "2026-07-18T18:28:00+02:00", kmToGo: 12)
        #expect(stage.isOn(at: late) && !stage.isOn(at: late + 3600))
        stage.status = "cancelled"
        #expect(!stage.isOn(at: late))
        #expect(!KnowsTheRaceDay.stage(1, 18).isOn(at: KnowsTheRaceDay.paris(12, 59)))
        // Without a start time the day here counts.
        let plain = Stage(number: 1, date: "2026-07-18", start: "A", finish: "B")
        let today = CalendarDay("2026-07-18")!
        #expect(plain.isToday(at: late, local: today) && !plain.isToday(at: late, local: today + 1))
    }

    @Test func theLiveRaceComesFirstThenTheMarkedOneThenTheNextToStart() async throws {
        let library = try Library(path: nil)
        for (name, from, to) in [("One", "10:00", "12:00"), ("Two", "14:00", "17:00"), ("Three", "13:00", "16:00")] {
            try await library.store(
                Race(race: name, year: 2026, stages: [KnowsTheRaceDay.stage(1, 18, from: from, to: to)]))
        }
        func next(_ hour: Int, _ minute: Int = 0) throws -> String? {
            let now = KnowsTheRaceDay.paris(hour, minute)
            return try library.races.nextStage(from: CalendarDay("2026-07-18")!, at: now)?.raceName
        }
        #expect(try next(9) == "One" && next(11) == "One" && next(13, 30) == "Three")
        // What is on comes before what is over, and before what will start.
        #expect(try next(12, 59) == "One" && next(20) == "One")
        try await library.changes.perform(Favourites.mark(.race, "two-2026", true))
        #expect(try next(9) == "Two" && next(11) == "One" && next(13, 30) == "Three" && next(14, 30) == "Two")
        try await library.changes.perform(Favourites.mark(.race, "two-2026", false))
        #expect(try next(9) == "One" && library.races.favourites() == Favourites())
    }

    /// Kilometres and gaps must not disappear whenever a report comes.
    @Test func aSlowClockHidesNothing() {
        var stage = KnowsTheRaceDay.stage(14, 18)
        stage.wearers = ["general": "7"]
        let report = LiveReport(
            at: "2026-07-18T15:00:00+02:00", kmToGo: 40,
            groups: [
                LiveGroup(name: "Tête de la course"), LiveGroup(name: "Gr. Higuita", gap: 31, riders: ["7"]),
                LiveGroup(name: "Peloton", gap: 84),
            ])
        for slow: Int64 in [0, 60, 300] {
            let progress = StageProgress(stage, ticker: [], live: report, now: KnowsTheRaceDay.paris(15) - slow)
            #expect(progress.kilometresToGo == 40 && progress.pelotonGap == 84 && progress.leaderGap == 31, "\(slow)")
        }
        #expect(StageProgress(stage, ticker: [], live: report, now: KnowsTheRaceDay.paris(14)).kilometresToGo == nil)
    }

    @Test(arguments: [
        ("Vuelta a España", "vuelta-a-espana"), ("Critérium du Dauphiné", "criterium-du-dauphine"),
        ("Tour of Łódź & Ørsta", "tour-of-lodz-orsta"), ("Straße", "strasse"), ("Giro d'Italia", "giro-d-italia"),
        ("Ｔour", "tour"), ("--", ""), ("İstanbul", "istanbul"),
    ]) func identifiersAreASCII(name: String, identifier: String) {
        #expect(RaceIdentifier.of(name) == identifier && RaceIdentifier.of(identifier) == identifier)
        #expect(Race(race: name, year: 2026, stages: []).id == identifier + "-2026")
    }
}
