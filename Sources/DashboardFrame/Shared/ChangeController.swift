import Feeds
import Foundation
import LibraryKernel
import ModelCore
import Platform
import TerminalUI

/// Submits the user's changes, tracks those that are not stored, and undoes changes.
///
/// Lists show what is stored, so a change appears when its receipt arrives. That usually takes less than a millisecond,
/// for which the frame of the key waits. A slower change is shown as pending; a failed one only leaves a message.
@MainActor
package final class ChangeController {
    private let library: Library
    private let status: StatusController
    private var steps: [Step] = []
    /// The number of changes so far that could be undone.
    private(set) var stepCount = 0
    private var pending: [Pending] = []
    private let arrivals = ReceiptArrivals()
    /// The changes that were submitted since the last input and aren't settled.
    private var submitted: Set<UUID> = []
    /// The number of messages when the first of them was submitted.
    private var messagesBefore: Int?
    /// The changes that pending undos revert.
    private var undone: [UUID: Change] = [:]
    private var listeners = WeakListeners()
    private var undoListeners = WeakListeners()
    private static let maximum = 50
    private static let patience = Duration.milliseconds(100)

    /// A change that can be undone.
    private struct Step {
        var id: UUID
        /// The number of changes before it.
        var number: Int
        var change: Change
        /// What was done, such as "starring 3 entries", or `nil` before the receipt.
        var words: String?
    }

    /// A change without a receipt.
    private struct Pending {
        var id: UUID
        var change: Change
        var isOwnStep: Bool
        var message: DisplayText?
        var stored: @MainActor (Receipt) -> Void
        /// Whether it took long enough to be shown.
        var isShown = false
    }

    init(library: Library, status: StatusController) {
        self.library = library
        self.status = status
        library.changes.observe { waiting in
            Task { @MainActor [weak self] in self?.tell(waiting) }
        }
    }

    /// The title of the next undo, such as "Undo starring 3 entries", or `nil` if there is nothing to undo.
    package var next: DisplayText? { steps.last.map { DisplayText($0.words.map { "Undo " + $0 } ?? "Undo") } }

    // MARK: Changing

    /// Submits a change.
    ///
    /// - Parameters:
    ///   - isOwnStep: Whether the user made the change, so that it can be undone.
    ///   - message: The message once it is stored; `nil` shows how to undo it.
    ///   - stored: Called with the receipt.
    package func submit(
        _ change: Change, isOwnStep: Bool = true, message: DisplayText? = nil,
        stored: @escaping @MainActor (Receipt) -> Void = { _ in }
    ) {
        let id = UUID()
        pending.append(Pending(id: id, change: change, isOwnStep: isOwnStep, message: message, stored: stored))
        if submitted.isEmpty { messagesBefore = status.messageCount }
        submitted.insert(id)
        if isOwnStep, change.isUndoable { addStep(id, change) }
        library.changes.submit(change, id: id) { [arrivals] result in
            arrivals.add(id, result)
            Task { @MainActor [weak self] in self?.settleArrivals() }
        }
        Task { [weak self] in
            try? await Clock.sleep(for: ChangeController.patience)
            self?.showAsPending(id)
        }
    }

    private func addStep(_ id: UUID, _ change: Change, words: String? = nil) {
        steps.append(Step(id: id, number: stepCount, change: change, words: words))
        stepCount += 1
        if steps.count > ChangeController.maximum { steps.removeFirst() }
    }

    /// Lets the user undo a change that was stored without a request.
    package func offerUndo(of change: Change, _ receipt: Receipt) {
        if let words = receipt.undo { addStep(receipt.id, change, words: words) }
    }

    private func showAsPending(_ id: UUID) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        pending[index].isShown = true
        listeners.notify()
    }

    /// Waits a few milliseconds for the receipts of the changes that a key has made, so that it needs only one frame.
    func awaitReceipts(atMost patience: Duration) {
        defer {
            submitted.removeAll()
            messagesBefore = nil
        }
        guard !submitted.isEmpty else { return }
        let end = Stopwatch.now + patience
        while !submitted.isEmpty, arrivals.wait(until: end) {
            library.notifyObservers()
            settleArrivals()
        }
    }

    private func settleArrivals() {
        for (id, result) in arrivals.removeAll() { settle(id, result) }
    }

    private func settle(_ id: UUID, _ result: Result<Receipt, ChangeFailure>) {
        guard let item = remove(id) else { return }
        defer {
            submitted.remove(id)
            if submitted.isEmpty { messagesBefore = nil }
        }
        switch result {
        case .success(let receipt):
            let step = steps.firstIndex { $0.id == id }
            if let step, let undo = receipt.undo {
                steps[step].words = undo
            } else if let step {
                steps.remove(at: step)
            }
            if let sentence = receipt.sentence {
                status.show(DisplayText(sentence))
            } else if let message = item.message {
                status.show(message)
            } else if item.isOwnStep, let undo = receipt.undo {
                offerUndo(undo)
            }
            item.stored(receipt)
        case .failure(let failure):
            steps.removeAll { $0.id == id }
            // A read-only library was already reported, so automatic changes don't report it again.
            if !item.isOwnStep, case .readOnly? = failure.error { break }
            status.show(failure: "Not stored: \(item.change.summary) (\(failure))")
            // Views that showed the change early must restore the stored state.
            return listeners.notify()
        }
        if item.isShown { listeners.notify() }
    }

    /// Shows how to undo a change, unless the key that made it has shown a message of its own.
    private func offerUndo(_ words: String) {
        guard messagesBefore ?? status.messageCount == status.messageCount else { return }
        status.show(DisplayText("\(status.key(ProgramCommands.undo)): undo \(words)"))
        if messagesBefore != nil { messagesBefore = status.messageCount }
    }

    private func remove(_ id: UUID) -> Pending? {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return nil }
        let item = pending.remove(at: index)
        if let other = item.change.undoes { undone[other] = nil }
        return item
    }

    /// Shows why changes are waiting, as long as they are.
    private func tell(_ waiting: ChangeQueue.Waiting) {
        guard let delayReason = waiting.delayReason, waiting.count > 0 else { return status.persistent[.changes] = nil }
        let changes = waiting.count.counted("change") + " pending"
        status.persistent[.changes] = DisplayText("\(changes), not stored yet: \(delayReason)")
    }

    // MARK: Undo

    /// Returns the command that undoes the last change.
    ///
    /// - Parameter count: The value of ``stepCount`` before which nothing is undone, for a sheet: what was done beneath it
    ///   stays (row POP-02).
    package func undoCommand(since count: Int = 0) -> Command {
        let isEnabled = steps.last.map { $0.number >= count } ?? false
        return Command(ProgramCommands.undo, title: isEnabled ? next : nil, isEnabled: isEnabled) { [weak self] in
            self?.undo()
        }
    }

    /// Undoes the last change. If it is not stored yet, it is withdrawn from the queue.
    package func undo() {
        guard let step = steps.popLast() else { return status.show("Nothing to undo.") }
        undoListeners.notify()
        if library.changes.withdraw(step.id) {
            _ = remove(step.id)
            listeners.notify()
            return status.show(DisplayText("Cancelled before it was stored: \(step.change.summary)"))
        }
        undone[step.id] = step.change
        submit(.undo(step.id), isOwnStep: false)
    }

    // MARK: What is not stored yet

    /// Calls `hear` when the visible pending changes have changed, as long as the owner exists.
    package func listen(_ owner: AnyObject, _ hear: @escaping @MainActor () -> Void) { listeners.add(owner, hear) }

    /// Calls `hear` before each undo, as long as the owner exists.
    package func listenToUndo(_ owner: AnyObject, _ hear: @escaping @MainActor () -> Void) {
        undoListeners.add(owner, hear)
    }

    /// Whether a change of an entry is shown as pending.
    package func isPending(_ row: EntryRow) -> Bool { pending.contains { $0.isShown && $0.change.concerns(row) } }

    /// Whether a change of a subscription is shown as pending.
    package func isPending(subscription id: FeedID) -> Bool {
        pending.contains { $0.isShown && $0.change.concerns(subscription: id) }
    }

    /// Whether a change of a setting is shown as pending.
    package func isPending(setting name: String) -> Bool { pending.contains { $0.isShown && $0.change.sets(name) } }

    /// Whether a pending change will set a setting again.
    func willSet(_ name: String) -> Bool { pending.contains { $0.change.sets(name) } }

    /// Whether a change of a subscription is waiting for its receipt.
    package func isChanging(subscription id: FeedID) -> Bool {
        pending.contains { $0.change.concerns(subscription: id) }
    }

    /// Whether an entry is being deleted.
    package func willDelete(_ row: EntryRow) -> Bool { pending.contains { $0.change.deletes(row) } }

    /// Returns the value of a mark once all pending changes are stored, so that toggling works however fast the key is
    /// pressed.
    package func coming(_ mark: EntryMark, of row: EntryRow) -> Bool {
        var value = row[mark]
        for item in pending {
            if let new = item.change.value(of: mark, in: row) { value = new }
            // An undo of a whole list leaves entries alone that already had the mark.
            if let id = item.change.undoes, let change = undone[id], change.namesEntries,
                let new = change.value(of: mark, in: row)
            {
                value = !new
            }
        }
        return value
    }
}

/// The receipts on their way from the queue's thread to the main actor.
final class ReceiptArrivals: Sendable {
    private typealias Arrival = (id: UUID, result: Result<Receipt, ChangeFailure>)
    private let arrivals = Monitor<[Arrival]>([])

    func add(_ id: UUID, _ result: Result<Receipt, ChangeFailure>) {
        arrivals.withState { $0.append((id, result)) }
    }

    /// Returns the receipts that have come since the last call.
    func removeAll() -> [(id: UUID, result: Result<Receipt, ChangeFailure>)] {
        arrivals.withState { arrivals in
            defer { arrivals = [] }
            return arrivals
        }
    }

    /// Waits for a receipt.
    ///
    /// - Returns: Whether one has come.
    func wait(until end: ContinuousClock.Instant) -> Bool { arrivals.wait(until: end) { !$0.isEmpty } }
}
