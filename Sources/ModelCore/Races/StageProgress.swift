import FeedParsing

/// Where a stage is at an instant: what its times, its ticker and its result tell of it.
package struct StageProgress: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// It starts at an instant, in seconds since 1970.
        case coming(Int64)
        case underWay
        /// Its end has passed, or its winner is known.
        case over
        case cancelled
        /// There is no start time.
        case unknown
    }

    package var phase: Phase
    /// Kilometres from the start, as the ticker told them last.
    package var km: Double?
    /// The distance that is left, where the stage's is known.
    package var kilometresToGo: Double?
    /// When it ends, by the speed so far, or by its plan; in seconds since 1970.
    package var finish: Int64?

    /// Seconds without an end being known after which a stage is over.
    private static let longest: Int64 = 8 * 3600
    /// Seconds after the planned end for which a stage may go on without a result.
    private static let delay: Int64 = 3600

    /// - Parameters:
    ///   - ticker: The earliest line first; lines that are of the future are not looked at.
    ///   - now: In seconds since 1970.
    package init(_ stage: Stage, ticker: [TickerLine], now: Int64) {
        finish = stage.finishInstant
        guard !stage.isCancelled else {
            phase = .cancelled
            return
        }
        if stage.winner != nil {
            phase = .over
            return
        }
        let told = ticker.last { ($0.instant ?? .max) <= now && $0.km != nil }
        if let told, let km = told.km, let distance = stage.distance {
            self.km = km
            kilometresToGo = max(0, distance - km)
            if let start = stage.startInstant, let instant = told.instant, instant > start, km > 5 {
                finish = instant.addingClamped(
                    Int64(clamping: Double(instant - start) / km * max(0, distance - km)))
            }
        }
        guard let start = stage.startInstant else {
            phase = told == nil ? .unknown : .underWay
            return
        }
        let end = max(finish ?? start + StageProgress.longest, stage.finishInstant ?? start)
            .addingClamped(StageProgress.delay)
        phase = now < start ? .coming(start) : now < end ? .underWay : .over
        if phase != .underWay { (km, kilometresToGo) = (nil, nil) }
    }
}

extension Library {
    /// Where a stage is now; while its result is hidden, by its times alone.
    package func progress(of stage: Stage, in race: String, now: Int64) throws(LibraryError) -> StageProgress {
        StageProgress(stage, ticker: try ticker(of: stage.number, in: race), now: now)
    }
}
