import Dispatch
import Foundation
import Synchronization

/// Permission to write to the store. Only this file can create it, so that all writes go through the queue.
struct WritePermit: ~Copyable {
    fileprivate init() {}
}

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

    private enum Work: Sendable {
        case change(Change)
        case maintenance(Maintenance)
    }

    private struct Item: Sendable {
        var id: UUID
        var work: Work
        var patience: Patience
        var submitted: ContinuousClock.Instant
        /// The reservation that the item fulfils.
        var announcement: FeedReservation?
        var completion: @Sendable (Result<Receipt, ChangeFailure>) -> Void

        var change: Change? { if case .change(let change) = work { change } else { nil } }
        /// Whether the item may share a transaction with others of its kind.
        var sharesCommit: Bool {
            if case .maintenance(let maintenance) = work { maintenance.isOfOneFeed } else { false }
        }
    }

    /// An item with its result.
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
        /// The number of feeds that are being fetched.
        var coming = 0
        /// Whether a transaction remains open for these feeds.
        var awaitsFeeds = false
        var delayReason: String?
        var told = Waiting()
        var tell: @Sendable (Waiting) -> Void = { _ in }
    }

    private let store: Store
    private let gate: SubscriptionGate
    private let state = Mutex(State())
    /// Interrupts the pause between attempts when the program quits.
    private let hurry = DispatchSemaphore(value: 0)
    private let idle = DispatchSemaphore(value: 0)
    /// Wakes a transaction that is waiting for another feed.
    private let arrival = DispatchSemaphore(value: 0)
    private let thread = DispatchQueue(label: "library-changes", qos: .userInitiated)
    private let checkpointing: Mutex<Int> = Mutex(0)
    /// The pauses between attempts in milliseconds. The last one repeats.
    private static let pauses = [20, 50, 100, 250, 500, 1000, 2000]
    /// The maximum time to collect feeds in one transaction. A change of the user ends it immediately.
    private static let longestCommit = Duration.milliseconds(100)
    /// The number of idle seconds before the write-ahead log is moved into the library file.
    private static let rest = 3

    init(_ store: Store, _ secrets: SecretStore) {
        self.store = store
        gate = SubscriptionGate(secrets: secrets, store: store)
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
    ) { enqueue(Item(id: id, work: .change(change), patience: .untilLeaving, submitted: .now, completion: completion)) }

    /// Applies a change and waits for its receipt.
    ///
    /// - Throws: ``ChangeFailure``; then nothing was changed.
    @discardableResult
    package func perform(_ change: Change, id: UUID = UUID(), patience: Patience = .seconds(10))
        async throws(ChangeFailure) -> Receipt
    { try await perform(.change(change), id, patience) }

    /// Applies a maintenance step after all waiting changes, and waits for its receipt.
    ///
    /// - Parameter announcement: The reservation that the step fulfils.
    /// - Throws: ``ChangeFailure``; then nothing was changed.
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
        state.withLock { $0.changes.count + $0.maintenance.count + ($0.running == nil ? 0 : 1) }
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
            guard state.running?.id != id, let index = state.changes.firstIndex(where: { $0.id == id }) else {
                return false
            }
            state.changes.remove(at: index)
            return true
        }
    }

    /// Sets a closure that receives the number of waiting changes and the reason.
    ///
    /// It is called on a thread of the queue while the library can't be written to, and once afterwards.
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
        reportWaiting()
    }

    // MARK: Working

    private func work() {
        var attempts = 0
        while let item = next() {
            var again: [Item] = []
            var delayReason: String?
            var done = attempt(item)
            done.removeAll { done in
                guard case .failure(let error) = done.result, mayWait(done.item, error) else { return false }
                again.append(done.item)
                delayReason = error.description
                return true
            }
            endAttempt(puttingBack: again, delayReason: delayReason)
            for done in done {
                done.item.completion(done.result.mapError { ChangeFailure(description: $0.description, error: $0) })
            }
            reportWaiting()
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

    /// Applies an item in a transaction, together with any waiting feeds.
    ///
    /// In a shared transaction, SQLite writes the pages that all feeds change only once. If the transaction fails, each
    /// item gets its own.
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
                // From this point on, quitting waits for the commit.
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

    /// Returns the next feed that may share the transaction of another feed, and waits for feeds that are being
    /// fetched.
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

    /// An error for a change that the program could not store before quitting. It is in the journal and must not be
    /// stored twice.
    private struct Abandoned: Error {}

    private func mayWait(_ item: Item, _ error: LibraryError) -> Bool {
        guard error.isTransient else { return false }
        switch item.patience {
        case .untilLeaving: return true
        case .seconds(let seconds):
            return error.isBusy && item.submitted.duration(to: .now) < .seconds(seconds)
        }
    }

    /// Ends an attempt and puts the items to retry at the front of the queue.
    private func endAttempt(puttingBack items: [Item], delayReason: String?) {
        state.withLock { state in
            state.running = nil
            state.isCommitting = false
            state.delayReason = delayReason
            state.changes.insert(contentsOf: items.filter { $0.change != nil }, at: 0)
            state.maintenance.insert(contentsOf: items.filter { $0.change == nil }, at: 0)
        }
    }

    private func reportWaiting() {
        let news = state.withLock { state -> (Waiting, @Sendable (Waiting) -> Void)? in
            let count = state.changes.count + (state.running?.change == nil ? 0 : 1)
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
        var (isWorking, wasClosed) = state.withLock { state in
            state.isLeaving = true
            return (state.isWorking, state.isClosed)
        }
        if wasClosed { return .stored }
        hasArrived { _ in }
        let moment = DispatchTime.now() + 0.3
        var wasReported = false
        while isWorking, .now() < deadline {
            if !wasReported, .now() > moment {
                wasReported = true
                isSlow()
            }
            hurry.signal()
            // The signal may come from work that ended long ago. Only the state is reliable.
            _ = idle.wait(timeout: min(deadline, .now() + .milliseconds(100)))
            isWorking = state.withLock { $0.isWorking }
        }
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

    /// Stores the changes of a journal, unless they are already stored.
    ///
    /// Called when a library is opened, before any other change.
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

    /// Switches off what a foreign library would run, and marks the library as known on this machine.
    ///
    /// Called when a library is opened.
    ///
    /// - Parameter isForeign: Whether the library is foreign, so that something has to be switched off.
    func settle(_ token: String, isForeign: Bool) throws(LibraryError) -> SwitchedOff {
        try store.write(WritePermit()) { db in
            let off = isForeign ? try SwitchedOff.apply(to: db) : SwitchedOff()
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES (?, 'yes')", arguments: [KnownLibraries.tokenPrefix + token]
            )
            return off
        }
    }

    /// Switches off what a copy would run, and removes the tokens of the machines on which it is known.
    func forgetOrigin() throws(LibraryError) -> SwitchedOff {
        try store.write(WritePermit()) { db in
            try SwitchedOff.removeTokens(from: db)
            return try SwitchedOff.apply(to: db)
        }
    }

    /// Moves secrets out of the library when it is opened.
    func clean(_ secrets: SecretStore) throws(LibraryError) -> Int {
        let count = try store.write(WritePermit()) { db in try SecretCleaning.run(db, secrets) }
        store.checkpoint(truncates: true)
        return count
    }

    // MARK: Checkpoints

    /// Moves the write-ahead log into the library file, after all waiting changes.
    package func checkpoint() { thread.async { [self] in store.checkpoint(truncates: true) } }

    /// Rewrites the library file without its free space, after all waiting changes.
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

    /// Moves the write-ahead log into the library file after a period without changes. The file then contains the whole
    /// library.
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
