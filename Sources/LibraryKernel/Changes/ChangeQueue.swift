import Dispatch
import Foundation
import GRDB
import Platform

/// Applies all changes to the library in order and returns a receipt for each.
///
/// Each change has its own transaction, except that steps of the engine may share one. ``submit(_:id:completion:)``
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

    struct State: Sendable {
        var waiting = WaitingWork()
        var running: QueuedWork?
        var isCommitting = false
        var isWorking = false
        var isLeaving = false
        /// Whether the last attempt failed for another reason than another program's lock.
        var isHopeless = false
        var isClosed = false
        var reservations = OpenReservations()
        var report = WaitingReport()
        /// How often the queue had nothing left to do.
        var rests = 0
    }

    let store: Store
    /// The kinds of changes that journals and undo steps can contain.
    package let kinds: ChangeKinds
    let admit: @Sendable (Change) throws(ChangeFailure) -> Change
    let state = Monitor(State())
    private let thread = DispatchQueue(label: "library-changes", qos: .userInitiated)
    let permit = WritePermit()

    /// - Parameters:
    ///   - kinds: The kinds of changes that journals and undo steps can contain.
    ///   - admit: Called with each change before it is queued or taken from a journal. Returns the change to store.
    package init(
        _ store: Store, _ kinds: ChangeKinds, admit: @escaping @Sendable (Change) throws(ChangeFailure) -> Change
    ) {
        self.store = store
        self.kinds = kinds
        self.admit = admit
    }

    // MARK: Asking

    /// The number of seconds for which a change that its caller waits for may be delayed by another program.
    package static let patience = 10.0

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
                id: id, work: .change(change), patience: .untilLeaving, submitted: Stopwatch.now, completion: completion
            ))
    }

    /// Applies a change and waits for its receipt.
    ///
    /// - Throws: ``ChangeFailure``; then nothing was changed.
    @discardableResult
    package func perform(_ change: Change, id: UUID = UUID(), patience: Patience = .seconds(ChangeQueue.patience))
        async throws(ChangeFailure) -> Receipt
    { try await perform(.change(change), id, patience) }

    /// Applies a maintenance step after all waiting changes, and waits for its receipt.
    ///
    /// - Parameter reservation: The reservation that the step fulfils.
    /// - Throws: ``ChangeFailure``; then nothing was changed.
    @discardableResult
    package func perform(_ maintenance: any MaintenanceStep, _ reservation: CommitReservation? = nil)
        async throws(ChangeFailure)
        -> Receipt
    {
        try await perform(.maintenance(maintenance.prepared(reading: store)), UUID(), .seconds(60), reservation)
    }

    private func perform(
        _ work: QueuedWork.Work, _ id: UUID, _ patience: Patience, _ reservation: CommitReservation? = nil
    ) async throws(ChangeFailure) -> Receipt {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
            enqueue(
                QueuedWork(id: id, work: work, patience: patience, submitted: Stopwatch.now, reservation: reservation) {
                    continuation.resume(returning: $0)
                })
        }
        return try result.get()
    }

    /// Reserves a place for a step that is being prepared and may share a transaction.
    ///
    /// Such steps that are stored meanwhile wait briefly for it. A change of the user ends the wait. The reservation is
    /// valid until ``perform(_:_:)`` stores the step or the caller abandons it.
    package func reserve() -> CommitReservation {
        state.withState { $0.reservations.add() }
        return CommitReservation { [self] in
            hasArrived { $0.reservations.remove() }
        }
    }

    /// The number of reserved steps that haven't arrived yet.
    var reservedSteps: Int { state.withState { $0.reservations.count } }

    /// The number of changes and maintenance steps that are queued or being applied.
    var pending: Int {
        state.withState { $0.waiting.count + ($0.running == nil ? 0 : 1) }
    }

    /// Whether a transaction remains open for reserved steps.
    var isKeptOpen: Bool { state.withState { $0.reservations.areAwaited } }

    /// Updates the state and ends the wait of a transaction for a reserved step.
    private func hasArrived(_ note: (inout State) -> Void) {
        state.withState { state in
            note(&state)
            state.reservations.endWaiting()
        }
    }

    /// Removes a change from the queue, unless it is stored or being stored.
    ///
    /// - Returns: Whether the change was removed. If so, its completion is not called.
    package func withdraw(_ id: UUID) -> Bool {
        defer { reportWaiting() }
        return state.withState { state in
            state.running?.id != id && state.waiting.withdraw(id)
        }
    }

    /// Sets a closure that receives the number of waiting changes and the reason.
    ///
    /// It is called on a thread of the queue while the library can't be written to, and once afterwards.
    package func observe(_ tell: @escaping @Sendable (Waiting) -> Void) {
        state.withState { $0.report.tell = tell }
    }

    private func enqueue(_ work: QueuedWork) {
        var work = work
        if let change = work.change {
            do throws(ChangeFailure) { work.work = .change(try admit(change)) } catch {
                return work.completion(.failure(error))
            }
        }
        let admitted = work
        let (starts, isRejected) = state.withState { state -> (Bool, Bool) in
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
            var delay: LibraryError?
            var done = commit.run(work, permit)
            done.removeAll { done in
                guard case .failure(let error) = done.result, RetryPolicy.mayRetry(done.work, after: error) else {
                    return false
                }
                again.append(done.work)
                delay = error
                return true
            }
            endAttempt(puttingBack: again, after: delay)
            for done in done {
                done.work.completion(done.result.mapError { ChangeFailure(description: $0.description, error: $0) })
            }
            reportWaiting()
            if again.isEmpty {
                retries.reset()
            } else {
                pause(atMost: retries.nextPause())
            }
        }
        scheduleCheckpoint()
    }

    /// The maximum pause between attempts while the program quits, in milliseconds.
    private static let longestPauseOfLeaving = 100

    /// Waits before the next attempt. Quitting shortens the pause.
    private func pause(atMost milliseconds: Int) {
        let isLeaving = state.withState { $0.isLeaving }
        let limit = isLeaving ? min(milliseconds, ChangeQueue.longestPauseOfLeaving) : milliseconds
        state.wait(until: Stopwatch.now + .milliseconds(limit)) { isLeaving ? $0.isClosed : $0.isLeaving }
    }

    /// Moves the write-ahead log into the library file after a few seconds without changes, so that the file contains
    /// the whole library.
    private func scheduleCheckpoint() {
        let number = state.withState { state in
            state.rests += 1
            return state.rests
        }
        thread.run(after: .seconds(3)) { [weak self] in
            guard let self, self.state.withState({ $0.rests }) == number else { return }
            self.store.rest()
        }
    }

    private func next() -> QueuedWork? {
        var dropped: [QueuedWork] = []
        let work = state.withState { state -> QueuedWork? in
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
            next: { [self] end in nextToShare(before: end) },
            mayCommit: { [self] in
                state.withState { state in
                    if !state.isClosed { state.isCommitting = true }
                    return !state.isClosed
                }
            })
    }

    /// Returns the next step that may share a transaction, and waits for reserved ones.
    private func nextToShare(before end: ContinuousClock.Instant) -> QueuedWork? {
        while true {
            let rest = Stopwatch.now.duration(to: end)
            guard rest > .zero else { return nil }
            let (next, isComing) = state.withState { state -> (QueuedWork?, Bool) in
                guard !state.isLeaving, !state.isClosed else { return (nil, false) }
                switch state.waiting.removeNextToShare() {
                case .step(let next): return (next, false)
                case .other: return (nil, false)
                case .none: return (nil, state.reservations.beginWaiting())
                }
            }
            guard isComing else { return next }
            state.wait(until: end) { !$0.reservations.areAwaited }
        }
    }

    /// Ends an attempt and puts the work to retry at the front of the queue.
    private func endAttempt(puttingBack work: [QueuedWork], after delay: LibraryError?) {
        state.withState { state in
            state.running = nil
            state.isCommitting = false
            state.isHopeless = delay.map { !$0.isBusy } ?? false
            state.report.delayReason = delay?.description
            state.waiting.putBack(work)
        }
    }

    private func reportWaiting() {
        let news = state.withState { state -> (Waiting, @Sendable (Waiting) -> Void)? in
            let count = state.waiting.changes.count + (state.running?.change == nil ? 0 : 1)
            return state.report.news(count: count).map { ($0, state.report.tell) }
        }
        if let (waiting, tell) = news { tell(waiting) }
    }

    // MARK: The file

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
