import Foundation
import GRDB
import LibraryKernel

/// Applies a rule to the entries up to an ID, as if they had just arrived. Skips actions with effects outside the
/// library.
struct ApplyRule: LibraryChange {
    static let kind = "rules.apply"
    var rule: Rule
    var last: EntryID
    var now: Instant

    var summary: String { "the rule \(rule.name)" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let done = try RuleWriter(transaction).applyToExisting(rule, upTo: last, now: now)
        var outcome = Outcome(
            count: done.steps.count, undo: "applying the rule \(rule.name)", Change(UndoParts(done.steps.reversed())))
        outcome.count = done.matches
        return outcome
    }
}

/// Reverts everything that a rule has done and that can still be undone, last change first.
struct UndoRule: LibraryChange {
    static let kind = "rules.undo"
    /// The name of the rule.
    var rule: String

    var summary: String { "an undo of the rule \(rule)" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let changes = try String.fetchAll(
            transaction.db,
            sql: """
                SELECT change FROM rule_step LEFT JOIN undo_step USING (change) WHERE rule = ? ORDER BY undo_step.id DESC
                """, arguments: [rule])
        var result = Outcome()
        for change in changes.compactMap(UUID.init(uuidString:)) {
            result.count += try transaction.applyWithoutUndo(.undo(change)).count
        }
        try transaction.db.execute(sql: "DELETE FROM rule_step WHERE rule = ?", arguments: [rule])
        result.sentence =
            changes.isEmpty
            ? "The rule \(rule) has done nothing that can be undone"
            : "Undid \(result.count.counted("change")) of the rule \(rule)"
        return result
    }
}

extension Change {
    /// Applies a rule to the entries up to an ID, as if they had just arrived. Skips actions with effects outside the
    /// library.
    package static func applyRule(_ rule: Rule, upTo last: EntryID, now: Instant) -> Change {
        Change(ApplyRule(rule: rule, last: last, now: now))
    }

    /// Reverts everything that the rule with this name has done.
    package static func undoRule(_ rule: String) -> Change { Change(UndoRule(rule: rule)) }
}
