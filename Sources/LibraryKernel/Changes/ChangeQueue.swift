import Dispatch
import Foundation
import GRDB
import Synchronization

/// Applies all changes to the library in order and returns a receipt for each.
///
/// Each change has its own transaction, except that the feeds of a reload share one. ``submit(_:id:completion:)``
/// returns immediately, and nothing blocks the calling thread. Changes of the user run before the engine's maintenance.
///
/// If the library is locked or the disk is full, the queue retries with growing pauses. The changes wait meanwhile, and
/// the queue notifies its observer.
package final class ChangeQueue: Sendable {
    /// How long a change may wait for a library that can't be written to.
    package enum Patience: Sendable {
        /// Waits until the program quits. The change is then written to the journal.
        case untilLeaving
        /// Waits at most this number of seconds while another program writes to the library. Fails immediately if the
        /// disk is full or broken.
        case seconds(Double)
    }

    /// The changes that aren't stored yet, and the reason.
    package struct Waiting: Sendable, Equatable {
        package var count = 0
        /// The reason in a sentence without a full stop, or `nil` if there is no error.
        package var delayReason: String?
    }

    private struct State {
        var waiting = WaitingWork()
        var running: QueuedWork?
        var isCommitting = false
        var isWorking = false
        var isLeaving = false
        var isClosed = false
        /// The number of feeds that are being fetched.
        var coming = 0
        /// Whether a transaction remains open for these feeds.
        var awaitsFeeds = false
        var delayReason: String?
        var told = Waiting()
        var tell: @Sendable (Waiting) -> Void = { _ in }
    }

    private let store: Store
    /// The kinds of changes that journals and undo steps can contain.
    package let kinds: ChangeKinds
    private let admit: @Sendable (Change) throws(ChangeFailure) -> Change
    private let state = Mutex(State())
    /// Interrupts the pause between attempts when the program quits.
    private let hurry = DispatchSemaphore(value: 0)
    private let idle = DispatchSemaphore(value: 0)
    /// Wakes a transaction that is waiting for another feed.
    private let arrival = DispatchSemaphore(value: 0)
    private let thread = DispatchQueue(label: "library-changes", qos: .userInitiated)
    private let idleCheckpoint: IdleCheckpoint
    private let permit = WritePermit()

    /// - Parameters:
    ///   - kinds: The kinds of changes that journals and undo steps can contain.
    ///   - admit: Called with each change before it is queued or taken from a journal. Returns the change to store.
    package init(
        _ store: Store, _ kinds: ChangeKinds, admit: @escaping @Sendable (Change) throws(ChangeFailure) -> Change
    ) {
        self.store = store
        self.kinds = kinds
        self.admit = admit
        idleCheckpoint = IdleCheckpoint(store, on: thread)
    }

    // MARK: Asking

    /// Adds a change to the queue and returns immediately.
    ///
    /// - Parameters:
    ///   - id: The ID of the change, to which a later undo refers.
    ///   - completion: Called on a thread of the queue when the change is stored or has failed.
    package func submit(
        _ change: Change, id: UUID = UUID(),
        completion: @escaping @Sendable (Result<Receipt, ChangeFailure>) -> Void
    ) {
        enqueue(
            QueuedWork(
                id: id, work: .change(change), patience: .untilLeaving, submitted: .now, completion: completion))
    }

    /// Applies a change and waits for its receipt.
    ///
    /// - Throws: ``ChangeFailure``; then nothing was changed.
    @discardableResult
    package func perform(_ change: Change, id: UUID = UUID(), patience: Patience = .seconds(10))
        async throws(ChangeFailure) -> Receipt
    { try await perform(.change(change), id, patience) }

    /// Applies a maintenance step after all waiting changes, and waits for its receipt.
    ///
    /// - Parameter reservation: The reservation that the step fulfils.
    /// - Throws: ``ChangeFailure``; then nothing was changed.
    @discardableResult
    package func perform(_ maintenance: any MaintenanceStep, _ reservation: FeedReservation? = nil)
        async throws(ChangeFailure)
        -> Receipt
    {
        try await perform(.maintenance(maintenance), UUID(), .seconds(60), reservation)
    }

    private func perform(
        _ work: QueuedWork.Work, _ id: UUID, _ patience: Patience, _ reservation: FeedReservation? = nil
    ) async throws(ChangeFailure) -> Receipt {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
            enqueue(
                QueuedWork(id: id, work: work, patience: patience, submitted: .now, reservation: reservation) {
                    continuation.resume(returning: $0)
                })
        }
        return try result.get()
    }

    /// Reserves a place for a feed that is being fetched.
    ///
    /// Feeds that are stored meanwhile wait briefly for it, so that they share a transaction. A change of the user ends
    /// the wait. The reservation is valid until ``perform(_:_:)`` stores the feed or the caller abandons it.
    package func announceFeed() -> FeedReservation {
        state.withLock { $0.coming += 1 }
        return FeedReservation { [self] in
            hasArrived { $0.coming -= 1 }
        }
    }

    /// The number of reserved feeds that haven't arrived yet.
    var reservedFeeds: Int { state.withLock { $0.coming } }

    /// The number of changes and maintenance steps that are queued or being applied.
    var pending: Int {
        state.withLock { $0.waiting.count + ($0.running == nil ? 0 : 1) }
    }

    /// Whether a transaction remains open for feeds that are being fetched.
    var isKeptOpen: Bool { state.withLock { $0.awaitsFeeds } }

    /// Updates the state and wakes a transaction that is waiting for feeds.
    private func hasArrived(_ note: (inout State) -> Void) {
        let isAwaited = state.withLock { state in
            note(&state)
            defer { state.awaitsFeeds = false }
            return state.awaitsFeeds
        }
        if isAwaited { arrival.signal() }
    }

    /// Removes a change from the queue, unless it is stored or being stored.
    ///
    /// - Returns: Whether the change was removed. If so, its completion is not called.
    package func withdraw(_ id: UUID) -> Bool {
        defer { reportWaiting() }
        return state.withLock { state in
            state.running?.id != id && state.waiting.withdraw(id)
        }
    }

    /// Sets a closure that receives the number of waiting changes and the reason.
    ///
    /// It is called on a thread of the queue while the library can't be written to, and once afterwards.
    package func observe(_ tell: @escaping @Sendable (Waiting) -> Void) { state.withLock { $0.tell = tell } }

    private func enqueue(_ work: QueuedWork) {
        var work = work
        if let change = work.change {
            do throws(ChangeFailure) { work.work = .change(try admit(change)) } catch {
                return work.completion(.failure(error))
            }
        }
        let admitted = work
        let (starts, isRejected) = state.withLock { state -> (Bool, Bool) in
            if state.isClosed || state.isLeaving && admitted.change == nil { return (false, true) }
            state.waiting.append(admitted)
            defer { state.isWorking = true }
            return (!state.isWorking, false)
        }
        if isRejected { return work.reject() }
        if let reservation = work.reservation { reservation.end() } else { hasArrived { _ in } }
        if starts { thread.async { [self] in storeWaitingWork() } }
        reportWaiting()
    }

    // MARK: Storing

    private func storeWaitingWork() {
        var retries = RetryPolicy()
        while let work = next() {
            var again: [QueuedWork] = []
            var delayReason: String?
            var done = commit.run(work, permit)
            done.removeAll { done in
                guard case .failure(let error) = done.result, RetryPolicy.mayRetry(done.work, after: error) else {
                    return false
                }
                again.append(done.work)
                delayReason = error.description
                return true
            }
            endAttempt(puttingBack: again, delayReason: delayReason)
            for done in done {
                done.work.completion(done.result.mapError { ChangeFailure(description: $0.description, error: $0) })
            }
            reportWaiting()
            if again.isEmpty {
                retries.reset()
            } else {
                _ = hurry.wait(timeout: .now() + .milliseconds(retries.nextPause()))
            }
        }
        idle.signal()
        idleCheckpoint.schedule()
    }

    private func next() -> QueuedWork? {
        var dropped: [QueuedWork] = []
        let work = state.withLock { state -> QueuedWork? in
            if state.isLeaving { dropped = state.waiting.removeMaintenance() }
            state.running = state.isClosed ? nil : state.waiting.removeFirst()
            if state.running == nil { state.isWorking = false }
            return state.running
        }
        for work in dropped { work.reject() }
        return work
    }

    private var commit: GroupCommit {
        GroupCommit(
            store: store, kinds: kinds,
            nextFeed: { [self] end in nextFeed(before: end) },
            mayCommit: { [self] in
                state.withLock { state in
                    if !state.isClosed { state.isCommitting = true }
                    return !state.isClosed
                }
            })
    }

    /// Returns the next feed that may share the transaction of another feed, and waits for feeds that are being
    /// fetched.
    private func nextFeed(before end: ContinuousClock.Instant) -> QueuedWork? {
        while true {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard rest > 0 else { return nil }
            let (next, isComing) = state.withLock { state -> (QueuedWork?, Bool) in
                guard !state.isLeaving, !state.isClosed else { return (nil, false) }
                switch state.waiting.removeNextFeed() {
                case .feed(let next): return (next, false)
                case .other: return (nil, false)
                case .none:
                    state.awaitsFeeds = state.coming > 0
                    return (nil, state.awaitsFeeds)
                }
            }
            guard isComing else { return next }
            _ = arrival.wait(timeout: .now() + .milliseconds(Int(clamping: rest.rounded(.up))))
        }
    }

    /// Ends an attempt and puts the work to retry at the front of the queue.
    private func endAttempt(puttingBack work: [QueuedWork], delayReason: String?) {
        state.withLock { state in
            state.running = nil
            state.isCommitting = false
            state.delayReason = delayReason
            state.waiting.putBack(work)
        }
    }

    private func reportWaiting() {
        let news = state.withLock { state -> (Waiting, @Sendable (Waiting) -> Void)? in
            let count = state.waiting.changes.count + (state.running?.change == nil ? 0 : 1)
            let waiting = state.delayReason == nil ? Waiting() : Waiting(count: count, delayReason: state.delayReason)
            guard waiting != state.told else { return nil }
            state.told = waiting
            return (waiting, state.tell)
        }
        if let (waiting, tell) = news { tell(waiting) }
    }

    // MARK: Leaving

    /// Waits until all changes are stored, or writes the remaining ones to a journal beside the library after a time
    /// limit.
    ///
    /// Called when the program quits. Later changes are rejected.
    ///
    /// - Parameter isSlow: Called once if this takes longer than 0.3 seconds.
    package func drain(within seconds: Double = 5, isSlow: () -> Void = {}) -> Leaving {
        // A read-only library won't become writable within a few seconds, so there is no reason to wait.
        let deadline = DispatchTime.now() + (store.readOnlyReason == nil ? seconds : 0)
        let wasClosed = state.withLock { state in
            state.isLeaving = true
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

    private func waitUntilIdle(until deadline: DispatchTime, isSlow: () -> Void) {
        let moment = DispatchTime.now() + 0.3
        var wasReported = false
        while state.withLock({ $0.isWorking }), .now() < deadline {
            if !wasReported, .now() > moment {
                wasReported = true
                isSlow()
            }
            hurry.signal()
            // The signal may come from work that ended long ago. Only the state is reliable.
            _ = idle.wait(timeout: min(deadline, .now() + .milliseconds(100)))
        }
    }

    /// Rejects further work, waits for a commit that has begun, and returns the changes that are not stored.
    private func close() -> [Journal.Item] {
        var isCommitting = state.withLock { state in
            state.isClosed = true
            return state.isCommitting
        }
        // The commit is writing its last page to disk.
        let end = DispatchTime.now() + 2
        while isCommitting, .now() < end {
            _ = idle.wait(timeout: .now() + .milliseconds(20))
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
        try store.write(permit) { db in
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
        try store.write(permit, body)
    }

    // MARK: Checkpoints

    /// Moves the write-ahead log into the library file, after all waiting changes.
    package func checkpoint() { thread.async { [self] in store.checkpoint(truncates: true) } }

    /// Rewrites the library file without its free space, after all waiting changes.
    package func compact() async throws(LibraryError) {
        let result: Result<Void, LibraryError> = await withCheckedContinuation { continuation in
            thread.async { [self] in
                do throws(LibraryError) {
                    try store.compact(permit)
                    continuation.resume(returning: .success(()))
                } catch { continuation.resume(returning: .failure(error)) }
            }
        }
        try result.get()
    }
}
