import CSQLiteSettings
import Foundation
import GRDB
import Synchronization

/// Why a library cannot be used.
package enum LibraryError: Error, Sendable {
    /// The database was written by a newer program.
    case newerVersion(path: String)
    /// The file is not a database, or is damaged.
    case damaged(path: String)
    /// The file or its directory cannot be opened for writing.
    case cannotOpen(path: String, reason: String)
    /// Anything else that SQLite says.
    case failed(String)
}

extension LibraryError: CustomStringConvertible {
    /// The reason in one sentence, without a full stop.
    package var description: String {
        switch self {
        case .newerVersion(let path): "\(path) was made by a newer tappa; nothing was changed"
        case .damaged(let path): "\(path) is not a database or is damaged; nothing was changed"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .failed(let reason): "the database failed: \(reason)"
        }
    }

    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = .failed(String(describing: error))
            return
        }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .damaged(path: path)
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: "the file or its directory cannot be opened")
        case .SQLITE_READONLY, .SQLITE_PERM: self = .cannotOpen(path: path, reason: "it cannot be written to")
        case .SQLITE_FULL: self = .failed("the disk is full")
        case .SQLITE_IOERR: self = .failed("the disk cannot be read or written")
        default: self = .failed(error.message ?? "\(error.resultCode)")
        }
    }
}

/// The one store: races and stages, subscriptions, entries and their state, settings.
///
/// Reads may come from any thread and see the last complete change; writes are done one after another on a queue of
/// their own, each whole or not at all.
package final class Library: Sendable {
    let database: any DatabaseWriter
    /// Where it is; `nil` in memory.
    package let path: String?
    private let folding = Mutex(false)
    /// Whether lists of several feeds show one row for entries about one page.
    package var foldsStories: Bool {
        get { folding.withLock { $0 } }
        set { folding.withLock { $0 = newValue } }
    }

    /// Opens a library, or makes one; `nil` keeps it in memory.
    ///
    /// - Throws: ``LibraryError``; then nothing was changed.
    package init(path: String?) throws(LibraryError) {
        self.path = path
        do {
            database = try Library.open(path)
        } catch let error as LibraryError {
            throw error
        } catch {
            throw LibraryError(error, path: path ?? "memory")
        }
    }

    private static func open(_ path: String?) throws -> any DatabaseWriter {
        csq_skip_memory_statistics()
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            // The writer keeps the pages of a large feed's transaction, which are written twice otherwise; what is written
            // meets its place in the file after 64 MiB, so that pages that many transactions change get there once.
            try db.execute(
                sql: """
                    PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = \(db.configuration.readonly ? -2000 : -8000);
                    PRAGMA wal_autocheckpoint = 16000
                    """)
        }
        guard let path else {
            let queue = try DatabaseQueue(configuration: configuration)
            try Schema.migrator.migrate(queue)
            return queue
        }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if FileManager.default.fileExists(atPath: path) {
            guard FileManager.default.isWritableFile(atPath: path) else {
                throw LibraryError.cannotOpen(path: path, reason: "it cannot be written to")
            }
        } else if !FileManager.default.isWritableFile(atPath: directory) {
            throw LibraryError.cannotOpen(path: path, reason: "the directory cannot be written to")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        let migrator = Schema.migrator
        let state = try pool.read { db in
            (isNewer: try migrator.hasBeenSuperseded(db), isComplete: try migrator.hasCompletedMigrations(db))
        }
        if state.isNewer { throw LibraryError.newerVersion(path: path) }
        if !state.isComplete { try migrator.migrate(pool) }
        return pool
    }

    /// Runs a read on the calling thread. Reads of a window take well under a millisecond.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do {
            return try database.read(body)
        } catch {
            throw LibraryError(error, path: path ?? "memory")
        }
    }

    /// Runs a change, whole or not at all, away from the calling thread.
    func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(LibraryError)
        -> Value
    {
        do {
            return try await database.write(body)
        } catch {
            throw LibraryError(error, path: path ?? "memory")
        }
    }

    /// Runs a change on the calling thread: for command lines and first starts, never for the dashboard's keys.
    func writeNow<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do {
            return try database.write(body)
        } catch {
            throw LibraryError(error, path: path ?? "memory")
        }
    }
}
