import Foundation
import ModelCore
import TerminalUI

/// Submits the user's changes, tracks those that are not stored, and undoes changes.
///
/// Lists show what is stored, so a change appears when its receipt arrives, usually after a millisecond. A slower
/// change is shown as pending; a failed one only leaves a message.
@MainActor
final class ChangeController {
    private let library: Library
    private let status: StatusController
    private let clock: @Sendable () -> Instant
    private var steps: [Step] = []
    private var pending: [Pending] = []
    /// The changes that pending undos revert.
    private var undone: [UUID: Change] = [:]
    private var listeners = WeakListeners()
    /// The maximum number of changes that can be undone.
    private static let most = 50
    /// The time after which a change is shown as pending.
    private static let patience = Duration.milliseconds(30)

    /// A change that can be undone.
    private struct Step {
        var id: UUID
        var change: Change
        /// What an undo would do, or `nil` before the receipt.
        var words: String?
    }

    /// A change without a receipt.
    private struct Pending {
        var id: UUID
        var change: Change
        /// Whether it took long enough to be shown.
        var isShown = false
    }

    init(library: Library, status: StatusController, clock: @escaping @Sendable () -> Instant) {
        self.library = library
        self.status = status
        self.clock = clock
        library.changes.observe { waiting in
            Task { @MainActor [weak self] in self?.tell(waiting) }
        }
    }

    /// What the next undo would do, or `nil` if there is nothing to undo.
    var next: DisplayText? { steps.last.map { DisplayText($0.words ?? "Undo") } }

    // MARK: Changing

    /// Submits a change.
    ///
    /// - Parameters:
    ///   - isOwnStep: Whether the user made the change, so that it can be undone.
    ///   - message: The message once it is stored; `nil` shows how to undo it.
    ///   - stored: Called with the receipt.
    func submit(
        _ change: Change, isOwnStep: Bool = true, message: DisplayText? = nil,
        stored: @escaping @MainActor (Receipt) -> Void = { _ in }
    ) {
        let id = UUID()
        pending.append(Pending(id: id, change: change))
        if isOwnStep, change.isUndoable {
            steps.append(Step(id: id, change: change))
            if steps.count > ChangeController.most { steps.removeFirst() }
        }
        library.changes.submit(change, id: id) { result in
            Task { @MainActor [weak self] in
                self?.settle(id, change, result, isOwnStep: isOwnStep, message: message, stored)
            }
        }
        Task { [weak self] in
            try? await Task.sleep(for: ChangeController.patience)
            self?.showAsPending(id)
        }
    }

    private func showAsPending(_ id: UUID) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        pending[index].isShown = true
        listeners.notify()
    }

    private func settle(
        _ id: UUID, _ change: Change, _ result: Result<Receipt, ChangeFailure>, isOwnStep: Bool, message: DisplayText?,
        _ stored: @MainActor (Receipt) -> Void
    ) {
        let wasShown = remove(id)
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
            } else if let message {
                status.show(message)
            } else if isOwnStep, let undo = receipt.undo {
                status.show(DisplayText("\(status.key(ProgramCommands.undo)): \(undo)"))
            }
            stored(receipt)
        case .failure(let failure):
            steps.removeAll { $0.id == id }
            // A read-only library was already reported, so automatic changes don't report it again.
            if !isOwnStep, case .readOnly? = failure.error { break }
            status.show(failure: "Not stored: \(change.summary) (\(failure))")
            // Views that showed the change early must restore the stored state.
            return listeners.notify()
        }
        if wasShown { listeners.notify() }
    }

    /// Removes a pending change.
    ///
    /// - Returns: Whether it was shown as pending.
    private func remove(_ id: UUID) -> Bool {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
        let item = pending.remove(at: index)
        if let other = item.change.undoes { undone[other] = nil }
        return item.isShown
    }

    /// Shows why changes are waiting, as long as they are.
    private func tell(_ waiting: ChangeQueue.Waiting) {
        guard let delayReason = waiting.delayReason, waiting.count > 0 else { return status.persistent[.changes] = nil }
        let changes = waiting.count.counted("change") + " pending"
        status.persistent[.changes] = DisplayText("\(changes), not stored yet: \(delayReason)")
    }

    // MARK: Undo

    /// Undoes the last change. If it is not stored yet, it is withdrawn from the queue.
    func undo() {
        guard let step = steps.popLast() else { return status.show("Nothing to undo.") }
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
    func listen(_ owner: AnyObject, _ hear: @escaping @MainActor () -> Void) { listeners.add(owner, hear) }

    /// Whether a change of an entry is shown as pending.
    func isPending(_ row: EntryRow) -> Bool { pending.contains { $0.isShown && $0.change.concerns(row) } }

    /// Whether a change of a subscription is shown as pending.
    func isPending(subscription id: FeedID) -> Bool {
        pending.contains { $0.isShown && $0.change.concerns(subscription: id) }
    }

    /// Whether a change of a setting is shown as pending.
    func isPending(setting name: String) -> Bool { pending.contains { $0.isShown && $0.change.sets(name) } }

    /// Whether a pending change will set a setting again.
    func willSet(_ name: String) -> Bool { pending.contains { $0.change.sets(name) } }

    /// Whether a change of a subscription is waiting for its receipt.
    func isChanging(subscription id: FeedID) -> Bool { pending.contains { $0.change.concerns(subscription: id) } }

    /// Whether an entry is being deleted.
    func willDelete(_ row: EntryRow) -> Bool {
        pending.contains { $0.change.deletes(row) }
    }

    /// Returns the value of a mark once all pending changes are stored, so that toggling works however fast the key is
    /// pressed.
    func coming(_ mark: EntryMark, of row: EntryRow) -> Bool {
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
