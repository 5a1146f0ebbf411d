import FeedParsing

/// A rider of a race, as its file lists them.
package struct Rider: Hashable, Sendable, Codable {
    /// What results call the rider; without one the name.
    package var id: String?
    package var name: String
    /// The number on the back.
    package var number: Int?
    package var country: String?
    /// The team as ``Team/key``.
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
    /// What riders and results call the team; without one the name.
    package var id: String?
    package var name: String
    package var country: String?

    package var key: String { id ?? name }
}

/// What somebody wears who leads a classification.
package struct Jersey: Hashable, Sendable, Codable {
    /// A name of ``Classification``.
    package var classification: String
    package var name: String
    /// `#ff0000`, or a colour's English name.
    package var color: String?

    package init(classification: String, name: String, color: String? = nil) {
        self.classification = classification
        self.name = name
        self.color = color
    }
}

/// A rider who rides no further.
package struct Withdrawal: Hashable, Sendable, Codable {
    /// The rider as ``Rider/key``.
    package var rider: String
    /// The number of the stage that was not started, or not finished.
    package var stage: Int
    /// `DNS`, `DNF`, `OTL`, `DSQ`, or words.
    package var reason: String?
}

/// A climb of a stage.
package struct Climb: Hashable, Sendable, Codable {
    package var name: String?
    /// Where its top is, in kilometres from the start.
    package var km: Double
    /// `1`, `HC`, `GPM`: as the race counts them.
    package var category: String?
    /// Kilometres.
    package var length: Double?
    /// Per cent.
    package var gradient: Double?
    /// Metres above the sea.
    package var elevation: Double?

    enum CodingKeys: String, CodingKey {
        case name, km, category
        case length = "length_km"
        case gradient
        case elevation = "elevation_m"
    }
}

/// An intermediate sprint of a stage.
package struct Sprint: Hashable, Sendable, Codable {
    package var name: String?
    /// Kilometres from the start.
    package var km: Double
}

/// What is told of a stage while it is ridden.
package struct TickerLine: Hashable, Sendable, Codable {
    /// An instant as RFC 3339 writes it.
    package var time: String
    /// Kilometres from the start.
    package var km: Double?
    package var text: String

    package var instant: Int64? { DateParser.parse(time) }
}

/// A place in a stage's results or in a classification after it.
package struct Placing: Hashable, Sendable, Codable {
    package var place: Int
    /// The rider as ``Rider/key``; `nil` for teams.
    package var rider: String?
    package var team: String?
    /// Seconds.
    package var time: Int?
    /// Seconds behind the first.
    package var gap: Int?
    package var points: Double?

    package init(
        place: Int, rider: String? = nil, team: String? = nil, time: Int? = nil, gap: Int? = nil, points: Double? = nil
    ) {
        self.place = place
        self.rider = rider
        self.team = team
        self.time = time
        self.gap = gap
        self.points = points
    }
}

/// The lists that a stage ends in: its own result, and the standings of the race after it.
package enum Classification: Int, CaseIterable, Sendable {
    case results, general, points, mountain, youth, teams

    /// The key of race files.
    package var name: String {
        switch self {
        case .results: "results"
        case .general: "general"
        case .points: "points"
        case .mountain: "mountain"
        case .youth: "youth"
        case .teams: "teams"
        }
    }

    /// The stage's list of this kind.
    package var path: WritableKeyPath<Stage, [Placing]?> & Sendable {
        switch self {
        case .results: \.results
        case .general: \.general
        case .points: \.points
        case .mountain: \.mountain
        case .youth: \.youth
        case .teams: \.teamStandings
        }
    }
}
