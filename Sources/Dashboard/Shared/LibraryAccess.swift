import ModelCore
import TerminalUI

/// Reads and changes the library and its settings. Errors appear in the status line.
@MainActor
final class LibraryAccess {
    let library: Library
    let settings: Settings
    let status: StatusController
    let changes: ChangeController
    /// Returns the current time.
    let clock: @Sendable () -> Instant
    private weak var router: (any DashboardRouter)?

    /// - Parameter router: Learns which settings have changed.
    init(
        library: Library, settings: Settings, status: StatusController, clock: @escaping @Sendable () -> Instant,
        router: (any DashboardRouter)? = nil
    ) {
        self.library = library
        self.settings = settings
        self.status = status
        self.clock = clock
        self.router = router
        changes = ChangeController(library: library, status: status, clock: clock)
    }

    /// Runs work that returns a message, and shows the message or the error in the status line.
    func tell(_ work: () throws -> String) {
        do {
            status.show(DisplayText(try work()))
        } catch {
            status.show(failure: error)
        }
    }

    /// Reads from the library. Errors appear in the status line.
    func read<Value>(_ fallback: Value, _ body: (Library) throws -> Value) -> Value {
        do {
            return try body(library)
        } catch {
            status.show(failure: error)
            return fallback
        }
    }

    /// Changes a setting. The new value applies once it is stored. If several changes are pending, only the last
    /// applies.
    func set(_ value: String?, for name: String) {
        changes.submit(.set(name, value)) { [weak self] _ in
            guard let self, !self.changes.willSet(name) else { return }
            self.settings.use(value, for: name)
            self.router?.settingDidChange(name)
        }
    }
}
