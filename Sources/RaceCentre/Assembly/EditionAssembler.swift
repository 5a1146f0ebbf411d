import RaceModel

/// Assembles a race from the parts of an edition.
///
/// Each part comes from the newest response that could be read, or else from the previous version of the race. So an
/// error in one part changes nothing in it and nothing in the others.
package struct EditionAssembler {
    let parts: EditionParts
    let previous: Race?
    var roster: EditionRoster
    private let previousStages: [Int: Stage]

    private init(_ parts: EditionParts, keeping previous: Race?) {
        self.parts = parts
        self.previous = previous
        roster = EditionRoster(parts.roster.value ?? CentreRoster(), isWhole: parts.hasRiderList, previous: previous)
        previousStages = Dictionary((previous?.stages ?? []).map { ($0.number, $0) }) { first, _ in first }
    }

    /// Returns the race, or `nil` if not even the stages are known.
    ///
    /// - Parameter previous: The newest version of the race, with everything.
    /// - Throws: ``RaceFileError`` if the race centre's values contradict one another.
    package static func race(_ parts: EditionParts, keeping previous: Race? = nil) throws(RaceFileError) -> Race? {
        var assembler = EditionAssembler(parts, keeping: previous)
        return try assembler.race()?.checked()
    }

    private mutating func race() -> Race? {
        let stages = self.stages()
        guard !stages.isEmpty else { return nil }
        let (known, year) = (parts.edition.race, parts.edition.year)
        var race = Race(race: known.name, year: year, stages: stages)
        race.schema = RaceFile.schema
        if let zero = known.foundingYear, (1...99_999).contains(year - zero) { race.edition = year - zero }
        race.country = known.country
        race.kind = known.kind.map { known.isWomens ? "women, \($0)" : $0 }
        race.leaderJersey = known.leaderJersey
        race.jerseys = known.jerseys.nonEmpty
        race.source = RaceCredit(name: "A.S.O.", url: parts.edition.liveAddress, note: RaceEdition.notice)
        race.restDays = parts.stages.value.map(CentreStage.restDays) ?? previous?.restDays
        race.overall = overall(stages)
        let teams = parts.roster.value?.teams.map { Team(name: $0.name, country: $0.country) }.nonEmpty
        race.teams = parts.hasTeamList ? teams ?? previous?.teams : previous?.teams ?? teams
        race.withdrawals = withdrawals(stages).nonEmpty
        race.riders = roster.riders.nonEmpty
        return race
    }

    /// Returns the stages: those that the race centre announces, or else those of the previous version.
    private mutating func stages() -> [Stage] {
        let announced = (parts.stages.value ?? []).map { ($0.number, Optional($0)) }
        let numbers = announced.isEmpty ? previousStages.keys.sorted().map { ($0, nil) } : announced
        return numbers.prefix(RaceBounds.stages).map { number, announced in
            stage(number, announced, previousStages[number])
        }
    }

    /// Returns what is known of a stage's times and kind, also if the race centre's stages can't be read.
    func schedule(of number: Int) -> CentreStage? {
        parts.schedule.first { $0.number == number } ?? previousStages[number].flatMap(CentreStage.init(stored:))
    }

    /// Returns the names of the first ten of the final standings, once those are official.
    private func overall(_ stages: [Stage]) -> [String]? {
        guard let last = stages.last, let list = last.general,
            parts.rankings[last.number]?.value?.list(of: .general)?.status == .official
        else { return previous?.overall }
        return list.prefix(10).compactMap { $0.rider.map(roster.name(ofKey:)) }
    }

    /// Returns the withdrawals in the previous version, in the list of riders and in the results, each rider once.
    private mutating func withdrawals(_ stages: [Stage]) -> [Withdrawal] {
        var found: [String: Withdrawal] = [:]
        // Who has a place in a later result has not withdrawn.
        var last: [String: Int] = [:]
        for stage in stages {
            for rider in (stage.results ?? []).compactMap(\.rider) { last[rider] = max(stage.number, last[rider] ?? 0) }
        }
        for withdrawal in previous?.withdrawals ?? [] where last[withdrawal.rider] ?? .min < withdrawal.stage {
            found[withdrawal.rider] = withdrawal
        }
        for rider in parts.roster.value?.riders ?? [] {
            guard let withdrawal = rider.withdrawal, let key = roster.key(bib: rider.bib, id: rider.id) else {
                continue
            }
            // The lists may come in any order.
            if let known = found[key], known.stage < withdrawal.stage { continue }
            found[key] = Withdrawal(rider: key, stage: withdrawal.stage, reason: withdrawal.reason)
        }
        for (stage, part) in parts.rankings {
            for row in part.value?.out ?? [] {
                guard let reason = CentreWithdrawal.reason(ofCode: row.position),
                    let key = roster.key(bib: row.bib, id: row.rider)
                else { continue }
                // A rider who is out stays in the lists of later stages.
                if let known = found[key], known.stage <= stage { continue }
                found[key] = Withdrawal(rider: key, stage: stage, reason: reason)
            }
        }
        let numbers = Set(stages.map(\.number))
        return found.values.filter { numbers.contains($0.stage) }.sorted { ($0.stage, $0.rider) < ($1.stage, $1.rider) }
    }
}

extension Array {
    var nonEmpty: [Element]? { isEmpty ? nil : self }
}
