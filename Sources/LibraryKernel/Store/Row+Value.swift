import GRDB

extension Row {
    /// Returns the value of a column by index.
    ///
    /// - Throws: An error if the row has no such column, or if the value has another type, because a damaged library can
    ///   hold any value in any column.
    package func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        guard index < count else { throw DatabaseError(message: "missing column \(index + 1)") }
        return try decode(atIndex: index)
    }

    /// Returns the value of a column by name.
    package func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ name: String) throws -> Value {
        try decode(forColumn: name)
    }
}
