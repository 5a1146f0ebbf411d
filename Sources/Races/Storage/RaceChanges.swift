import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// Stores a race, and replaces the race of the same name and year.
struct StoreRace: LibraryChange {
    static let kind = "races.store"
    var race: Race
    var isBundled: Bool

    var summary: String { "a race" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let before = try RaceStore.wholeRaceWithSpoilers(race.id, db)
        let wasBundled = try RaceWriter(db: db).isBundled(race.id)
        if race.isWhole {
            try StoredRace.write(race, isBundled: isBundled, over: before, db)
        } else {
            try StoredRace.write(race, isBundled: isBundled, db)
        }
        let name = "\(race.race) \(race.year)"
        if let before {
            return Outcome(
                count: 1, undo: "replacing \(name)", Change(RestoreRace(race: before, isBundled: wasBundled)))
        }
        return Outcome(count: 1, undo: "adding \(name)", .removeRace(race.id))
    }
}

struct RestoreRace: LibraryChange {
    static let kind = "races.restore"
    var race: Race
    var isBundled: Bool

    var summary: String { "a race" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try StoredRace.write(race, isBundled: isBundled, transaction.db)
        return Outcome(count: 1)
    }
}

/// Stores a race from the user's folder, with the state of its file.
struct StoreRaceFile: LibraryChange {
    static let kind = "races.storeFile"
    var race: Race
    var path: String
    var stamp: String

    var summary: String { "a race" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try StoredRace.write(race, isBundled: false, transaction.db)
        try transaction.db.execute(sql: "INSERT OR REPLACE INTO race_file VALUES (?, ?)", arguments: [path, stamp])
        return Outcome(count: 1)
    }
}

struct RemoveRace: LibraryChange {
    static let kind = "races.remove"
    var race: String

    var summary: String { "a race" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let races = RaceWriter(db: transaction.db)
        guard let before = try RaceStore.wholeRaceWithSpoilers(race, transaction.db) else { return Outcome() }
        let wasBundled = try races.isBundled(race)
        _ = try races.remove(race)
        return Outcome(
            count: 1, undo: "removing \(before.race) \(before.year)",
            Change(RestoreRace(race: before, isBundled: wasBundled)))
    }
}

/// Writes the rows of races and tracks.
struct RaceWriter {
    let db: Database

    func exists(_ race: String) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM race WHERE id = ?", arguments: [race]) != nil
    }

    func hasStage(_ stage: Int, in race: String) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM stage WHERE race_id = ? AND number = ?", arguments: [race, stage]) != nil
    }

    func isBundled(_ race: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT is_bundled FROM race WHERE id = ?", arguments: [race]) ?? false
    }

    func remove(_ race: String) throws -> Int {
        try db.execute(sql: "DELETE FROM race WHERE id = ?", arguments: [race])
        return db.changesCount
    }

    func storeTrack(race: String, stage: Int, points: Data, spark: String) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO stage_track VALUES (?, ?, ?, ?)", arguments: [race, stage, points, spark])
    }
}

extension Change {
    /// Stores a race, and replaces the race of the same name and year.
    package static func storeRace(_ race: Race, isBundled: Bool) -> Change {
        Change(StoreRace(race: race, isBundled: isBundled))
    }

    /// Deletes a race.
    package static func removeRace(_ race: String) -> Change { Change(RemoveRace(race: race)) }
}
