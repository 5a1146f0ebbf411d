import FeedParsing
// Exported to the whole module and to importing files, because Swift's own conversions can trap.
@_exported import Platform

/// A day without a time, such as that of a stage.
package typealias CalendarDay = FeedParsing.CalendarDay

/// A stage race with all that a race file can contain (schema version 3; versions 1 and 2 are subsets).
package struct Race: Hashable, Sendable, Codable {
    package var race: String
    package var year: Int
    package var edition: Int?
    package var country: String?
    package var leaderJersey: String?
    /// The rest days, as `2010-05-11`.
    package var restDays: [String]?
    /// The leading riders of the final standings.
    package var overall: [String]?
    /// The version of the file's schema; `nil` means version 1.
    package var schema: Int?
    /// The kind of race: `grand tour`, `classic`, `women`, `national` or other words.
    package var kind: String?
    /// The number of minutes for which the document is valid.
    package var ttl: Int?
    package var jerseys: [Jersey]?
    /// Where the data come from.
    package var source: RaceCredit?
    package var teams: [Team]?
    package var riders: [Rider]?
    package var withdrawals: [Withdrawal]?
    package var stages: [Stage]
    /// Whether roster, results and tickers are included.
    ///
    /// Lists read races without them. Storing a race without them keeps those in the library.
    package var isWhole = true

    package init(race: String, year: Int, stages: [Stage]) {
        self.race = race
        self.year = year
        self.stages = stages
    }

    enum CodingKeys: String, CodingKey {
        case race, year, edition, country
        case leaderJersey = "leader_jersey"
        case restDays = "rest_days"
        case overall, schema, kind, ttl, jerseys, source, teams, riders, withdrawals, stages
    }

    /// An identifier for files and commands, such as `giro-d-italia-2010`.
    package var id: String { "\(RaceIdentifier.of(race))-\(year)" }

    /// The number of stages in words, such as "21 stages".
    package var countOfStages: String { stages.count.counted("stage") }

    /// Returns the number of a stage as the race writes it.
    package func name(ofStage number: Int) -> String { stages.first { $0.number == number }?.name ?? String(number) }
}

/// One stage of a race.
package struct Stage: Hashable, Sendable, Codable {
    package var number: Int
    /// The number as the race writes it if it differs, such as `3a` for the first half of a stage.
    package var label: String?
    /// The day, as `2010-05-08`.
    package var date: String?
    package var start: String
    package var finish: String
    /// The distance in kilometres.
    package var distance: Double?
    package var type: String?
    package var winner: String?
    package var leaderAfter: String?
    package var imageURL: String?
    package var articleURL: String?
    /// The latitude and longitude in degrees.
    package var startPlace: [Double]?
    package var finishPlace: [Double]?
    /// Places along the route from start to finish, as latitude and longitude in degrees.
    package var way: [[Double]]?
    /// The start, and the planned or actual end, in RFC 3339 format.
    package var startTime: String?
    package var finishTime: String?
    /// The length of the neutral start in kilometres.
    package var neutral: Double?
    /// The time at which the riders set off for the real start, in RFC 3339 format.
    package var neutralStartTime: String?
    /// `cancelled`, `shortened`, `neutralised` or other words; `nil` if the stage takes place as planned.
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
    /// The points won, the times of young riders and the teams' times in this stage alone.
    package var stagePoints: [Placing]?
    package var stageMountain: [Placing]?
    package var stageYouth: [Placing]?
    package var stageTeams: [Placing]?
    /// Whether a list is not official yet, or `nil` if that is unknown.
    package var isProvisional: Bool?
    /// Whether the lists are those of a stage under way, so that the first of the results has not won yet.
    package var isRunning: Bool?
    /// The time limit in seconds after the winner.
    package var timeLimit: Int?
    /// The wearers of the jerseys during the stage, as ``Rider/key``, by ``Classification/name``.
    package var wearers: [String: String]?
    /// The times at places on the way of a time trial, in the order of the road.
    package var splits: [Split]?
    package var ticker: [TickerLine]?
    /// The state during the race.
    package var live: LiveReport?
    /// Whether the result was removed because spoilers are hidden.
    package var isSpoiler = false

    package init(
        number: Int, date: String? = nil, start: String, finish: String, distance: Double? = nil, type: String? = nil,
        winner: String? = nil, leaderAfter: String? = nil
    ) {
        self.number = number
        self.date = date
        self.start = start
        self.finish = finish
        self.distance = distance
        self.type = type
        self.winner = winner
        self.leaderAfter = leaderAfter
    }

    /// The number as the race writes it.
    package var name: String { label ?? String(number) }

    enum CodingKeys: String, CodingKey {
        case number, label, date, start, finish
        case distance = "distance_km"
        case type, winner
        case leaderAfter = "leader_after"
        case imageURL = "image_url"
        case articleURL = "article_url"
        case startPlace = "start_lat_lon"
        case finishPlace = "finish_lat_lon"
        case way
        case startTime = "start_time"
        case finishTime = "finish_time"
        case neutral = "neutral_km"
        case neutralStartTime = "neutral_start_time"
        case status, climbs, sprints, weather
        case broadcastURL = "broadcast_url"
        case liveURL = "live_url"
        case trackURL = "track_url"
        case results, general, points, mountain, youth
        case teamStandings = "teams"
        case stagePoints = "stage_points"
        case stageMountain = "stage_mountain"
        case stageYouth = "stage_youth"
        case stageTeams = "stage_teams"
        case isProvisional = "provisional"
        case isRunning = "running"
        case timeLimit = "time_limit"
        case wearers, splits, ticker, live
    }

    /// The day in ``date``, if it is valid.
    package var day: CalendarDay? { date.flatMap { CalendarDay($0) } }

    /// The start and end, if known.
    package var startInstant: Instant? { startTime.flatMap { DateParser.parse($0) } }
    package var finishInstant: Instant? { finishTime.flatMap { DateParser.parse($0) } }
    /// The instant in ``neutralStartTime``.
    package var neutralStart: Instant? { neutralStartTime.flatMap { DateParser.parse($0) } }
    /// Whether there is a result, which may be provisional.
    package var hasResult: Bool { isRunning != true && (winner != nil || results?.isEmpty == false) }

    /// The kind of time trial, in which nobody is at the head of the race, or `nil` for other stages.
    package var timeTrial: TimeTrial? { TimeTrial(type) }

    package var isCancelled: Bool { ["cancelled", "canceled"].contains(status?.lowercased()) }

    /// The route as `Ferrara → Asolo`, or a single place if start and finish are the same.
    package var route: String { start == finish ? start : "\(start) → \(finish)" }
}

/// A stage in which riders or teams start one after the other.
package enum TimeTrial: Sendable {
    case ofRiders, ofTeams

    /// Parses the type of a stage, such as "team time trial" or "prologue". Returns `nil` for other stages.
    package init?(_ type: String?) {
        guard let type = type?.lowercased(), type.contains("trial") || type.contains("prologue") else { return nil }
        self = type.contains("team") ? .ofTeams : .ofRiders
    }
}
