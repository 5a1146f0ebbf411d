import FeedParsing
import RaceModel

extension StageProfile {
    /// Sketches the profile of a stage from its climbs, or returns `nil` if no elevations are known.
    package init?(_ stage: Stage) {
        guard let distance = stage.distance else { return nil }
        var points: [Track.Point] = []
        var valley: Double?
        for climb in (stage.climbs ?? []).sorted(by: { $0.km < $1.km }) {
            guard let top = climb.elevation, climb.km > points.last?.distance ?? -1, climb.km <= distance else {
                continue
            }
            if let foot = StageProfile.foot(of: climb), foot.distance > points.last?.distance ?? -1 {
                points.append(foot)
            }
            points.append(Track.Point(distance: climb.km, height: top))
            valley = StageProfile.foot(of: climb)?.height
        }
        guard let first = points.first, let last = points.last else { return nil }
        if first.distance > 0 { points.insert(Track.Point(distance: 0, height: first.height), at: 0) }
        if last.distance < distance {
            // The elevation of the finish is unknown, so that of the last foot stands for it.
            points.append(Track.Point(distance: distance, height: valley ?? last.height))
        }
        self.init(Track(points: points))
        isSketch = true
    }

    /// Returns the foot of a climb, if its length and gradient are known.
    private static func foot(of climb: RaceModel.Climb) -> Track.Point? {
        guard let top = climb.elevation, let length = climb.length, let gradient = climb.gradient, length > 0 else {
            return nil
        }
        return Track.Point(distance: max(0, climb.km - length), height: max(lowest, top - length * gradient * 10))
    }

    /// The lowest elevation of a foot in metres.
    private static let lowest = -400.0
}
