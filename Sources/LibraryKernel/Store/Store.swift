import CSQLiteFunctions
import Foundation
import GRDB
// Exported to the whole module and to importing files, because Swift's own conversions can trap.
@_exported import Platform
import Platform
import Synchronization

/// The database behind a ``Library``. Any thread can read; only ``ChangeQueue`` can write.
///
/// Reads see the last committed change. A write requires a ``WritePermit``, which only the queue can create.
package final class Store: Sendable {
    private let writer: any DatabaseWriter
    /// The path of the database file, or `nil` for an in-memory library.
    let path: String?
    /// The ID of the library, which doesn't depend on its file name, or `nil` if it doesn't have one yet.
    package let identity: String?
    /// The reason why nothing can be stored since the library was opened, or `nil` if it is writable.
    package let readOnlyReason: String?
    /// The error for writes to a read-only library. It is transient if a journal can store the change for the next
    /// start.
    private let readOnlyError: LibraryError?
    private let file: FileIdentity?
    private let observer = ChangeObserver()
    /// Whether the writer syncs the log at each commit.
    private let syncs = Mutex(false)
    /// The number of seconds that a read waits while another program recovers the library.
    private static let patience = 5.0
    /// Whether the last read waited in vain. The next ones don't wait, so that a program remains usable that reads often.
    private let isStuck = Mutex(false)

    package init(_ opened: OpenedDatabase) throws {
        writer = opened.writer
        path = opened.path
        readOnlyReason = opened.readOnlyReason
        readOnlyError = opened.readOnlyReason.map { reason in
            let folder = opened.path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
            let keepsJournals = folder.map { access($0, W_OK) == 0 } ?? false
            return keepsJournals ? .cannotStore(reason) : .readOnly(reason)
        }
        identity = try writer.read { db in
            try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'library.identity'")
        }
        file = opened.path.flatMap(FileIdentity.init)
    }

    /// Calls a listener on the main actor after each change to a part, until the result is released.
    func observe(_ part: LibraryPart, _ listener: @escaping ChangeObserver.Listener) -> Observation {
        observer.observe(part, in: writer, listener)
    }

    /// Calls the listeners of changes that are stored, without waiting for the main queue.
    @MainActor
    func notifyObservers() { observer.deliver() }

    private var name: String { path ?? "memory" }

    /// Runs a read on the calling thread. Within a ``BackgroundRead`` it can be cancelled.
    package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let start = Stopwatch.now
        let token = ReadToken.current
        while true {
            do {
                let value = try writer.read { db in try token?.run(db, body) ?? body(db) }
                isStuck.withLock { $0 = false }
                return value
            } catch {
                let error = LibraryError(error, path: name)
                guard error.isBusy else { throw error }
                let isOver = start.duration(to: Stopwatch.now) >= .seconds(Store.patience)
                let mayWait = isStuck.withLock { isStuck in
                    if isOver { isStuck = true }
                    return !isStuck
                }
                guard mayWait else { throw error }
            }
        }
    }

    /// Runs a change in a transaction on the calling thread.
    ///
    /// - Parameter isDurable: Whether the change is on the disk when this returns, together with all earlier ones, so
    ///   that it survives a power cut. Others are written with the next durable change or checkpoint.
    func write<Value>(
        _ permit: borrowing WritePermit, isDurable: Bool = false, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        if let readOnlyError { throw readOnlyError }
        if wasReplaced { throw .replaced(path: name) }
        do {
            return try writer.writeWithoutTransaction { db in
                // SQLite ignores the pragma within a transaction. FULL syncs the log at each commit.
                if syncs.withLock({ $0 != isDurable }) {
                    try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
                    syncs.withLock { $0 = isDurable }
                }
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw LibraryError.failed("the transaction did not run") }
                return value
            }
        } catch {
            throw LibraryError(error, path: name)
        }
    }

    /// Whether the library file was deleted or replaced since it was opened.
    var wasReplaced: Bool {
        guard let path, let file else { return false }
        return FileIdentity(path) != file
    }

    /// Moves the write-ahead log into the library file. Pages that can't be moved now remain in the log.
    ///
    /// - Parameter truncates: Whether to empty the log afterwards, if there are no readers.
    package func checkpoint(truncates: Bool) {
        guard path != nil, readOnlyReason == nil, !wasReplaced else { return }
        writer.writeWithoutTransaction { db in
            if truncates, (try? db.checkpoint(.truncate)) != nil { return }
            _ = try? db.checkpoint(.passive)
        }
    }

    /// Rewrites the library file without its free space.
    func compact(_ permit: borrowing WritePermit) throws(LibraryError) {
        if let readOnlyError { throw readOnlyError }
        if wasReplaced { throw .replaced(path: name) }
        do {
            try writer.vacuum()
        } catch {
            throw LibraryError(error, path: name)
        }
        checkpoint(truncates: true)
    }

    /// Releases the pages that the connections have cached.
    func releaseMemory() { (writer as? DatabasePool)?.releaseMemory() }

    /// Moves the log into the library file and releases temporary memory, after a period of work.
    func rest() {
        checkpoint(truncates: true)
        (writer as? DatabasePool)?.releaseMemoryEventually()
        csq_trim_memory()
    }

    /// Runs a closure on the writer connection without changing anything, for example to read `data_version`.
    func onWriter<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.writeWithoutTransaction(body)
    }
}

/// The identity of a file: its device number and inode number.
private struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
