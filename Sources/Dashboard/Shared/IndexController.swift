import ModelCore

/// Fills the full-text index beside the interface.
@MainActor
final class IndexController {
    private let library: Library
    private var task: Task<Void, Never>?
    private var rest: Task<Void, Never>?
    /// How long another program has to have changed nothing.
    private let pause: Duration

    init(library: Library, pause: Duration = .seconds(3)) {
        self.library = library
        self.pause = pause
    }

    /// Begins, unless it is under way.
    func start() {
        guard task == nil, library.readOnlyReason == nil else { return }
        let library = library
        task = Task { [weak self] in
            while !Task.isCancelled, let receipt = try? await library.changes.perform(.indexSome), receipt.count > 0 {}
            self?.task = nil
        }
    }

    /// Begins once another program has changed nothing for a while: a reload in the shell leaves the texts of new feeds to be taken in, but
    /// is not to be kept waiting by that.
    func startAfterRest() {
        rest?.cancel()
        rest = Task { [weak self, pause] in
            try? await Task.sleep(for: pause)
            if !Task.isCancelled { self?.start() }
        }
    }

    func stop() {
        rest?.cancel()
        task?.cancel()
    }
}
