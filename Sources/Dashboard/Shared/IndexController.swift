import ModelCore

/// Fills the full-text index beside the interface.
@MainActor
final class IndexController {
    private let library: Library
    private var task: Task<Void, Never>?

    init(library: Library) { self.library = library }

    /// Begins, unless it is under way.
    func start() {
        guard task == nil, library.readOnlyReason == nil else { return }
        let library = library
        task = Task { [weak self] in
            while !Task.isCancelled, let receipt = try? await library.changes.perform(.indexSome), receipt.count > 0 {}
            self?.task = nil
        }
    }

    func stop() { task?.cancel() }
}
