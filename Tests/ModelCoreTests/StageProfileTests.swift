import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import FeedParsing
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

@Suite struct StageProfileTests {
    /// A GPX document with distances and elevations along a meridian.
    private func gpx(_ heights: [Double], metresApart: Double = 100) -> [UInt8] {
        var text = "<gpx><trk><trkseg>"
        for (index, height) in heights.enumerated() {
            let north = 45 + Double(index) * metresApart / 111_194.93
            text += "<trkpt lat=\"\(north)\" lon=\"7\"><ele>\(height)</ele></trkpt>"
        }
        return Array((text + "</trkseg></trk></gpx>").utf8)
    }

    @Test func measuresLengthAndGradientOfClimbs() throws {
        let flat = Array(repeating: 200.0, count: 100)
        let up = (1...50).map { 200 + Double($0) * 8 }
        let down = (1...50).map { 600 - Double($0) * 8 }
        let profile = StageProfile(try TrackReader.read(gpx(flat + up + down + flat)))
        #expect(abs(profile.length - 29.9) < 0.05)
        #expect(profile.totalAscent == 400)
        let climb = try #require(profile.climbs.first)
        #expect(profile.climbs.count == 1)
        #expect(abs(climb.start - 10) < 0.3 && abs(climb.end - 14.9) < 0.1)
        #expect(abs(climb.gradient - 8) < 0.4)
        #expect(abs(profile.height(at: 12.4) - 400) < 10)
        #expect(profile.height(at: -5) == 200 && profile.height(at: 99) == 200)
    }

    /// GPX files with any numbers have points on this globe, or none.
    @Test func validatesTracksOfAnyNumbers() throws {
        let numbers = [
            "NaN", "nan", "inf", "-inf", "1e300", "-1e300", "1e309", "5e-324", "9999.9", "-9999.9", "", "0x1p1000",
            "90", "-90",
            "180", "-180.0000001", "9223372036854775808",
        ]
        for north in numbers {
            for east in numbers {
                for height in ["1", "NaN", "inf", "-1e300", "9999.9"] {
                    let point = "<trkpt lat=\"\(north)\" lon=\"\(east)\"><ele>\(height)</ele></trkpt>"
                    let way = "<wpt lat=\"\(north)\" lon=\"\(east)\"><name>x</name></wpt>"
                    let start =
                        "<trkpt lat=\"1\" lon=\"1\"><ele>1</ele></trkpt><trkpt lat=\"-89\" lon=\"180\"><ele>-400</ele></trkpt>"
                    let text = "<gpx>\(way)<trk><trkseg>\(start)\(point)\(point)</trkseg></trk></gpx>"
                    guard let track = try? TrackReader.read(Array(text.utf8)) else { continue }
                    #expect(TrackReader.sound(track) == track, "\(north) \(east) \(height)")
                    #expect(track.points.allSatisfy { $0.distance < 10_000 && abs($0.height) < 10_000 })
                    let profile = StageProfile(track)
                    #expect(profile.spark.count <= 6 && profile.totalAscent.isFinite)
                }
            }
        }
    }

    /// A library may contain tracks that no version of the program has validated.
    @Test func validatesStoredTracksOfAnyNumbers() async throws {
        let library = try Library(path: nil)
        try await library.store(Race(race: "V", year: 2026, stages: [Stage(number: 1, start: "A", finish: "B")]))
        let numbers = [-1e300, -1.0, 0, 1, 5, 9_999.9, 1e300]
        var points: [Track.Point] = []
        for distance in numbers {
            for height in numbers {
                points.append(Track.Point(distance: distance, height: height, north: height, east: distance))
            }
        }
        let way = numbers.map { Track.WayPoint(name: "x", north: $0, east: -$0) }
        let id = try #require(try library.races.all().first?.id)
        try await library.changes.perform(.storeTrack(Track(points: points, wayPoints: way), race: id, stage: 1))
        let track = try #require(try library.races.track(race: id, stage: 1))
        #expect(track.profile.points.count > 5 && track.profile.length < 10_000)
        #expect(track.profile.points.allSatisfy { abs($0.height) < 10_000 })
        #expect(track.route?.places.allSatisfy { abs($0.north) <= 90 && abs($0.east) <= 180 } != false)
        #expect(track.route?.wayPoints.count ?? 0 < numbers.count)
        #expect(try library.races.sparks(of: id)[1]?.count == 6)
    }

    @Test func ignoresNoiseInClimbing() throws {
        let heights = (0..<1000).map { 100 + Double($0 % 2) * 3 }
        let profile = StageProfile(try TrackReader.read(gpx(heights)))
        #expect(profile.totalAscent == 0)
        #expect(profile.climbs.isEmpty)
    }

    @Test func thinsOutPoints() throws {
        let profile = StageProfile(try TrackReader.read(gpx((0..<20_000).map { Double($0 % 500) }, metresApart: 5)))
        #expect(profile.points.count <= 4001)
        #expect(abs(profile.length - 100) < 1)
    }

    @Test(arguments: [
        "", "<rss/>", "<gpx></gpx>", "<gpx><trkpt lat='1' lon='2'/></gpx>",
        "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><gpx><trkpt lat='1' lon='2'><ele>&e;</ele></trkpt></gpx>",
        "<gpx><trkpt lat='999' lon='2'><ele>1</ele></trkpt><trkpt lat='1' lon='nan'><ele>1e99</ele></trkpt></gpx>",
    ])
    func rejectsFilesWithoutTrack(text: String) {
        #expect(throws: TrackReader.NoTrack.self) { try TrackReader.read(Array(text.utf8)) }
    }

    @Test func keepsATrackWithItsStage() async throws {
        let library = try Library(path: nil)
        let race = Race(race: "R", year: 2026, stages: [Stage(number: 1, start: "A", finish: "B")])
        try await library.store(race)
        let track = try TrackReader.read(gpx([1, 2, 3]))
        #expect(try await library.changes.perform(.storeTrack(track, race: "r-2026", stage: 1)).count == 1)
        #expect(try await library.changes.perform(.storeTrack(track, race: "r-2026", stage: 2)).count == 0)
        try await library.store(race)
        #expect(try library.races.track(race: "r-2026", stage: 1)?.profile.points.count == 3)
        #expect(try library.races.sparks(of: "r-2026") == [1: "▁▁▁▁▁▁"])
        let climb = StageProfile(try TrackReader.read(gpx((0..<100).map { Double($0) * 10 })))
        #expect(climb.spark == "▂▃▄▆▇█")
        let before = try library.races.race("r-2026")
        let removed = try await library.changes.perform(.removeRace("r-2026"))
        #expect(try library.races.all().isEmpty)
        try await library.undo(removed)
        #expect(try library.races.race("r-2026") == before)
    }

    @Test func keepsRouteAndWayPointsForTheMap() async throws {
        let text = """
            <gpx><metadata><name>A file</name></metadata>
            <wpt lat="45.5" lon="11.2"><ele>900</ele><name> Pass </name></wpt><wpt lat="45.6" lon="11.3"><desc>x</desc></wpt>
            <wpt lat="95" lon="11"><name>Nowhere</name></wpt><trk><name>A track</name><trkseg>
            <trkpt lat="45" lon="11"><ele>1</ele></trkpt><trkpt lat="46" lon="12"><ele>2</ele><name>y</name></trkpt>
            </trkseg></trk></gpx>
            """
        let track = try TrackReader.read(Array(text.utf8))
        #expect(track.points.map(\.height) == [1, 2])
        #expect(track.wayPoints == [Track.WayPoint(name: "Pass", north: 45.5, east: 11.2)])
        let library = try await Library.storing(
            Race(race: "R", year: 2026, stages: [Stage(number: 1, start: "A", finish: "B")]))
        #expect(try await library.changes.perform(.storeTrack(track, race: "r-2026", stage: 1)).count == 1)
        let route = try #require(try library.races.track(race: "r-2026", stage: 1)?.route)
        #expect(route.places == [.init(north: 45, east: 11), .init(north: 46, east: 12)])
        #expect(route.wayPoints.map(\.name) == ["Pass"])
        // Tracks of previous versions have elevations only.
        #expect(
            try await library.changes.perform(
                .storeTrack(Track(points: [.init(distance: 0, height: 1)]), race: "r-2026", stage: 1)
            ).count == 1)
        #expect(try library.races.track(race: "r-2026", stage: 1)?.route?.places == nil)
        #expect(try library.races.track(race: "r-2026", stage: 1)?.profile.points.count == 1)
    }

    /// Without a track the profile goes through summits and feet.
    @Test func sketchesTheProfileFromTheClimbs() throws {
        var stage = Stage(number: 1, start: "A", finish: "B", distance: 60)
        #expect(StageProfile(stage) == nil)
        stage.climbs = [
            // Its foot would be before the previous summit.
            Climb(km: 34, length: 8, gradient: 6, elevation: 1100),
            Climb(km: 30, length: 10, gradient: 5, elevation: 900), Climb(km: 40), Climb(km: 70, elevation: 1),
        ]
        let profile = try #require(StageProfile(stage))
        #expect(profile.isSketch && profile.points.map(\.distance) == [0, 20, 30, 34, 60])
        #expect(profile.points.map { $0.height.rounded() } == [400, 400, 900, 1100, 620])
        // A wall of less than a kilometre has a foot too.
        stage.climbs = [Climb(km: 50, length: 0.8, gradient: 15, elevation: 200)]
        #expect(StageProfile(stage)?.points.map { $0.height.rounded() } == [80, 80, 200, 80])
        stage.distance = nil
        #expect(StageProfile(stage) == nil)
        #expect(!StageProfile(Track(points: [.init(distance: 0, height: 0)])).isSketch)
    }

    @Test func averagesTheGradientAroundAPoint() {
        let profile = StageProfile(
            Track(points: [
                .init(distance: 0, height: 0), .init(distance: 10, height: 0), .init(distance: 20, height: 800),
                .init(distance: 21, height: 700),
            ]))
        #expect(profile.gradient(at: 5) == 0)
        #expect(abs(profile.gradient(at: 15) - 8) < 0.2)
        #expect(profile.gradient(at: 20.5) < -5)
        #expect(profile.gradient(at: -3) == 0 && profile.gradient(at: 99).isFinite)
    }
}
