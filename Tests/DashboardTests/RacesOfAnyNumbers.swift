import Foundation
import LibraryTesting
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import FeedParsing
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Race files with a hostile value in each field: they are rejected with a message, or shown; so are races that an
/// earlier version stored unchecked.
@MainActor
@Suite struct RacesOfAnyNumbers {
    /// A race with every known field; the second stage is today's.
    static let document = #"""
        {"schema": 2, "race": "Volta", "year": 2026, "edition": 3, "country": "Portugal", "kind": "national", "ttl": 10,
         "leader_jersey": "yellow", "rest_days": ["2026-11-22"], "overall": ["Ana Sousa"],
         "jerseys": [{"classification": "general", "name": "yellow jersey", "color": "#ffd700"}],
         "teams": [{"id": "a", "name": "Team A", "country": "PT"}],
         "riders": [{"id": "1", "name": "Ana Sousa", "number": 1, "country": "PT", "team": "a"},
                    {"id": "2", "name": "Bea Costa", "number": 2, "country": "PT", "team": "a"}],
         "withdrawals": [{"rider": "2", "stage": 3, "reason": "DNF"}],
         "stages": [
          {"number": 1, "date": "2026-11-19", "start": "Porto", "finish": "Lisbon", "distance_km": 150, "type": "flat",
           "results": [{"place": 1, "rider": "2", "team": "a", "time": "4:00:10", "gap": 0, "points": 5},
                       {"place": 2, "rider": "1", "gap": 4}],
           "general": [{"rider": "1", "gap": 0}, {"rider": "2", "gap": 14}]},
          {"number": 2, "date": "2026-11-20", "start": "Lisbon", "finish": "Faro", "distance_km": 120, "type": "hilly",
           "start_time": "2026-11-20T11:00:00+00:00", "finish_time": "2026-11-20T16:00:00+00:00", "neutral_km": 4,
           "status": "shortened", "weather": "rain", "live_url": "https://race.example/live",
           "broadcast_url": "https://race.example/tv", "image_url": "https://race.example/1.jpg",
           "article_url": "https://race.example/1", "start_lat_lon": [38.72, -9.14], "finish_lat_lon": [37.02, -7.93],
           "climbs": [{"name": "Serra", "km": 90, "category": 1, "length_km": 8, "gradient": 7.1, "elevation_m": 900}],
           "sprints": [{"name": "Coimbra", "km": 60}],
           "ticker": [{"time": "2026-11-20T11:30:00Z", "km": 20.5, "text": "A break of two"}]},
          {"number": 3, "date": "2026-11-21", "start": "Faro", "finish": "Sagres", "distance_km": 12.5,
           "winner": "Bea Costa", "leader_after": "Ana Sousa",
           "results": [{"rider": "1", "time": 900, "gap": 0}], "general": [{"place": 1, "rider": "1", "time": 90000}],
           "points": [{"rider": "1", "points": 50}], "mountain": [{"rider": "1", "points": 7.5}],
           "youth": [{"rider": "1", "time": 90000}], "teams": [{"team": "a", "time": 270000, "gap": 0}]}]}
        """#

    /// The values for each field, as written.
    static let values: [String] =
        [
            "-100", "-1", "-0.0", "0", "0.5", "1", "3.7", "1999.9", "1e300", "-1e300", "9.2e18", "-9.2e18", "1e19",
            "5e-324", "1.7976931348623157e308", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "18446744073709551616", "2147483648", "null", "true", #""""#, #""NaN""#, #""-inf""#, #""-1""#,
            #""9223372036854775807""#, #""9999:59:59""#, #""9999-12-31""#, #""0001-01-01""#, #""2026-02-30""#,
            #""9999-12-31T23:59:59-18:00""#, #""0001-01-01T00:00:00+18:00""#,
            #""\u001b[2J\u202e\u0000""#, "[]", "{}", "[1e300, -1e300]", "[[[{}]]]",
        ] + ["\"" + String(repeating: "x", count: 5000) + "\""]

    /// The paths of a document's values.
    private static func paths(_ value: Any, _ path: [String] = []) -> [[String]] {
        let own = path.isEmpty ? [] : [path]
        switch value {
        case let object as [String: Any]:
            return own + object.sorted { $0.key < $1.key }.flatMap { paths($0.value, path + [$0.key]) }
        case let array as [Any]: return own + array.indices.flatMap { paths(array[$0], path + ["\($0)"]) }
        default: return own
        }
    }

    private static func replacing(_ value: Any, at path: ArraySlice<String>, with new: Any) -> Any {
        guard let key = path.first else { return new }
        if var object = value as? [String: Any] {
            object[key] = object[key].map { replacing($0, at: path.dropFirst(), with: new) }
            return object
        }
        guard var array = value as? [Any], let index = Int(key) else { return value }
        array[index] = replacing(array[index], at: path.dropFirst(), with: new)
        return array
    }

    /// The document with placeholders at some paths.
    private static func template(_ paths: [[String]]) throws -> String {
        var tree = try JSONSerialization.jsonObject(with: Data(document.utf8))
        for path in paths { tree = replacing(tree, at: path[...], with: "@@") }
        return String(decoding: try JSONSerialization.data(withJSONObject: tree), as: UTF8.self)
    }

    private static func document(_ value: String, in template: String) -> [UInt8] {
        Array(template.replacing("\"@@\"", with: value).utf8)
    }

    private static func allPaths() throws -> [[String]] {
        paths(try JSONSerialization.jsonObject(with: Data(document.utf8)))
    }

    @Test func checksEachFieldWithEachValue() throws {
        let paths = try RacesOfAnyNumbers.allPaths()
        #expect(paths.count > 100)
        var (accepted, rejected) = (0, 0)
        for path in paths {
            let template = try RacesOfAnyNumbers.template([path])
            for value in RacesOfAnyNumbers.values {
                let bytes = RacesOfAnyNumbers.document(value, in: template)
                do {
                    let race = try RaceFile.read(Data(bytes), name: "race")
                    accepted += 1
                    // Accepted documents are written and read back equal.
                    #expect(try RaceFile.read(RaceFile.write(race)) == race, "\(path): \(value)")
                    _ = RaceCalendarWriter.write(race, now: DashboardScreen.now)
                } catch let error as RaceFileError {
                    rejected += 1
                    #expect(
                        !error.problems.isEmpty && error.problems.allSatisfy { $0.utf8.count < 500 },
                        "\(path): \(value)")
                }
            }
        }
        #expect(accepted > 500 && rejected > 500)
    }

    /// Races stored by versions that checked less are drawn on each page, in panes of any size.
    @Test func showsEachStoredValue() async throws {
        let paths = try RacesOfAnyNumbers.allPaths().filter { $0.count > 1 }
        let dashboard = try await DashboardScreen(100, 30, segment: "stages", race: RacesOfAnyNumbers.document)
        #expect(dashboard.screen.text.contains("Live"))
        var seen: Set<Race> = []
        func show(_ bytes: [UInt8], sizes: [(Int, Int)]) async throws {
            guard var race = try? RaceReader.read(bytes).race, race.race == "Volta", race.year == 2026 else { return }
            race.stages.sort { $0.number < $1.number }
            guard seen.insert(race).inserted, (try? await dashboard.library.store(race)) != nil else { return }
            try await dashboard.settle()
            for stage in race.stages {
                let now = DashboardScreen.now
                _ = try dashboard.library.races.progress(of: stage, in: race.id, now: now)
            }
            _ = try dashboard.library.races.nextStage(from: CalendarDay(instant: DashboardScreen.now))
            _ = try dashboard.library.races.wholeRace(race.id).map {
                RaceCalendarWriter.write($0, now: DashboardScreen.now)
            }
            for (width, height) in sizes {
                dashboard.screen.resize(width, height)
                dashboard.screen.press("l")
                for _ in 0..<7 { dashboard.screen.press("]") }
                dashboard.screen.press("[", "c", "c", "J")
            }
            dashboard.screen.press("K", "K", "J")
        }
        // All numbers of a race at once, then each field alone with some of the values.
        let numbers = try RacesOfAnyNumbers.numberPaths()
        let fractions = numbers.filter { path in
            path.contains { ["distance_km", "neutral_km", "km", "length_km", "gradient", "elevation_m"].contains($0) }
                || path.suffix(2).contains { $0.hasSuffix("_lat_lon") } || path.last == "points"
        }
        // A climb without a position and a stage without a distance would hide the rest.
        let beside = fractions.filter { $0.last != "km" && $0.last != "distance_km" }
        for part in [numbers, numbers.filter { !fractions.contains($0) && $0.last != "number" }, fractions, beside] {
            let template = try RacesOfAnyNumbers.template(part)
            for value in RacesOfAnyNumbers.values {
                try await show(
                    RacesOfAnyNumbers.document(value, in: template),
                    sizes: [(120, 40), (40, 12), (20, 5), (1, 1)])
            }
        }
        #expect(seen.count > 40)
        let every = 14
        for (place, path) in paths.enumerated() {
            let template = try RacesOfAnyNumbers.template([path])
            for (index, value) in RacesOfAnyNumbers.values.enumerated() where (index + place) % every == 0 {
                try await show(RacesOfAnyNumbers.document(value, in: template), sizes: [(100, 24)])
            }
        }
        #expect(seen.count > 70)
    }

    /// A profile and a map of a track with numbers that no reader accepts.
    @Test func drawsTracksOfAnyNumbers() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages", race: RacesOfAnyNumbers.document)
        let race = try #require(try dashboard.library.races.all().first?.id)
        let numbers = [-1e300, -400, 0, 1, 38.7, 5000, 1e300]
        for first in numbers {
            let points = numbers.flatMap { distance in
                [first, 0, 100].map { Track.Point(distance: distance, height: $0, north: $0, east: distance) }
            }
            let track = Track(points: points, wayPoints: [Track.WayPoint(name: "x", north: first, east: -first)])
            try await dashboard.library.changes.perform(.storeTrack(track, race: race, stage: 2))
            try await dashboard.settle()
            for (width, height) in [(120, 40), (30, 9), (3, 3)] {
                dashboard.screen.resize(width, height)
                dashboard.screen.press("l", "]", "]", "]", "+", "+", "-", "0", "]", "left", "right", "]", "]", "]")
            }
        }
        dashboard.screen.resize(120, 40)
        #expect(await dashboard.screen.wait(for: "Volta"))
    }

    /// The paths of numbers.
    private static func numberPaths() throws -> [[String]] {
        let tree = try JSONSerialization.jsonObject(with: Data(document.utf8))
        return paths(tree).filter { path in
            let value = path.reduce(tree as Any?) { value, key in
                (value as? [String: Any])?[key] ?? Int(key).flatMap { (value as? [Any])?[$0] }
            }
            return value is NSNumber && path.last != "year" && path.last != "schema"
        }
    }
}
