import GRDB

/// The rows that an undo step would restore.
///
/// Rows are copied and restored together with the rows that refer to them, as far as those have a trash table. Which
/// tables these are follows from the schema, so that a change of one feature keeps the rows of the others.
package struct Trash {
    private let db: Database
    /// The undo step.
    package let step: UndoStepID
    /// The tables whose rows refer to rows of a table, each with the column that refers.
    private let dependents: [String: [(table: String, key: String)]]

    /// - Parameter step: The undo step.
    package init(_ db: Database, of step: UndoStepID) throws {
        self.db = db
        self.step = step
        var dependents: [String: [(table: String, key: String)]] = [:]
        for table in try UndoLog(db).trashTables().map({ String($0.dropFirst("trash_".count)) }) {
            for key in try db.foreignKeys(on: table) where key.destinationTable != table {
                guard let column = key.originColumns.first, key.originColumns.count == 1 else { continue }
                dependents[key.destinationTable, default: []].append((table, column))
            }
        }
        self.dependents = dependents
    }

    /// Copies a row to the trash, with all rows that refer to it, directly or through others.
    package func add(_ row: some RowIdentifier, of table: String) throws { try add(table, where: "id = :row", row) }

    private func add(_ table: String, where condition: String, _ row: some RowIdentifier) throws {
        let columns = try columns(of: table)
        try db.executeCached(
            """
            INSERT INTO trash_\(table) (step_id, \(columns))
            SELECT :step, \(columns) FROM \(table) WHERE \(condition)
            """, ["step": step, "row": row])
        for (dependent, key) in dependents[table, default: []] {
            try add(dependent, where: "\(key) IN (SELECT id FROM \(table) WHERE \(condition))", row)
        }
    }

    /// Restores a row from the trash, with all rows that refer to it, directly or through others.
    ///
    /// - Parameter others: Tables whose rows are not restored with it.
    package func restore(_ row: some RowIdentifier, of table: String, except others: Set<String> = []) throws {
        try restore(table, where: "id = :row", row, except: others)
    }

    private func restore(
        _ table: String, where condition: String, _ row: some RowIdentifier, except others: Set<String>
    ) throws {
        let columns = try columns(of: table)
        let ofStep = "step_id = :step AND \(condition)"
        try db.executeCached(
            "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM trash_\(table) WHERE \(ofStep)",
            ["step": step, "row": row])
        for (dependent, key) in dependents[table, default: []] where !others.contains(dependent) {
            try restore(
                dependent, where: "\(key) IN (SELECT id FROM trash_\(table) WHERE \(ofStep))", row, except: others)
        }
    }

    /// Returns the column names of a table, separated by commas.
    private func columns(of table: String) throws -> String {
        try db.columns(in: table).map(\.name).joined(separator: ", ")
    }
}
