import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Who wears the jerseys during a stage, and where riders are in the newest lists.
@Suite struct LiveRosterTests {
    private func library(_ change: (inout Race) -> Void = { _ in }) async throws -> Library {
        let placings = { (riders: [String]) in
            riders.enumerated().map { Placing(place: $0 + 1, rider: $1, gap: $0 * 5, points: nil) }
        }
        var first = Stage(number: 1, start: "A", finish: "B")
        first.general = placings(["1", "2", "3"])
        first.points = placings(["1", "2"])
        first.mountain = placings(["1", "2", "3"])
        var second = Stage(number: 2, start: "B", finish: "C")
        second.results = placings(["3", "1"])
        var race = Race(race: "R", year: 2026, stages: [first, second, Stage(number: 3, start: "C", finish: "D")])
        race.riders = ["1", "2", "3"].map { (key: String) in Rider(id: key, name: "Rider \(key)") }
        race.withdrawals = [Withdrawal(rider: "2", stage: 2), Withdrawal(rider: "3", stage: 3)]
        change(&race)
        return try await Library.storing(race)
    }

    private func wearers(_ library: Library, _ stage: Int) throws -> [String] {
        try library.races.liveRoster(of: stage, in: "r-2026").wearers.map { "\($0.list) \($0.rider)" }
    }

    @Test func leadersWearOneJerseyEach() async throws {
        let library = try await library()
        #expect(try wearers(library, 2) == ["general 1", "points 2", "mountain 3"])
        #expect(try wearers(library, 1).isEmpty && wearers(library, 3).isEmpty)
        // The race itself knows better.
        let other = try await self.library { $0.stages[1].wearers = ["points": "3", "general": "1", "teams": "2"] }
        #expect(try wearers(other, 2) == ["general 1", "points 3"])
    }

    @Test func hiddenStagesHideJerseysAndWithdrawals() async throws {
        let library = try await library { $0.stages[1].wearers = ["general": "1"] }
        #expect(try library.races.liveRoster(of: 2, in: "r-2026").withdrawals.map(\.rider) == ["2"])
        try await library.changes.perform(.hideResults(true, race: nil))
        try await library.changes.perform(.revealStage(2, race: "r-2026", true))
        // The jerseys of the second stage show the standings after the first.
        #expect(try wearers(library, 2).isEmpty)
        try await library.changes.perform(.revealStage(1, race: "r-2026", true))
        #expect(try wearers(library, 2) == ["general 1"])
        #expect(try library.races.liveRoster(of: 3, in: "r-2026").withdrawals.map(\.rider) == ["2"])
        #expect(try library.races.liveRoster(of: 3, in: "r-2026").riders.count == 3)
    }

    @Test func findsTheNewestPlaces() async throws {
        let library = try await library()
        func places(_ rider: String, _ stage: Int) throws -> [String] {
            try library.races.places(of: rider, upTo: stage, in: "r-2026").map { "\($0.list) \($0.stage) \($0.place)" }
        }
        #expect(try places("1", 2) == ["results 2 2", "general 1 1", "points 1 1", "mountain 1 1"])
        // The result of another stage is not the rider's place in this one.
        #expect(try places("3", 3) == ["general 1 3", "mountain 1 3"] && places("3", 0).isEmpty)
        try await library.changes.perform(.hideResults(true, race: nil))
        #expect(try places("1", 2).isEmpty)
    }
}
