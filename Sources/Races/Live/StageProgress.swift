import FeedParsing
import LibraryKernel
import RaceModel

/// The state of a stage at an instant, derived from its times, ticker and results.
package struct StageProgress: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// The stage starts at this instant.
        case coming(Instant)
        case underWay
        /// The stage has ended, or its winner is known.
        case over
        case cancelled
        /// The start time is unknown.
        case unknown
    }

    package var phase = Phase.unknown
    /// The last position in the ticker, in kilometres from the start.
    package var km: Double?
    /// The remaining distance, if the stage's distance is known.
    package var kilometresToGo: Double?
    /// The estimated end from the speed so far, or the planned one. It is unknown once it has passed without a result.
    package var finish: Instant?
    /// The gap from the first group to the peloton in seconds, if a recent report says it.
    package var pelotonGap: Int?
    /// The gap of the group of the leader of the general classification, if that is neither the first nor the peloton.
    package var leaderGap: Int?

    /// The number of seconds after which a stage without a known end counts as over.
    private static let longest: Int64 = 8 * 3600
    /// The number of seconds after the planned end in which a stage may still be under way without a result.
    private static let delay: Int64 = 3600
    /// The number of seconds by which the clock here may be behind that of the race.
    private static let slowest: Int64 = 600

    /// - Parameters:
    ///   - ticker: The messages, earliest first. Messages from the future are ignored.
    ///   - now: The current time.
    ///   - live: The newest report, used if it is newer than the ticker and not outdated.
    package init(_ stage: Stage, ticker: [TickerLine], live: LiveReport? = nil, now: Instant) {
        finish = stage.finishInstant
        guard !stage.isCancelled else {
            phase = .cancelled
            return
        }
        if stage.winner != nil {
            phase = .over
            return
        }
        // In a time trial many positions are true at once.
        let hasHead = stage.timeTrial == nil
        let told = !hasHead ? nil : ticker.last { ($0.instant ?? .distantFuture) <= now && $0.km != nil }
        let report = (hasHead ? live : nil).flatMap { live -> (km: Double, instant: Instant)? in
            // The clock here may be slow.
            guard let instant = live.instant, instant <= now + StageProgress.slowest,
                live.freshness(at: now) != .old,
                let toGo = live.kmToGo, let distance = stage.distance, toGo <= distance
            else { return nil }
            return (distance - toGo, instant)
        }
        if let report, report.instant >= told?.instant ?? .distantPast {
            pelotonGap = live?.pelotonGap
            let leader = stage.wearers?[Classification.general.name]
            leaderGap = leader.flatMap { live?.gap(of: $0) }
            if leaderGap == pelotonGap { leaderGap = nil }
            advance(to: report.km, at: report.instant, on: stage)
            finish = live?.finishInstant ?? finish
        } else if let told, let km = told.km {
            advance(to: km, at: told.instant, on: stage)
        }
        guard let start = stage.startInstant else {
            phase = told == nil && report == nil ? .unknown : .underWay
            forgetPastFinish(now)
            return
        }
        let end = max(finish ?? start + StageProgress.longest, stage.finishInstant ?? start) + StageProgress.delay
        phase = now < start ? .coming(start) : now < end ? .underWay : .over
        if phase != .underWay { (km, kilometresToGo, pelotonGap, leaderGap) = (nil, nil, nil, nil) }
        forgetPastFinish(now)
    }

    /// The remaining distance and the gap of the peloton, such as `47 km · P +1:24`, or `nil` if the stage isn't under way
    /// or its position is unknown.
    package var words: String? {
        guard phase == .underWay, let kilometresToGo else { return nil }
        let gap = pelotonGap.map { " · P +" + RaceTime.text($0) } ?? ""
        return "\(Int(clamping: kilometresToGo.rounded(.up))) km\(gap)"
    }

    private mutating func forgetPastFinish(_ now: Instant) {
        if phase == .underWay, let expected = finish, expected < now { finish = nil }
    }

    /// Notes the position of the race, and expects its end at the mean speed so far.
    private mutating func advance(to km: Double, at instant: Instant?, on stage: Stage) {
        guard let distance = stage.distance else { return }
        let left = max(0, distance - km)
        (self.km, kilometresToGo) = (km, left)
        if let start = stage.startInstant, let instant, instant > start, km > 5 {
            finish = instant + Int64(clamping: Double(instant.seconds(since: start)) / km * left)
        }
    }
}

extension RaceStore {
    /// Returns the newest report of a stage, or `nil` if there is none or the result is hidden.
    package func live(of stage: Int, in race: String) throws(LibraryError) -> LiveReport? {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return nil }
            return try StoredRace.stage(stage, of: race, db)?.live
        }
    }

    /// Returns the state of a stage as it is shown. While its result is hidden, only its times are used.
    package func progress(of stage: Stage, in race: String, now: Instant) throws(LibraryError) -> StageProgress {
        StageProgress(
            stage, ticker: try ticker(of: stage.number, in: race), live: try live(of: stage.number, in: race),
            now: try delay().shownInstant(at: now))
    }
}
