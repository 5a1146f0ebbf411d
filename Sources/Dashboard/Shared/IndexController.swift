import ModelCore

/// Fills the full-text index beside the interface.
@MainActor
final class IndexController {
    private let library: Library
    private var task: Task<Void, Never>?
    private var rest: Task<Void, Never>?
    /// How long another program has to have changed nothing.
    private let pause: Duration

    private let report: @MainActor (LibraryError) -> Void

    /// - Parameter report: Called when the index can't be filled since the library is damaged.
    init(
        library: Library, pause: Duration = .seconds(3), report: @escaping @MainActor (LibraryError) -> Void = { _ in }
    ) {
        self.library = library
        self.pause = pause
        self.report = report
    }

    /// Begins, unless it is under way.
    func start() {
        guard task == nil, library.readOnlyReason == nil else { return }
        let library = library
        task = Task { [weak self] in
            do throws(ChangeFailure) {
                while !Task.isCancelled, try await library.changes.perform(.indexSome).count > 0 {}
            } catch {
                if let error = error.error, case .unreadable = error { self?.report(error) }
            }
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
