/// The valid ranges of a race's numbers.
///
/// ``RaceCheck`` rejects races with other numbers. Those that are in a library, since another program stored them, are
/// dropped.
package enum RaceLimits {
    /// Whether a stage can have this distance in kilometres.
    package static func isDistance(_ kilometres: Double) -> Bool { kilometres > 0 && kilometres < 2000 }

    /// Whether a neutral start can have this length in kilometres.
    package static func isNeutral(_ kilometres: Double) -> Bool { kilometres >= 0 && kilometres < 200 }

    /// Whether a position in kilometres can be on a stage. A neutral start or final laps may make the stage longer than
    /// its distance.
    package static func isOnStage(_ kilometres: Double, distance: Double?) -> Bool {
        let length = distance.flatMap { isDistance($0) ? $0 : nil } ?? 2000
        return kilometres.isBetween(-50, length * 1.1 + 10)
    }

    /// Whether these are a latitude and longitude in degrees.
    package static func isPlace(_ degrees: [Double]) -> Bool {
        degrees.count == 2 && degrees[0].isBetween(-90, 90) && degrees[1].isBetween(-180, 180)
    }

    /// Whether a climb can have this length in kilometres.
    package static func isLength(_ kilometres: Double) -> Bool { kilometres.isBetween(0, 2000) }

    /// Whether a climb can have this gradient in per cent.
    package static func isGradient(_ gradient: Double) -> Bool { gradient.isBetween(-100, 100) }

    /// Whether riders or the wind can have this speed in kilometres per hour.
    package static func isSpeed(_ speed: Double) -> Bool { speed.isBetween(0, 300) }

    /// Whether these are degrees of a compass.
    package static func isDirection(_ degrees: Double) -> Bool { degrees.isBetween(-360, 360) }

    /// Whether it can be so warm, in degrees Celsius.
    package static func isTemperature(_ degrees: Double) -> Bool { degrees.isBetween(-60, 60) }

    /// Whether a summit can have this elevation in metres.
    package static func isElevation(_ metres: Double) -> Bool { metres.isBetween(-1000, 10_000) }

    /// Whether a placing can have these points. Penalties are negative.
    package static func isPoints(_ points: Double) -> Bool { points.isBetween(-1e6, 1e6) }

    /// The valid stage numbers.
    package static let stageNumbers = 0...9999
    /// The valid ranks.
    package static let places = 1...100_000
    /// The valid gaps in seconds.
    package static let gaps = 0...30 * 86_400
    /// The valid times of a stage or race in seconds.
    package static let times = 1...3_000_000
    /// The valid bonuses in seconds.
    package static let bonuses = 0...3600
    /// The valid bib numbers.
    package static let riderNumbers = 0...99_999
    package static let editions = 0...99_999
    package static let years = 1...9999
    /// The valid lifetimes of a document in minutes.
    package static let lifetimes = 1...100_000
}

extension Optional {
    /// The value if it passes the check, otherwise `nil`.
    package func ifSound(_ isSound: (Wrapped) -> Bool) -> Wrapped? { flatMap { isSound($0) ? $0 : nil } }
}
