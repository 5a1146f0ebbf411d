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
    /// Used after initialisation only to be cancelled, which any thread may do.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let state = Mutex((isScheduled: false, version: Int?.none))
    private let replaced: @Sendable () -> Void
    /// Changes that come together are told together.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    private static let queue = DispatchQueue(label: "external-changes", qos: .utility)
    private static let events = UInt32(IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_CREATE)

    /// Begins to watch; `nil` for a library in memory, and where the kernel does not tell.
    ///
    /// - Parameter replaced: Called when the library's file was moved away, deleted, or another one was put in its place.
    package init?(of library: Library, replaced: @escaping @Sendable () -> Void = {}) {
        guard let path = library.path else { return nil }
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard inotify_add_watch(descriptor, directory, ExternalChanges.events) >= 0 else {
            close(descriptor)
            return nil
        }
        store = library.store
        self.replaced = replaced
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: ExternalChanges.queue)
        let name = URL(fileURLWithPath: path).lastPathComponent
        source.setEventHandler { [weak self] in
            let names = ExternalChanges.names(descriptor)
            if names.contains(name), let self, self.store.wasReplaced { self.replaced() }
            if names.contains(name + "-wal") { self?.schedule() }
        }
        source.setCancelHandler { close(descriptor) }
        ExternalChanges.queue.async { [self] in check(tells: false) }
        source.resume()
    }

    deinit { source.cancel() }

    /// The files that the waiting events name.
    private static func names(_ descriptor: Int32) -> Set<String> {
        var names: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let header = MemoryLayout<inotify_event>.size
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            var offset = 0
            while offset + header <= count {
                let length = buffer.withUnsafeBytes {
                    Int($0.loadUnaligned(fromByteOffset: offset + header - 4, as: UInt32.self))
                }
                let end = min(offset + header + length, count)
                names.insert(String(decoding: buffer[(offset + header)..<end].prefix { $0 != 0 }, as: UTF8.self))
                offset = end
            }
        }
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
                // Observers hear of transactions: of one that changes nothing and takes no lock.
                if tells, isNew {
                    try db.inTransaction(.deferred) {
                        try db.notifyChanges(in: .fullDatabase); return .commit
                    }
                }
            }
        } catch {
            // The next change is another chance; nothing of the library's state depends on this one.
        }
    }
}
