import RaceModel

/// The groups on the road at an instant.
package struct RaceGroups: Hashable, Sendable {
    struct Group: Hashable, Sendable {
        /// The name as the race centre has it, in French.
        var name: String
        /// The time behind the first group in seconds.
        var gap: Int
        /// The kilometres to go, and from the start.
        var kmToGo: Double?
        var km: Double?
        /// The speed in kilometres per hour.
        var speed: Double?
        var coordinates: RoadBook.Coordinates?
        var members: [RiderReference]
        /// The number of riders. The race centre writes 999 and 0 for "the bunch", so they are counted where possible;
        /// `nil` if it is unknown.
        var size: Int?
        /// Whether the race centre counts this group as the peloton.
        var isPeloton: Bool
    }

    /// The instant at which the race was so. It is the only age to show.
    package var at: Instant
    /// The offset of local time from UTC in seconds.
    var offset: Int
    var stage: Int?
    /// The groups from the first to the last.
    var groups: [Group]

    /// Reads the groups of a stage.
    ///
    /// - Returns: The newest groups, or `nil` for an empty response, such as that of a time trial, and for groups
    ///   without a date.
    static func read(_ body: [UInt8], bind: String) throws(CentreFailure) -> RaceGroups? {
        try CentreRecords(body).wanted(bind).compactMap(RaceGroups.init).max { $0.at < $1.at }
    }

    private init?(_ record: JSONNode) {
        guard let date = record["date"]?.text(upTo: 40).flatMap({ CentreTime.instant($0) }) else { return nil }
        (at, offset) = (date.instant, date.offset)
        stage = record["stage"]?.whole.ifSound(RaceLimits.stageNumbers.contains)
        let ordered = JSONItems.of(record["groups"]).prefix(RaceBounds.groups).enumerated().compactMap { place, node in
            Group(node).map { (order: node["order"]?.whole ?? place, place: place, group: $0) }
        }
        groups = ordered.sorted { ($0.order, $0.place) < ($1.order, $1.place) }.map(\.group)
        // A rider in two groups is only in the first.
        var seen: Set<RiderReference> = []
        for index in groups.indices { groups[index].members.removeAll { !seen.insert($0).inserted } }
        for index in groups.indices { groups[index].settleSize() }
        // The gaps are to the first group, which has none.
        if !groups.isEmpty { groups[0].gap = 0 }
    }
}

extension RaceGroups.Group {
    fileprivate init?(_ node: JSONNode) {
        guard node["name"] != nil || node["bibs"] != nil || node["remainingDistance"] != nil else { return nil }
        name = PlainText.repaired(node["name"]?.text(upTo: 100) ?? "")
        let seconds = (node["relative"] ?? node["computedRelative"])?.number ?? 0
        gap = Int(clamping: seconds.limited(0, 12 * 3600).rounded())
        // Distances are in metres.
        kmToGo = RaceGroups.Group.kilometres(node["remainingDistance"] ?? node["computedRemainingDistance"])
        km = RaceGroups.Group.kilometres(node["completedDistance"] ?? node["computedCompletedDistance"])
        speed = (node["speed"] ?? node["computedSpeed"])?.number.ifSound(RaceBounds.isSpeed)
        coordinates = RoadBook.Coordinates(node)
        members = JSONItems.of(node["bibs"]).prefix(RaceBounds.members).compactMap { item in
            let bib = (item["bib"]?.whole ?? item.whole).ifSound(RaceBounds.bibs.contains)
            let rider = item.identifier("$rider")
            return bib == nil && rider == nil ? nil : RiderReference(bib: bib, rider: rider)
        }
        size = node["size"]?.whole
        isPeloton = GroupNames.isPeloton(name) || size.map { $0 <= 0 || $0 >= 999 } ?? false
    }

    /// Replaces the size that stands for "many" by the number of members.
    fileprivate mutating func settleSize() {
        let isCount = size.map { $0 > 0 && $0 < 999 } ?? false
        if !isCount { size = members.isEmpty ? nil : members.count }
    }

    private static func kilometres(_ node: JSONNode?) -> Double? {
        node?.number.map { max(0, $0) / 1000 }.ifSound(RaceBounds.isDistance)
    }
}
