import RaceModel

/// The riders and teams of a race that is assembled.
///
/// A race names only riders whom it lists. So riders that the race centre mentions without listing them get an entry
/// with their number, and those of the previous version stay.
struct EditionRoster {
    /// The riders. Each has an identifier, which is the number if there is one.
    private(set) var riders: [Rider] = []
    private var index: [String: Int] = [:]
    private let source: CentreRoster
    /// The keys of riders by the number or identifier that rows have.
    private var keys: [Int: String] = [:]

    /// - Parameter isWhole: Whether the riders of the source are all, in their order. Otherwise they are those whom
    ///   other documents mention.
    init(_ source: CentreRoster, isWhole: Bool = true, previous: Race?) {
        self.source = source
        // The list of riders and that of teams may come one after the other.
        let teams = Dictionary((previous?.riders ?? []).map { ($0.key, $0.team) }) { first, _ in first }
        let listed = source.riders.map { rider in
            let owner = source.rider(id: nil, bib: rider.bib)
            let key = rider.bib.flatMap { owner?.id == rider.id ? String($0) : nil } ?? rider.id
            return Rider(
                id: key, name: rider.name, number: rider.bib, country: rider.country,
                team: source.team(id: rider.team)?.name ?? teams[key] ?? nil)
        }
        let known = (previous?.riders ?? []).map { rider in
            var rider = rider
            rider.id = rider.key
            return rider
        }
        if isWhole {
            for rider in listed + known { add(rider) }
        } else {
            let newer = Dictionary(listed.map { ($0.key, $0) }) { first, _ in first }
            for rider in known.map({ newer[$0.key] ?? $0 }) + listed { add(rider) }
        }
    }

    private mutating func add(_ rider: Rider) {
        guard index[rider.key] == nil, riders.count < RaceCheck.maximumRiders else { return }
        index[rider.key] = riders.count
        riders.append(rider)
    }

    /// Returns the key of the rider to whom a row refers, adding one who is not listed.
    mutating func key(bib: Int?, id: String?) -> String? {
        if let bib, let key = keys[bib] { return key }
        let rider = source.rider(id: id, bib: bib)
        let key = rider.map { $0.bib.map { String($0) } ?? $0.id } ?? bib.map { String($0) } ?? id
        guard let key else { return nil }
        // The number of a rider who is listed by identifier belongs to somebody else.
        let known = index[key] != nil ? key : rider.flatMap { index[$0.id] != nil ? $0.id : nil }
        if known == nil { add(Rider(id: key, name: EditionRoster.name(ofUnknown: key), number: bib)) }
        let result = known ?? (index[key] != nil ? key : nil)
        if let bib, let result { keys[bib] = result }
        return result
    }

    /// Returns the name of a rider whom nobody has listed yet.
    static func name(ofUnknown key: String) -> String { "No. \(key)" }

    /// Returns the key of a rider of the previous version, who has it or whose name it is, or `nil` for others.
    func key(ofPrevious text: String) -> String? {
        index[text] != nil ? text : riders.first { $0.name == text }?.key
    }

    func name(ofKey key: String) -> String { index[key].map { riders[$0].name } ?? key }

    /// Returns the name of the team of the rider to whom a row refers.
    private func team(bib: Int?, id: String?) -> String? {
        if let team = source.rider(id: id, bib: bib)?.team { return source.team(id: team)?.name }
        return bib.flatMap { index[String($0)] }.flatMap { riders[$0].team }
    }
}

// MARK: Lists

extension EditionRoster {
    /// Returns the rows of a list: each rider once, places in order, and no gap smaller than the one before.
    mutating func placings(_ list: RankingList, of classification: Classification) -> [Placing] {
        var placings: [Placing] = []
        var seen: Set<String> = []
        var gap = 0
        for row in list.rows {
            let isTeam = classification.isOfTeams
            let name = isTeam ? team(bib: row.bib, id: row.rider) : key(bib: row.bib, id: row.rider)
            guard let name, seen.insert(name).inserted else { continue }
            var placing = Placing(
                place: EditionRoster.place(row, classification, after: placings.last?.place),
                rider: isTeam ? nil : name, team: isTeam ? name : nil)
            if classification.hasPoints {
                // Points that were won; a penalty is part of them.
                placing.points = Double(row.absolute.limited(-1_000_000, 1_000_000))
            } else {
                let seconds = row.relative / 1000
                if placings.isEmpty, row.absolute >= 1000 { placing.time = min(row.absolute / 1000, 2_999_999) }
                if !placings.isEmpty, seconds >= gap, seconds <= 30 * 86_400 { placing.gap = seconds }
                gap = max(gap, placing.gap ?? 0)
            }
            if row.bonus >= 1000, classification == .results { placing.bonus = row.bonus / 1000 }
            placings.append(placing)
        }
        return placings
    }

    /// Returns a place that is not before the previous one. Only stages have several winners.
    private static func place(_ row: RankingList.Row, _ classification: Classification, after last: Int?) -> Int {
        guard let last else { return max(1, row.position) }
        let isSecondLeader = row.position <= 1 && !classification.isOfStage
        return isSecondLeader ? max(2, last) : max(row.position, last)
    }
}
