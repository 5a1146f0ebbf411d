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
    /// Keeps the track of a stage; one that is there already is replaced.
    ///
    /// - Returns: Whether there is such a stage.
    package func store(_ track: Track, race: String, stage: Int) throws(LibraryError) -> Bool {
        try writeNow { db in
            let exists =
                try Int.fetchOne(
                    db, sql: "SELECT 1 FROM stage WHERE race_id = ? AND number = ?", arguments: [race, stage]) != nil
            guard exists else { return false }
            try db.execute(
                sql: "INSERT OR REPLACE INTO stage_track VALUES (?, ?, ?)",
                arguments: [race, stage, try JSONEncoder().encode(track)])
            return true
        }
    }

    /// The heights along a stage; `nil` where no track was added.
    package func profile(race: String, stage: Int) throws(LibraryError) -> StageProfile? {
        try read { db in
            let data = try Data.fetchOne(
                db, sql: "SELECT points FROM stage_track WHERE race_id = ? AND number = ?", arguments: [race, stage])
            return data.flatMap { try? JSONDecoder().decode(Track.self, from: $0) }.map(StageProfile.init)
        }
    }
}
