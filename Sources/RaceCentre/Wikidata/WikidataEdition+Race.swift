import RaceModel

extension WikidataEdition {
    /// Where the data come from, to show before an edition is followed and beside its data.
    package static let acknowledgement = "data: Wikidata (CC0), \(notice)"
    private static let notice = "entered by volunteers, so results come days late"

    /// The place of a stage of which only the day is known.
    private static let unknownPlace = "route unknown"

    /// Returns the race.
    ///
    /// - Throws: ``RaceFileError`` if its values contradict one another.
    package func race() throws(RaceFileError) -> Race {
        var roster = WikidataRoster(year: year)
        let stages = self.stages.indices.map { index in
            var lists = self.stages[index].lists
            if index == self.stages.count - 1 { lists.merge(finals) { own, _ in own } }
            var stage = WikidataEdition.outline(self.stages[index])
            for classification in Classification.allCases {
                guard let ranks = lists[classification] else { continue }
                stage[keyPath: classification.path] = roster.placings(ranks, classification)
            }
            return stage
        }
        var race = Race(race: name, year: year, stages: stages)
        race.schema = RaceFile.schema
        race.edition = number
        race.country = country
        race.kind = kind
        race.source = RaceCredit(name: "Wikidata (CC0, days late)", url: item.page, note: WikidataEdition.notice)
        race.restDays = restDays
        race.overall = finals[.general]?.prefix(10).map(\.name)
        race.riders = roster.riders.nonEmpty
        race.teams = Set(roster.riders.compactMap(\.team)).sorted().map { Team(name: $0) }.nonEmpty
        return try race.checked()
    }

    /// The days between stages without one.
    private var restDays: [String] {
        let days = Set(stages.compactMap { $0.day?.number })
        guard let first = days.min(), let last = days.max(), stages.count > 1 else { return [] }
        return Array((first...last).lazy.filter { !days.contains($0) }.prefix(60).map(CentreTime.text(ofDay:)))
    }

    private static func outline(_ stage: Part) -> Stage {
        Stage(
            number: stage.number ?? 0, date: stage.day?.text, start: stage.start ?? unknownPlace,
            finish: stage.finish ?? unknownPlace, distance: stage.length, type: stage.kind?.rawValue,
            winner: stage.winner, leaderAfter: stage.leader)
    }
}

/// The riders of an edition: all who are in its lists.
private struct WikidataRoster {
    private let year: Int
    private(set) var riders: [Rider] = []
    private var keys: Set<String> = []

    init(year: Int) { self.year = year }

    /// Returns the ranks as placings, and adds their riders.
    mutating func placings(_ ranks: [WikidataEdition.Rank], _ classification: Classification) -> [Placing] {
        var seen: Set<String> = []
        var placings: [Placing] = []
        for rank in ranks {
            var placing = Placing(place: rank.place, time: rank.time, gap: rank.gap, points: rank.points?.rounded())
            if classification == .teams {
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
        riders.append(Rider(id: key, name: rank.name, team: rank.team.map(withoutYear)))
        return key
    }
}
