import Foundation

/// Reverts an earlier change as far as its rows still exist, and describes the result.
struct Undo: LibraryChange {
    static let kind = "undo"
    /// The ID of the change to revert.
    var change: UUID

    var summary: String { "an undo" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        var outcome = Outcome()
        let log = UndoLog(transaction.db)
        guard let step = try log.step(of: change) else {
            outcome.sentence = "Nothing left to undo"
            return outcome
        }
        let inverse: Change
        do {
            inverse = try transaction.kinds.decoder.decode(Change.self, from: Data(step.inverse.utf8))
        } catch {
            outcome.sentence = "Can't undo \(step.words), because another version of tappa made the change"
            return outcome
        }
        let result = try transaction.applyWithoutUndo(inverse)
        try log.delete(step.id)
        outcome.count = result.count
        let expected = result.expected ?? 1
        outcome.sentence =
            if result.count == 0 {
                "Can't undo \(step.words), because what it changed no longer exists"
            } else if result.count < expected {
                "Undid \(step.words) for \(result.count) of \(expected); the others no longer exist"
            } else {
                "Undid \(step.words)\(result.note)"
            }
        return outcome
    }
}

extension Change {
    /// Reverts an earlier change.
    package static func undo(_ change: UUID) -> Change { Change(Undo(change: change)) }

    /// The ID of the change that this one reverts, or `nil` if it reverts none.
    package var undoes: UUID? { (base as? Undo)?.change }
}
