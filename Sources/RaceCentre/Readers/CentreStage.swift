import RaceModel

/// A stage as a race centre announces it.
package struct CentreStage: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case flat, hilly
        case mediumMountain = "medium mountain"
        case mountain
        case individualTimeTrial = "individual time trial"
        case teamTimeTrial = "team time trial"

        var isTimeTrial: Bool { self == .individualTimeTrial || self == .teamTimeTrial }
    }

    package var number: Int
    /// The day as a number of days since 1970-01-01.
    var day: Int64?
    /// The offset of local time from UTC in seconds.
    var offset: Int
    /// The real start and the expected end.
    package var start: Instant?
    var finish: Instant?
    /// The name of the town, as the race centre has it in French.
    var departure: String?
    var arrival: String?
    /// The length in kilometres.
    var length: Double?
    /// `nil` for kinds that are unknown.
    var kind: Kind?
    var isCancelled: Bool
    /// Whether groups are to be expected. Time trials have none.
    var hasGroups: Bool

    var isTimeTrial: Bool { kind?.isTimeTrial == true }

    /// The day as `2026-07-04`.
    var date: String? { day.map(CentreTime.text(ofDay:)) }

    /// Reads the stages of an edition, sorted by number. An empty response has none.
    static func read(_ body: [UInt8], bind: String) throws(CentreFailure) -> [CentreStage] {
        var stages: [Int: (stage: CentreStage, at: Instant)] = [:]
        for record in try CentreRecords(body).wanted(bind) {
            guard let stage = CentreStage(record), stages.count < RaceBounds.stages else { continue }
            let at = record.updatedAt ?? 0
            if let other = stages[stage.number], other.at > at { continue }
            stages[stage.number] = (stage, at)
        }
        return stages.values.map(\.stage).sorted { $0.number < $1.number }
    }

    private init?(_ record: JSONNode) {
        guard let number = record["stage"]?.whole, RaceLimits.stageNumbers.contains(number) else { return nil }
        self.number = number
        let date = record["date"]?.text(upTo: 40)
        day = date.flatMap { CentreTime.day($0) }.ifSound(RaceBounds.days.contains)
        let zone = record["timezone"]?.text(upTo: 60)
        offset =
            day.flatMap { day in zone.flatMap { RaceZone.offset($0, onDay: day) } }
            ?? date.flatMap { CentreTime.instant($0)?.offset } ?? 0
        departure = record["departureCity"]?["label"]?.text(upTo: 200)
        arrival = record["arrivalCity"]?["label"]?.text(upTo: 200)
        length = (record["length"]?.number ?? record["lengthDisplay"]?.number).ifSound(RaceBounds.isLength)
        kind = CentreStage.kind(record["type"]?.text(upTo: 20))
        isCancelled = record["isCancelled"]?.bool ?? false
        hasGroups = record["showGroups"]?.bool ?? (kind?.isTimeTrial != true)
        guard let midnight = day.map({ Instant($0 * 86_400 - Int64(offset)) }) else { return }
        start = record["startTime"]?.text(upTo: 20).flatMap { CentreTime.seconds($0) }.map { midnight + $0 }
        finish = record["endTime"]?.text(upTo: 20).flatMap { CentreTime.seconds($0) }.map { midnight + $0 }
        if let start, let end = finish, end <= start { finish = nil }
    }

    /// Returns what a stored stage says, or `nil` if it has no day.
    init?(stored stage: Stage) {
        guard let day = stage.day?.number else { return nil }
        (number, self.day, length) = (stage.number, day, stage.distance)
        offset = stage.startTime.flatMap { CentreTime.instant($0)?.offset } ?? 7200
        (start, finish) = (stage.startInstant, stage.finishInstant)
        kind = stage.type.flatMap { Kind(rawValue: $0) }
        isCancelled = stage.isCancelled
        hasGroups = kind?.isTimeTrial != true
    }

    /// Returns the kind for a code. Several sets of codes are in use.
    static func kind(_ code: String?) -> Kind? {
        switch code?.uppercased() {
        case "PLN": .flat
        case "VAL": .hilly
        case "MMG": .mediumMountain
        case "HMG": .mountain
        // Some programs take PAS for mountains, but the stages that have it are time trials.
        case "PAS", "IND", "ITT": .individualTimeTrial
        case "EQU", "TTT": .teamTimeTrial
        default: nil
        }
    }
}

extension CentreStage {
    /// Returns the days between the first and the last stage without one, as `2026-07-13`.
    static func restDays(between stages: [CentreStage]) -> [String] {
        let days = Set(stages.compactMap(\.day))
        // A wrong date must not create years of rest days.
        guard let first = days.min(), let last = days.max(), last - first < 60 else { return [] }
        return (first...max(first, last)).filter { !days.contains($0) }.map(CentreTime.text(ofDay:))
    }
}
