import CSQLiteFunctions
import GRDB
import Synchronization

/// Cancels the queries of a background read.
final class ReadToken: Sendable {
    /// A connection that may be interrupted from any thread while a query runs on it.
    private struct Connection: @unchecked Sendable { let pointer: OpaquePointer }
    private struct State {
        var isCancelled = false
        var connection: Connection?
    }

    /// The background read that the current thread performs.
    @TaskLocal static var current: ReadToken?

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let connection = state.connection { csq_interrupt(connection.pointer) }
        }
    }

    /// Runs queries, which fail once the read is cancelled.
    func run<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        let connection = db.sqliteConnection.map { Connection(pointer: $0) }
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.connection = connection
        }
        defer { state.withLock { $0.connection = nil } }
        return try body(db)
    }
}
