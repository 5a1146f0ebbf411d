import FeedParsing
import GRDB
import LibraryKernel
import RaceModel

/// The riders of a stage as its live page names them: start list, jerseys and withdrawals.
package struct LiveRoster: Hashable, Sendable {
    /// A rider who wears the jersey of a classification.
    package struct Wearer: Hashable, Sendable {
        package var list: Classification
        /// The rider, as ``Rider/key``.
        package var rider: String
    }

    package let riders: [Rider]
    /// The wearers, the most important jersey first.
    package let wearers: [Wearer]
    /// The withdrawals up to the stage.
    package let withdrawals: [Withdrawal]
    /// The riders whom the user has marked, or whose teams are, as ``Rider/key``.
    package let favourites: [String]
    private let teams: [String: String]
    private let index: [String: Int]

    package init(
        riders: [Rider] = [], teams: [Team] = [], wearers: [Wearer] = [], withdrawals: [Withdrawal] = [],
        favourites: Favourites = Favourites()
    ) {
        self.riders = riders
        self.wearers = wearers
        self.withdrawals = withdrawals
        let names = Dictionary(teams.map { ($0.key, $0.name) }) { first, _ in first }
        self.teams = names
        let marked = riders.filter { favourites.contains(.rider, $0.name) }
        let ofTeams = riders.filter { rider in favourites.contains(.team, rider.team.map { names[$0] ?? $0 }) }
        self.favourites = (marked + ofTeams.filter { !marked.contains($0) }).map(\.key)
        index = Dictionary(riders.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }

    /// Returns the index of a rider in ``riders``.
    package func index(of key: String) -> Int? { index[key] }

    package func rider(_ key: String) -> Rider? { index[key].map { riders[$0] } }

    /// Returns the name of a rider, or the key of one who is not listed.
    package func name(_ key: String) -> String { rider(key)?.name ?? key }

    /// Returns the name of a rider's team.
    package func team(_ key: String) -> String? { rider(key)?.team.map { teams[$0] ?? $0 } }

    /// Returns the classifications whose jerseys a rider wears.
    package func jerseys(of key: String) -> [Classification] { wearers.filter { $0.rider == key }.map(\.list) }

    package func withdrawal(of key: String) -> Withdrawal? { withdrawals.first { $0.rider == key } }

    /// Returns the riders with a number, or whose names contain words that begin with all words of a text.
    package func riders(matching text: String, limit: Int) -> [Rider] {
        let words = LiveRoster.words(text)
        guard !words.isEmpty else { return [] }
        if words.count == 1, let number = Int(words[0]) {
            return Array(riders.filter { $0.number == number }.prefix(limit))
        }
        return Array(
            riders.lazy.filter { rider in
                let names = LiveRoster.words(rider.name)
                return words.allSatisfy { word in names.contains { $0.hasPrefix(word) } }
            }.prefix(limit))
    }

    /// Returns the favourites whom a text names, each by a word of the name without the given name.
    package func favourites(in text: String) -> [String] {
        guard !favourites.isEmpty else { return [] }
        let said = Set(LiveRoster.words(text))
        return favourites.filter { key in
            let words = LiveRoster.words(name(key))
            return words.dropFirst(words.count > 1 ? 1 : 0).contains { $0.count > 3 && said.contains($0) }
        }
    }

    private static func words(_ text: String) -> [Substring] {
        SeasonRace.words([text]).split { $0.isWhitespace || $0 == "-" || $0 == "'" || $0 == "’" }
    }
}

/// A rider's place in a list after a stage.
package struct RiderPlace: Hashable, Sendable {
    package var list: Classification
    var stage: Int
    package var place: Int
    package var gap: Int?
    package var points: Double?
}

extension RaceStore {
    /// Returns the riders of a stage, with the jerseys that they wear during it.
    ///
    /// If the race doesn't say who wears them, the leaders after the previous stage do. A rider who leads several
    /// classifications wears only the most important jersey, and the next of the list wears the other.
    package func liveRoster(of stage: Int, in race: String) throws(LibraryError) -> LiveRoster {
        try store.read { db in
            var whole = Race(race: race, year: 0, stages: [])
            try StoredRace.addRoster(&whole, of: race, db)
            let filter = try SpoilerFilter.read(db)
            func isHidden(_ stage: Int) -> Bool { filter?.hides(race, stage: stage) == true }
            return LiveRoster(
                riders: whole.riders ?? [], teams: whole.teams ?? [],
                wearers: isHidden(stage) ? [] : try RaceStore.wearers(in: stage, of: race, isHidden, db),
                withdrawals: (whole.withdrawals ?? []).filter { $0.stage <= stage && !isHidden($0.stage) },
                favourites: try Favourites.read(db))
        }
    }

    private static func wearers(in stage: Int, of race: String, _ isHidden: (Int) -> Bool, _ db: Database) throws
        -> [LiveRoster.Wearer]
    {
        let previous = try Int.fetchOne(
            db, sql: "SELECT max(number) FROM stage WHERE race_id = ? AND number < ?", arguments: [race, stage])
        // The jerseys of a stage show the standings after the previous one.
        guard !(previous.map(isHidden) ?? false) else { return [] }
        let known = try StoredRace.stage(stage, of: race, db)?.wearers ?? [:]
        let lists = Classification.standings.filter { !$0.isOfTeams }
        if !known.isEmpty {
            return lists.compactMap { list in known[list.name].map { LiveRoster.Wearer(list: list, rider: $0) } }
        }
        var wearers: [LiveRoster.Wearer] = []
        guard let previous else { return [] }
        for list in lists {
            let riders = try String.fetchAll(
                db,
                sql: """
                    SELECT rider FROM stage_placing
                    WHERE race_id = ? AND number = ? AND classification = ? AND rider IS NOT NULL ORDER BY row LIMIT 10
                    """, arguments: [race, previous, list.rawValue])
            guard let rider = riders.first(where: { rider in !wearers.contains { $0.rider == rider } }) else {
                continue
            }
            wearers.append(LiveRoster.Wearer(list: list, rider: rider))
        }
        return wearers
    }

    /// Returns a rider's places: in the result of a stage, and in the newest classifications up to it.
    package func places(of rider: String, upTo stage: Int, in race: String) throws(LibraryError) -> [RiderPlace] {
        try store.read { db in
            let filter = try SpoilerFilter.read(db)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT number, classification, place, gap, points FROM stage_placing
                    WHERE race_id = ? AND rider = ? AND number <= ? AND classification < ?
                    ORDER BY classification, number DESC
                    """,
                arguments: [race, rider, stage, Classification.teams.rawValue])
            var places: [RiderPlace] = []
            for row in rows {
                let (number, kind): (Int, Int) = (try row.at(0), try row.at(1))
                guard let list = Classification(rawValue: kind), list != .results || number == stage,
                    filter?.hides(race, stage: number) != true, !places.contains(where: { $0.list == list })
                else { continue }
                let place: Int = try row.at(2)
                let gap: Int? = try row.at(3)
                let points: Double? = try row.at(4)
                places.append(
                    RiderPlace(
                        list: list, stage: number, place: place.limited(to: RaceLimits.places),
                        gap: gap.ifSound(RaceLimits.gaps.contains), points: points.ifSound(RaceLimits.isPoints)))
            }
            return places
        }
    }
}
