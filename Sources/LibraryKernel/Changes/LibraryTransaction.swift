import Foundation
import GRDB

/// The transaction in which a change or a maintenance step is applied.
package final class LibraryTransaction {
    package let db: Database
    /// The ID of the change, to which a later undo refers.
    let id: UUID
    /// The kinds of changes that undo steps can contain.
    let kinds: ChangeKinds
    /// What features collect until the end of the transaction. Changes that are part of another share it.
    package let parts: TransactionParts
    /// The ID of the undo step, if the change has put rows into the trash.
    private var step: UndoStepID?

    init(_ db: Database, _ kinds: ChangeKinds, id: UUID = UUID(), parts: TransactionParts = TransactionParts()) {
        self.db = db
        self.kinds = kinds
        self.id = id
        self.parts = parts
    }

    // MARK: Applying

    /// Applies a change of the user and stores its undo step.
    func apply(_ change: Change) throws -> Receipt {
        let outcome = try change.base.apply(in: self)
        try storeStep(outcome)
        return Receipt(id, outcome)
    }

    /// Applies a maintenance step, which has no undo step.
    func apply(_ step: any MaintenanceStep) throws -> Receipt { Receipt(id, try step.apply(in: self)) }

    /// Applies a change that is part of another and has an undo step of its own.
    ///
    /// - Returns: The receipt, whose ID is that of the undo step.
    package func applyPart(_ change: Change) throws -> Receipt {
        try LibraryTransaction(db, kinds, parts: parts).apply(change)
    }

    /// Applies a change without an undo step.
    package func applyWithoutUndo(_ change: Change) throws -> Outcome {
        let part = LibraryTransaction(db, kinds, parts: parts)
        let outcome = try change.base.apply(in: part)
        if let step = part.step { try UndoLog(db).delete(step) }
        return outcome
    }

    // MARK: The undo step

    /// Returns the trash of the undo step. Creates the step at the first call.
    package func trash() throws -> Trash {
        let step = try self.step ?? UndoLog(db).begin(id)
        self.step = step
        return try Trash(db, of: step)
    }

    /// Stores what undoes the change. Deletes a step that was begun if there is nothing to undo.
    private func storeStep(_ outcome: Outcome) throws {
        let log = UndoLog(db)
        guard let undo = outcome.undo else {
            if let step { try log.delete(step) }
            return
        }
        try log.store(undo.inverse, undo.words, of: id, in: step)
    }
}

/// What features collect during a transaction and store at its end, such as texts for the index.
package final class TransactionParts {
    private var parts: [ObjectIdentifier: any TransactionPart] = [:]

    /// Returns the part of a type, and creates it at the first call.
    package func part<Part: TransactionPart>(_ type: Part.Type) -> Part {
        if let known = parts[ObjectIdentifier(type)] as? Part { return known }
        let new = type.init()
        parts[ObjectIdentifier(type)] = new
        return new
    }

    /// Stores what was collected.
    func finish(_ db: Database) throws { for part in parts.values { try part.finish(db) } }
}

/// Something that a feature collects until the end of a transaction.
package protocol TransactionPart: AnyObject {
    init()
    /// Stores what was collected.
    func finish(_ db: Database) throws
}
