import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Standings after a stage, and what a race contains about a rider.
@Suite struct StandingsTests {
    private func library() async throws -> Library {
        func stage(_ number: Int, _ results: [String], _ general: [(String, Int)]) -> Stage {
            var stage = Stage(number: number, date: "2026-11-\(number + 9)", start: "A\(number)", finish: "B")
            stage.results = results.enumerated().map { Placing(place: $0 + 1, rider: $1, gap: $0 * 3) }
            stage.general = general.enumerated().map { Placing(place: $0 + 1, rider: $1.0, gap: $1.1) }
            return stage
        }
        var race = Race(
            race: "Volta", year: 2026,
            stages: [
                stage(1, ["b", "a", "c"], [("b", 0), ("a", 3), ("c", 6)]),
                stage(2, ["a", "c", "b"], [("a", 0), ("b", 3), ("d", 9)]),
            ])
        race.stages[1].teamStandings = [Placing(place: 1, team: "t", gap: 0)]
        race.teams = [Team(id: "t", name: "Team T")]
        race.riders = [
            Rider(id: "a", name: "Ana", country: "PT", team: "t"), Rider(id: "b", name: "Bea"),
            Rider(id: "c", name: "Carla"), Rider(id: "d", name: "Dina"),
        ]
        race.withdrawals = [Withdrawal(rider: "c", stage: 2, reason: "DNF")]
        return try await Library.storing(race)
    }

    @Test func showsRanksWonAndLost() async throws {
        let library = try await library()
        let standings = try library.races.standings(.general, of: 2, in: "volta-2026")
        #expect(standings.map(\.name) == ["Ana", "Bea", "Dina"])
        // A rider without a previous rank gained none.
        #expect(standings.map(\.gained) == [1, -1, nil])
        #expect(standings[0].team == "Team T" && standings[0].country == "PT")
        #expect(try library.races.standings(.results, of: 2, in: "volta-2026").allSatisfy { $0.gained == nil })
        #expect(try library.races.standings(.teams, of: 2, in: "volta-2026").map(\.name) == ["Team T"])
        #expect(try library.races.standings(.youth, of: 2, in: "volta-2026").isEmpty)
        #expect(try library.races.classifications(of: 2, in: "volta-2026") == [.results, .general, .teams])
        #expect(try library.races.leaders(after: 2, in: "volta-2026").map(\.name) == ["Ana", "Team T"])
    }

    @Test func collectsARidersRecord() async throws {
        let library = try await library()
        let record = try #require(try library.races.record(of: "a", in: "volta-2026"))
        #expect(record.rider.name == "Ana" && record.team == "Team T")
        #expect(record.days.map(\.place) == [2, 1])
        #expect(record.days.map(\.overall) == [2, 1])
        #expect(record.days.map(\.overallGap) == [3, 0])
        #expect(record.leads == [.general: 1])
        #expect(try library.races.record(of: "c", in: "volta-2026")?.withdrawal?.reason == "DNF")
        #expect(try library.races.record(of: "nobody", in: "volta-2026") == nil)
    }

    @Test func leavesOutHiddenResults() async throws {
        let library = try await library()
        try await library.changes.perform(.hideResults(true, race: "volta-2026"))
        try await library.changes.perform(.revealStage(1, race: "volta-2026", true))
        #expect(try library.races.standings(.general, of: 2, in: "volta-2026").isEmpty)
        #expect(try library.races.classifications(of: 2, in: "volta-2026").isEmpty)
        #expect(try library.races.leaders(after: 2, in: "volta-2026").isEmpty)
        let record = try #require(try library.races.record(of: "a", in: "volta-2026"))
        #expect(record.days.map(\.stage) == [1] && record.leads.isEmpty)
        #expect(try library.races.record(of: "c", in: "volta-2026")?.withdrawal == nil)
    }

    /// A stage of 150 km from 12:00 to 16:00.
    @Test func locatesTheRace() throws {
        var stage = Stage(number: 1, date: "2026-11-20", start: "A", finish: "B", distance: 150)
        stage.startTime = "2026-11-20T13:00:00+01:00"
        stage.finishTime = "2026-11-20T17:00:00+01:00"
        let start: Instant = 1_795_176_000
        func line(_ minutes: Int64, _ km: Double?) -> TickerLine {
            let time = start + minutes * 60
            return TickerLine(
                time: "2026-11-20T\(12 + minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00Z", km: km,
                text: "\(time)")
        }
        let ticker = [line(30, 20), line(60, 50), line(90, nil), line(120, 100)]
        func progress(_ minutes: Int64) -> StageProgress {
            StageProgress(stage, ticker: ticker, now: start + minutes * 60)
        }
        #expect(progress(-1).phase == .coming(start))
        #expect(progress(0).phase == .underWay && progress(0).km == nil)
        #expect(progress(0).finish == start + 4 * 3600)
        // The latest line with a kilometre counts; lines of the future don't.
        #expect(progress(100).km == 50 && progress(100).kilometresToGo == 100)
        // 50 km in an hour: three hours for 150.
        #expect(progress(100).finish == start + 3 * 3600)
        #expect(progress(301).phase == .over)
        stage.winner = "W"
        #expect(progress(60).phase == .over)
        stage.status = "Cancelled"
        #expect(progress(60).phase == .cancelled)
        #expect(StageProgress(Stage(number: 1, start: "A", finish: "B"), ticker: [], now: 0).phase == .unknown)
    }
}
