import Foundation
import GRDB

/// Changes of races that are followed at an address.
extension ChangeWriter {
    /// Follows a race that the user asked for. Its document is accepted as it is.
    func follow(_ race: Race, _ subscription: RaceSubscription) throws -> Receipt {
        let receipt = try store(race, isBundled: false)
        try subscription.store(db)
        return receipt
    }

    func unfollow(_ race: String) throws -> Receipt {
        try db.execute(sql: "DELETE FROM race_source WHERE race_id = ?", arguments: [race])
        return Receipt(id, count: db.changesCount)
    }

    /// Stores a new state of a race and keeps what the user added.
    ///
    /// Tracks stay with their stages, even if the stages have other numbers now.
    ///
    /// - Parameter race: The new state, or `nil` if the race has not changed or could not be read.
    func update(_ race: Race?, _ subscription: RaceSubscription) throws -> Receipt {
        let previous = try String.fetchOne(
            db, sql: "SELECT race_id FROM race_source WHERE address = ?", arguments: [subscription.address])
        // The user stopped following the race in the meantime.
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
    /// Returns the current number of a stage of the previous state.
    ///
    /// A stage is identified by its towns; if several have the same towns, by its day; otherwise by its number.
    func number(of previous: Stage) -> Int {
        let same = stages.filter { $0.start == previous.start && $0.finish == previous.finish }
        if same.contains(where: { $0.number == previous.number }) { return previous.number }
        if same.count == 1 { return same[0].number }
        return same.first { $0.date == previous.date && previous.date != nil }?.number ?? previous.number
    }
}
