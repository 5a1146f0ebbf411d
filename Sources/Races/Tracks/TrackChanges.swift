import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel

/// Stores the track of a stage, and replaces any previous one.
struct StoreTrack: LibraryChange {
    static let kind = "tracks.store"
    var track: Track
    var race: String
    var stage: Int

    var summary: String { "a track" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let races = RaceWriter(db: db)
        guard try races.hasStage(stage, in: race) else { return Outcome() }
        let before = try Row.fetchOne(
            db, sql: "SELECT points, spark FROM stage_track WHERE race_id = ? AND number = ?", arguments: [race, stage])
        try races.storeTrack(race: race, stage: stage, points: try track.stored, spark: StageProfile(track).spark)
        guard let before else {
            return Outcome(count: 1, undo: "adding the track", Change(RemoveTrack(race: race, stage: stage)))
        }
        let (points, spark): (Data, String) = (try before.at(0), try before.at(1))
        return Outcome(
            count: 1, undo: "replacing the track",
            Change(RestoreTrack(race: race, stage: stage, points: points, spark: spark)))
    }
}

struct RestoreTrack: LibraryChange {
    static let kind = "tracks.restore"
    var race: String
    var stage: Int
    var points: Data
    var spark: String

    var summary: String { "a track" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try RaceWriter(db: transaction.db).storeTrack(race: race, stage: stage, points: points, spark: spark)
        return Outcome(count: 1)
    }
}

struct RemoveTrack: LibraryChange {
    static let kind = "tracks.remove"
    var race: String
    var stage: Int

    var summary: String { "a track" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "DELETE FROM stage_track WHERE race_id = ? AND number = ?", arguments: [race, stage])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Stores the track of a stage, and replaces any previous one.
    package static func storeTrack(_ track: Track, race: String, stage: Int) -> Change {
        Change(StoreTrack(track: track, race: race, stage: stage))
    }
}

/// Stores the track at an address, or records that there is none.
struct StoreFetchedTrack: MaintenanceStep {
    let track: Track?
    let address: String
    let now: Instant

    /// - Parameter track: The track, or `nil` if there is no readable track at the address.
    init(_ track: Track?, address: String, now: Instant) {
        self.track = track
        self.address = address
        self.now = now
    }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "INSERT OR REPLACE INTO fetched_track VALUES (?, ?, ?, ?)",
            arguments: [
                address, try track?.stored, track.map { StageProfile($0).spark }, now,
            ])
        return Outcome()
    }
}

extension Track {
    /// The track as JSON for the library.
    ///
    /// Equal tracks always have equal texts.
    fileprivate var stored: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(self)
        }
    }
}
