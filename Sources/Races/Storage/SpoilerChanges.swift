import Feeds
import GRDB
import LibraryKernel

/// Hides or reveals the results of a race, or of all races if `race` is `nil` (``SpoilerFilter``).
///
/// A change for all races replaces the choices for single races.
struct HideResults: LibraryChange {
    static let kind = "spoilers.hide"
    var hides: Bool
    var race: String?

    var summary: String { hides ? "hidden spoilers" : "revealed spoilers" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        guard let race else {
            try db.execute(sql: "DELETE FROM race_spoiler")
            if hides { try db.execute(sql: "INSERT INTO race_spoiler VALUES (?)", arguments: [SpoilerFilter.all]) }
            return Outcome(count: 1)
        }
        guard try RaceWriter(db: db).exists(race) else { return Outcome() }
        if hides {
            try db.execute(sql: "INSERT OR IGNORE INTO race_spoiler VALUES (?)", arguments: [race])
        } else {
            try db.execute(sql: "DELETE FROM race_spoiler WHERE race_id = ?", arguments: [race])
        }
        return Outcome(count: 1)
    }
}

/// Reveals the result of a stage, or hides it again.
struct RevealStage: LibraryChange {
    static let kind = "spoilers.revealStage"
    var stage: Int
    var race: String
    var isSeen: Bool

    var summary: String { isSeen ? "revealed spoilers" : "hidden spoilers" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        guard try RaceWriter(db: db).hasStage(stage, in: race) else { return Outcome() }
        try db.execute(
            sql: isSeen
                ? "INSERT OR IGNORE INTO seen_stage VALUES (?, ?)"
                : "DELETE FROM seen_stage WHERE race_id = ? AND number = ?", arguments: [race, stage])
        return Outcome(count: 1)
    }
}

struct RevealEntry: LibraryChange {
    static let kind = "spoilers.revealEntry"
    var entry: EntryID

    var summary: String { "revealed spoilers" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "INSERT OR IGNORE INTO revealed_entry SELECT id FROM entry WHERE id = ?", arguments: [entry])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Hides or reveals the results of a race, or of all races if `race` is `nil`.
    package static func hideResults(_ hides: Bool, race: String?) -> Change {
        Change(HideResults(hides: hides, race: race))
    }

    /// Reveals the result of a stage, or hides it again.
    package static func revealStage(_ stage: Int, race: String, _ isSeen: Bool) -> Change {
        Change(RevealStage(stage: stage, race: race, isSeen: isSeen))
    }

    /// Reveals an entry that contains a spoiler.
    package static func reveal(entry: EntryID) -> Change { Change(RevealEntry(entry: entry)) }
}
