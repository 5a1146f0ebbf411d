import Dispatch
import Foundation
import GRDB
import Synchronization

/// Tells this program's observers of changes that other programs make to the same library, and of another file in its place.
///
/// The kernel says when the write-ahead log is written to, and when the library's file is moved (inotify), so that nothing
/// is polled; then SQLite's `data_version` says whether that was another connection than our writer
/// (sqlite.org/pragma.html).
package final class ExternalChanges: Sendable {
    private let store: Store
    private let watch: Mutex<DirectoryWatch?> = Mutex(nil)
    private let state = Mutex((isScheduled: false, version: Int?.none))
    private let replaced, changed: @Sendable () -> Void
    /// Changes that come together are told together.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    private static let queue = DispatchQueue(label: "external-changes", qos: .utility)

    /// Begins to watch; `nil` for a library in memory, and where the kernel does not tell.
    ///
    /// - Parameters:
    ///   - replaced: Called when the library's file was moved away, deleted, or another one was put in its place.
    ///   - changed: Called when another program has changed something, after the observers were told.
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
        // At once: what another program changes from now on is new.
        check(tells: false)
    }

    private func schedule() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        ExternalChanges.queue.asyncAfter(deadline: .now() + ExternalChanges.pause) { [weak self] in
            self?.state.withLock { $0.isScheduled = false }
            self?.check(tells: true)
        }
    }

    /// Asks our own writer whether another has written; it does not count its own commits.
    private func check(tells: Bool) {
        do {
            try store.onWriter { db in
                let version = try Int.fetchOne(db, sql: "PRAGMA data_version")
                let isNew = state.withLock { state in
                    defer { state.version = version }
                    return state.version != version
                }
                guard tells, isNew else { return }
                // Observers hear of transactions: of one that changes nothing and takes no lock.
                try db.inTransaction(.deferred) {
                    try db.notifyChanges(in: .fullDatabase); return .commit
                }
                changed()
            }
        } catch {
            // The next change is another chance; nothing of the library's state depends on this one.
        }
    }
}
