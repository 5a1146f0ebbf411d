import GRDB
import LibraryKernel

extension Library {
    /// The rules for new entries, in the order in which they are applied.
    package var rules: [Rule] {
        get { attachment([Rule].self) ?? [] }
        set { attach(newValue) }
    }

    /// Returns the statistics of rules by name.
    package func ruleTallies() throws(LibraryError) -> [String: RuleTally] {
        try read { db in
            var tallies: [String: RuleTally] = [:]
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT name, matches, last, error,
                        (SELECT count(*) FROM rule_step JOIN undo_step USING (change) WHERE rule = name)
                    FROM rule_tally
                    """)
            {
                tallies[try row.at(0)] = try RuleTally(
                    matches: row.at(1), last: row.at(2), error: row.at(3), undoable: row.at(4))
            }
            return tallies
        }
    }

    /// Whether rules have pending tasks.
    func hasRuleTasks() throws(LibraryError) -> Bool {
        try read { db in try Int.fetchOne(db, sql: "SELECT 1 FROM rule_task LIMIT 1") != nil }
    }
}

extension [Rule] {
    /// Whether a rule searches the full-text index, which then has to contain all new entries.
    package var needsIndex: Bool { contains(where: \.when.needsIndex) }

    /// Applies the rules to all entries after an identifier, in the transaction that added them.
    ///
    /// - Parameter hasTasks: Whether to queue actions outside the library as well.
    package func apply(after last: EntryID, hasTasks: Bool, now: Instant, in transaction: LibraryTransaction) throws {
        try RuleWriter(transaction).apply(self, after: last, hasTasks: hasTasks, now: now)
    }
}
