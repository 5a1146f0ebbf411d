import LibraryKernel
import RaceModel

extension RaceStore {
    /// Returns the general classification on the road: that after the last stage with the gaps of the groups added.
    ///
    /// Riders of no group count as in the peloton if the source doesn't list who is in it; otherwise they are left out.
    ///
    /// - Parameter report: The groups of the stage under way.
    /// - Returns: The rows, whose gaps are to the first one. It is empty if groups or classification are unknown or hidden.
    package func virtualStandings(_ report: LiveReport, of stage: Int, in race: String) throws(LibraryError)
        -> [Standing]
    {
        guard let groups = report.groups, groups.count > 1 else { return [] }
        var before: [Standing] = []
        // A cancelled stage has no standings.
        for earlier in [1, 2, 3] where before.isEmpty && stage > earlier {
            before = try standings(.general, of: stage - earlier, in: race)
        }
        // A group that isn't listed has nobody who left the race.
        let gone = try store.read { db in
            Set(try RaceStore.roster(of: race, db).withdrawals.filter { $0.stage <= stage }.map(\.rider))
        }
        before.removeAll { gone.contains($0.key) }
        return VirtualStandings.rows(before, groups: groups, peloton: report.peloton)
    }
}

/// Computes the general classification on the road.
enum VirtualStandings {
    static func rows(_ before: [Standing], groups: [LiveGroup], peloton: Int?) -> [Standing] {
        var gaps: [String: Int] = [:]
        for (place, group) in groups.enumerated() {
            guard let gap = place == 0 ? 0 : group.gap else { continue }
            for rider in group.riders ?? [] where gaps[rider] == nil { gaps[rider] = gap }
        }
        let unlisted = peloton.flatMap { place in
            groups[place].riders?.isEmpty ?? true ? (place == 0 ? 0 : groups[place].gap) : nil
        }
        let rows = before.compactMap { row -> (row: Standing, gap: Int)? in
            guard let now = gaps[row.key] ?? unlisted, let gap = row.place == 1 ? 0 : row.gap else { return nil }
            return (row, gap + now)
        }
        let sorted = rows.enumerated().sorted { ($0.element.gap, $0.offset) < ($1.element.gap, $1.offset) }.map(
            \.element)
        guard let first = sorted.first else { return [] }
        return sorted.enumerated().map { place, element in
            var row = element.row
            row.gained = row.place - (place + 1)
            row.place = place + 1
            (row.gap, row.time) = (element.gap - first.gap, nil)
            return row
        }
    }
}
