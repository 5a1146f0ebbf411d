import Dispatch
import Foundation
import GRDB
import Synchronization

/// Notifies this program's observers when another program changes or replaces the library.
///
/// The kernel (inotify) reports writes to the write-ahead log and moves of the library file, so nothing is polled.
/// SQLite's `data_version` then shows whether a connection other than our writer made the change
/// (sqlite.org/pragma.html).
package final class ExternalChanges: Sendable {
    private let store: Store
    private let watch: Mutex<DirectoryWatch?> = Mutex(nil)
    private let state = Mutex((isScheduled: false, version: Int?.none))
    private let replaced, changed: @Sendable () -> Void
    /// The delay that combines successive changes into one notification.
    private static let pause = Duration.milliseconds(100)
    private static let queue = DispatchQueue(label: "external-changes", qos: .utility)

    /// Starts watching, or returns `nil` for an in-memory library or if inotify is not available.
    ///
    /// - Parameters:
    ///   - replaced: Called when the library file was moved, deleted or replaced by another file.
    ///   - changed: Called after the observers when another program has changed something.
    package init?(
        of library: Library, replaced: @escaping @Sendable () -> Void = {},
        changed: @escaping @Sendable () -> Void = {}
    ) {
        guard let path = library.path else { return nil }
        store = library.store
        (self.replaced, self.changed) = (replaced, changed)
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let name = URL(fileURLWithPath: path).lastPathComponent
        let watch = DirectoryWatch([directory], on: ExternalChanges.queue) { [weak self] names in
            if names.contains(name), let self, self.store.wasReplaced { self.replaced() }
            if names.contains(name + "-wal") { self?.schedule() }
        }
        guard let watch else { return nil }
        self.watch.withLock { $0 = watch }
        // Records the current version now, so that every later change by another program counts as new.
        check(tells: false)
    }

    private func schedule() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        ExternalChanges.queue.run(after: ExternalChanges.pause) { [weak self] in
            self?.state.withLock { $0.isScheduled = false }
            self?.check(tells: true)
        }
    }

    /// Checks on our own writer whether another connection has written.
    ///
    /// `data_version` does not change with the writer's own commits.
    private func check(tells: Bool) {
        do {
            try store.onWriter { db in
                let version = try Int.fetchOne(db, sql: "PRAGMA data_version")
                let isNew = state.withLock { state in
                    defer { state.version = version }
                    return state.version != version
                }
                guard tells, isNew else { return }
                // Observers are notified only by a transaction. This one changes nothing and takes no lock.
                try db.inTransaction(.deferred) {
                    try db.notifyChanges(in: .fullDatabase); return .commit
                }
                changed()
            }
        } catch {
            // The next change triggers another check, and the state of the library doesn't depend on this one.
        }
    }
}
