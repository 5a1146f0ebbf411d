import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// Follows a race at its address at the user's request, and stores its document unchanged.
struct FollowRace: LibraryChange {
    static let kind = "races.follow"
    var race: Race
    var subscription: RaceSubscription

    var summary: String { "a race" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let (held, received) = (HeldStages(db: db), subscription.lastSuccess ?? 0)
        let shown = try RaceStore.wholeRaceWithSpoilers(race.id, db)
        let (visible, contents) = try held.split(race, shown: shown, newest: shown.map(held.newest), at: received)
        let before = RestoreFollowed(
            race: race.id, stored: shown, isBundled: try RaceWriter(db: db).isBundled(race.id),
            followed: try subscription.replaced(db))
        try StoredRace.write(visible, isBundled: false, over: shown, db)
        try held.hold(contents, of: race, at: received)
        try subscription.store(db)
        return Outcome(count: 1, undo: "following \(race.race) \(race.year)", Change(before))
    }
}

/// Restores what was stored and followed before a race was followed.
struct RestoreFollowed: LibraryChange {
    static let kind = "races.restoreFollowed"
    /// The identifier of the race.
    var race: String
    /// The race as it was, or `nil` if there was none.
    var stored: Race?
    var isBundled: Bool
    /// What was followed for the race or at its address.
    var followed: [RaceSubscription]

    var summary: String { "a race" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        try db.execute(sql: "DELETE FROM race_source WHERE race_id = ?", arguments: [race])
        for subscription in followed { try subscription.store(db) }
        guard let stored else { return Outcome(count: try RaceWriter(db: db).remove(race)) }
        try StoredRace.write(stored, isBundled: isBundled, db)
        return Outcome(count: 1)
    }
}

/// Stops following a race but retains its data.
struct UnfollowRace: LibraryChange {
    static let kind = "races.unfollow"
    var race: String

    var summary: String { "a race" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(sql: "DELETE FROM race_source WHERE race_id = ?", arguments: [race])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Stores a race and follows it at its address.
    package static func followRace(_ race: Race, _ subscription: RaceSubscription) -> Change {
        Change(FollowRace(race: race, subscription: subscription))
    }

    /// Stops following a race but retains its data.
    package static func unfollowRace(_ race: String) -> Change { Change(UnfollowRace(race: race)) }
}

/// Stores a new version of a followed race and retains what the user added to the previous version.
///
/// Tracks and revealed results stay with their stages, even if the stage numbers change.
package struct UpdateRace: MaintenanceStep {
    let race: Race?
    let subscription: RaceSubscription
    /// The instant at which the race was received.
    let received: Instant

    /// - Parameters:
    ///   - race: The new version, or `nil` if it has not changed or could not be read.
    ///   - subscription: The result of the request.
    package init(_ race: Race?, _ subscription: RaceSubscription, at received: Instant) {
        self.race = race
        self.subscription = subscription
        self.received = received
    }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let isFollowed = try String.fetchOne(
            db, sql: "SELECT race_id FROM race_source JOIN race ON race.id = race_id WHERE address = ?",
            arguments: [subscription.address])
        // The user has stopped following the race meanwhile.
        guard isFollowed != nil else { return Outcome() }
        let hasChanged =
            try race?.replaceFollowed(at: subscription.address, received: received, db) ?? false
        try subscription.store(db)
        return Outcome(count: hasChanged ? 1 : 0)
    }
}

extension Race {
    /// Stores a new version of a followed race, and retains what the user added to the previous version.
    ///
    /// - Parameter instant: The instant at which the race was received.
    /// - Returns: Whether anything has changed.
    @discardableResult
    func replaceFollowed(at address: String, received instant: Instant, _ db: Database) throws -> Bool {
        let previous = try String.fetchOne(
            db, sql: "SELECT race_id FROM race_source WHERE address = ?", arguments: [address])
        guard let previous, let before = try RaceStore.wholeRaceWithSpoilers(previous, db) else { return false }
        let held = HeldStages(db: db)
        let newest = try held.newest(of: before)
        guard differs(from: newest) else { return false }
        let (race, contents) = try held.split(self, shown: before, newest: newest, at: instant)
        let tracks = try Row.fetchAll(
            db, sql: "SELECT number, points, spark FROM stage_track WHERE race_id = ?", arguments: [previous])
        let seen = try Int.fetchAll(db, sql: "SELECT number FROM seen_stage WHERE race_id = ?", arguments: [previous])
        try db.execute(sql: "DELETE FROM stage_track WHERE race_id = ?", arguments: [previous])
        try db.execute(sql: "DELETE FROM seen_stage WHERE race_id = ?", arguments: [previous])
        if previous != race.id {
            try db.execute(sql: "DELETE FROM race WHERE id = ?", arguments: [previous])
            try db.execute(
                sql: "UPDATE OR REPLACE race_spoiler SET race_id = ? WHERE race_id = ?", arguments: [race.id, previous])
            try db.execute(
                sql: "UPDATE OR REPLACE race_source SET race_id = ? WHERE address = ?", arguments: [race.id, address])
        }
        if previous == race.id {
            try StoredRace.write(race, isBundled: false, over: before, db)
        } else {
            try StoredRace.write(race, isBundled: false, db)
        }
        func number(_ previous: Int) -> Int? {
            before.stages.first { $0.number == previous }.map { race.number(of: $0) }
        }
        for track in tracks {
            guard let stage = number(try track.at(0)) else { continue }
            try RaceWriter(db: db).storeTrack(race: race.id, stage: stage, points: track.at(1), spark: track.at(2))
        }
        for stage in seen.compactMap(number) {
            try db.execute(sql: "INSERT OR IGNORE INTO seen_stage VALUES (?, ?)", arguments: [race.id, stage])
        }
        try held.hold(contents, of: race, at: instant)
        return true
    }
}

extension Race {
    /// Whether anything differs between two versions of a race.
    ///
    /// Compares the last stages first. A stage that changes often is under way, and those before it have long results.
    func differs(from other: Race) -> Bool {
        stages.count != other.stages.count || zip(stages.reversed(), other.stages.reversed()).contains { $0 != $1 }
            || self != other
    }

    /// Returns the current number of a stage from a previous version.
    ///
    /// Identifies the stage by its towns, then by its date if several stages have the same towns, and otherwise by its
    /// number.
    func number(of previous: Stage) -> Int {
        let same = stages.filter { $0.start == previous.start && $0.finish == previous.finish }
        if same.contains(where: { $0.number == previous.number }) { return previous.number }
        if same.count == 1 { return same[0].number }
        return same.first { $0.date == previous.date && previous.date != nil }?.number ?? previous.number
    }
}
