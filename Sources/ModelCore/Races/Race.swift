import FeedParsing

/// A day without a time, such as a stage's.
package typealias CalendarDay = FeedParsing.CalendarDay

/// A stage race, as its file has it (schema version 2; the first has less of it).
package struct Race: Hashable, Sendable, Codable {
    package var race: String
    package var year: Int
    package var edition: Int?
    package var country: String?
    package var leaderJersey: String?
    /// Days as `2010-05-11`.
    package var restDays: [String]?
    /// The first of the final standings.
    package var overall: [String]?
    /// The version of the file's schema; `nil`: the first.
    package var schema: Int?
    /// `grand tour`, `classic`, `women`, `national` and what else there is.
    package var kind: String?
    /// Minutes for which the document holds.
    package var ttl: Int?
    package var jerseys: [Jersey]?
    package var teams: [Team]?
    package var riders: [Rider]?
    package var withdrawals: [Withdrawal]?
    package var stages: [Stage]
    /// Whether the roster, the results and the tickers are here too: lists read races without them, and a race that is stored
    /// without them keeps those that the library has.
    package var isWhole = true

    enum CodingKeys: String, CodingKey {
        case race, year, edition, country
        case leaderJersey = "leader_jersey"
        case restDays = "rest_days"
        case overall, schema, kind, ttl, jerseys, teams, riders, withdrawals, stages
    }

    /// A name for files and commands, such as `giro-d-italia-2010`.
    package var id: String {
        var name = ""
        for scalar in race.lowercased().unicodeScalars {
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
                name.unicodeScalars.append(scalar)
            } else if name.last != "-", !name.isEmpty {
                name += "-"
            }
        }
        while name.last == "-" { name.removeLast() }
        return "\(name)-\(year)"
    }

    /// `21 stages`.
    package var countOfStages: String { stages.count.counted("stage") }
}

/// One stage of a race.
package struct Stage: Hashable, Sendable, Codable {
    package var number: Int
    /// A day as `2010-05-08`.
    package var date: String?
    package var start: String
    package var finish: String
    /// Kilometres.
    package var distance: Double?
    package var type: String?
    package var winner: String?
    package var leaderAfter: String?
    package var imageURL: String?
    package var articleURL: String?
    /// Degrees north and east.
    package var startPlace: [Double]?
    package var finishPlace: [Double]?
    /// Instants as RFC 3339 writes them: when it starts, and when it ends, or ended.
    package var startTime: String?
    package var finishTime: String?
    /// Kilometres that are ridden before the race is let go.
    package var neutral: Double?
    /// `cancelled`, `shortened`, `neutralised`, or other words; `nil`: as planned.
    package var status: String?
    package var climbs: [Climb]?
    package var sprints: [Sprint]?
    package var weather: String?
    package var broadcastURL: String?
    package var liveURL: String?
    package var trackURL: String?
    package var results: [Placing]?
    package var general: [Placing]?
    package var points: [Placing]?
    package var mountain: [Placing]?
    package var youth: [Placing]?
    package var teamStandings: [Placing]?
    package var ticker: [TickerLine]?
    /// Whether its result was taken out, since its user has not looked at it yet.
    package var isSpoiler = false

    enum CodingKeys: String, CodingKey {
        case number, date, start, finish
        case distance = "distance_km"
        case type, winner
        case leaderAfter = "leader_after"
        case imageURL = "image_url"
        case articleURL = "article_url"
        case startPlace = "start_lat_lon"
        case finishPlace = "finish_lat_lon"
        case startTime = "start_time"
        case finishTime = "finish_time"
        case neutral = "neutral_km"
        case status, climbs, sprints, weather
        case broadcastURL = "broadcast_url"
        case liveURL = "live_url"
        case trackURL = "track_url"
        case results, general, points, mountain, youth
        case teamStandings = "teams"
        case ticker
    }

    /// The day of ``date``, if it is one.
    package var day: CalendarDay? { date.flatMap { CalendarDay($0) } }

    /// When it starts and ends, in seconds since 1970; `nil` where that is not told.
    package var startInstant: Int64? { startTime.flatMap { DateParser.parse($0) } }
    package var finishInstant: Int64? { finishTime.flatMap { DateParser.parse($0) } }

    package var isCancelled: Bool { ["cancelled", "canceled"].contains(status?.lowercased()) }

    /// `Ferrara → Asolo`; the place once when the stage ends where it began.
    package var route: String { start == finish ? start : "\(start) → \(finish)" }
}

/// A race as lists name it.
package struct RaceRow: Hashable, Sendable, Identifiable {
    package var id: String
    package var name: String
    package var year: Int
    package var stageCount: Int
}
