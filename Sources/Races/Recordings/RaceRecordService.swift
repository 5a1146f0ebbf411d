import Feeds
import LibraryKernel
import RaceCentre
import RaceModel

/// Follows a race and records what it was over time.
package struct RaceRecordService: Sendable {
    private let library: Library
    private let service: RaceFollowService
    private let clock: @Sendable () -> Instant
    private let pause: @Sendable (Int64) async throws -> Void
    /// The number of seconds between two updates, and without news until the recording of finished stages ends.
    private static let (interval, rest): (Int64, Int64) = (15, 3600)

    /// - Parameters:
    ///   - service: Updates the race. Its groups are requested as for a live page.
    ///   - pause: Waits for a number of seconds.
    package init(
        library: Library, service: RaceFollowService, clock: @escaping @Sendable () -> Instant,
        pause: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.library = library
        self.service = service
        self.clock = clock
        self.pause = pause
        service.audience = .livePage
    }

    /// Records until the stages of today are over, or the recording is full.
    ///
    /// The recording contains everything that tappa received, including what the delay and hidden spoilers keep from the
    /// screen.
    ///
    /// - Parameters:
    ///   - race: The identifier of the race.
    ///   - size: The size of the recording so far, in bytes.
    ///   - write: Appends a line.
    /// - Returns: The number of lines.
    package func record(_ race: String, size: Int = 0, write: @Sendable ([UInt8]) throws -> Void) async throws -> Int {
        var (recorder, size, count) = (RaceRecorder(), size, 0)
        var lastNews = clock()
        while !Task.isCancelled {
            _ = try await service.update(reason: .timer)
            let now = clock()
            guard let newest = try library.read({ try HeldStages.newestRace(race, $0) }) else { return count }
            if let line = try recorder.line(for: newest, at: now) {
                size += line.count
                guard size <= RaceRecording.maximumBytes else { return count }
                try write(line)
                count += 1
                lastNews = now
            }
            let isOver = newest.stages.allSatisfy { !RaceRecordService.isAwaited($0, at: now) }
            if isOver, now.seconds(since: lastNews) >= RaceRecordService.rest { return count }
            try await pause(RaceRecordService.interval)
        }
        return count
    }

    /// Whether a result of a stage is expected within a day.
    private static func isAwaited(_ stage: Stage, at now: Instant) -> Bool {
        guard stage.winner == nil, !stage.isCancelled else { return false }
        guard let start = stage.startInstant else { return stage.isOnItsDay(at: now) }
        return abs(now.seconds(since: start).limited(-86_401, 86_401)) <= 86_400
    }
}
