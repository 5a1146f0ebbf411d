import GRDB
import Platform

/// What happens to changes when the program quits, and at the next start.
extension ChangeQueue {
    /// Waits until all changes are stored, or writes the remaining ones to a journal beside the library after a time
    /// limit.
    ///
    /// Called when the program quits. Later changes are rejected. Only another program's lock is waited for: a full
    /// disk, or a file system that can't lock files, stays so.
    ///
    /// - Parameter isSlow: Called once if this takes longer than 0.3 seconds.
    package func drain(within seconds: Double = 5, isSlow: () -> Void = {}) -> Leaving {
        let wasClosed = state.withState { state in
            state.isLeaving = true
            state.isHopeless = false
            state.reservations.endWaiting()
            return state.isClosed
        }
        if wasClosed { return .stored }
        // A read-only library won't become writable within a few seconds, so there is no reason to wait.
        let deadline = Stopwatch.now + .seconds(store.readOnlyReason == nil ? seconds : 0)
        let isIdle: @Sendable (State) -> Bool = { !$0.isWorking || $0.isHopeless }
        let isQuick = state.wait(until: min(deadline, Stopwatch.now + .milliseconds(300)), for: isIdle)
        if !isQuick, Stopwatch.now < deadline {
            isSlow()
            state.wait(until: deadline, for: isIdle)
        }
        let left = close()
        guard !left.isEmpty else {
            store.checkpoint(truncates: true)
            return .stored
        }
        return Journal.keep(left, of: store)
    }

    /// Rejects further work, waits for a commit that has begun, and returns the changes that are not stored.
    private func close() -> [Journal.Item] {
        state.withState { $0.isClosed = true }
        // The commit is writing its last page to disk.
        state.wait(until: Stopwatch.now + .seconds(2)) { !$0.isCommitting }
        return state.withState { state in
            let left = [state.running].compactMap { $0 } + state.waiting.removeChanges()
            state.running = nil
            return left.compactMap { work in work.change.map { Journal.Item(id: work.id, change: $0) } }
        }
    }

    /// Stores the changes of a journal, unless they are already stored.
    ///
    /// Called when a library is opened, before any other change.
    package func restoreJournal(_ journal: Journal) throws(LibraryError) {
        let changes: [Change]
        do { changes = try journal.items.map { try admit($0.change) } } catch { throw .failed("\(error)") }
        // The journal is deleted afterwards.
        try writeOnOpening(isDurable: true) { db in
            guard try journal.claim(db) else { return }
            for (item, change) in zip(journal.items, changes) where try !UndoLog(db).hasStep(of: item.id) {
                _ = try LibraryTransaction(db, kinds, id: item.id).apply(change)
            }
        }
    }

    /// Runs a change of the library itself, such as removing secrets, when it is opened or restored.
    ///
    /// Nothing else may use the library yet.
    package func prepare<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        try writeOnOpening(isDurable: false, body)
    }

    /// Runs a transaction, and waits as long as a command's change does while another program writes.
    private func writeOnOpening<Value>(isDurable: Bool, _ body: (Database) throws -> Value) throws(LibraryError)
        -> Value
    {
        let deadline = Stopwatch.now + .seconds(ChangeQueue.patience)
        var retries = RetryPolicy()
        while true {
            do throws(LibraryError) {
                return try store.write(permit, isDurable: isDurable, body)
            } catch {
                guard error.isBusy, Stopwatch.now < deadline else { throw error }
                Stopwatch.pause(for: .milliseconds(retries.nextPause()))
            }
        }
    }
}
