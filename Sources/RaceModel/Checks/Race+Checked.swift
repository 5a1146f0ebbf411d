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
        race.fillIn()
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

    /// Derives winners and leaders from the results.
    fileprivate mutating func fillIn() {
        let names = Dictionary((riders ?? []).map { ($0.key, $0.name) }) { first, _ in first }
        for index in stages.indices {
            func first(_ list: [Placing]?) -> String? {
                list?.first { $0.place == 1 }.flatMap { $0.rider ?? $0.team }.map { names[$0] ?? $0 }
            }
            stages[index].winner = stages[index].winner ?? first(stages[index].results)
            stages[index].leaderAfter = stages[index].leaderAfter ?? first(stages[index].general)
        }
    }
}
