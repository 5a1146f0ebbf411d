import Foundation
import ModelCore
import TerminalUI

/// Sends the user's changes on their way, knows those that are not stored yet, and takes changes back.
///
/// The lists show what is stored: a change is seen when its receipt has come, a millisecond later as a rule. One that
/// takes longer is seen as pending; one that fails leaves nothing behind but a sentence.
@MainActor
final class ChangeController {
    private let library: Library
    private let status: StatusController
    private let clock: @Sendable () -> Int64
    private var steps: [Step] = []
    private var pending: [Pending] = []
    /// The changes that pending undos take back.
    private var undone: [UUID: Change] = [:]
    private var listeners: [ObjectIdentifier: Listener] = [:]
    /// Changes that can be undone.
    private static let most = 50
    /// From then on a change is shown as pending.
    private static let patience = Duration.milliseconds(30)

    /// A change that can be taken back.
    private struct Step {
        var id: UUID
        var change: Change
        /// What an undo would do; `nil` before the receipt.
        var words: String?
    }

    /// A change without a receipt.
    private struct Pending {
        var id: UUID
        var change: Change
        /// Whether it takes so long that it is shown.
        var isShown = false
    }

    private struct Listener {
        weak var owner: AnyObject?
        var hear: @MainActor () -> Void
    }

    init(library: Library, status: StatusController, clock: @escaping @Sendable () -> Int64) {
        self.library = library
        self.status = status
        self.clock = clock
        library.changes.observe { waiting in
            Task { @MainActor [weak self] in self?.tell(waiting) }
        }
    }

    /// What would come back; `nil` when there is nothing to undo.
    var next: DisplayText? { steps.last.map { DisplayText($0.words ?? "Undo") } }

    // MARK: Changing

    /// Sends a change on its way.
    ///
    /// - Parameters:
    ///   - isOwnStep: Whether it is one of those that `u` takes back: what happens by itself is not.
    ///   - message: What the status line says once it is stored; `nil` says how to undo it.
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
        tellListeners()
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
                status.show(DisplayText("\(status.key(.undo)): \(undo)"))
            }
            stored(receipt)
        case .failure(let failure):
            steps.removeAll { $0.id == id }
            // That nothing can be stored is said already: what happens by itself does not say it again.
            if !isOwnStep, case .readOnly? = failure.error { break }
            status.show(failure: "Not stored: \(change.name) (\(failure))")
            // What a view shows of it ahead goes back.
            return tellListeners()
        }
        if wasShown { tellListeners() }
    }

    /// Forgets a change that waits.
    ///
    /// - Returns: Whether it was shown as pending.
    private func remove(_ id: UUID) -> Bool {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
        let item = pending.remove(at: index)
        if case .undo(let other, _) = item.change { undone[other] = nil }
        return item.isShown
    }

    /// Says why changes wait, as long as they do.
    private func tell(_ waiting: ChangeQueue.Waiting) {
        guard let trouble = waiting.trouble, waiting.count > 0 else { return status.standing[.changes] = nil }
        let changes = waiting.count == 1 ? "1 change pending" : "\(waiting.count) changes pending"
        status.standing[.changes] = DisplayText("\(changes), not stored yet: \(trouble)")
    }

    // MARK: Undo

    /// Takes the last change back: out of the queue when it is not stored yet.
    func undo() {
        guard let step = steps.popLast() else { return status.show("Nothing to undo.") }
        if library.changes.withdraw(step.id) {
            _ = remove(step.id)
            tellListeners()
            return status.show(DisplayText("Cancelled before it was stored: \(step.change.name)"))
        }
        undone[step.id] = step.change
        submit(.undo(step.id, now: clock()), isOwnStep: false)
    }

    // MARK: What is not stored yet

    /// Hears when what is shown as pending has changed, as long as the owner lives.
    func listen(_ owner: AnyObject, _ hear: @escaping @MainActor () -> Void) {
        listeners = listeners.filter { $0.value.owner != nil }
        listeners[ObjectIdentifier(owner)] = Listener(owner: owner, hear: hear)
    }

    private func tellListeners() {
        for listener in listeners.values where listener.owner != nil { listener.hear() }
    }

    /// Whether something about an entry has waited so long that it is to be seen.
    func isPending(_ row: EntryRow) -> Bool { pending.contains { $0.isShown && $0.change.concerns(row) } }

    /// The same for a subscription.
    func isPending(subscription id: Int64) -> Bool {
        pending.contains { $0.isShown && $0.change.concerns(subscription: id) }
    }

    /// The same for a setting.
    func isPending(setting name: String) -> Bool { pending.contains { $0.isShown && $0.change.sets(name) } }

    /// Whether a setting is going to have another value than a receipt says.
    func willSet(_ name: String) -> Bool { pending.contains { $0.change.sets(name) } }

    /// Whether a change of a subscription waits for its receipt.
    func isChanging(subscription id: Int64) -> Bool { pending.contains { $0.change.concerns(subscription: id) } }

    /// Whether an entry is going to be deleted.
    func willDelete(_ row: EntryRow) -> Bool {
        pending.contains { item in
            if case .delete(let entries, _) = item.change { entries.contains(row.id) } else { false }
        }
    }

    /// A mark as it will be once all that waits is stored: what a key that turns it goes by, however fast it is pressed.
    func coming(_ mark: EntryMark, of row: EntryRow) -> Bool {
        var value = row[mark]
        for item in pending {
            switch item.change {
            case .mark(mark, let new, _, _, _) where item.change.concerns(row): value = new
            case .markAll(mark, let new, _, _, _, _) where item.change.concerns(row): value = new
            case .undo(let id, _):
                if let change = undone[id], case .mark(mark, let new, _, _, _) = change, change.concerns(row) {
                    value = !new
                }
            default: break
            }
        }
        return value
    }
}
