import Foundation

/// Several changes that are undone together.
struct ChangeGroup: LibraryChange {
    static let kind = "group"
    var changes: [Change]

    var summary: String { changes.count.counted("change") }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        var parts: [UUID] = []
        for change in changes {
            let receipt = try transaction.applyPart(change)
            if receipt.undo != nil { parts.append(receipt.id) }
        }
        return Outcome(
            count: parts.count, undo: parts.count.counted("change"), Change(UndoParts(parts.reversed())))
    }
}

/// Reverts other changes in order.
package struct UndoParts: LibraryChange {
    package static let kind = "undo.parts"
    var changes: [UUID]

    package init(_ changes: [UUID]) { self.changes = changes }

    package var summary: String { "an undo" }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        Outcome(count: try changes.reduce(0) { try $0 + transaction.applyWithoutUndo(.undo($1)).count })
    }
}

extension Change {
    /// Applies several changes, which an undo reverts together.
    package static func several(_ changes: [Change]) -> Change { Change(ChangeGroup(changes: changes)) }

    /// The changes of which it consists, or `nil` if it is a single change.
    package var parts: [Change]? { (base as? ChangeGroup)?.changes }
}
