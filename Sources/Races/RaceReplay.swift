import Feeds
import GRDB
import LibraryKernel
import Synchronization

/// Plays a ``RaceRecording`` in a library of its own, which shows nothing ahead of the recording.
package final class RaceReplay: Sendable {
    package let library: Library
    private let recording: RaceRecording
    private let state = Mutex((next: 0, race: Race?.none))

    /// - Parameter library: An empty library in memory.
    package init(_ recording: RaceRecording, in library: Library) {
        self.recording = recording
        self.library = library
    }

    /// The instant to begin with: five minutes before the stage starts, or the first state.
    package var beginning: Instant {
        let first = recording.instant(0)
        let starts = recording.race(0, after: nil)?.stages.compactMap(\.startInstant) ?? []
        guard let start = starts.filter({ $0 > first && $0 < first + 86_400 }).min() else { return first }
        return max(first, start - 300)
    }

    /// Shows what had happened at an instant. At first, hides the results of all stages but those of the day that have
    /// none yet.
    ///
    /// - Returns: The instant of the next state, or `nil` at the end.
    package func play(until now: Instant) async throws(ChangeFailure) -> Instant? {
        let (index, before) = state.withLock { $0 }
        var (next, race) = (index, before)
        while next < recording.count, next == 0 || recording.instant(next) <= now {
            race = recording.race(next, after: race) ?? race
            next += 1
        }
        state.withLock { $0 = (next, race) }
        if let race, race != before { try await library.changes.perform(ShowRecordedRace(race: race)) }
        if index == 0, let race {
            try await library.changes.perform(.hideResults(true, race: nil))
            for stage in race.stages where stage.isOnItsDay(at: now) && stage.winner == nil {
                try await library.changes.perform(.revealStage(stage.number, race: race.id, true))
            }
        }
        return next < recording.count ? recording.instant(next) : nil
    }
}

/// Shows a state of a recording.
private struct ShowRecordedRace: MaintenanceStep {
    let race: Race

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try StoredRace.write(race, isBundled: false, transaction.db)
        return Outcome(count: 1)
    }
}

/// A clock that runs faster or slower than time.
package struct ReplayClock: Sendable {
    /// The valid speeds.
    package static let speeds: ClosedRange<Double> = 0.1...3600
    private let start: Instant
    private let speed: Double
    private let elapsed: @Sendable () -> Double

    /// - Parameters:
    ///   - start: The instant at which the clock starts.
    ///   - elapsed: Returns the number of seconds since then.
    package init(from start: Instant, speed: Double, elapsed: @escaping @Sendable () -> Double) {
        self.start = start
        self.speed = speed.limited(to: ReplayClock.speeds)
        self.elapsed = elapsed
    }

    /// The current instant.
    package var now: Instant { start + Int64(clamping: elapsed() * speed) }

    /// Returns the number of seconds after which the clock reaches an instant.
    package func wait(until instant: Instant) -> Double {
        max(0, Double(instant.seconds(since: start)) / speed - elapsed())
    }
}
