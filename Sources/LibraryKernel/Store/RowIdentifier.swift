import GRDB

/// The identifier of a row. Each table has a type of its own, so that one identifier can't be passed for another.
///
/// The library and its journals store the plain number.
package protocol RowIdentifier: RawRepresentable<Int64>, Hashable, Comparable, Codable, Sendable,
    LosslessStringConvertible, ExpressibleByIntegerLiteral, DatabaseValueConvertible, StatementColumnConvertible
{
    init(rawValue: Int64)
}

extension RowIdentifier {
    /// Creates an identifier from a number in decimal digits.
    package init?(_ description: String) {
        guard let number = Int64(description) else { return nil }
        self.init(rawValue: number)
    }

    @inlinable package init(integerLiteral value: Int64) { self.init(rawValue: value) }

    @inlinable package var description: String { String(rawValue) }

    /// The number as SQLite stores it. Inlined into each feature, unlike GRDB's own for raw values.
    @inlinable package var databaseValue: DatabaseValue { rawValue.databaseValue }

    @inlinable package static func == (first: Self, second: Self) -> Bool { first.rawValue == second.rawValue }

    @inlinable package static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
