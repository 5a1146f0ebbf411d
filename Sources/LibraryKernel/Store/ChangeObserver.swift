import GRDB
import Synchronization

/// Follows the changes of a library, and calls the listeners of the changed parts once after each transaction.
///
/// There is one for all listeners, because GRDB asks each observer about each statement, and adding one waits for the
/// transaction that is running.
final class ChangeObserver: TransactionObserver, Sendable {
    /// A listener, called with the changed rows, or with `nil` if they are unknown or too many.
    typealias Listener = @MainActor (_ rows: Set<Int64>?) -> Void

    fileprivate typealias Call = (number: Int, listener: Listener, rows: Set<Int64>?)

    /// What the current transaction has changed in a table.
    fileprivate struct TableChange {
        /// Whether rows were inserted or deleted.
        var affectsAllColumns = false
        var columns: Set<String> = []
        var rows: Set<Int64>? = []

        /// Whether one of some columns has changed.
        func concerns(_ observed: LibraryPart.Columns) -> Bool {
            affectsAllColumns || observed.contain(oneOf: columns)
        }
    }

    fileprivate struct State {
        var listeners: [(number: Int, part: LibraryPart, listener: Listener)] = []
        var lastNumber = 0
        /// The tables of all parts that were ever observed.
        var tables: Set<String> = []
        /// The columns that the statements of the transaction update, whether or not they have found a row.
        var updatedColumns: [String: Set<String>] = [:]
        var changes: [String: TableChange] = [:]
        /// Whether another program has changed something.
        var isUnknown = false
        /// The calls of committed transactions that the main actor hasn't made yet.
        var undelivered: [Call] = []
    }
    private let state = Mutex(State())

    /// The maximum number of changed rows that listeners receive.
    private static let maximumRows = 64

    /// Adds a listener. Waits for the running transaction only if a table was never observed before.
    func observe(_ part: LibraryPart, in writer: any DatabaseWriter, _ listener: @escaping Listener) -> Observation {
        if state.withLock({ !$0.tables.isSuperset(of: part.tables.keys) }) {
            // The transaction that is running may have changed these tables already.
            writer.unsafeReentrantWrite { db in
                assert(ChangeObserver.canObserve(part, db), "SQLite doesn't report changes to tables WITHOUT ROWID")
                let isFirst = state.withLock { state in
                    defer { state.tables.formUnion(part.tables.keys) }
                    return state.tables.isEmpty
                }
                if isFirst { db.add(transactionObserver: self, extent: .databaseLifetime) }
            }
        }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.listeners.append((state.lastNumber, part, listener))
            return state.lastNumber
        }
        return Observation(number, of: self)
    }

    /// Whether SQLite reports the changes to all tables of a part.
    private static func canObserve(_ part: LibraryPart, _ db: Database) -> Bool {
        let silent = try? String.fetchSet(db, sql: "SELECT name FROM sqlite_master WHERE sql LIKE '%) WITHOUT ROWID'")
        return silent?.isDisjoint(with: part.tables.keys) ?? true
    }

    func remove(_ number: Int) {
        // Released outside the lock, since a listener may own what owns other observations.
        _ = state.withLock { state in
            state.listeners.firstIndex { $0.number == number }.map { state.listeners.remove(at: $0).listener }
        }
    }

    private func isListening(_ number: Int) -> Bool {
        state.withLock { $0.listeners.contains { $0.number == number } }
    }

    // MARK: Transactions

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        state.withLock { state in
            guard state.tables.contains(kind.tableName) else { return false }
            if case .update(let table, let columns) = kind {
                state.updatedColumns[table, default: []].formUnion(columns)
            }
            return true
        }
    }

    func databaseDidChange() { state.withLock { $0.isUnknown = true } }

    func databaseDidChange(with event: DatabaseEvent) {
        state.withLock { state in
            var change = state.changes.removeValue(forKey: event.tableName) ?? TableChange()
            if event.kind == .update {
                change.columns = state.updatedColumns[event.tableName] ?? []
            } else {
                change.affectsAllColumns = true
            }
            change.rows?.insert(event.rowID)
            if change.rows?.count ?? 0 > ChangeObserver.maximumRows { change.rows = nil }
            state.changes[event.tableName] = change
        }
    }

    func databaseDidCommit(_ db: Database) {
        let hasNews = state.withLock { state in
            let calls = state.calls
            state.clear()
            state.undelivered += calls
            return !calls.isEmpty
        }
        if hasNews { Task { @MainActor in deliver() } }
    }

    /// Calls the listeners of the transactions that were committed since the last time.
    @MainActor
    func deliver() {
        let calls = state.withLock { state in
            defer { state.undelivered = [] }
            return state.undelivered
        }
        for call in calls where isListening(call.number) { call.listener(call.rows) }
    }

    func databaseDidRollback(_ db: Database) { state.withLock { $0.clear() } }
}

extension ChangeObserver.State {
    /// The listeners of changed parts in the order in which they were added, with the changed rows.
    fileprivate var calls: [ChangeObserver.Call] {
        guard isUnknown || !changes.isEmpty else { return [] }
        return listeners.compactMap { number, part, listener in
            if isUnknown { return (number, listener, nil) }
            let changed = part.tables.compactMap { table, columns in
                changes[table].flatMap { $0.concerns(columns) ? $0 : nil }
            }
            guard let first = changed.first else { return nil }
            // The numbers of rows in several tables would be ambiguous.
            return (number, listener, part.tables.count == 1 ? first.rows : nil)
        }
    }

    fileprivate mutating func clear() {
        isUnknown = false
        updatedColumns.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
    }
}
