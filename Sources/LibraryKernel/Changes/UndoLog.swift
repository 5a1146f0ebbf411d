import Foundation
import GRDB

/// The undo steps in the library, with the rows that they would restore.
package struct UndoLog {
    let db: Database

    package init(_ db: Database) { self.db = db }

    struct Step {
        var id: UndoStepID
        /// What was done, such as "starring 3 entries".
        var words: String
        /// The change that undoes the other, in the encoding of ``Change``.
        var inverse: String
    }

    /// Whether a change has an undo step, which shows that it is stored.
    func hasStep(of change: UUID) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM undo_step WHERE change = ?", arguments: [change.uuidString]) != nil
    }

    func step(of change: UUID) throws -> Step? {
        try Row.fetchOne(
            db, sql: "SELECT id, explanation, inverse FROM undo_step WHERE change = ?", arguments: [change.uuidString]
        ).map { try Step(id: $0.at(0), words: $0.at(1), inverse: $0.at(2)) }
    }

    /// Creates the undo step of a change, without what it does.
    ///
    /// - Returns: The ID of the step, for its rows in the trash.
    func begin(_ change: UUID) throws -> UndoStepID { try insert(change, "", inverse: "") }

    /// Stores what undoes a change.
    ///
    /// - Parameter step: The step that was begun for rows in the trash, or `nil` if there is none.
    func store(_ inverse: Change, _ words: String, of change: UUID, in step: UndoStepID?) throws {
        let text = String(decoding: try JSONEncoder().encode(inverse), as: UTF8.self)
        guard let step else {
            _ = try insert(change, words, inverse: text)
            return
        }
        try db.execute(
            sql: "UPDATE undo_step SET explanation = ?, inverse = ? WHERE id = ?", arguments: [words, text, step])
    }

    private func insert(_ change: UUID, _ words: String, inverse: String) throws -> UndoStepID {
        try db.execute(
            sql: "INSERT INTO undo_step (change, created, explanation, inverse) VALUES (?, ?, ?, ?)",
            arguments: [change.uuidString, Instant.now, words, inverse])
        return UndoStepID(rawValue: db.lastInsertedRowID)
    }

    /// Deletes an undo step and its rows in the trash.
    package func delete(_ step: UndoStepID) throws {
        for table in try trashTables() {
            try db.execute(sql: "DELETE FROM \(table) WHERE step_id = ?", arguments: [step])
        }
        try db.execute(sql: "DELETE FROM undo_step WHERE id = ?", arguments: [step])
    }

    /// Deletes all undo steps with the rows that they would restore.
    package func deleteAll() throws {
        for table in try trashTables() { try db.execute(sql: "DELETE FROM \(table)") }
        try db.execute(sql: "DELETE FROM undo_step")
    }

    /// Returns the names of the tables that hold deleted rows.
    func trashTables() throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'trash_*'"))
    }

    /// Deletes undo steps that are older than a number of seconds, or whose future date comes from a wrong clock.
    ///
    /// - Parameter kept: A query for the IDs of changes whose steps remain.
    /// - Returns: The number of deleted steps.
    package func deleteSteps(olderThan age: Int64, now: Instant, except kept: String) throws -> Int {
        let old = try UndoStepID.fetchAll(
            db,
            sql: """
                SELECT id FROM undo_step WHERE (created <= ?1 OR created > ?2)
                AND change NOT IN (\(kept))
                """, arguments: [now - age, now + 86_400])
        for step in old { try delete(step) }
        try db.execute(sql: "DELETE FROM stored_journal WHERE stored <= ?", arguments: [now - age])
        return old.count
    }
}
