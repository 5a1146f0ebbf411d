/// The groups of the last minutes of a stage, from which trends follow.
package struct GroupHistory: Hashable, Sendable {
    /// The groups from the earliest to the newest, each instant once.
    package private(set) var snapshots: [RaceGroups] = []

    /// The number of seconds that are kept, and the maximum number of snapshots in them.
    private static let (span, most): (Int64, Int) = (900, 120)
    /// How long before the newest groups those with which they are compared should be, and may be, in seconds.
    private static let (ideal, least, longest): (Int64, Int64, Int64) = (300, 240, 420)

    package init() {}

    /// The newest groups.
    package var newest: RaceGroups? { snapshots.last }

    /// Adds groups, in any order. Those of another stage replace all.
    package mutating func add(_ groups: RaceGroups) {
        if let stage = newest?.stage, let other = groups.stage, stage != other { snapshots = [] }
        snapshots.removeAll { $0.at == groups.at }
        let place = snapshots.firstIndex { $0.at > groups.at } ?? snapshots.count
        snapshots.insert(groups, at: place)
        guard let end = newest?.at else { return }
        snapshots.removeAll { $0.at < end - GroupHistory.span }
        if snapshots.count > GroupHistory.most { snapshots.removeFirst(snapshots.count - GroupHistory.most) }
    }

    /// The groups of about five minutes before the newest, or `nil` if none are known of that time.
    package var earlier: RaceGroups? {
        guard let end = newest?.at else { return nil }
        let ages = snapshots.map { (age: end.seconds(since: $0.at), groups: $0) }
        return ages.filter { $0.age >= GroupHistory.least && $0.age <= GroupHistory.longest }
            .min { abs($0.age - GroupHistory.ideal) < abs($1.age - GroupHistory.ideal) }?.groups
    }

    /// Returns how much the gap of a group of the newest snapshot grew in about five minutes, in seconds.
    ///
    /// - Returns: `nil` for the first group, if the time before is unknown, and if no group of then has at least half of
    ///   the riders of the smaller one in common.
    package func trend(ofGroup index: Int) -> Int? {
        guard index > 0, let newest, newest.groups.indices.contains(index), let earlier,
            let then = match(newest.groups[index], in: earlier.groups)
        else { return nil }
        return newest.groups[index].gap - then.gap
    }

    private func match(_ group: RaceGroups.Group, in others: [RaceGroups.Group]) -> RaceGroups.Group? {
        guard !group.members.isEmpty else { return others.first { $0.name == group.name } }
        let members = Set(group.members)
        let shared = others.map { (group: $0, count: $0.members.count { members.contains($0) }) }
        guard let best = shared.max(by: { $0.count < $1.count }),
            best.count * 2 >= min(members.count, best.group.members.count), best.count > 0
        else { return nil }
        return best.group
    }
}
