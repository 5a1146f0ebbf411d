import RaceModel
import Races
import TerminalUI

/// The lists and columns of standings, and words in them.
enum StandingText {
    enum Field: Hashable { case place, gained, name, team, gap, bonus, points }

    /// Returns the lists of a stage in order: the general classification first, because it is the most important, and
    /// the winners and leaders of all stages last.
    static func lists(_ found: [Classification], hasSplits: Bool = false, hasGaps: Bool = false) -> [StandingsList] {
        let ordered = found.filter { $0 == .general } + found.filter { $0 != .general }
        let split: [StandingsList] = hasSplits ? [.splits] : []
        return ordered.map { .classification($0) } + split + (hasGaps ? [.gaps] : []) + [.stages]
    }

    /// Returns the height of the table below the chart of gaps: its rows and heading, but at most half of the space.
    ///
    /// Without enough space for a chart, the table takes all.
    static func rowsBelowChart(_ rows: Int, in height: Int) -> Int {
        let below = min(rows + 1, max(1, height / 2))
        return height - below < minimumOfChart ? height : below
    }

    /// The minimum height of a chart: two lines and the scale.
    private static let minimumOfChart = 3

    /// Returns the columns of a classification that have content.
    ///
    /// - Parameter isTiny: Whether there is space only for places, names and gaps or points.
    static func fields(_ standings: [Standing], hasTeams: Bool, isTiny: Bool = false) -> [Field] {
        let team: [Field] = hasTeams && standings.contains { $0.team != nil } ? [.team] : []
        let gained: [Field] = standings.contains { $0.gained != nil } ? [.gained] : []
        let hasPoints = standings.contains { $0.points != nil }
        let hasTimes = !hasPoints || standings.contains { $0.gap != nil }
        let bonus: [Field] = standings.contains { $0.bonus != nil } ? [.bonus] : []
        if isTiny { return [.place, .name] + (hasPoints ? [.points] : [.gap]) }
        return [.place] + gained + [.name] + team + (hasTimes ? [.gap] : []) + bonus + (hasPoints ? [.points] : [])
    }

    /// Returns the leader's time, or the gap of any other row.
    static func time(_ standing: Standing) -> DisplayText {
        if let gap = standing.gap, gap > 0 || standing.time == nil, standing.place > 1 || gap > 0 {
            return DisplayText("+" + RaceTime.text(gap))
        }
        return standing.time.map { DisplayText(RaceTime.text($0)) } ?? .empty
    }

    /// Returns the ranks gained or lost since the previous stage.
    static func gained(_ places: Int?, isLinear: Bool, hasUnicode: Bool) -> DisplayText {
        guard let places, places != 0 else { return places == nil ? "new" : isLinear ? "as before" : "=" }
        if isLinear { return DisplayText(places > 0 ? "up \(places)" : "down \(-places)") }
        guard hasUnicode else { return DisplayText(places > 0 ? "+\(places)" : "\(places)") }
        return DisplayText(places > 0 ? "▲\(places)" : "▼\(-places)")
    }

    /// Whether a stage's result is known but hidden. A future stage has none.
    static func hidesResult(of stage: Stage, today: CalendarDay) -> Bool {
        stage.isSpoiler && (stage.day ?? today) <= today
    }

    // MARK: The strip

    /// Returns the leaders of a race in the order in which they first led.
    static func leaders(_ stages: [Stage]) -> [String] {
        var leaders: [String] = []
        for leader in stages.compactMap(\.leaderAfter) where !leaders.contains(leader) { leaders.append(leader) }
        return leaders
    }

    /// Returns the runs of stages with the same leader.
    static func runs(_ stages: [Stage]) -> [(leader: String?, stages: Range<Int>)] {
        var runs: [(leader: String?, stages: Range<Int>)] = []
        for (index, leader) in stages.map(\.leaderAfter).enumerated() {
            if let last = runs.last, last.leader == leader {
                runs[runs.count - 1].stages = last.stages.lowerBound..<index + 1
            } else {
                runs.append((leader, index..<index + 1))
            }
        }
        return runs
    }

    struct Wearer: Hashable {
        var jersey: String
        var name: String
        /// Whether a sign in the jersey's colour comes before the words.
        var hasSign: Bool
        /// Whether it is a team, whose name stays whole.
        var isTeam = false
    }

    /// Returns the words for wearers of jerseys that fit into a width: all names, last names, or last names without
    /// those of the jerseys whose signs come before them.
    static func words(for wearers: [Wearer], columns: Int) -> [DisplayText] {
        let names = Set(wearers.map(\.name)).sorted()
        let last = wearers.map { $0.isTeam ? DisplayText($0.name) : short($0.name, among: names) }
        let whole = wearers.map { DisplayText($0.jersey + " " + $0.name) }
        let brief = zip(wearers, last).map { DisplayText($0.jersey + " ") + $1 }
        let signed = zip(wearers, zip(brief, last)).map { $0.hasSign ? $1.1 : $1.0 }
        func width(_ words: [DisplayText]) -> Int {
            zip(wearers, words).reduce(-2) { $0 + $1.1.columns + ($1.0.hasSign ? 5 : 2) }
        }
        return [whole, brief].first { width($0) <= columns } ?? signed
    }

    /// Returns a leader's last name, with an initial if two leaders share it.
    static func short(_ leader: String, among leaders: [String]) -> DisplayText {
        let own = RiderName.family(leader)
        let isShared = leaders.count { RiderName.family($0) == own } > 1
        return DisplayText(isShared ? "\(leader.prefix(1)). \(own)" : own)
    }
}

// MARK: Names

extension StandingText {
    static func name(of list: StandingsList) -> DisplayText {
        switch list {
        case .stages: "Winners and leaders"
        case .splits: "Split times"
        case .gaps: "Gaps from stage to stage"
        case .classification(.results): "Result"
        case .classification(.general): "General classification"
        case .classification(.points): "Points"
        case .classification(.mountain): "Mountains"
        case .classification(.youth): "Young riders"
        case .classification(.teams): "Teams"
        case .classification(.stagePoints): "Points of the stage"
        case .classification(.stageMountain): "Mountains of the stage"
        case .classification(.stageYouth): "Young riders of the stage"
        case .classification(.stageTeams): "Teams of the stage"
        }
    }

    /// Returns the name of a list among segments.
    static func shortName(of list: StandingsList) -> DisplayText {
        switch list {
        case .stages: "Winners"
        case .splits: "Splits"
        case .gaps: "Gaps"
        case .classification(.general): "General"
        case .classification(.mountain): "Mountain"
        case .classification(.youth): "Youth"
        default: name(of: list)
        }
    }

    /// Returns what is known about a list: whether it is official, and the time limit of a result.
    static func state(_ list: Classification, of stage: Stage) -> String {
        var parts: [String] = []
        if stage.isRunning == true {
            parts.append("so far")
        } else if let isProvisional = stage.isProvisional {
            parts.append(isProvisional ? "provisional" : "official")
        }
        if list == .results, let limit = stage.timeLimit { parts.append("time limit +" + RaceTime.text(limit)) }
        return parts.map { " · " + $0 }.joined()
    }
}
