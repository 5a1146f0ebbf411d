/// The road book of a stage: the places that it passes, its climbs and sprints.
package struct RoadBook: Hashable, Sendable {
    /// A place on the road.
    package struct Checkpoint: Hashable, Sendable {
        /// The number of the checkpoint, to which rankings refer.
        package var number: Int
        /// The position in kilometres from the real start.
        package var km: Double
        package var place: String?
        /// The latitude and longitude in degrees.
        package var coordinates: Coordinates?
        /// The times of day at which the race is expected, in seconds after midnight: the earliest, middle and latest.
        package var earliest: Int64?
        package var expected: Int64?
        package var latest: Int64?
        /// Whether the checkpoint is the neutral start, the real start, or the finish.
        package var isNeutralStart = false
        package var isStart = false
        package var isFinish = false
        package var weather: CentreWeather?
    }

    /// A place in degrees.
    package struct Coordinates: Hashable, Sendable {
        package var latitude: Double
        package var longitude: Double
    }

    /// A climb with a category.
    package struct Climb: Hashable, Sendable {
        /// The number of the checkpoint at the summit.
        package var checkpoint: Int
        package var name: String
        /// The position of the summit in kilometres from the real start.
        package var km: Double
        /// `1` to `4`, or `HC`.
        package var category: String?
        /// The length in kilometres.
        package var length: Double?
        /// The mean gradient in per cent.
        package var gradient: Double?
        /// The elevation of the summit in metres.
        package var elevation: Double?

        /// The position of the foot in kilometres, if the length is known.
        package var foot: Double? { length.map { max(0, km - $0) } }
    }

    /// A sprint for points or bonus seconds.
    package struct Sprint: Hashable, Sendable {
        package var checkpoint: Int
        package var name: String
        package var km: Double
        /// Whether it gives bonus seconds.
        package var hasBonus: Bool
    }

    /// The checkpoints in the order of the road.
    package private(set) var checkpoints: [Checkpoint] = []
    package private(set) var climbs: [Climb] = []
    /// The intermediate sprints. The finish is not among them.
    package private(set) var sprints: [Sprint] = []

    /// The length in kilometres: the position of the finish, or of the last checkpoint.
    package var length: Double? { (finish ?? checkpoints.last)?.km }
    package var start: Checkpoint? { checkpoints.first(where: \.isStart) ?? checkpoints.first }
    package var finish: Checkpoint? { checkpoints.last(where: \.isFinish) }
    /// The time of day of the neutral start, in seconds after midnight.
    package var neutralStart: Int64? { checkpoints.first(where: \.isNeutralStart)?.expected }

    /// Reads a road book. An empty response has no checkpoints.
    package init(_ body: [UInt8], bind: String) throws(CentreFailure) {
        var isKnown: Set<Int> = []
        for record in try CentreRecords(body).wanted(bind).prefix(RaceBounds.checkpoints) {
            guard let checkpoint = Checkpoint(record), isKnown.insert(checkpoint.number).inserted else { continue }
            checkpoints.append(checkpoint)
            climbs += JSONItems.of(record["checkpointSummits"]).reading(atMost: 3) { Climb($0, at: checkpoint) }
            if let sprint = Sprint(record, at: checkpoint) { sprints.append(sprint) }
        }
        checkpoints.sort { ($0.km, $0.number) < ($1.km, $1.number) }
        climbs.sort { ($0.km, $0.checkpoint) < ($1.km, $1.checkpoint) }
        sprints.sort { ($0.km, $0.checkpoint) < ($1.km, $1.checkpoint) }
    }

    /// Returns a position in kilometres from the start of a stage with another length than the road book.
    ///
    /// A stage that was altered on its day disagrees with its road book. Then places keep their distance to the finish.
    package func km(_ km: Double, onStageOf length: Double?) -> Double {
        guard let length, let own = self.length else { return km }
        return ((length - own + km) * 100).rounded() / 100
    }

    /// The line of the road on a map.
    package var line: [Coordinates] { checkpoints.compactMap(\.coordinates) }
}
