/// The rows of a list as a race file has them: each rider once, places in order, gaps that don't become smaller.
struct RaceFilePlacings {
    struct Placing {
        var place: Int
        var rider: String?
        var team: String?
        /// The time, gap and bonus in seconds.
        var time: Int?
        var gap: Int?
        var bonus: Int?
        var points: Int?
    }

    private(set) var placings: [Placing] = []

    init(_ list: RankingList, _ standing: RaceStanding, roster: inout RaceFileRoster) {
        var seen: Set<String> = []
        var gap = 0
        for row in list.rows {
            guard let name = RaceFilePlacings.name(row, standing, &roster), seen.insert(name).inserted else { continue }
            var placing = Placing(place: place(row, standing))
            if standing.isOfTeams { placing.team = name } else { placing.rider = name }
            if standing.hasPoints {
                // Points that were won; a penalty is part of them.
                placing.points = row.absolute.limited(-1_000_000, 1_000_000)
            } else {
                let seconds = row.relative / 1000
                if placings.isEmpty, row.absolute >= 1000 { placing.time = min(row.absolute / 1000, 2_999_999) }
                if !placings.isEmpty, seconds >= gap, seconds <= 30 * 86_400 { placing.gap = seconds }
                gap = max(gap, placing.gap ?? 0)
            }
            if row.bonus >= 1000, standing == .results { placing.bonus = row.bonus / 1000 }
            placings.append(placing)
        }
    }

    /// Returns a place that is not before the previous one. Only stages have several winners.
    private func place(_ row: RankingList.Row, _ standing: RaceStanding) -> Int {
        guard let last = placings.last?.place else { return max(1, row.position) }
        let isSecondLeader = row.position <= 1 && !standing.isOfStage
        return isSecondLeader ? max(2, last) : max(row.position, last)
    }

    private static func name(
        _ row: RankingList.Row, _ standing: RaceStanding, _ roster: inout RaceFileRoster
    ) -> String? {
        standing.isOfTeams ? roster.team(bib: row.bib, id: row.rider) : roster.key(bib: row.bib, id: row.rider)
    }
}

extension JSONWriter {
    mutating func placings(_ key: String, _ placings: [RaceFilePlacings.Placing]) {
        array(key, placings) { writer, placing in
            writer.object { writer in
                writer.member("place", placing.place)
                writer.member("rider", placing.rider)
                writer.member("team", placing.team)
                writer.member("time", placing.time)
                writer.member("gap", placing.gap)
                writer.member("points", placing.points)
                writer.member("bonus", placing.bonus)
            }
        }
    }
}
