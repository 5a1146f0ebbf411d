import GRDB

extension Row {
    /// Returns the value of a column by index.
    ///
    /// Inlinable, because otherwise each call from a feature would look up the type and its conformances at run time.
    ///
    /// - Throws: An error if the row has no such column, or if the value has another type, because a damaged library can
    ///   hold any value in any column.
    @inlinable
    package func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        guard index < count else { throw DatabaseError(message: "missing column \(index + 1)") }
        return try decode(atIndex: index)
    }

    /// Returns the value of a column by name.
    @inlinable
    package func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ name: String) throws -> Value {
        try decode(forColumn: name)
    }
}
