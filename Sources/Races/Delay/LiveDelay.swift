import Feeds
import GRDB
import LibraryKernel

/// The delay of everything live, so that no pane is ahead of a broadcast that comes later than the data.
///
/// It counts from the instants at which tappa receives the data, and belongs to the library, so that every program that
/// reads the library shows the same. ``HeldStages`` holds back what isn't due.
package struct LiveDelay: Hashable, Sendable {
    /// The longest delay in seconds.
    package static let longest = 300
    /// The delay in seconds, from 0 to ``longest``.
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds.limited(0, LiveDelay.longest) }

    /// Returns the instant to which the shown state belongs, for phases of the race and for ages.
    package func shownInstant(at now: Instant) -> Instant { now - Int64(seconds) }

    /// Returns the instant at which something that was received may be shown.
    func release(ofReceived instant: Instant) -> Instant { instant + Int64(seconds) }

    static func read(_ db: Database) throws -> LiveDelay {
        LiveDelay(seconds: try Int.fetchOne(db.cachedStatement(sql: "SELECT seconds FROM live_delay")) ?? 0)
    }
}

/// Sets the delay of everything live.
///
/// The new delay applies to everything that is held back. What is already shown stays.
struct DelayLive: LibraryChange {
    static let kind = "races.delay"
    var seconds: Int
    var now: Instant

    var summary: String { "the delay of live data" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let delay = LiveDelay(seconds: seconds)
        try db.execute(sql: "DELETE FROM live_delay")
        if delay.seconds > 0 {
            try db.execute(sql: "INSERT INTO live_delay VALUES (?)", arguments: [delay.seconds])
        }
        _ = try ReleaseHeldStages(now: now).apply(in: transaction)
        return Outcome(count: 1)
    }
}

extension Change {
    /// Sets the delay of everything live in seconds.
    package static func delayLive(_ delay: LiveDelay, now: Instant) -> Change {
        Change(DelayLive(seconds: delay.seconds, now: now))
    }
}

extension RaceStore {
    /// Returns the delay of everything live.
    package func delay() throws(LibraryError) -> LiveDelay { try store.read { try LiveDelay.read($0) } }

    /// Returns the instant at which the next part that is held back may be shown, or `nil` if there is none.
    package func nextRelease() throws(LibraryError) -> Instant? {
        try store.read { db in try HeldStages(db: db).firstReceived().map(LiveDelay.read(db).release(ofReceived:)) }
    }
}

extension Library {
    /// Shows what was held back and is due.
    package func releaseHeldStages(at now: Instant) async throws {
        guard let next = try races.nextRelease(), next <= now || next > now + Int64(LiveDelay.longest)
        else { return }
        try await changes.perform(ReleaseHeldStages(now: now))
    }
}
