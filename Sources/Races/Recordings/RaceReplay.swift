import Feeds
import GRDB
import LibraryKernel
import RaceModel
import Synchronization

/// Plays a ``RaceRecording`` in a library of its own, which shows nothing ahead of the recording.
package final class RaceReplay: Sendable {
    package let library: Library
    private let recording: RaceRecording
    private let state = Mutex(State())
    /// The maximum number of lines between two states that are shown, so that none of them takes long.
    private static let linesAtOnce = 500

    private struct State {
        /// The number of lines that were played.
        var next = 0
        var race: Race?
        /// Whether the stages of the day were revealed.
        var hasRevealed = false
    }

    /// - Parameter library: An empty library in memory.
    package init(_ recording: RaceRecording, in library: Library) {
        self.recording = recording
        self.library = library
    }

    /// The instant to begin with: five minutes before the stage starts, or the first state.
    package var beginning: Instant {
        let first = recording.instant(0)
        let starts = recording.race(0..<1, after: nil)?.stages.compactMap(\.startInstant) ?? []
        // A recording may begin during a stage. The next stage starts after the end of the recording.
        guard let start = starts.filter({ $0 > first && $0 <= end }).min() else { return first }
        return max(first, start - 300)
    }

    /// The instant of the last state, at which the replay ends.
    package var end: Instant { recording.instant(recording.count - 1) }

    /// Shows the first state with all results hidden, so that there is something to see while the states before an
    /// instant are played.
    package func begin() async throws(ChangeFailure) {
        guard state.withLock({ $0.next == 0 }) else { return }
        try await play(0..<1)
        try await library.changes.perform(.hideResults(true, race: nil))
    }

    /// Shows what had happened at an instant. The first call reveals the stages of the day that have no result by then.
    ///
    /// - Returns: The instant of the next state, or `nil` at the end.
    package func play(until now: Instant) async throws(ChangeFailure) -> Instant? {
        try await begin()
        var lines = dueLines(now)
        while !lines.isEmpty, !Task.isCancelled {
            try await play(lines)
            lines = dueLines(now)
        }
        let (state, isFirst) = state.withLock { state in
            defer { state.hasRevealed = true }
            return (state, !state.hasRevealed)
        }
        if isFirst, let race = state.race {
            for stage in race.stages where stage.isOnItsDay(at: now) && stage.winner == nil {
                try await library.changes.perform(.revealStage(stage.number, race: race.id, true))
            }
        }
        return state.next < recording.count ? recording.instant(state.next) : nil
    }

    /// Returns the next lines up to an instant.
    private func dueLines(_ now: Instant) -> Range<Int> {
        let start = state.withLock { $0.next }
        var count = 0
        while start + count < recording.count, count < RaceReplay.linesAtOnce, recording.instant(start + count) <= now {
            count += 1
        }
        return start..<start + count
    }

    /// Shows the race after some lines.
    private func play(_ lines: Range<Int>) async throws(ChangeFailure) {
        let before = state.withLock { $0.race }
        let race = recording.race(lines, after: before)
        state.withLock { state in
            state.next = lines.upperBound
            state.race = race ?? before
        }
        if let race { try await library.changes.perform(ShowRecordedRace(race: race, before: before)) }
    }
}

private struct ShowRecordedRace: MaintenanceStep {
    let race: Race
    /// The state that is shown, or `nil` before the first.
    let before: Race?

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try StoredRace.write(race, isBundled: false, over: before, transaction.db)
        return Outcome(count: 1)
    }
}

/// A clock that runs faster or slower than time until the end of a recording, unless it is paused.
package final class ReplayClock: Sendable {
    /// The valid speeds.
    package static let speeds: ClosedRange<Double> = 0.1...3600
    private let start: Instant
    private let end: Instant
    /// How much faster than time the clock runs.
    package let speed: Double
    private let elapsed: @Sendable () -> Double
    /// The number of seconds that the clock was paused, and when the current pause began, in seconds since the start.
    private let pause = Mutex((total: 0.0, since: Double?.none))

    /// - Parameters:
    ///   - start: The instant at which the clock starts.
    ///   - end: The instant at which it stops.
    ///   - elapsed: Returns the number of seconds since the start.
    package init(
        from start: Instant, until end: Instant = .distantFuture, speed: Double,
        elapsed: @escaping @Sendable () -> Double
    ) {
        self.start = start
        self.end = max(start, end)
        self.speed = speed.limited(to: ReplayClock.speeds)
        self.elapsed = elapsed
    }

    /// The number of seconds without the pauses.
    private var running: Double {
        let elapsed = elapsed()
        return pause.withLock { ($0.since ?? elapsed) - $0.total }
    }

    /// The current instant.
    package var now: Instant { min(end, start + Int64(clamping: running * speed)) }

    /// Whether the clock has reached its end.
    package var isOver: Bool { now >= end }

    /// Whether the clock is paused.
    package var isPaused: Bool { pause.withLock { $0.since != nil } }

    /// Pauses the clock, or lets it run on from the instant at which it was paused.
    package func togglePause() {
        let elapsed = elapsed()
        pause.withLock { pause in
            if let since = pause.since { pause.total += elapsed - since }
            pause.since = pause.since == nil ? elapsed : nil
        }
    }

    /// Returns the number of seconds after which the clock reaches an instant, if it isn't paused.
    package func wait(until instant: Instant) -> Double {
        max(0, Double(instant.seconds(since: start)) / speed - running)
    }
}
