import Platform

/// The valid ranges of numbers from a race centre, narrower than `RaceLimits`. A number outside them is dropped.
enum RaceBounds {
    static let bibs = 1...99_999
    /// The days and instants since 1970, until the year 2200.
    static let days: ClosedRange<Int64> = 0...84_006
    static let instants: ClosedRange<Instant> = 0...7_258_118_399
    /// The days of races in history, from 1850 to the year 2200.
    static let historicDays: ClosedRange<Int64> = -43_829...84_006
    /// The maximum numbers of stages, riders, teams, checkpoints, groups, ticker messages, rankings and rows of a list.
    static let (stages, riders, teams, checkpoints) = (100, 1000, 200, 1000)
    static let (groups, lines, rankings, rows) = (60, 5000, 400, 1000)
    static let members = 400

    /// Whether a stage or a position on it can have this distance in kilometres.
    static func isDistance(_ kilometres: Double) -> Bool { kilometres.isBetween(0, 1999) }

    /// Whether a stage can have this length in kilometres.
    static func isLength(_ kilometres: Double) -> Bool { kilometres > 0 && isDistance(kilometres) }

    /// Whether a group or a race can have this speed in kilometres per hour.
    static func isSpeed(_ speed: Double) -> Bool { speed.isBetween(0, 150) }

    /// Whether these are a latitude and longitude in degrees that somebody measured.
    static func isPlace(_ latitude: Double, _ longitude: Double) -> Bool {
        latitude.isBetween(-90, 90) && longitude.isBetween(-180, 180) && !(latitude == 0 && longitude == 0)
    }
}
