/// Writes an edition as a race file (`Assets/race.schema.json`).
extension WikidataEdition {
    /// Where the data come from, to show before an edition is followed and beside its data.
    package static let acknowledgement = "data: Wikidata (CC0), \(notice)"
    private static let notice = "entered by volunteers, so results come days late"

    /// The place of a stage of which only the day is known.
    private static let unknownPlace = "route unknown"

    /// Returns the race file.
    ///
    /// - Parameter schema: The version that the file claims.
    package func raceFile(schema: Int) -> [UInt8] {
        var roster = Roster(year: year)
        let lists = stages.indices.map { index in
            var lists = stages[index].lists
            if index == stages.count - 1 { lists.merge(finals) { own, _ in own } }
            return lists.reduce(into: [:]) { $0[$1.key] = roster.placings($1.value, $1.key) }
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("schema", schema)
            writer.member("race", name)
            writer.member("year", year)
            writer.member("edition", number)
            writer.member("country", country)
            writer.member("kind", kind)
            writer.object("source") { writer in
                writer.member("name", "Wikidata (CC0, days late)")
                writer.member("url", item.page)
                writer.member("note", WikidataEdition.notice)
            }
            writer.array("rest_days", restDays) { $0.item($1) }
            writer.array("overall", Array((finals[.general] ?? []).prefix(10))) { $0.item($1.name) }
            roster.write(&writer)
            writer.array("stages", Array(zip(stages, lists))) { writer, stage in
                writer.object { WikidataEdition.write(stage.0, stage.1, &$0) }
            }
        }
        return writer.bytes + [0x0A]
    }

    /// The days between stages without one.
    private var restDays: [String] {
        let days = Set(stages.compactMap { $0.day?.number })
        guard let first = days.min(), let last = days.max(), stages.count > 1 else { return [] }
        return Array((first...last).lazy.filter { !days.contains($0) }.prefix(60).map(CentreTime.text(ofDay:)))
    }

    private static func write(
        _ stage: Part, _ lists: [RaceStanding: [RaceFilePlacings.Placing]], _ writer: inout JSONWriter
    ) {
        writer.member("number", stage.number)
        writer.member("date", stage.day?.text)
        writer.member("start", stage.start ?? unknownPlace)
        writer.member("finish", stage.finish ?? unknownPlace)
        writer.member("distance_km", stage.length)
        writer.member("type", stage.kind?.rawValue)
        writer.member("winner", stage.winner)
        writer.member("leader_after", stage.leader)
        for standing in RaceStanding.allCases {
            if let placings = lists[standing] { writer.placings(standing.rawValue, placings) }
        }
    }
}

/// The riders of an edition: all who are in its lists.
private struct Roster {
    private let year: Int
    private var riders: [(key: String, name: String, team: String?)] = []
    private var keys: Set<String> = []

    init(year: Int) { self.year = year }

    /// Returns the ranks as a race file has them, and adds their riders.
    mutating func placings(_ ranks: [WikidataEdition.Rank], _ standing: RaceStanding) -> [RaceFilePlacings.Placing] {
        var seen: Set<String> = []
        var placings: [RaceFilePlacings.Placing] = []
        for rank in ranks {
            var placing = RaceFilePlacings.Placing(
                place: rank.place, time: rank.time, gap: rank.gap,
                points: rank.points.map { Int(clamping: $0.rounded()) })
            if standing == .teams {
                placing.team = withoutYear(rank.name)
            } else {
                placing.rider = key(rank)
            }
            guard let name = placing.team ?? placing.rider, seen.insert(name).inserted else { continue }
            placings.append(placing)
        }
        return placings
    }

    private func withoutYear(_ name: String) -> String { EditionNaming.without(year, in: name) ?? name }

    /// Returns the key of a rider, or `nil` if there are too many.
    private mutating func key(_ rank: WikidataEdition.Rank) -> String? {
        let key = rank.who?.description ?? rank.name
        if keys.contains(key) { return key }
        guard riders.count < RaceBounds.riders else { return nil }
        keys.insert(key)
        riders.append((key, rank.name, rank.team.map(withoutYear)))
        return key
    }

    func write(_ writer: inout JSONWriter) {
        writer.array("teams", Set(riders.compactMap(\.team)).sorted()) { writer, team in
            writer.object { $0.member("name", team) }
        }
        writer.array("riders", riders) { writer, rider in
            writer.object { writer in
                writer.member("id", rider.key)
                writer.member("name", rider.name)
                writer.member("team", rider.team)
            }
        }
    }
}
