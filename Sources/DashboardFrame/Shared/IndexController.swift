import Feeds
import LibraryKernel
import Platform

/// Fills the full-text index in the background.
@MainActor
package final class IndexController {
    private let library: Library
    private var task: Task<Void, Never>?
    private var rest: Task<Void, Never>?
    /// The time without changes by other programs before indexing starts.
    private let pause: Duration

    private let report: @MainActor (LibraryError) -> Void

    /// - Parameter report: Called if the index can't be filled because the library is damaged.
    package init(
        library: Library, pause: Duration = .seconds(3), report: @escaping @MainActor (LibraryError) -> Void = { _ in }
    ) {
        self.library = library
        self.pause = pause
        self.report = report
    }

    /// Starts indexing, unless it is running.
    package func start() {
        guard task == nil, library.readOnlyReason == nil else { return }
        let library = library
        task = Task { [weak self] in
            do throws(ChangeFailure) {
                while !Task.isCancelled, try await library.changes.perform(IndexSome()).count > 0 {}
            } catch {
                if let error = error.error, case .unreadable = error { self?.report(error) }
            }
            self?.task = nil
        }
    }

    /// Starts indexing once another program has changed nothing for a while, so that a reload in the shell isn't slowed
    /// down.
    package func startAfterRest() {
        rest?.cancel()
        rest = Task { [weak self, pause] in
            try? await Clock.sleep(for: pause)
            if !Task.isCancelled { self?.start() }
        }
    }

    package func stop() {
        rest?.cancel()
        task?.cancel()
    }
}
