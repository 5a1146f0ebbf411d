import GRDB

extension Library {
    /// How each rule is doing, by its name.
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

    /// The entries that a query finds among those that have come since an instant, the newest first.
    package func entries(matching query: SearchQuery, since date: Int64, limit: Int) throws(LibraryError)
        -> (count: Int, first: [EntryRow])
    {
        let condition = query.condition
        let isOfAll = date == .min
        let sql =
            isOfAll
            ? condition.sql : "id IN (SELECT entry_id FROM entry_content WHERE first_seen >= ?) AND \(condition.sql)"
        let arguments: StatementArguments = (isOfAll ? [] : [date]) + condition.arguments
        return try read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE \(sql)", arguments: arguments) ?? 0,
                try Row.fetchAll(
                    db, sql: "\(Library.entryColumns) WHERE \(sql) ORDER BY sort_date DESC, id DESC LIMIT ?",
                    arguments: arguments + [limit]
                ).map(Library.row)
            )
        }
    }

    /// Whether rules have left something to be done.
    package func hasRuleTasks() throws(LibraryError) -> Bool {
        try read { db in try Int.fetchOne(db, sql: "SELECT 1 FROM rule_task LIMIT 1") != nil }
    }

    /// The tags of an entry, by name.
    package func tags(ofEntry entry: Int64) throws(LibraryError) -> [String] {
        try read { db in
            try String.fetchAll(
                db, sql: "SELECT tag FROM entry_tag WHERE entry_id = ? ORDER BY tag", arguments: [entry])
        }
    }
}
