import Dispatch
import Foundation
import Synchronization

/// The permission to write to the store. Only this file can create one, so only the queue can write.
struct WritePermit: ~Copyable {
    fileprivate init() {}
}

/// Applies all changes of the library in order, each in its own transaction, and returns a receipt for each.
///
/// Feeds that arrive during a reload share transactions. ``submit(_:id:completion:)`` returns at once; no method blocks
/// the calling thread. Changes of the user go before maintenance. If the library is locked or the disk is full, the
/// queue retries with growing pauses and reports the reason to its observer.
package final class ChangeQueue: Sendable {
    /// How long a change may wait while the library can't be written.
    package enum Patience: Sendable {
        /// Until the program quits; then the change goes into the journal.
        case untilLeaving
        /// At most so many seconds while another program locks the library. A full or broken disk fails at once.
        case seconds(Double)
    }

    /// The changes that are not stored yet, and the reason if something prevents it.
    package struct Waiting: Sendable, Equatable {
        package var count = 0
        /// The reason as a sentence without a full stop, or `nil` if nothing is wrong.
        package var trouble: String?
    }

    private enum Work: Sendable {
        case change(Change)
        case maintenance(Maintenance)
    }

    private struct Item: Sendable {
        var id: UUID
        var work: Work
        var patience: Patience
        var submitted: ContinuousClock.Instant
        /// The reservation that announced the feed, if any.
        var announcement: FeedReservation?
        var completion: @Sendable (Result<Receipt, ChangeFailure>) -> Void

        var change: Change? { if case .change(let change) = work { change } else { nil } }
        /// Whether the item may share a transaction with others of its kind.
        var sharesCommit: Bool {
            if case .maintenance(let maintenance) = work { maintenance.isOfOneFeed } else { false }
        }
    }

    /// The outcome of an item.
    private struct Done {
        var item: Item
        var result: Result<Receipt, LibraryError>
    }

    private struct State {
        var changes: [Item] = []
        var maintenance: [Item] = []
        var running: Item?
        var isCommitting = false
        var isWorking = false
        var isLeaving = false
        var isClosed = false
        /// The number of reserved feeds that are still being read.
        var coming = 0
        /// Whether a transaction is open and waits for reserved feeds.
        var awaitsFeeds = false
        var trouble: String?
        var told = Waiting()
        var tell: @Sendable (Waiting) -> Void = { _ in }
    }

    private let store: Store
    private let gate: SubscriptionGate
    private let state = Mutex(State())
    /// Ends a retry pause early when the program quits.
    private let hurry = DispatchSemaphore(value: 0)
    private let idle = DispatchSemaphore(value: 0)
    /// Wakes a transaction that waits for another feed.
    private let arrival = DispatchSemaphore(value: 0)
    private let thread = DispatchQueue(label: "library-changes", qos: .userInitiated)
    private let checkpointing: Mutex<Int> = Mutex(0)
    /// The pauses between tries, in milliseconds. The last one repeats.
    private static let pauses = [20, 50, 100, 250, 500, 1000, 2000]
    /// The maximum time in which feeds join one transaction. A change of the user ends it at once.
    private static let longestCommit = Duration.milliseconds(100)
    /// The idle seconds after which the queue copies the write-ahead log into the library's file.
    private static let rest = 3

    init(_ store: Store, _ secrets: SecretStore) {
        self.store = store
        gate = SubscriptionGate(secrets: secrets, store: store)
    }

    // MARK: Asking

    /// Adds a change to the queue and returns at once.
    ///
    /// - Parameters:
    ///   - id: The change's identifier, by which it can be undone.
    ///   - completion: Called on a thread of the queue when the change was stored or given up.
    package func submit(
        _ change: Change, id: UUID = UUID(),
        completion: @escaping @Sendable (Result<Receipt, ChangeFailure>) -> Void
    ) { enqueue(Item(id: id, work: .change(change), patience: .untilLeaving, submitted: .now, completion: completion)) }

    /// Applies a change and waits for its receipt.
    ///
    /// - Throws: ``ChangeFailure`` if nothing was changed.
    @discardableResult
    package func perform(_ change: Change, id: UUID = UUID(), patience: Patience = .seconds(10))
        async throws(ChangeFailure) -> Receipt
    { try await perform(.change(change), id, patience) }

    /// Applies a maintenance step after all waiting changes.
    ///
    /// - Parameter announcement: The reservation that announced the step.
    /// - Throws: ``ChangeFailure`` if nothing was changed.
    @discardableResult
    package func perform(_ maintenance: Maintenance, _ announcement: FeedReservation? = nil) async throws(ChangeFailure)
        -> Receipt
    {
        try await perform(.maintenance(maintenance), UUID(), .seconds(60), announcement)
    }

    private func perform(_ work: Work, _ id: UUID, _ patience: Patience, _ announcement: FeedReservation? = nil)
        async throws(ChangeFailure) -> Receipt
    {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
            enqueue(
                Item(id: id, work: work, patience: patience, submitted: .now, announcement: announcement) {
                    continuation.resume(returning: $0)
                })
        }
        return try result.get()
    }

    /// Reserves a place for a feed that is being read.
    ///
    /// Feeds stored meanwhile wait a moment for it, so that they share a transaction, unless a change of the user
    /// arrives. The reservation ends when the feed is stored with ``perform(_:_:)`` or given up.
    package func announceFeed() -> FeedReservation {
        state.withLock { $0.coming += 1 }
        return FeedReservation { [self] in
            hasArrived { $0.coming -= 1 }
        }
    }

    /// The number of reserved feeds that have not arrived.
    var feedsToCome: Int { state.withLock { $0.coming } }

    /// The number of changes and maintenance steps that are queued or being applied.
    var pending: Int {
        state.withLock { $0.changes.count + $0.maintenance.count + ($0.running == nil ? 0 : 1) }
    }

    /// Whether a transaction is open and waits for feeds that are being read.
    var isKeptOpen: Bool { state.withLock { $0.awaitsFeeds } }

    /// Updates the state and wakes a transaction that may be waiting for it.
    private func hasArrived(_ note: (inout State) -> Void) {
        let isAwaited = state.withLock { state in
            note(&state)
            defer { state.awaitsFeeds = false }
            return state.awaitsFeeds
        }
        if isAwaited { arrival.signal() }
    }

    /// Withdraws a change that is not stored and not being stored.
    ///
    /// - Returns: Whether the change was in the queue. If so, its completion is never called.
    package func withdraw(_ id: UUID) -> Bool {
        defer { tellWaiting() }
        return state.withLock { state in
            guard state.running?.id != id, let index = state.changes.firstIndex(where: { $0.id == id }) else {
                return false
            }
            state.changes.remove(at: index)
            return true
        }
    }

    /// Sets the observer that is called, on a thread of the queue, when changes are delayed and when they no longer
    /// are.
    package func observe(_ tell: @escaping @Sendable (Waiting) -> Void) { state.withLock { $0.tell = tell } }

    private func enqueue(_ item: Item) {
        var item = item
        if case .change(let change) = item.work {
            do throws(SecretProblem) { item.work = .change(try gate.admit(change)) } catch {
                return item.completion(.failure(ChangeFailure(description: error.description)))
            }
        }
        let admitted = item
        let (starts, isRefused) = state.withLock { state -> (Bool, Bool) in
            if state.isClosed || state.isLeaving && admitted.change == nil { return (false, true) }
            if admitted.change != nil { state.changes.append(admitted) } else { state.maintenance.append(admitted) }
            defer { state.isWorking = true }
            return (!state.isWorking, false)
        }
        if isRefused { return item.completion(.failure(ChangeFailure(description: "tappa is quitting"))) }
        if let announcement = item.announcement { announcement.end() } else { hasArrived { _ in } }
        if starts { thread.async { [self] in work() } }
        tellWaiting()
    }

    // MARK: Working

    private func work() {
        var attempts = 0
        while let item = next() {
            var again: [Item] = []
            var trouble: String?
            var done = attempt(item)
            done.removeAll { done in
                guard case .failure(let error) = done.result, mayWait(done.item, error) else { return false }
                again.append(done.item)
                trouble = error.description
                return true
            }
            endAttempt(puttingBack: again, trouble: trouble)
            for done in done {
                done.item.completion(done.result.mapError { ChangeFailure(description: $0.description, error: $0) })
            }
            tellWaiting()
            guard !again.isEmpty else {
                attempts = 0
                continue
            }
            let pause = ChangeQueue.pauses[min(attempts, ChangeQueue.pauses.count - 1)]
            attempts += 1
            _ = hurry.wait(timeout: .now() + .milliseconds(pause))
        }
        idle.signal()
        checkpointAfterRest()
    }

    private func next() -> Item? {
        var dropped: [Item] = []
        let item = state.withLock { state -> Item? in
            if state.isLeaving {
                dropped = state.maintenance
                state.maintenance = []
            }
            let item =
                state.isClosed || state.changes.isEmpty && state.maintenance.isEmpty
                ? nil : state.changes.isEmpty ? state.maintenance.removeFirst() : state.changes.removeFirst()
            state.running = item
            if item == nil { state.isWorking = false }
            return item
        }
        for item in dropped { item.completion(.failure(ChangeFailure(description: "tappa is quitting"))) }
        return item
    }

    /// Applies an item in a transaction, together with waiting feeds.
    ///
    /// Sharing a transaction writes the pages that all feeds change only once. If the transaction fails, each item is
    /// retried in its own.
    private func attempt(_ first: Item, alone: Bool = false) -> [Done] {
        var taken = [first]
        do throws(LibraryError) {
            return try store.write(WritePermit()) { db in
                let end = ContinuousClock.now + ChangeQueue.longestCommit
                var done: [Done] = []
                let gathered = GatheredTexts()
                while let item = taken[done.count...].first {
                    let writer = ChangeWriter(db: db, id: item.id, gathered: gathered)
                    let receipt =
                        switch item.work {
                        case .change(let change): try writer.apply(change)
                        case .maintenance(let maintenance): try writer.apply(maintenance)
                        }
                    done.append(Done(item: item, result: .success(receipt)))
                    if !alone, let next = another(after: item, before: end) { taken.append(next) }
                }
                try gathered.index(db)
                // From here on, quitting waits for the commit.
                guard
                    state.withLock({ state in
                        if !state.isClosed { state.isCommitting = true }
                        return !state.isClosed
                    })
                else { throw Abandoned() }
                return done
            }
        } catch {
            if taken.count > 1, !error.isTransient { return taken.flatMap { attempt($0, alone: true) } }
            return taken.map { Done(item: $0, result: .failure(error)) }
        }
    }

    /// Returns the next feed that may share the transaction of `item`, waiting for reserved feeds until `end`.
    private func another(after item: Item, before end: ContinuousClock.Instant) -> Item? {
        guard item.sharesCommit else { return nil }
        while true {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard rest > 0 else { return nil }
            let (next, isComing) = state.withLock { state -> (Item?, Bool) in
                guard !state.isLeaving, !state.isClosed, state.changes.isEmpty else { return (nil, false) }
                if let next = state.maintenance.first {
                    return (next.sharesCommit ? state.maintenance.removeFirst() : nil, false)
                }
                state.awaitsFeeds = state.coming > 0
                return (nil, state.awaitsFeeds)
            }
            guard isComing else { return next }
            _ = arrival.wait(timeout: .now() + .milliseconds(Int(clamping: rest.rounded(.up))))
        }
    }

    /// Thrown when the program quit before the change was stored. The change is in the journal and must not be stored
    /// as well.
    private struct Abandoned: Error {}

    private func mayWait(_ item: Item, _ error: LibraryError) -> Bool {
        guard error.isTransient else { return false }
        switch item.patience {
        case .untilLeaving: return true
        case .seconds(let seconds):
            return error.isBusy && item.submitted.duration(to: .now) < .seconds(seconds)
        }
    }

    /// Ends an attempt and returns items to retry to the front of the queue.
    private func endAttempt(puttingBack items: [Item], trouble: String?) {
        state.withLock { state in
            state.running = nil
            state.isCommitting = false
            state.trouble = trouble
            state.changes.insert(contentsOf: items.filter { $0.change != nil }, at: 0)
            state.maintenance.insert(contentsOf: items.filter { $0.change == nil }, at: 0)
        }
    }

    private func tellWaiting() {
        let news = state.withLock { state -> (Waiting, @Sendable (Waiting) -> Void)? in
            let count = state.changes.count + (state.running?.change == nil ? 0 : 1)
            let waiting = state.trouble == nil ? Waiting() : Waiting(count: count, trouble: state.trouble)
            guard waiting != state.told else { return nil }
            state.told = waiting
            return (waiting, state.tell)
        }
        if let (waiting, tell) = news { tell(waiting) }
    }

    // MARK: Leaving

    /// Waits until all changes are stored, and writes the rest to a journal beside the library.
    ///
    /// Called when the program quits; later changes are rejected.
    ///
    /// - Parameters:
    ///   - seconds: The maximum time to wait.
    ///   - isSlow: Called once if it takes longer than a moment.
    package func drain(within seconds: Double = 5, isSlow: () -> Void = {}) -> Leaving {
        // A read-only library will not become writable in a moment.
        let deadline = DispatchTime.now() + (store.readOnlyReason == nil ? seconds : 0)
        var (isWorking, wasClosed) = state.withLock { state in
            state.isLeaving = true
            return (state.isWorking, state.isClosed)
        }
        if wasClosed { return .stored }
        hasArrived { _ in }
        let moment = DispatchTime.now() + 0.3
        var wasTold = false
        while isWorking, .now() < deadline {
            if !wasTold, .now() > moment {
                wasTold = true
                isSlow()
            }
            hurry.signal()
            // The signal may be left over from earlier work, so only the state counts.
            _ = idle.wait(timeout: min(deadline, .now() + .milliseconds(100)))
            isWorking = state.withLock { $0.isWorking }
        }
        var isCommitting = state.withLock { state in
            state.isClosed = true
            return state.isCommitting
        }
        // Its last page is being written to the disk.
        let end = DispatchTime.now() + 2
        while isCommitting, .now() < end {
            _ = idle.wait(timeout: .now() + .milliseconds(20))
            isCommitting = state.withLock { $0.isCommitting }
        }
        let left = state.withLock { state in
            defer { (state.running, state.changes) = (nil, []) }
            return ([state.running].compactMap { $0 } + state.changes).compactMap { item in
                item.change.map { Journal.Item(id: item.id, change: $0) }
            }
        }
        guard !left.isEmpty else {
            store.checkpoint(truncates: true)
            return .stored
        }
        guard let path = store.path, let identity = store.identity else {
            return .lost(left.map(\.change.name), reason: "the library is in memory only")
        }
        do {
            try Journal(library: identity, items: left).write(beside: path)
            return .kept(left.count)
        } catch {
            return .lost(left.map(\.change.name), reason: "\(error)")
        }
    }

    /// Stores the changes of a journal, unless they were stored before.
    ///
    /// Called while the library is opened, before any other access.
    func restoreJournal(_ journal: Journal) throws(LibraryError) {
        let changes: [Change]
        do { changes = try journal.items.map { try gate.admit($0.change) } } catch { throw .failed("\(error)") }
        try store.write(WritePermit()) { db in
            guard try journal.claim(db) else { return }
            for (item, change) in zip(journal.items, changes) where try !ChangeWriter.hasStep(of: item.id, db) {
                _ = try ChangeWriter(db: db, id: item.id).apply(change)
            }
        }
    }

    /// Disables everything that a library from another machine would run, and marks the library as known here.
    ///
    /// Called while the library is opened.
    ///
    /// - Parameter isForeign: Whether the library comes from another machine.
    func settle(_ token: String, isForeign: Bool) throws(LibraryError) -> SwitchedOff {
        try store.write(WritePermit()) { db in
            let off = isForeign ? try SwitchedOff.apply(to: db) : SwitchedOff()
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES (?, 'yes')", arguments: [KnownLibraries.tokenPrefix + token]
            )
            return off
        }
    }

    /// Disables everything that a copy of the library would run, and removes the marks by which machines know it.
    func forgetOrigin() throws(LibraryError) -> SwitchedOff {
        try store.write(WritePermit()) { db in
            try SwitchedOff.removeTokens(from: db)
            return try SwitchedOff.apply(to: db)
        }
    }

    /// Removes secrets from the library while it is opened.
    func clean(_ secrets: SecretStore) throws(LibraryError) -> Int {
        let count = try store.write(WritePermit()) { db in try SecretCleaning.run(db, secrets) }
        store.checkpoint(truncates: true)
        return count
    }

    // MARK: Checkpoints

    /// Copies the write-ahead log into the library's file, after all waiting changes.
    package func checkpoint() { thread.async { [self] in store.checkpoint(truncates: true) } }

    /// Compacts the library after all waiting changes.
    func compact() async throws(LibraryError) {
        let result: Result<Void, LibraryError> = await withCheckedContinuation { continuation in
            thread.async { [self] in
                do throws(LibraryError) {
                    try store.compact(WritePermit())
                    continuation.resume(returning: .success(()))
                } catch { continuation.resume(returning: .failure(error)) }
            }
        }
        try result.get()
    }

    /// Copies the write-ahead log into the library's file once nothing has changed for a while, so that the file alone
    /// is the whole library.
    private func checkpointAfterRest() {
        let number = checkpointing.withLock { number in
            number += 1
            return number
        }
        thread.asyncAfter(deadline: .now() + .seconds(ChangeQueue.rest)) { [weak self] in
            guard let self, self.checkpointing.withLock({ $0 == number }) else { return }
            self.store.rest()
        }
    }
}
