import Platform

/// The road book of a stage: the places that it passes, its climbs and sprints.
struct RoadBook: Hashable, Sendable {
    struct Checkpoint: Hashable, Sendable {
        /// The number of the checkpoint, to which rankings refer.
        var number: Int
        /// The position in kilometres from the real start.
        var km: Double
        var place: String?
        var coordinates: Coordinates?
        /// The time of day at which the race is expected, in seconds after midnight.
        var expected: Int64?
        /// Whether the checkpoint is the real start, or the finish.
        var isStart = false
        /// Whether the riders set off here for the real start.
        var isNeutralStart = false
        var isFinish = false
        var weather: CentreWeather?
    }

    /// A place in degrees.
    struct Coordinates: Hashable, Sendable {
        var latitude: Double
        var longitude: Double
    }

    /// A climb with a category.
    struct Climb: Hashable, Sendable {
        var checkpoint: Int
        var name: String
        /// The position of the summit in kilometres from the real start.
        var km: Double
        /// `1` to `4`, or `HC`.
        var category: String?
        /// The length in kilometres.
        var length: Double?
        /// The mean gradient in per cent.
        var gradient: Double?
        /// The elevation of the summit in metres.
        var elevation: Double?
    }

    /// A sprint for points or bonus seconds.
    struct Sprint: Hashable, Sendable {
        var checkpoint: Int
        var name: String
        var km: Double
        var hasBonus: Bool
    }

    /// The checkpoints in the order of the road.
    private(set) var checkpoints: [Checkpoint] = []
    private(set) var climbs: [Climb] = []
    /// The intermediate sprints. The finish is not among them.
    private(set) var sprints: [Sprint] = []

    /// The length in kilometres: the position of the finish, or of the last checkpoint.
    var length: Double? { (finish ?? checkpoints.last)?.km }
    var start: Checkpoint? { checkpoints.first(where: \.isStart) ?? checkpoints.first }
    /// Where the riders set off for the real start.
    var neutralStart: Checkpoint? { checkpoints.first(where: \.isNeutralStart) }
    var finish: Checkpoint? { checkpoints.last(where: \.isFinish) }

    /// Reads a road book. An empty response has no checkpoints.
    init(_ body: [UInt8], bind: String) throws(CentreFailure) {
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
    func km(_ km: Double, onStageOf length: Double?) -> Double {
        guard let length, let own = self.length else { return km }
        return ((length - own + km) * 100).rounded() / 100
    }

    /// The line of the road on a map.
    var line: [Coordinates] { checkpoints.compactMap(\.coordinates) }
}
