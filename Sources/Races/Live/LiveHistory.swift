import LibraryKernel
import RaceModel

/// The reports of the last minutes, to compare gaps.
package struct LiveHistory: Hashable, Sendable {
    private var reports: [LiveReport] = []
    /// How long reports are kept, in seconds.
    private static let age: Int64 = 1200
    /// How long before the newest report the one that it is compared with should be, and may be, in seconds.
    private static let (ideal, minimum, longest): (Int64, Int64, Int64) = (300, 240, 420)

    package init() {}

    /// Adds a report unless it is known.
    package mutating func add(_ report: LiveReport) {
        guard let instant = report.instant, reports.last?.at != report.at else { return }
        // A report from before the last one belongs to another stage or a corrected clock.
        reports.removeAll {
            ($0.instant ?? 0) >= instant || ($0.instant ?? 0) < instant - LiveHistory.age
        }
        reports.append(report)
    }

    /// Returns by how many seconds the gap of a group has grown in about five minutes, or `nil` if there is no earlier
    /// report with the group.
    package func trend(of group: LiveGroup) -> Int? {
        guard let gap = group.gap, let newest = reports.last?.instant else { return nil }
        let earlier = reports.dropLast().filter { report in
            let age = newest.seconds(since: report.instant ?? newest)
            return age >= LiveHistory.minimum && age <= LiveHistory.longest
        }
        .min { distance($0, newest) < distance($1, newest) }
        return earlier.flatMap { match(group, in: $0.groups ?? []) }?.gap.map { gap.subtractingClamped($0) }
    }

    private func distance(_ report: LiveReport, _ newest: Instant) -> UInt64 {
        newest.seconds(since: report.instant ?? newest).subtractingClamped(LiveHistory.ideal).magnitude
    }

    /// Returns the group with at least half of the riders of the smaller one in common. Groups without riders are known
    /// by their names.
    private func match(_ group: LiveGroup, in others: [LiveGroup]) -> LiveGroup? {
        guard let riders = group.riders, !riders.isEmpty else { return others.first { $0.name == group.name } }
        let members = Set(riders)
        let shared = others.map { (group: $0, count: ($0.riders ?? []).count { members.contains($0) }) }
        guard let best = shared.max(by: { $0.count < $1.count }), best.count > 0,
            best.count * 2 >= min(members.count, best.group.riders?.count ?? 0)
        else { return nil }
        return best.group
    }
}
