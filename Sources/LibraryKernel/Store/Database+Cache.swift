import GRDB

extension Database {
    /// Executes a statement that the connection compiles only once.
    package func executeCached(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
