import RaceModel

/// How final a list is.
enum RankingStatus: Int, Hashable, Sendable, Comparable {
    /// The stage is under way.
    case running
    /// Published, but not confirmed.
    case provisional
    case official

    /// Reads a code: "2", "1" or "0". Others count as provisional.
    init(code: Int?) {
        switch code {
        case 0: self = .official
        case 2: self = .running
        default: self = .provisional
        }
    }

    static func < (left: RankingStatus, right: RankingStatus) -> Bool { left.rawValue < right.rawValue }
}

extension Classification {
    /// The race centre's codes, the preferred one first.
    ///
    /// i is for individual, e for team (équipe); t for time, p for points, m for mountain, j for youth; e at the end for the
    /// stage (étape), g for general.
    var codes: [String] {
        switch self {
        case .results: ["ite"]
        case .general: ["itg"]
        case .points: ["ipg"]
        case .mountain: ["img"]
        case .youth: ["ijg"]
        case .teams: ["etg"]
        case .stagePoints: ["ipe"]
        case .stageMountain: ["ime"]
        case .stageYouth: ["ije"]
        case .stageTeams: ["ete", "ttt"]
        }
    }

    /// Whether the list has points instead of times.
    var hasPoints: Bool { [.points, .mountain, .stagePoints, .stageMountain].contains(self) }
}

/// A classification at a checkpoint.
struct RankingList: Hashable, Sendable {
    struct Row: Hashable, Sendable {
        /// The place from 1, or a negative code for those who left the race.
        var position: Int
        var bib: Int?
        /// The identifier of the rider's record if the row has no number. Rows of teams name one of their riders.
        var rider: String?
        /// The time in milliseconds, or the points.
        var absolute: Int
        /// The gap to the first in milliseconds.
        var relative: Int
        /// The bonus in milliseconds.
        var bonus: Int
        /// The penalty in milliseconds or points. 999 among jerseys marks who leads the list but wears another jersey.
        var penalty: Int

        var who: RiderReference { RiderReference(bib: bib, rider: rider) }
    }

    /// The race centre's code, such as `itg`.
    var code: String
    /// The number of the checkpoint in the ``RoadBook``.
    var checkpoint: Int?
    /// The kilometres from the start; in general lists those of all stages together.
    var km: Double?
    var isFinish: Bool
    var status: RankingStatus
    /// The time limit in milliseconds.
    var timeLimit: Int?
    /// The real start while the stage is under way, then the arrival of the winner.
    var firstTime: Instant?
    /// The rows with a place, in its order.
    var rows: [Row]
    /// The rows of those who left the race.
    var out: [Row]
    var updatedAt: Instant

    func mayReplace(_ old: RankingList) -> Bool {
        RankingList.mayReplace((old.rows.count, old.status), with: (rows.count, status))
    }

    /// Whether a list may take the place of an earlier one.
    ///
    /// Provisional lists often have only the first ten: those never replace a longer one. Empty lists replace nothing,
    /// and an official list is only replaced by another official or a longer one.
    static func mayReplace(
        _ old: (count: Int, status: RankingStatus), with new: (count: Int, status: RankingStatus)
    ) -> Bool {
        guard new.count > 0 else { return false }
        // A list of a stage under way changes until its end.
        if old.status == .running { return true }
        guard old.count > 0, new.status < .official else { return true }
        if old.status == .official { return new.count > old.count }
        return new.count > firstPlaces || new.count >= old.count
    }

    /// The number of places in a list of the first only.
    static let firstPlaces = 10
}

/// All classifications of a stage.
struct StageRankings: Hashable, Sendable {
    /// The lists, without those that are older than another one of the same code and checkpoint.
    private(set) var lists: [RankingList]

    /// Reads the classifications of a stage. An empty response has none.
    init(_ body: [UInt8], bind: String) throws(CentreFailure) {
        lists = try CentreRecords(body).wanted(bind).reading(atMost: RaceBounds.rankings) { RankingList($0) }
    }

    init(lists: [RankingList]) { self.lists = lists }

    var isEmpty: Bool { lists.isEmpty }

    /// Returns the list of a standing at the finish, or `nil` if there is none with a place.
    ///
    /// The points of a stage are those at all its sprints or climbs together.
    func list(of standing: Classification) -> RankingList? {
        if standing.isOfStage, standing.hasPoints { return RankingList(sumOf: ordered(standing.codes)) }
        return newest(standing.codes, of: lists.filter { !$0.rows.isEmpty })
    }

    /// Returns the newest list of the first code that any list has, if possible at the finish.
    private func newest(_ codes: [String], of lists: [RankingList]) -> RankingList? {
        codes.lazy.compactMap { code in
            lists.filter { $0.code == code }.max {
                ($0.isFinish ? 1 : 0, $0.updatedAt) < ($1.isFinish ? 1 : 0, $1.updatedAt)
            }
        }.first
    }

    /// The times at the checkpoints of a time trial, in the order of the road, without the start and the finish.
    var splits: [RankingList] { ordered(["itt"]).filter { !$0.isFinish && $0.km ?? 0 > 0 } }

    /// The points at single summits, and the points and bonus seconds at single sprints, in the order of the road.
    var summits: [RankingList] { ordered(["ime"]) }
    var sprints: [RankingList] { ordered(["ipe"]) + ordered(["ibe"]) }

    private func ordered(_ codes: [String]) -> [RankingList] {
        lists.filter { codes.contains($0.code) && !$0.rows.isEmpty }
            .sorted { ($0.km ?? 0, $0.checkpoint ?? 0, $0.code) < ($1.km ?? 0, $1.checkpoint ?? 0, $1.code) }
    }

    /// The list of the riders, or of the teams before there is one.
    private var stageList: RankingList? { newest(["ite", "ttt"], of: lists) }

    /// Whether riders have passed a place on the way of a time trial, but have no place at the finish and are not out.
    ///
    /// A list with exactly as many riders as the shortest ones says nothing about the others.
    var areRidersOnTheRoad: Bool {
        guard let finish = list(of: .results), finish.rows.count != RankingList.firstPlaces else { return false }
        let known = Set((finish.rows + out).map(\.who))
        return splits.contains { $0.rows.contains { !known.contains($0.who) } }
    }

    /// The time limit in seconds.
    var timeLimit: Int? { stageList?.timeLimit.flatMap { $0 >= 1000 ? $0 / 1000 : nil } }

    /// How final the stage's own list is, which may have no riders yet.
    var status: RankingStatus? { stageList?.status }

    /// The real start, while the stage is under way.
    var start: Instant? { stageList.flatMap { $0.status == .running ? $0.firstTime : nil } }

    /// The arrival of the winner.
    var arrival: Instant? {
        stageList.flatMap { $0.status == .running || $0.rows.isEmpty ? nil : $0.firstTime }
    }

    /// The riders who left the race on this stage, by number or identifier, with codes such as −1.
    var out: [RankingList.Row] { stageList?.out ?? [] }

    /// Replaces the lists that a newer response may replace, and adds new ones.
    func merged(with new: StageRankings) -> StageRankings {
        var result = new.lists.map { list -> RankingList in
            guard let old = lists.first(where: { $0.isSame(as: list) }), !list.mayReplace(old) else { return list }
            // Those who left are only complete in the newest list.
            var kept = old
            if list.out.count > kept.out.count { kept.out = list.out }
            return kept
        }
        for old in lists where result.count < 2 * RaceBounds.rankings {
            if !new.lists.contains(where: { $0.isSame(as: old) }) { result.append(old) }
        }
        return StageRankings(lists: result)
    }
}

extension RankingList {
    /// Adds up the points of several lists, or returns `nil` without any. Those with equal points share a place.
    init?(sumOf lists: [RankingList]) {
        guard let first = lists.first else { return nil }
        self = first
        (isFinish, out) = (true, [])
        status = lists.map(\.status).min() ?? status
        updatedAt = lists.map(\.updatedAt).max() ?? updatedAt
        var sums: [(row: Row, order: Int)] = []
        var index: [RiderReference: Int] = [:]
        for row in lists.flatMap(\.rows) {
            if let known = index[row.who] {
                sums[known].row.absolute = sums[known].row.absolute.addingClamped(row.absolute)
            } else {
                index[row.who] = sums.count
                sums.append((row, sums.count))
            }
        }
        rows = sums.sorted { ($1.row.absolute, $0.order) < ($0.row.absolute, $1.order) }.map(\.row)
        for place in rows.indices {
            let isEqual = place > 0 && rows[place - 1].absolute == rows[place].absolute
            rows[place].position = isEqual ? rows[place - 1].position : place + 1
        }
    }

    func isSame(as other: RankingList) -> Bool {
        code == other.code && checkpoint == other.checkpoint && isFinish == other.isFinish
    }
}
