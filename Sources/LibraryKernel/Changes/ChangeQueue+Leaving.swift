import Dispatch
import Platform
import Synchronization

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
        // A read-only library won't become writable within a few seconds, so there is no reason to wait.
        let deadline = Stopwatch.now + .seconds(store.readOnlyReason == nil ? seconds : 0)
        let wasClosed = state.withLock { state in
            state.isLeaving = true
            state.isHopeless = false
            return state.isClosed
        }
        if wasClosed { return .stored }
        hasArrived { _ in }
        waitUntilIdle(until: deadline, isSlow: isSlow)
        let left = close()
        guard !left.isEmpty else {
            store.checkpoint(truncates: true)
            return .stored
        }
        return Journal.keep(left, of: store)
    }

    private func waitUntilIdle(until deadline: ContinuousClock.Instant, isSlow: () -> Void) {
        let moment = Stopwatch.now + .milliseconds(300)
        var wasReported = false
        while state.withLock({ $0.isWorking && !$0.isHopeless }), Stopwatch.now < deadline {
            if !wasReported, Stopwatch.now > moment {
                wasReported = true
                isSlow()
            }
            wake.signal()
            // The signal may come from work that ended long ago. Only the state is reliable.
            idle.wait(atMost: min(Stopwatch.now.duration(to: deadline), .milliseconds(100)))
        }
    }

    /// Rejects further work, waits for a commit that has begun, and returns the changes that are not stored.
    private func close() -> [Journal.Item] {
        var isCommitting = state.withLock { state in
            state.isClosed = true
            return state.isCommitting
        }
        // The commit is writing its last page to disk.
        let end = Stopwatch.now + .seconds(2)
        while isCommitting, Stopwatch.now < end {
            idle.wait(atMost: .milliseconds(20))
            isCommitting = state.withLock { $0.isCommitting }
        }
        return state.withLock { state in
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
        try store.write(permit, isDurable: true) { db in
            guard try journal.claim(db) else { return }
            for (item, change) in zip(journal.items, changes) where try !UndoLog(db).hasStep(of: item.id) {
                _ = try LibraryTransaction(db, kinds, id: item.id).apply(change)
            }
        }
    }
}
