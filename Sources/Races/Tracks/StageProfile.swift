import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// The elevation profile of a stage, and its climbs.
package struct StageProfile: Hashable, Sendable {
    /// A climb.
    package struct Climb: Hashable, Sendable {
        /// The positions of foot and summit, in kilometres from the start.
        package var start: Double
        package var end: Double
        /// The elevation gain in metres.
        var gain: Double

        /// The average gradient in per cent.
        package var gradient: Double { gain / ((end - start) * 10) }
    }

    package let points: [Track.Point]
    /// The total ascent in metres. Smaller rises are treated as noise of the recording.
    package let totalAscent: Double
    package let climbs: [Climb]
    /// Whether it is drawn from the climbs of a race file, with straight lines between summits and feet.
    package internal(set) var isSketch = false
    private static let noise = 8.0
    /// The minimum gain in metres and gradient in per cent of a climb.
    private static let minimumGain = 120.0
    private static let minimumGradient = 3.0

    package init(_ track: Track) {
        points = track.points
        var ascent = 0.0
        var climbs: [Climb] = []
        var low = track.points.first ?? Track.Point(distance: 0, height: 0)
        var high = low
        func finish() {
            let gain = high.height - low.height
            if gain > StageProfile.noise { ascent += gain }
            guard gain >= StageProfile.minimumGain else { return }
            // A nearly flat approach doesn't belong to the climb.
            let foot = track.points.last { point in
                point.distance >= low.distance && point.distance < high.distance
                    && point.height <= low.height + max(StageProfile.noise, gain * 0.03)
            }
            let climb = Climb(start: foot?.distance ?? low.distance, end: high.distance, gain: gain)
            if climb.end > climb.start, climb.gradient >= StageProfile.minimumGradient {
                climbs.append(climb)
            }
        }
        for point in track.points {
            if point.height > high.height {
                high = point
            } else if high.height - point.height > max(StageProfile.noise, (high.height - low.height) * 0.15) {
                // The descent ends the climb; the next one begins at the bottom.
                finish()
                low = point
                high = point
            } else if point.height < low.height, high.height - low.height < StageProfile.noise {
                low = point
                high = point
            }
        }
        finish()
        totalAscent = ascent
        self.climbs = climbs
    }

    /// The distance in kilometres.
    package var length: Double { points.last?.distance ?? 0 }

    /// The profile as six small blocks, for lists.
    var spark: String {
        let blocks = Array("▁▂▃▄▅▆▇█")
        let heights = (0..<6).map { part in
            // Using the highest point of each sixth keeps passes visible.
            (0...8).map { height(at: length * (Double(part) + Double($0) / 8) / 6) }.max() ?? 0
        }
        guard let low = points.map(\.height).min(), let high = heights.max() else { return "" }
        // The scale covers at least 400 metres, so that a flat stage looks flat.
        return String(
            heights.map { blocks[Int(clamping: ($0 - low) / max(400, high - low) * 7.99).limited(0, blocks.count - 1)] }
        )
    }

    /// Returns the gradient in per cent over half a kilometre around a position.
    package func gradient(at distance: Double) -> Double {
        let (from, to) = (max(0, distance - 0.25), min(length, distance + 0.25))
        guard to > from else { return 0 }
        return (height(at: to) - height(at: from)) / ((to - from) * 10)
    }

    /// Returns the elevation at a position, interpolated between the nearest points.
    package func height(at distance: Double) -> Double {
        guard let first = points.first, let last = points.last else { return 0 }
        if distance <= first.distance { return first.height }
        if distance >= last.distance { return last.height }
        var (low, high) = (0, points.count - 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if points[middle].distance <= distance { low = middle } else { high = middle }
        }
        let (a, b) = (points[low], points[high])
        guard b.distance > a.distance else { return a.height }
        return a.height + (b.height - a.height) * (distance - a.distance) / (b.distance - a.distance)
    }
}

extension RaceStore {
    /// Returns the small profiles of a race's stages with tracks, by stage number.
    package func sparks(of race: String) throws(LibraryError) -> [Int: String] {
        try store.read { db in
            // A track added by the user takes precedence over one that the race links to.
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT number, spark FROM stage_track WHERE race_id = ?1
                    UNION ALL SELECT s.number, t.spark FROM stage s
                    JOIN fetched_track t ON t.address = json_extract(s.details, '$.trackURL')
                    WHERE s.race_id = ?1 AND t.spark IS NOT NULL
                    """, arguments: [race])
            return Dictionary(try rows.map { (try $0.at(0), try $0.at(1)) }) { first, _ in first }
        }
    }

    /// Returns the recorded track of a stage, or `nil` if there is none.
    package func track(race: String, stage: Int) throws(LibraryError) -> StageTrack? {
        try store.read { db in
            let data = try Data.fetchOne(
                db,
                sql: """
                    SELECT points FROM stage_track WHERE race_id = ?1 AND number = ?2
                    UNION ALL SELECT t.points FROM stage s
                    JOIN fetched_track t ON t.address = json_extract(s.details, '$.trackURL')
                    WHERE s.race_id = ?1 AND s.number = ?2 AND t.points IS NOT NULL
                    """, arguments: [race, stage])
            return data.flatMap { try? JSONDecoder().decode(Track.self, from: $0) }.map(StageTrack.init)
        }
    }
}

/// The recorded track of a stage.
package struct StageTrack: Sendable {
    package let profile: StageProfile
    /// The route, or `nil` for tracks stored by earlier versions, which have only elevations.
    package let route: StageRoute?

    /// Creates a track from stored points, dropping those outside the bounds of ``TrackReader``.
    init(_ track: Track) {
        let track = TrackReader.sound(track)
        profile = StageProfile(track)
        route = StageRoute(track)
    }
}

/// The route of a stage from its recorded track.
package struct StageRoute: Sendable {
    /// A position in degrees.
    package struct Place: Hashable, Sendable {
        package var north: Double
        package var east: Double

        package init(north: Double, east: Double) {
            self.north = north
            self.east = east
        }
    }

    /// The positions along the route, at least two.
    package let places: [Place]
    /// Points of interest on or near the route. Their names come from outside.
    package let wayPoints: [(name: String, place: Place)]

    init?(_ track: Track) {
        places = track.points.compactMap { point in
            guard let north = point.north, let east = point.east else { return nil }
            return Place(north: north, east: east)
        }
        guard places.count > 1 else { return nil }
        wayPoints = (track.wayPoints ?? []).map { ($0.name, Place(north: $0.north, east: $0.east)) }
    }
}
