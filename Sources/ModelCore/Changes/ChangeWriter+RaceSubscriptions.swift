import Foundation
import GRDB

/// Changes to races that are followed at an address.
extension ChangeWriter {
    /// Follows a race at the user's request and stores its document unchanged.
    func follow(_ race: Race, _ subscription: RaceSubscription) throws -> Receipt {
        let receipt = try store(race, isBundled: false)
        try subscription.store(db)
        return receipt
    }

    func unfollow(_ race: String) throws -> Receipt {
        try db.execute(sql: "DELETE FROM race_source WHERE race_id = ?", arguments: [race])
        return Receipt(id, count: db.changesCount)
    }

    /// Stores a new version of a race and retains what the user added to the previous version.
    ///
    /// Tracks and revealed results stay with their stages, even if the stage numbers change.
    ///
    /// - Parameter race: The new version, or `nil` if it has not changed or could not be read.
    func update(_ race: Race?, _ subscription: RaceSubscription) throws -> Receipt {
        let previous = try String.fetchOne(
            db, sql: "SELECT race_id FROM race_source WHERE address = ?", arguments: [subscription.address])
        // The user has stopped following the race meanwhile.
        guard let previous, let before = try Library.wholeRaceWithSpoilers(previous, db) else { return Receipt(id) }
        var changes = 0
        if let race, race != before {
            let tracks = try Row.fetchAll(
                db, sql: "SELECT number, points, spark FROM stage_track WHERE race_id = ?", arguments: [previous])
            let seen = try Int.fetchAll(
                db, sql: "SELECT number FROM seen_stage WHERE race_id = ?", arguments: [previous])
            try db.execute(sql: "DELETE FROM stage_track WHERE race_id = ?", arguments: [previous])
            try db.execute(sql: "DELETE FROM seen_stage WHERE race_id = ?", arguments: [previous])
            if previous != race.id {
                try db.execute(sql: "DELETE FROM race WHERE id = ?", arguments: [previous])
                try db.execute(
                    sql: "UPDATE OR REPLACE covered_race SET race_id = ? WHERE race_id = ?",
                    arguments: [race.id, previous])
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
                try ChangeWriter.storeTrack(
                    race: race.id, stage: stage, points: track.at(1), spark: track.at(2), db)
            }
            for stage in seen.compactMap(number) {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO seen_stage VALUES (?, ?)", arguments: [race.id, stage])
            }
            changes = 1
        }
        try subscription.store(db)
        return Receipt(id, count: changes)
    }
}

extension Race {
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
