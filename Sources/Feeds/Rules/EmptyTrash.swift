import LibraryKernel

/// Deletes undo steps that are older than a number of seconds. Those of rules and of the retention limits remain for
/// a week, because nobody was watching them.
package struct EmptyTrash: MaintenanceStep {
    private static let automaticSteps: Int64 = 7 * 86_400

    let age: Int64

    package init(age: Int64) { self.age = age }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let now = Instant.now
        let oldest = now - EmptyTrash.automaticSteps
        let count = try UndoLog(transaction.db).deleteSteps(
            olderThan: age, now: now,
            except: """
                SELECT change FROM rule_step
                WHERE created BETWEEN \(oldest) AND \(now + 86_400)
                UNION ALL \(RetentionSteps.changes) AND created > \(oldest)
                """)
        try transaction.db.execute(
            sql: "DELETE FROM rule_step WHERE change NOT IN (SELECT change FROM undo_step)")
        return Outcome(count: count)
    }
}
