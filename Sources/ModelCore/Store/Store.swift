import CSQLiteSettings
import Foundation
import GRDB
import Synchronization

/// The database behind a ``Library``: read from any thread, written to by ``ChangeQueue`` alone.
///
/// Reads see the last complete change. A write takes a ``WritePermit``, which only the queue can make.
final class Store: Sendable {
    private let writer: any DatabaseWriter
    /// Where it is; `nil` in memory.
    let path: String?
    /// Which library this is, whatever its file is called; `nil` before the first one was given.
    let identity: String?
    /// Why nothing can be stored, from the start on; `nil`: it can.
    let readOnlyReason: String?
    /// What is thrown then: a change waits where its journal can be kept for the next start.
    private let readOnlyError: LibraryError?
    private let file: FileIdentity?
    /// Seconds that a read waits for a library that is being put right by another program.
    private static let patience = 5.0

    init(_ opened: OpenedDatabase) throws {
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

    /// Calls back after each change of some tables, on the thread of the change, until the result is released.
    func observe(_ tables: [any DatabaseRegionConvertible], _ changed: @escaping @Sendable () -> Void)
        -> AnyDatabaseCancellable
    {
        DatabaseRegionObservation(tracking: tables).start(in: writer, onError: { _ in }) { _ in changed() }
    }

    private var name: String { path ?? "memory" }

    /// Runs a read on the calling thread. Reads of a window take well under a millisecond.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let start = ContinuousClock.now
        while true {
            do {
                return try writer.read(body)
            } catch {
                let error = LibraryError(error, path: name)
                guard error.isBusy, start.duration(to: .now) < .seconds(Store.patience) else { throw error }
            }
        }
    }

    /// Runs a change, whole or not at all, on the calling thread.
    func write<Value>(_ turn: consuming WritePermit, _ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        if let readOnlyError { throw readOnlyError }
        if wasReplaced { throw .replaced(path: name) }
        do {
            return try writer.write(body)
        } catch {
            throw LibraryError(error, path: name)
        }
    }

    /// Whether another file stands at the library's place now, or none.
    var wasReplaced: Bool {
        guard let path, let file else { return false }
        return FileIdentity(path) != file
    }

    /// Moves what stands in the write-ahead log into the library's file; what cannot be moved now stays where it is.
    ///
    /// - Parameter truncates: Whether the log is to be empty after it, where nobody reads.
    func checkpoint(truncates: Bool) {
        guard path != nil, readOnlyReason == nil, !wasReplaced else { return }
        writer.writeWithoutTransaction { db in
            if truncates, (try? db.checkpoint(.truncate)) != nil { return }
            _ = try? db.checkpoint(.passive)
        }
    }

    /// Writes the library anew, without what is free in it.
    func compact(_ turn: consuming WritePermit) throws(LibraryError) {
        if let readOnlyError { throw readOnlyError }
        if wasReplaced { throw .replaced(path: name) }
        do {
            try writer.vacuum()
        } catch {
            throw LibraryError(error, path: name)
        }
        checkpoint(truncates: true)
    }

    /// Gives back the pages that the connections keep.
    func releaseMemory() { (writer as? DatabasePool)?.releaseMemory() }

    /// After work: the library's file is whole without its log, and memory that was needed for a while is given back.
    func rest() {
        checkpoint(truncates: true)
        (writer as? DatabasePool)?.releaseMemoryEventually()
        csq_trim_memory()
    }

    /// Runs something on the writing connection without changing anything, such as asking for `data_version`.
    func onWriter<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.writeWithoutTransaction(body)
    }
}

/// Which file stands at a path: two are the same when device and number are.
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
