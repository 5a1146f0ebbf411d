import GRDB
import LibraryKernel

/// Writes the tasks of rules beyond the library, which wait for the program that reloaded.
struct RuleTasks {
    let db: Database

    /// Returns the pending tasks and deletes them, so that none is done twice. The caller must do them.
    func removeAll() throws -> [RuleTask] {
        let tasks = try Row.fetchAll(db, sql: "SELECT id, rule, task, entry_id FROM rule_task ORDER BY id").compactMap {
            row -> RuleTask? in
            guard let action = Rule.Action(try row.at(2)) else { return nil }
            return try RuleTask(id: row.at(0), rule: row.at(1), action: action, entry: row.at(3))
        }
        if !tasks.isEmpty { try db.execute(sql: "DELETE FROM rule_task") }
        return tasks
    }
}

/// Returns the pending tasks of rules and removes them from the library.
struct TakeRuleTasks: MaintenanceStep {
    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        Outcome(answer: try RuleTasks(db: transaction.db).removeAll())
    }
}

extension Receipt {
    /// The pending tasks of rules, if requested.
    var tasks: [RuleTask] { answer as? [RuleTask] ?? [] }
}
