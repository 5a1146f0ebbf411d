/// The numbers that a race can have.
///
/// ``RaceCheck`` rejects a file with others, and ``StoredRace`` leaves out those that a library has: an earlier version, or another
/// program, may have stored them.
enum RaceLimits {
    /// Kilometres of a stage.
    static func isDistance(_ kilometres: Double) -> Bool { kilometres > 0 && kilometres < 2000 }

    /// Kilometres before the race is let go.
    static func isNeutral(_ kilometres: Double) -> Bool { kilometres >= 0 && kilometres < 200 }

    /// Kilometres from the start of a stage: a neutral start or a last lap may make it longer than its distance.
    static func isOnStage(_ kilometres: Double, distance: Double?) -> Bool {
        let length = distance.flatMap { isDistance($0) ? $0 : nil } ?? 2000
        return kilometres.isBetween(-50, length * 1.1 + 10)
    }

    /// Degrees north and east.
    static func isPlace(_ degrees: [Double]) -> Bool {
        degrees.count == 2 && degrees[0].isBetween(-90, 90) && degrees[1].isBetween(-180, 180)
    }

    /// Kilometres of a climb.
    static func isLength(_ kilometres: Double) -> Bool { kilometres.isBetween(0, 2000) }

    /// Per cent.
    static func isGradient(_ gradient: Double) -> Bool { gradient.isBetween(-100, 100) }

    /// Metres above the sea.
    static func isElevation(_ metres: Double) -> Bool { metres.isBetween(-1000, 10_000) }

    /// Points of a placing, which may be taken off.
    static func isPoints(_ points: Double) -> Bool { points.isBetween(-1e6, 1e6) }

    /// The number of a stage.
    static let stageNumbers = 0...9999
    /// A place in a list.
    static let places = 1...100_000
    /// Seconds behind the first.
    static let gaps = 0...30 * 86_400
    /// Seconds of a stage, or of a whole race.
    static let times = 1...3_000_000
    /// The number on a rider's back.
    static let riderNumbers = 0...99_999
    static let editions = 0...99_999
    static let years = 1...9999
    /// Minutes for which a document holds.
    static let lifetimes = 1...100_000
}

extension Optional {
    /// The value where it is one that a race can have, else `nil`.
    func ifSound(_ isSound: (Wrapped) -> Bool) -> Wrapped? { flatMap { isSound($0) ? $0 : nil } }
}
