import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Elevations along a stage, its climbs and its small profile, and the order, names and records of standings.
@Suite struct MeasuresStages {
    private static func profile(_ points: [(Double, Double)]) -> StageProfile {
        StageProfile(Track(points: points.map { Track.Point(distance: $0.0, height: $0.1) }))
    }

    /// A climb gains at least 120 metres at 3 per cent.
    @Test func countsClimbsFromAMinimum() {
        let table: [(gain: Double, length: Double, climbs: Int)] = [
            (119, 2, 0), (120, 2, 1), (120, 4, 1), (120, 4.1, 0), (900, 30, 1), (900, 31, 0),
        ]
        for (gain, length, climbs) in table {
            // A steep metre before it: flat parts don't belong to a climb.
            let profile = MeasuresStages.profile([(0, 0), (length, gain), (length + 1, 0)])
            #expect(profile.climbs.count == climbs, "\(gain) \(length)")
            #expect(profile.totalAscent == gain)
        }
        let two = MeasuresStages.profile([(0, 0), (5, 400), (10, 0), (15, 300), (20, 290)])
        #expect(
            two.climbs.map(\.start) == [0, 10] && two.climbs.map(\.end) == [5, 15]
                && two.climbs.map(\.gain) == [400, 300])
        #expect(
            two.totalAscent == 700 && two.climbs[0].gradient == 8 && two.climbs[1].gradient == 6 && two.length == 20)
        // A dip of less than 15 per cent is part of the climb; a deeper one ends it.
        let dip = MeasuresStages.profile([(0, 0), (5, 400), (6, 350), (10, 800)])
        #expect(dip.climbs.count == 1 && dip.totalAscent == 800)
        let deep = MeasuresStages.profile([(0, 0), (5, 400), (6, 330), (10, 800)])
        #expect(deep.climbs.count == 2 && deep.totalAscent == 870)
        let empty = MeasuresStages.profile([])
        #expect(
            empty.length == 0 && empty.climbs.isEmpty && empty.spark == "" && empty.height(at: 3) == 0
                && empty.gradient(at: 1) == 0)
    }

    @Test func ignoresTheNoiseOfARecording() {
        #expect(MeasuresStages.profile([(0, 0), (1, 8), (2, 0)]).totalAscent == 0)
        #expect(MeasuresStages.profile([(0, 0), (1, 8.5), (2, 0)]).totalAscent == 8.5)
    }

    /// Elevations between points, and the gradient of the half kilometre around a point.
    @Test func findsHeightsBetweenPoints() {
        let profile = MeasuresStages.profile([(1, 100), (2, 200), (4, 100), (4, 500), (5, 500)])
        for (distance, height) in [
            (0.0, 100.0), (1, 100), (1.25, 125), (2, 200), (3, 150), (4, 500), (4.5, 500), (5, 500), (9, 500),
        ] {
            #expect(profile.height(at: distance) == height, "\(distance)")
        }
        let slope = MeasuresStages.profile([(0, 0), (10, 500), (20, 0)])
        #expect(
            abs(slope.gradient(at: 5) - 5) < 1e-9 && abs(slope.gradient(at: 15) + 5) < 1e-9
                && abs(slope.gradient(at: 10)) < 1e-9)
        #expect(
            abs(slope.gradient(at: 0) - 5) < 1e-9 && abs(slope.gradient(at: 20) + 5) < 1e-9
                && slope.gradient(at: 30) == 0)
    }

    /// The small profile shows passes, and a flat stage as flat.
    @Test func drawsTheSmallProfile() {
        #expect(
            MeasuresStages.profile([(0, 0), (60, 0)]).spark == "▁▁▁▁▁▁"
                && MeasuresStages.profile([(0, 0), (60, 390)]).spark.first == "▂")
        #expect(MeasuresStages.profile([(0, 0), (15, 1000), (20, 0), (60, 0)]).spark == "▆█▁▁▁▁")
        #expect(MeasuresStages.profile([(0, 0), (60, 200)]).spark.last == "▄")
    }

    // MARK: Standings

    private func library(_ change: (inout Race) -> Void = { _ in }) async throws -> Library {
        func stage(_ number: Int, _ general: [String], _ gaps: [Int?] = []) -> Stage {
            var stage = Stage(number: number, date: "2026-11-1\(number)", start: "A\(number)", finish: "B\(number)")
            stage.general = general.enumerated().map {
                Placing(place: $0 + 1, rider: $1, gap: gaps.indices.contains($0) ? gaps[$0] : nil)
            }
            return stage
        }
        var race = Race(
            race: "V", year: 2026,
            stages: [stage(1, ["a", "b", "c"]), stage(2, ["b", "a", "c"], [nil, 0, 9]), stage(3, [])])
        race.stages.append(stage(4, ["c", "b", "a", "d"]))
        race.riders = [
            Rider(id: "a", name: "Ana", country: "PT", team: "t"), Rider(id: "b", name: "Bea", team: "unlisted"),
        ]
        race.teams = [Team(id: "t", name: "Team T", country: "ES"), Team(name: "u")]
        race.stages[3].teamStandings = [
            Placing(place: 1, rider: "x", team: "t"), Placing(place: 2, team: "u"), Placing(place: 3, rider: "y"),
        ]
        race.stages[3].points = [
            Placing(place: 1, rider: "a", points: 12.5), Placing(place: 2, rider: "b", team: "t", points: -3),
        ]
        change(&race)
        return try await Library.storing(race)
    }

    /// Gained ranks are relative to the last stage that has the list.
    @Test func comparesRanksWithThePreviousStage() async throws {
        let library = try await library()
        func gained(_ stage: Int, _ list: Classification = .general) throws -> [Int?] {
            try library.races.standings(list, of: stage, in: "v-2026").map(\.gained)
        }
        #expect(
            try gained(1) == [nil, nil, nil] && gained(2) == [1, -1, 0] && gained(3).isEmpty
                && gained(4) == [2, -1, -1, nil])
        #expect(try gained(4, .points) == [nil, nil])
        let general = try library.races.standings(.general, of: 4, in: "v-2026")
        #expect(general.map(\.name) == ["c", "Bea", "Ana", "d"] && general.map(\.key) == ["c", "b", "a", "d"])
        #expect(
            general.map(\.team) == [nil, "unlisted", "Team T", nil] && general.map(\.country) == [nil, nil, "PT", nil])
        #expect(try library.races.standings(.general, of: 2, in: "v-2026").map(\.gap) == [nil, 0, 9])
        let teams = try library.races.standings(.teams, of: 4, in: "v-2026")
        #expect(
            teams.map(\.name) == ["Team T", "u", "y"] && teams.map(\.team) == [nil, nil, nil]
                && teams[0].country == "ES")
        let points = try library.races.standings(.points, of: 4, in: "v-2026")
        #expect(points.map(\.points) == [12.5, -3] && points.map(\.team) == ["Team T", "Team T"])
        #expect(
            try library.races.classifications(of: 4, in: "v-2026") == [.general, .points, .teams]
                && library.races.classifications(of: 3, in: "v-2026").isEmpty)
        #expect(
            try library.races.leaders(after: 4, in: "v-2026").map { "\($0.list) \($0.name)" } == [
                "general c", "points Ana", "teams Team T",
            ])
        #expect(
            try library.races.leaders(after: 3, in: "v-2026").isEmpty
                && library.races.standings(.general, of: 4, in: "none").isEmpty)
    }

    @Test func collectsTheRecordOfARider() async throws {
        let library = try await library { race in
            race.stages[0].results = [Placing(place: 1, rider: "a", gap: 0), Placing(place: 2, rider: "b", gap: 8)]
            race.withdrawals = [Withdrawal(rider: "b", stage: 4), Withdrawal(rider: "d", stage: 4, reason: "OTL")]
        }
        let ana = try #require(try library.races.record(of: "a", in: "v-2026"))
        #expect(ana.days.map(\.stage) == [1, 2, 4] && ana.days.map(\.route) == ["A1 → B1", "A2 → B2", "A4 → B4"])
        #expect(ana.days.map(\.place) == [1, nil, nil] && ana.days.map(\.overall) == [1, 2, 3])
        // Winning a stage is not a day in a jersey.
        #expect(ana.leads == [.general: 1, .points: 1] && ana.withdrawal == nil && ana.team == "Team T")
        let bea = try #require(try library.races.record(of: "b", in: "v-2026"))
        #expect(
            bea.days.map(\.gap) == [8, nil, nil] && bea.leads == [.general: 1] && bea.withdrawal?.stage == 4
                && bea.team == "unlisted")
        let unknown = try #require(try library.races.record(of: "d", in: "v-2026"))
        #expect(
            unknown.rider == Rider(name: "d") && unknown.days.map(\.stage) == [4] && unknown.withdrawal?.reason == "OTL"
        )
        #expect(
            try library.races.record(of: "z", in: "v-2026") == nil && library.races.record(of: "a", in: "none") == nil)
    }

    // MARK: Storing

    /// Values beyond the limits, stored by another program, are ignored on reading.
    @Test func leavesOutNumbersOutOfRange() async throws {
        let library = try await library { race in
            race.edition = -1
            race.ttl = 0
            race.riders?[0].number = 100_000
            race.stages[0].distance = 2000
            race.stages[0].neutral = 200
            race.stages[0].startPlace = [91, 0]
            race.stages[0].finishPlace = [1, 2]
            race.stages[0].climbs = [
                Climb(km: 3000), Climb(km: 5, length: -1, gradient: 101, elevation: 99_999),
                Climb(km: 6, length: 1, gradient: 2, elevation: 3),
            ]
            race.stages[0].sprints = [Sprint(km: -51), Sprint(km: 7)]
            race.stages[0].results = [
                Placing(place: 0, rider: "a", time: 0, gap: -1, points: 1e7),
                Placing(place: 200_000, rider: "b", time: 5, gap: 3, points: 2),
            ]
            race.stages[0].ticker = [
                TickerLine(time: "x", km: 1e9, text: "y"), TickerLine(time: "x", km: 9, text: "z"),
            ]
        }
        let race = try #require(try library.races.wholeRace("v-2026"))
        let stage = race.stages[0]
        #expect(race.edition == nil && race.ttl == nil && race.riders?[0].number == nil)
        #expect(
            stage.distance == nil && stage.neutral == nil && stage.startPlace == nil && stage.finishPlace == [1, 2])
        #expect(
            stage.climbs == [Climb(km: 5), Climb(km: 6, length: 1, gradient: 2, elevation: 3)]
                && stage.sprints == [Sprint(km: 7)])
        #expect(
            stage.results == [
                Placing(place: 1, rider: "a"), Placing(place: 100_000, rider: "b", time: 5, gap: 3, points: 2),
            ])
        #expect(stage.ticker?.map(\.km) == [nil, 9])
    }

    /// The user's track takes precedence over the one that the race links to, for the small profile too.
    @Test func prefersTheTrackOfTheUser() async throws {
        let library = try await library { $0.stages[0].trackURL = "https://x.example/1.gpx" }
        func track(_ heights: [Double]) -> Track {
            Track(points: heights.enumerated().map { .init(distance: Double($0) * 10, height: $1) })
        }
        #expect(try library.races.track(race: "v-2026", stage: 1) == nil && library.races.sparks(of: "v-2026").isEmpty)
        try await library.changes.perform(StoreFetchedTrack(nil, address: "https://x.example/1.gpx", now: 0))
        #expect(try library.races.track(race: "v-2026", stage: 1) == nil && library.races.sparks(of: "v-2026").isEmpty)
        try await library.changes.perform(
            StoreFetchedTrack(track([0, 900]), address: "https://x.example/1.gpx", now: 0))
        #expect(
            try library.races.track(race: "v-2026", stage: 1)?.profile.points.count == 2
                && library.races.sparks(of: "v-2026")[1] == "▂▃▄▆▇█")
        try await library.changes.perform(.storeTrack(track([5, 5, 5]), race: "v-2026", stage: 1))
        #expect(
            try library.races.track(race: "v-2026", stage: 1)?.profile.points.count == 3
                && library.races.sparks(of: "v-2026") == [1: "▁▁▁▁▁▁"])
        #expect(try library.races.track(race: "v-2026", stage: 2) == nil)
    }

    /// Tracks are requested once, and again after a day if they failed; not if the user added one.
    @Test func asksForMissingTracksOnce() async throws {
        let library = try await library { race in
            for index in race.stages.indices { race.stages[index].trackURL = "https://x.example/\(index + 1).gpx" }
            race.stages[3].trackURL = "file:///etc/passwd"
        }
        func missing(before: Instant, limit: Int = 9) throws -> [String] {
            try library.races.missingTracks(before: before, limit: limit).map(\.address).sorted()
        }
        let all = (1...3).map { "https://x.example/\($0).gpx" }
        #expect(try missing(before: 0) == all && missing(before: 0, limit: 1).count == 1)
        let track = Track(points: [.init(distance: 0, height: 1), .init(distance: 1, height: 1)])
        try await library.changes.perform(StoreFetchedTrack(track, address: all[0], now: 100))
        try await library.changes.perform(StoreFetchedTrack(nil, address: all[1], now: 100))
        #expect(try missing(before: 100) == [all[2]] && missing(before: 101) == [all[1], all[2]])
        try await library.changes.perform(.storeTrack(track, race: "v-2026", stage: 3))
        #expect(try missing(before: 100).isEmpty)
        #expect(try library.races.missingTracks(before: 101, limit: 9).map(\.race) == [nil])
    }
}
