/// What results, classifications and times on the way may contain.
extension RaceCheck {
    /// Checks everything that a stage has beside its route.
    mutating func checkStandings(_ stage: Stage, _ path: [String], _ name: String) {
        for list in Classification.allCases {
            if let placings = stage[keyPath: list.path] {
                check(placings, of: list, path + [list.name], "\(name), \(list.name)")
            }
        }
        if let limit = stage.timeLimit, !RaceLimits.times.contains(limit) {
            fail(path + ["time_limit"], "\(name): \(limit) seconds is not a time limit")
        }
        for (list, rider) in (stage.wearers ?? [:]).sorted(by: { $0.key < $1.key }) {
            let here = path + ["wearers", list]
            if !Classification.standings.contains(where: { $0.name == list }) {
                fail(here, "\(name), wearers: unknown classification '\(short(list))'")
            }
            know(rider, here, "\(name), wearers")
        }
        for (split, place) in items(stage.splits ?? [], "splits", path, name) {
            lengths([("name", split.name)], place.path, place.name)
            reach(split.km, of: stage, place.path + ["km"], place.name)
            // Riders may be equal, as in a result.
            check(split.placings ?? [], of: .results, place.path + ["placings"], place.name)
        }
    }

    mutating func check(_ placings: [Placing], of list: Classification, _ path: [String], _ name: String) {
        var (last, gap): (Placing?, Int) = (nil, 0)
        var seen: Set<String> = []
        for (index, placing) in placings.enumerated() {
            let (here, words) = (path + ["\(index)"], "\(name), item \(index + 1)")
            guard let who = list.isOfTeams ? placing.team ?? placing.rider : placing.rider ?? placing.team else {
                fail(here, "\(words): missing rider")
                continue
            }
            if placing.rider != nil { know(who, here + ["rider"], words) }
            if !seen.insert(who).inserted { fail(here, "\(words): duplicate '\(short(who))'") }
            if !RaceLimits.places.contains(placing.place) {
                fail(here + ["place"], "\(words): \(placing.place) is not a place")
            } else if let last, placing.place < last.place {
                fail(here + ["place"], "\(words): places out of order")
            } else if let last, placing.place == 1, last.place == 1, !list.isOfStage {
                fail(here + ["place"], "\(words): more than one leader")
            }
            if let behind = placing.gap {
                if behind < gap {
                    fail(here + ["gap"], "\(words): the gap is smaller than the previous one")
                } else if behind > RaceLimits.gaps.upperBound {
                    fail(here + ["gap"], "\(words): \(behind) seconds is not a gap")
                }
                gap = max(gap, behind)
            }
            if let time = placing.time, !RaceLimits.times.contains(time) {
                fail(here + ["time"], "\(words): \(time) seconds is not a time")
            }
            if let bonus = placing.bonus, !RaceLimits.bonuses.contains(bonus) {
                fail(here + ["bonus"], "\(words): \(bonus) seconds is not a bonus")
            }
            if let points = placing.points, !RaceLimits.isPoints(points) {
                fail(here + ["points"], "\(words): points is \(points)")
            }
            last = placing
        }
    }
}
