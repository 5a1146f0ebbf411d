extension Race {
    /// Returns the race as the library stores it: with stages in order, winners and leaders, and without empty lists.
    ///
    /// Every race passes this check, wherever it comes from.
    ///
    /// - Parameter line: Returns the line of a path in the file from which the race was read.
    /// - Throws: ``RaceFileError`` if a value is impossible, too long, or contradicts another one.
    package func checked(line: ([String]) -> Int? = { _ in nil }) throws(RaceFileError) -> Race {
        let problems = RaceCheck.problems(self)
        guard problems.isEmpty else {
            throw RaceFileError(byLine: problems.map { (line($0.path), $0.sentence) })
        }
        var race = self
        race.stages.sort { $0.number < $1.number }
        race.sortTickers()
        race.fillIn()
        race.markPelotons()
        race.forgetEmptyLists()
        return race
    }

    /// Replaces empty lists by `nil`, since the library doesn't distinguish them.
    fileprivate mutating func forgetEmptyLists() {
        if restDays == [] { restDays = nil }
        if overall == [] { overall = nil }
        for index in stages.indices {
            for list in Classification.allCases where stages[index][keyPath: list.path] == [] {
                stages[index][keyPath: list.path] = nil
            }
            if stages[index].ticker == [] { stages[index].ticker = nil }
            if stages[index].wearers == [:] { stages[index].wearers = nil }
            if stages[index].way == [] { stages[index].way = nil }
            if stages[index].splits == [] { stages[index].splits = nil }
            for place in (stages[index].splits ?? []).indices where stages[index].splits?[place].placings == [] {
                stages[index].splits?[place].placings = nil
            }
        }
    }

    /// Sorts the messages of tickers, which some sources list latest first.
    fileprivate mutating func sortTickers() {
        for index in stages.indices {
            guard let lines = stages[index].ticker else { continue }
            let instants = lines.map { $0.instant ?? 0 }
            guard zip(instants, instants.dropFirst()).contains(where: { $0 > $1 }) else { continue }
            // Messages of one instant keep their order, or reverse it with the others.
            let isReversed = zip(instants, instants.dropFirst()).allSatisfy { $0 >= $1 }
            let places = isReversed ? Array(lines.indices.reversed()) : Array(lines.indices)
            let order = places.enumerated().sorted {
                (instants[$0.element], $0.offset) < (instants[$1.element], $1.offset)
            }
            stages[index].ticker = order.map { lines[$0.element] }
        }
    }

    /// Marks the pelotons of stages under way. The leader is who wears the jersey, or who led after the last stage.
    fileprivate mutating func markPelotons() {
        for index in stages.indices where stages[index].live?.groups != nil {
            let before = index > 0 ? stages[index - 1].general?.first?.rider : nil
            let leader = stages[index].wearers?[Classification.general.name] ?? before
            stages[index].live?.markPeloton(leader: leader)
        }
    }

    /// Derives winners and leaders from the results, unless the stage is under way.
    fileprivate mutating func fillIn() {
        let riders = (riders ?? []).map { ($0.key, $0.name) }
        let names = Dictionary(riders + (teams ?? []).map { ($0.key, $0.name) }) { first, _ in first }
        for index in stages.indices where stages[index].isRunning != true {
            func first(_ list: [Placing]?) -> String? {
                list?.first { $0.place == 1 }.flatMap { $0.rider ?? $0.team }.map { names[$0] ?? $0 }
            }
            let ofTeams = stages[index].timeTrial == .ofTeams ? first(stages[index].stageTeams) : nil
            stages[index].winner = stages[index].winner ?? ofTeams ?? first(stages[index].results)
            stages[index].leaderAfter = stages[index].leaderAfter ?? first(stages[index].general)
        }
    }
}
