import GRDB
import LibraryKernel
import RaceModel

/// The times at a place on the way of a time trial.
package struct SplitTimes: Hashable, Sendable {
    package var name: String?
    /// The position in kilometres from the start.
    package var km: Double
    package var standings: [Standing]
}

/// The gaps of a rider in the general classification from stage to stage.
package struct GapLine: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var stage: Int
        /// The gap to the leader in seconds.
        package var gap: Int
    }

    /// The rider, as ``Rider/key``.
    var key: String
    package var name: String
    /// The place after the last stage.
    package var place: Int
    package var points: [Point]
}

extension RaceStore {
    /// Returns the times on the way of a time trial, in the order of the road. There are none while its result is hidden.
    package func splits(of stage: Int, in race: String) throws(LibraryError) -> [SplitTimes] {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return [] }
            guard let splits = try StoredRace.stage(stage, of: race, db)?.splits, !splits.isEmpty else { return [] }
            let roster = try RaceStore.roster(of: race, db)
            return try splits.enumerated().map { place, split in
                let placings = try RaceStore.placings(Classification.firstSplit + place, of: stage, in: race, db)
                return SplitTimes(
                    name: split.name, km: split.km,
                    standings: placings.map { RaceStore.standing($0, in: .results, roster) })
            }
        }
    }

    /// Returns the gaps of the first riders of the general classification after each stage up to one. Stages whose
    /// results are hidden are left out.
    package func gapLines(upTo stage: Int, in race: String, first count: Int = 10) throws(LibraryError) -> [GapLine] {
        try store.read { db in
            let filter = try SpoilerFilter.read(db)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT number, rider, place, gap FROM stage_placing
                    WHERE race_id = ? AND classification = ? AND number <= ? AND rider IS NOT NULL
                    ORDER BY number DESC, row
                    """, arguments: [race, Classification.general.rawValue, stage])
            var lines: [GapLine] = []
            var index: [String: Int] = [:]
            var newest: Int?
            let roster = try RaceStore.roster(of: race, db)
            for row in rows {
                let (number, rider): (Int, String) = (try row.at(0), try row.at(1))
                guard filter?.hides(race, stage: number) != true else { continue }
                newest = newest ?? number
                let stored: (place: Int, gap: Int?) = (try row.at(2), try row.at(3))
                if number == newest, lines.count < count, index[rider] == nil {
                    index[rider] = lines.count
                    let place = stored.place.limited(to: RaceLimits.places)
                    lines.append(
                        GapLine(key: rider, name: roster.riders[rider]?.name ?? rider, place: place, points: []))
                }
                let gap = stored.gap.ifSound(RaceLimits.gaps.contains) ?? (stored.place == 1 ? 0 : nil)
                guard let line = index[rider], let gap else { continue }
                lines[line].points.append(GapLine.Point(stage: number, gap: gap))
            }
            for line in lines.indices { lines[line].points.reverse() }
            return lines
        }
    }
}
