import GRDB

/// Changes that hide or reveal spoilers of races (``SpoilerFilter``).
extension ChangeWriter {
    /// Hides or reveals the results of a race, or of all races if `race` is `nil`.
    ///
    /// A change for all races replaces the choices for single races.
    func hideResults(_ hides: Bool, of race: String?) throws -> Receipt {
        guard let race else {
            try db.execute(sql: "DELETE FROM covered_race")
            if hides { try db.execute(sql: "INSERT INTO covered_race VALUES (?)", arguments: [SpoilerFilter.all]) }
            return Receipt(id, count: 1)
        }
        let exists = try Int.fetchOne(db, sql: "SELECT 1 FROM race WHERE id = ?", arguments: [race])
        guard exists != nil else { return Receipt(id) }
        if hides {
            try db.execute(sql: "INSERT OR IGNORE INTO covered_race VALUES (?)", arguments: [race])
        } else {
            try db.execute(sql: "DELETE FROM covered_race WHERE race_id = ?", arguments: [race])
        }
        return Receipt(id, count: 1)
    }

    func look(at stage: Int, of race: String, _ isSeen: Bool) throws -> Receipt {
        let exists = try Int.fetchOne(
            db, sql: "SELECT 1 FROM stage WHERE race_id = ? AND number = ?", arguments: [race, stage])
        guard exists != nil else { return Receipt(id) }
        try db.execute(
            sql: isSeen
                ? "INSERT OR IGNORE INTO seen_stage VALUES (?, ?)"
                : "DELETE FROM seen_stage WHERE race_id = ? AND number = ?", arguments: [race, stage])
        return Receipt(id, count: 1)
    }

    func reveal(_ entry: Int64) throws -> Receipt {
        try db.execute(
            sql: "INSERT OR IGNORE INTO uncovered_entry SELECT id FROM entry WHERE id = ?", arguments: [entry])
        return Receipt(id, count: db.changesCount)
    }
}
