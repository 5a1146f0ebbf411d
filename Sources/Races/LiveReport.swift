import FeedParsing
import GRDB
import LibraryKernel
import RaceCentre

/// The state of a stage while it is being ridden.
package struct LiveReport: Hashable, Sendable, Codable {
    /// The instant at which the race was so, in RFC 3339 format. It is the only age to show.
    package var at: String?
    /// The distance that the first group still has to ride, in kilometres.
    package var kmToGo: Double?
    /// The speed of the first group in kilometres per hour.
    package var speed: Double?
    /// The temperature in degrees Celsius.
    package var temperature: Double?
    /// The wind in kilometres per hour.
    package var wind: Double?
    /// The groups from the first to the last.
    package var groups: [LiveGroup]?

    package init(at: String? = nil, kmToGo: Double? = nil, groups: [LiveGroup]? = nil) {
        self.at = at
        self.kmToGo = kmToGo
        self.groups = groups
    }

    enum CodingKeys: String, CodingKey {
        case at
        case kmToGo = "km_to_go"
        case speed, temperature, wind, groups
    }

    /// The instant in ``at``.
    package var instant: Instant? { at.flatMap { DateParser.parse($0) } }

    /// The gap of the largest group in seconds, or `nil` if it is the first or its size is unknown.
    package var bunchGap: Int? {
        guard let groups, let bunch = groups.indices.max(by: { (groups[$0].size ?? 0) < (groups[$1].size ?? 0) }),
            bunch > 0, groups[bunch].size != nil
        else { return nil }
        return groups[bunch].gap
    }

    /// Returns how far the report can be trusted at an instant. One without an instant says nothing about the race any more.
    package func freshness(at now: Instant) -> Freshness {
        instant.map { Freshness(age: now.seconds(since: $0)) } ?? .folded
    }

    /// The maximum numbers of groups, and of riders in a group, in a file.
    static let (mostGroups, mostRiders) = (100, 400)
}

/// Riders who ride together.
package struct LiveGroup: Hashable, Sendable, Codable {
    package var name: String
    /// The time behind the first group in seconds.
    package var gap: Int?
    package var kmToGo: Double?
    /// The speed in kilometres per hour.
    package var speed: Double?
    /// The number of riders, if it is known.
    package var size: Int?
    /// The riders, as ``Rider/key``; when read from the library, their names.
    package var riders: [String]?

    package init(
        name: String, gap: Int? = nil, kmToGo: Double? = nil, speed: Double? = nil, size: Int? = nil,
        riders: [String]? = nil
    ) {
        self.name = name
        self.gap = gap
        self.kmToGo = kmToGo
        self.speed = speed
        self.size = size
        self.riders = riders
    }

    enum CodingKeys: String, CodingKey {
        case name, gap
        case kmToGo = "km_to_go"
        case speed, size, riders
    }
}

extension RaceStore {
    /// Returns the newest report of a stage, with the names of the riders, or `nil` if there is none or the result is
    /// hidden.
    package func live(of stage: Int, in race: String) throws(LibraryError) -> LiveReport? {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return nil }
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM stage WHERE race_id = ? AND number = ?", arguments: [race, stage])
            guard var report = try row.flatMap({ try StoredRace.stage($0).live }) else { return nil }
            let names = try RaceStore.riderNames(of: race, db)
            report.groups = report.groups?.map { group in
                var group = group
                group.riders = group.riders?.map { names[$0] ?? $0 }
                return group
            }
            return report
        }
    }

    private static func riderNames(of race: String, _ db: Database) throws -> [String: String] {
        var whole = Race(race: race, year: 0, stages: [])
        try StoredRace.addRoster(&whole, of: race, db)
        return Dictionary((whole.riders ?? []).map { ($0.key, $0.name) }) { first, _ in first }
    }
}
