import FeedParsing
import Foundation
import GRDB

/// Changes to races and their tracks.
extension ChangeWriter {
    func store(_ race: Race, isBundled: Bool) throws -> Receipt {
        let before = try Library.wholeRaceWithSpoilers(race.id, db)
        let wasBundled = try self.isBundled(race.id)
        if race.isWhole {
            try StoredRace.write(race, isBundled: isBundled, over: before, db)
        } else {
            try StoredRace.write(race, isBundled: isBundled, db)
        }
        let name = "\(race.race) \(race.year)"
        if let before {
            return try receipt(1, undo: "Restores \(name)", .storeRace(before, isBundled: wasBundled))
        }
        return try receipt(1, undo: "Removes \(name)", .removeRace(race.id))
    }

    func store(_ race: Race, path: String, stamp: String) throws -> Receipt {
        try StoredRace.write(race, isBundled: false, db)
        try db.execute(sql: "INSERT OR REPLACE INTO race_file VALUES (?, ?)", arguments: [path, stamp])
        return Receipt(id, count: 1)
    }

    func removeRace(_ race: String) throws -> Receipt {
        guard let before = try Library.wholeRaceWithSpoilers(race, db) else { return Receipt(id) }
        let wasBundled = try isBundled(race)
        _ = try ChangeWriter.removeRace(race, db)
        return try receipt(
            1, undo: "Restores \(before.race) \(before.year)", .storeRace(before, isBundled: wasBundled))
    }

    private func isBundled(_ race: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT is_bundled FROM race WHERE id = ?", arguments: [race]) ?? false
    }

    static func removeRace(_ race: String, _ db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM race WHERE id = ?", arguments: [race])
        return db.changesCount
    }

    // MARK: Tracks

    func store(_ track: Track, race: String, stage: Int) throws -> Receipt {
        let exists = try Int.fetchOne(
            db, sql: "SELECT 1 FROM stage WHERE race_id = ? AND number = ?", arguments: [race, stage])
        guard exists != nil else { return Receipt(id) }
        let before = try Row.fetchOne(
            db, sql: "SELECT points, spark FROM stage_track WHERE race_id = ? AND number = ?", arguments: [race, stage])
        try ChangeWriter.storeTrack(
            race: race, stage: stage, points: try JSONEncoder().encode(track), spark: StageProfile(track).spark, db)
        guard let before else {
            return try receipt(1, undo: "Removes the track", .removeTrack(race: race, stage: stage))
        }
        let (points, spark): (Data, String) = (try before.at(0), try before.at(1))
        return try receipt(
            1, undo: "Restores the previous track",
            .storeTrack(race: race, stage: stage, points: points, spark: spark))
    }

    /// Stores the track at an address, or records that there is none.
    func store(_ track: Track?, from address: String, now: Int64) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO fetched_track VALUES (?, ?, ?, ?)",
            arguments: [
                address, try track.map { try JSONEncoder().encode($0) }, track.map { StageProfile($0).spark }, now,
            ])
    }

    static func storeTrack(race: String, stage: Int, points: Data, spark: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO stage_track VALUES (?, ?, ?, ?)", arguments: [race, stage, points, spark])
    }

    static func removeTrack(race: String, stage: Int, _ db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM stage_track WHERE race_id = ? AND number = ?", arguments: [race, stage])
        return db.changesCount
    }
}
