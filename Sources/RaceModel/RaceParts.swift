import FeedParsing

/// A rider of a race.
package struct Rider: Hashable, Sendable, Codable {
    /// The identifier used in results, or `nil` if results use the name.
    package var id: String?
    package var name: String
    /// The bib number.
    package var number: Int?
    package var country: String?
    /// The team, as ``Team/key``.
    package var team: String?

    package init(id: String? = nil, name: String, number: Int? = nil, country: String? = nil, team: String? = nil) {
        self.id = id
        self.name = name
        self.number = number
        self.country = country
        self.team = team
    }

    package var key: String { id ?? name }
}

/// A team of a race.
package struct Team: Hashable, Sendable, Codable {
    /// The identifier used by riders and results, or `nil` if they use the name.
    package var id: String?
    package var name: String
    package var country: String?

    package init(id: String? = nil, name: String, country: String? = nil) {
        self.id = id
        self.name = name
        self.country = country
    }

    package var key: String { id ?? name }
}

/// The jersey of a classification's leader.
package struct Jersey: Hashable, Sendable, Codable {
    /// The name of a ``Classification``.
    package var classification: String
    package var name: String
    /// A colour as `#ff0000`, or its English name.
    package var color: String?

    package init(classification: String, name: String, color: String? = nil) {
        self.classification = classification
        self.name = name
        self.color = color
    }
}

/// Where the data of a race come from.
package struct RaceCredit: Hashable, Sendable, Codable {
    package var name: String
    /// The address of the source for people.
    package var url: String?
    /// What the user should know about the source.
    package var note: String?

    package init(name: String, url: String? = nil, note: String? = nil) {
        self.name = name
        self.url = url
        self.note = note
    }
}

/// The withdrawal of a rider.
package struct Withdrawal: Hashable, Sendable, Codable {
    /// The rider, as ``Rider/key``.
    package var rider: String
    /// The number of the stage that the rider didn't start or finish.
    package var stage: Int
    /// `DNS`, `DNF`, `OTL`, `DSQ`, or other words.
    package var reason: String?

    package init(rider: String, stage: Int, reason: String? = nil) {
        self.rider = rider
        self.stage = stage
        self.reason = reason
    }
}

/// A climb of a stage.
package struct Climb: Hashable, Sendable, Codable {
    package var name: String?
    /// The position of the summit, in kilometres from the start.
    package var km: Double
    /// The category in the race's own terms: `1`, `HC`, `GPM`.
    package var category: String?
    /// The length in kilometres.
    package var length: Double?
    /// The average gradient in per cent.
    package var gradient: Double?
    /// The elevation of the summit in metres.
    package var elevation: Double?
    /// The name of the rider who was first at the summit.
    package var winner: String?

    package init(
        name: String? = nil, km: Double, category: String? = nil, length: Double? = nil, gradient: Double? = nil,
        elevation: Double? = nil, winner: String? = nil
    ) {
        self.name = name
        self.km = km
        self.category = category
        self.length = length
        self.gradient = gradient
        self.elevation = elevation
        self.winner = winner
    }

    enum CodingKeys: String, CodingKey {
        case name, km, category
        case length = "length_km"
        case gradient
        case elevation = "elevation_m"
        case winner
    }
}

/// An intermediate sprint of a stage.
package struct Sprint: Hashable, Sendable, Codable {
    package var name: String?
    /// The position in kilometres from the start.
    package var km: Double
    /// Whether it gives bonus seconds.
    package var bonus: Bool?
    /// The name of the rider who won it.
    package var winner: String?

    package init(name: String? = nil, km: Double, bonus: Bool? = nil, winner: String? = nil) {
        self.name = name
        self.km = km
        self.bonus = bonus
        self.winner = winner
    }
}

/// The times at a place on the way of a time trial.
package struct Split: Hashable, Sendable, Codable {
    package var name: String?
    /// The position in kilometres from the start.
    package var km: Double
    package var placings: [Placing]?

    package init(name: String? = nil, km: Double, placings: [Placing]? = nil) {
        self.name = name
        self.km = km
        self.placings = placings
    }
}

/// A message about a stage during the race.
package struct TickerLine: Hashable, Sendable, Codable {
    /// The instant in RFC 3339 format.
    package var time: String
    /// The position in kilometres from the start.
    package var km: Double?
    package var text: String
    /// What happened, in a word of the source such as `attack`, `fall` or `gap`.
    package var kind: String?

    package init(time: String, km: Double? = nil, text: String, kind: String? = nil) {
        self.time = time
        self.km = km
        self.text = text
        self.kind = kind
    }

    package var instant: Instant? { DateParser.parse(time) }
}

/// A rank in a stage's results or in a classification after it.
package struct Placing: Hashable, Sendable, Codable {
    package var place: Int
    /// The rider, as ``Rider/key``, or `nil` for teams.
    package var rider: String?
    package var team: String?
    /// The time in seconds.
    package var time: Int?
    /// The gap to the leader in seconds.
    package var gap: Int?
    package var points: Double?
    /// The bonus in seconds, which is part of the time in the general classification.
    package var bonus: Int?

    package init(
        place: Int, rider: String? = nil, team: String? = nil, time: Int? = nil, gap: Int? = nil, points: Double? = nil,
        bonus: Int? = nil
    ) {
        self.place = place
        self.rider = rider
        self.team = team
        self.time = time
        self.gap = gap
        self.points = points
        self.bonus = bonus
    }
}

/// The lists after a stage: its results, the standings of the race, and those of the stage alone.
///
/// The raw values are stored. Those from ``firstSplit`` are the times on the way.
package enum Classification: Int, CaseIterable, Sendable {
    case results, general, points, mountain, youth, teams
    case stagePoints, stageMountain, stageYouth, stageTeams

    /// The lists whose leaders wear jerseys.
    package static let standings: [Classification] = [.general, .points, .mountain, .youth, .teams]
    /// The number under which the library stores the first list of ``Stage/splits``.
    package static let firstSplit = 100

    /// Whether the list is of the stage alone.
    package var isOfStage: Bool { self == .results || rawValue > Classification.teams.rawValue }

    /// Whether the list is of teams.
    package var isOfTeams: Bool { self == .teams || self == .stageTeams }

    /// The key in race files.
    package var name: String { field.name }

    /// The key path of this list in a stage.
    package var path: WritableKeyPath<Stage, [Placing]?> & Sendable { field.path }

    private var field: (name: String, path: WritableKeyPath<Stage, [Placing]?> & Sendable) {
        switch self {
        case .results: ("results", \.results)
        case .general: ("general", \.general)
        case .points: ("points", \.points)
        case .mountain: ("mountain", \.mountain)
        case .youth: ("youth", \.youth)
        case .teams: ("teams", \.teamStandings)
        case .stagePoints: ("stage_points", \.stagePoints)
        case .stageMountain: ("stage_mountain", \.stageMountain)
        case .stageYouth: ("stage_youth", \.stageYouth)
        case .stageTeams: ("stage_teams", \.stageTeams)
        }
    }
}
