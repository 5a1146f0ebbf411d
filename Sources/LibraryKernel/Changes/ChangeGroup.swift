import Foundation

/// Several changes that are undone together.
package struct ChangeGroup: LibraryChange {
    package static let kind = "group"
    package var changes: [Change]

    package var summary: String { "changes of \(changes.count) feeds" }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        var parts: [UUID] = []
        for change in changes {
            let receipt = try transaction.applyPart(change)
            if receipt.undo != nil { parts.append(receipt.id) }
        }
        return Outcome(
            count: parts.count, undo: "Restores " + parts.count.counted("feed"), .undoParts(parts.reversed()))
    }
}

/// Reverts other changes in order.
struct UndoParts: LibraryChange {
    static let kind = "undo.parts"
    var changes: [UUID]

    var summary: String { "an undo" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        Outcome(count: try changes.reduce(0) { try $0 + transaction.applyWithoutUndo(.undo($1)).count })
    }
}

extension Change {
    /// Applies the same change to several feeds. Undo reverts them together.
    package static func several(_ changes: [Change]) -> Change { Change(ChangeGroup(changes: changes)) }

    /// Reverts other changes in order.
    package static func undoParts(_ changes: [UUID]) -> Change { Change(UndoParts(changes: changes)) }
}
