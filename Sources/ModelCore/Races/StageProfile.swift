import FeedParsing
import Foundation
import GRDB

/// The heights along a stage, and its climbs.
package struct StageProfile: Hashable, Sendable {
    /// A climb.
    package struct Climb: Hashable, Sendable {
        /// Kilometres from the start of the stage at its foot and its top.
        package var start: Double
        package var end: Double
        /// Metres from foot to top.
        package var gain: Double

        /// Metres of height for a hundred along the road.
        package var gradient: Double { gain / ((end - start) * 10) }
    }

    package let points: [Track.Point]
    /// Metres up in all: rises of less than this many are the noise of the recording.
    package let totalAscent: Double
    package let climbs: [Climb]
    private static let noise = 8.0
    /// A climb gains so many metres and rises so many percent at least.
    private static let leastGain = 120.0
    private static let leastGradient = 3.0

    package init(_ track: Track) {
        points = track.points
        var ascent = 0.0
        var climbs: [Climb] = []
        var low = track.points.first ?? Track.Point(distance: 0, height: 0)
        var high = low
        func finish() {
            let gain = high.height - low.height
            if gain > StageProfile.noise { ascent += gain }
            guard gain >= StageProfile.leastGain else { return }
            // What is all but flat before it is no part of a climb.
            let foot = track.points.last { point in
                point.distance >= low.distance && point.distance < high.distance
                    && point.height <= low.height + max(StageProfile.noise, gain * 0.03)
            }
            let climb = Climb(start: foot?.distance ?? low.distance, end: high.distance, gain: gain)
            if climb.end > climb.start, climb.gradient >= StageProfile.leastGradient {
                climbs.append(climb)
            }
        }
        for point in track.points {
            if point.height > high.height {
                high = point
            } else if high.height - point.height > max(StageProfile.noise, (high.height - low.height) * 0.15) {
                // It goes down for good: what was climbed is done, and the next begins at the bottom.
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

    /// Kilometres from start to finish.
    package var length: Double { points.last?.distance ?? 0 }

    /// The heights in six small blocks, for a list.
    package var spark: String {
        let blocks = Array("▁▂▃▄▅▆▇█")
        let heights = (0..<6).map { part in
            // The highest of each sixth: a pass between two of its ends is seen.
            (0...8).map { height(at: length * (Double(part) + Double($0) / 8) / 6) }.max() ?? 0
        }
        guard let low = points.map(\.height).min(), let high = heights.max() else { return "" }
        // A flat stage stays flat: less than 400 metres between low and high do not fill the blocks.
        return String(
            heights.map { blocks[Int(clamping: ($0 - low) / max(400, high - low) * 7.99).limited(0, blocks.count - 1)] }
        )
    }

    /// How steep it is around a distance, in per cent, over half a kilometre.
    package func gradient(at distance: Double) -> Double {
        let (from, to) = (max(0, distance - 0.25), min(length, distance + 0.25))
        guard to > from else { return 0 }
        return (height(at: to) - height(at: from)) / ((to - from) * 10)
    }

    /// The height at a distance, between the points around it.
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

extension Library {
    /// The small profiles of a race's stages, by number, where tracks were added.
    package func sparks(of race: String) throws(LibraryError) -> [Int: String] {
        try read { db in
            // What the user has added stands before what the race names.
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

    /// What a stage's track tells; `nil` where none was added.
    package func track(race: String, stage: Int) throws(LibraryError) -> StageTrack? {
        try read { db in
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

/// What a stage's recorded track tells.
package struct StageTrack: Sendable {
    package let profile: StageProfile
    /// `nil` for tracks that previous versions kept: they had heights alone.
    package let route: StageRoute?

    /// Makes what a stored track tells; points out of the bounds of ``TrackReader`` are left out.
    init(_ track: Track) {
        let track = TrackReader.sound(track)
        profile = StageProfile(track)
        route = StageRoute(track)
    }
}

/// Where a stage goes, from its recorded track.
package struct StageRoute: Sendable {
    /// A place in degrees.
    package struct Place: Hashable, Sendable {
        package var north: Double
        package var east: Double

        package init(north: Double, east: Double) {
            self.north = north
            self.east = east
        }
    }

    /// The way, at least two places of it.
    package let places: [Place]
    /// Places of note beside or on it; the names come from outside.
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
