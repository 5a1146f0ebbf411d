import GRDB

/// The library stores instants as numbers of seconds.
extension Instant: DatabaseValueConvertible, StatementColumnConvertible {}
