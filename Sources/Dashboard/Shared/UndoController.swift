import ModelCore
import TerminalUI

/// Keeps what can be undone, the last change on top, and undoes it.
@MainActor
final class UndoController {
    private let library: Library
    private let status: StatusController
    private let clock: @Sendable () -> Int64
    private var steps: [UndoStep] = []
    /// Changes that can be undone.
    private static let most = 50

    init(library: Library, status: StatusController, clock: @escaping @Sendable () -> Int64) {
        self.library = library
        self.status = status
        self.clock = clock
    }

    /// What would come back; `nil` when there is nothing to undo.
    var next: DisplayText? { steps.last.map { DisplayText($0.explanation) } }

    func keep(_ step: UndoStep?) {
        guard let step else { return }
        steps.append(step)
        if steps.count > UndoController.most { steps.removeFirst() }
    }

    /// Makes a change beside the interface, keeps how to undo it, and says so.
    func perform(_ change: @escaping @Sendable (Library) async throws -> UndoStep?) {
        let library = library
        Task { [weak self] in
            do {
                let step = try await change(library)
                self?.keep(step)
                if let step { self?.status.show("u: " + DisplayText(step.explanation)) }
            } catch {
                self?.status.show(failure: "\(error)")
            }
        }
    }

    /// Takes the last change back.
    func undo() {
        guard let step = steps.popLast() else { return status.show("There is nothing to undo.") }
        let library = library
        let now = clock()
        Task { [weak self] in
            do {
                try await library.undo(step, now: now)
                self?.status.show(DisplayText("Undone: \(step.explanation)"))
            } catch {
                self?.steps.append(step)
                self?.status.show(failure: "\(error)")
            }
        }
    }
}

/// Fills the full-text index beside the interface.
@MainActor
final class IndexController {
    private let library: Library
    private var task: Task<Void, Never>?

    init(library: Library) { self.library = library }

    /// Begins, unless it is under way.
    func start() {
        guard task == nil else { return }
        let library = library
        task = Task { [weak self] in
            await Task.detached(priority: .utility) { _ = try? await library.indexPending() }.value
            self?.task = nil
        }
    }

    func stop() { task?.cancel() }
}
