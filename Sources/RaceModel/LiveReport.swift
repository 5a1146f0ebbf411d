import FeedParsing

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
    /// The direction from which the wind blows, in degrees clockwise from north.
    package var windDirection: Double?
    /// The mean speed since the start in kilometres per hour.
    package var meanSpeed: Double?
    /// The instant at which the first group is expected at the finish, in RFC 3339 format.
    package var finishTime: String?
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
        case speed, temperature, wind
        case windDirection = "wind_direction"
        case meanSpeed = "mean_speed"
        case finishTime = "finish_time"
        case groups
    }

    /// The instant in ``at``.
    package var instant: Instant? { at.flatMap { DateParser.parse($0) } }

    /// The instant in ``finishTime``.
    package var finishInstant: Instant? { finishTime.flatMap { DateParser.parse($0) } }

    /// The index of the peloton: the marked group (``markPeloton(leader:)``), otherwise the one with that name, otherwise
    /// the largest that was not dropped, or `nil` if the sizes are unknown or there is only one group.
    package var peloton: Int? {
        guard let groups, groups.count > 1 else { return nil }
        if let marked = groups.firstIndex(where: { $0.isPeloton == true }) { return marked }
        if let named = groups.firstIndex(where: { GroupNames.isPeloton($0.name) }) { return named }
        let largest = groups.indices.filter { !GroupNames.isDropped(groups[$0].name) }
            .max { (groups[$0].size ?? 0) < (groups[$1].size ?? 0) }
        return largest.flatMap { groups[$0].size == nil ? nil : $0 }
    }

    /// Marks the peloton: the group with that name, otherwise the one of the leader of the general classification.
    mutating func markPeloton(leader: String?) {
        guard let known = groups, !known.contains(where: { $0.isPeloton == true }),
            !known.contains(where: { GroupNames.isPeloton($0.name) }), let leader,
            let index = known.firstIndex(where: { $0.riders?.contains(leader) == true })
        else { return }
        groups?[index].isPeloton = true
    }

    /// Returns the gap of a rider's group in seconds, or `nil` if it is the first group or unknown.
    package func gap(of rider: String) -> Int? {
        guard let index = groups?.firstIndex(where: { $0.riders?.contains(rider) == true }), index > 0 else {
            return nil
        }
        return groups?[index].gap
    }

    /// The gap of the peloton in seconds, or `nil` if it is the first group or unknown.
    package var pelotonGap: Int? {
        guard let groups, let peloton, peloton > 0 else { return nil }
        return groups[peloton].gap
    }

    /// Returns how far the report can be trusted at an instant. One without an instant says nothing about the race any more.
    package func freshness(at now: Instant) -> Freshness {
        instant.map { Freshness(age: now.seconds(since: $0)) } ?? .old
    }

    /// The maximum numbers of groups, and of riders in a group, in a file.
    package static let (maximumGroups, maximumRiders) = (100, 400)
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
    /// The riders, as ``Rider/key``.
    package var riders: [String]?
    /// The position as latitude and longitude in degrees.
    package var place: [Double]?
    /// Whether the group is the peloton, or `nil` if the source doesn't say so.
    package var isPeloton: Bool?

    package init(
        name: String, gap: Int? = nil, kmToGo: Double? = nil, speed: Double? = nil, size: Int? = nil,
        riders: [String]? = nil, place: [Double]? = nil
    ) {
        self.name = name
        self.gap = gap
        self.kmToGo = kmToGo
        self.speed = speed
        self.size = size
        self.riders = riders
        self.place = place
    }

    enum CodingKeys: String, CodingKey {
        case name, gap
        case kmToGo = "km_to_go"
        case speed, size, riders
        case place = "lat_lon"
        case isPeloton = "peloton"
    }
}
