import FeedParsing

/// A day without a time, such as a stage's.
package typealias CalendarDay = FeedParsing.CalendarDay

/// A stage race, as its file has it.
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
    package var stages: [Stage]

    enum CodingKeys: String, CodingKey {
        case race, year, edition, country
        case leaderJersey = "leader_jersey"
        case restDays = "rest_days"
        case overall, stages
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

    enum CodingKeys: String, CodingKey {
        case number, date, start, finish
        case distance = "distance_km"
        case type, winner
        case leaderAfter = "leader_after"
        case imageURL = "image_url"
        case articleURL = "article_url"
        case startPlace = "start_lat_lon"
        case finishPlace = "finish_lat_lon"
    }

    /// The day of ``date``, if it is one.
    package var day: CalendarDay? { date.flatMap { CalendarDay($0) } }

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
