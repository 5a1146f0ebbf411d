import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Times on the way of a time trial, and gaps from stage to stage.
@Suite struct StandingsHistoryTests {
    private func library(_ change: (inout Race) -> Void = { _ in }) async throws -> Library {
        var race = Race(race: "R", year: 2026, stages: (1...3).map { Stage(number: $0, start: "A", finish: "B") })
        race.riders = (1...12).map { number in
            Rider(id: String(number), name: "Rider \(number)", number: number)
        }
        race.stages[0].general = (1...12).map { Placing(place: $0, rider: "\(13 - $0)", gap: $0 == 1 ? nil : $0 * 2) }
        race.stages[1].general = (1...12).map { Placing(place: $0, rider: "\($0)", gap: $0 == 1 ? nil : $0 * 5) }
        race.stages[1].splits = [
            Split(name: "Half", km: 9, placings: [Placing(place: 1, rider: "3", time: 600)]), Split(km: 15),
        ]
        change(&race)
        return try await Library.storing(race)
    }

    @Test func readsTheTimesOnTheWay() async throws {
        let library = try await library()
        let splits = try library.races.splits(of: 2, in: "r-2026")
        #expect(splits.map(\.km) == [9, 15] && splits.map(\.name) == ["Half", nil])
        #expect(splits[0].standings.map(\.name) == ["Rider 3"] && splits[0].standings[0].time == 600)
        #expect(splits[1].standings.isEmpty)
        #expect(
            try library.races.splits(of: 1, in: "r-2026").isEmpty && library.races.splits(of: 9, in: "r-2026").isEmpty)
        try await library.changes.perform(.hideResults(true, race: nil))
        #expect(try library.races.splits(of: 2, in: "r-2026").isEmpty)
    }

    /// The first of the newest classification, with their gaps after each stage before it.
    @Test func followsTheFirstTenFromStageToStage() async throws {
        let library = try await library()
        let lines = try library.races.gapLines(upTo: 3, in: "r-2026")
        #expect(lines.map(\.key) == (1...10).map { "\($0)" } && lines[2].name == "Rider 3" && lines[2].place == 3)
        #expect(lines[0].points == [.init(stage: 1, gap: 24), .init(stage: 2, gap: 0)])
        #expect(lines[9].points == [.init(stage: 1, gap: 6), .init(stage: 2, gap: 50)])
        #expect(try library.races.gapLines(upTo: 1, in: "r-2026").map(\.key).first == "12")
        #expect(try library.races.gapLines(upTo: 2, in: "r-2026", first: 2).count == 2)
        // A hidden stage is not on the chart, and its order neither.
        try await library.changes.perform(.hideResults(true, race: nil))
        try await library.changes.perform(.revealStage(1, race: "r-2026", true))
        let shown = try library.races.gapLines(upTo: 3, in: "r-2026")
        #expect(shown.map(\.key).first == "12" && shown.allSatisfy { $0.points.map(\.stage) == [1] })
    }

    @Test func gapsThatNobodyKnowsLeaveAHole() async throws {
        let library = try await library { race in
            race.stages[0].general = [Placing(place: 1, rider: "1"), Placing(place: 2, rider: "2")]
        }
        let lines = try library.races.gapLines(upTo: 2, in: "r-2026")
        #expect(lines[0].points.count == 2 && lines[1].points == [.init(stage: 2, gap: 10)])
    }
}
