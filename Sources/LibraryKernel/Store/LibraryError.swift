import CSQLiteFunctions
import GRDB

/// An error that occurs when opening, reading or writing a library.
package enum LibraryError: Error, Sendable, Hashable {
    /// A newer version of tappa wrote the database.
    case newerVersion(path: String)
    /// The file is the database of another program.
    case foreign(path: String)
    /// The library has triggers or views that tappa did not create.
    case foreignTriggers(path: String)
    /// The file is not a database, or is damaged.
    case damaged(path: String)
    /// A page or a value of the library can't be read. The rest can.
    case unreadable(String)
    /// The file or its directory can't be opened.
    case cannotOpen(path: String, reason: String)
    /// The file was moved or replaced while it was open.
    case replaced(path: String)
    /// Another program is writing to the library.
    case busy
    /// Nothing can be stored now, because the disk is full or can't be written. Reading still works.
    case cannotStore(String)
    /// Nothing can be stored while the library is open, and no journal can be written beside it.
    case readOnly(String)
    /// The change is impossible, for this reason.
    case rejected(String)
    /// Any other SQLite error.
    case failed(String)
}

extension LibraryError: CustomStringConvertible {
    /// The reason in one sentence, without a full stop.
    package var description: String {
        switch self {
        case .newerVersion(let path):
            "\(path) was created by a newer version of tappa, or by one before 0.1.0; nothing was changed"
        case .foreign(let path): "\(path) is a database of another program; nothing was changed"
        case .foreignTriggers(let path):
            "\(path) was not opened, because it has triggers or views that tappa did not create; 'tappa recover' copies the rest into a new library"
        case .damaged(let path):
            "\(path) is not a database or is damaged; nothing was changed. If it is a library, 'tappa recover' copies what is readable"
        case .unreadable(let what): "the library is partly damaged (\(what)); run 'tappa check', then 'tappa recover'"
        case .cannotOpen(let path, let reason): "can't open \(path): \(reason)"
        case .replaced(let path): "\(path) was moved or replaced while it was open; restart tappa"
        case .busy: "the library is locked by another program"
        case .cannotStore(let reason), .readOnly(let reason), .rejected(let reason): reason
        case .failed(let reason): "database error: \(reason)"
        }
    }

    /// Whether the operation may succeed if tappa retries it later.
    var isTransient: Bool {
        switch self {
        case .busy, .cannotStore, .replaced: true
        default: false
        }
    }

    /// Returns the same error with another path: that of the original file if its copy can't be used.
    package func naming(_ path: String) -> LibraryError {
        switch self {
        case .newerVersion: .newerVersion(path: path)
        case .foreign: .foreign(path: path)
        case .foreignTriggers: .foreignTriggers(path: path)
        case .damaged: .damaged(path: path)
        case .unreadable, .cannotOpen, .replaced, .busy, .cannotStore, .readOnly, .rejected, .failed: self
        }
    }

    /// Whether another program holds the lock, so that waiting helps.
    var isBusy: Bool { self == .busy }

    private static let withoutLocks = "the library's file system can't lock files"

    package init(_ error: any Error, path: String) {
        if let error = error as? LibraryError {
            self = error
            return
        }
        if error is RowDecodingError {
            self = .unreadable("a value has the wrong type")
            return
        }
        guard let error = error as? DatabaseError else {
            self = .failed(String(describing: error))
            return
        }
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .damaged(path: path)
        case .SQLITE_CORRUPT: self = .unreadable("a page can't be read")
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: "the file or its directory can't be opened")
        case .SQLITE_PERM: self = .cannotOpen(path: path, reason: "it is read-only")
        case .SQLITE_READONLY: self = .cannotStore("the library is read-only")
        case .SQLITE_LOCKED: self = .busy
        // SQLite takes most errors of locks for locks of another program.
        case .SQLITE_BUSY, .SQLITE_PROTOCOL:
            self = csq_lock_error() == 0 ? .busy : .cannotStore(LibraryError.withoutLocks)
        case .SQLITE_FULL: self = .cannotStore("the disk is full")
        case .SQLITE_IOERR:
            let locks: [ResultCode] = [
                .SQLITE_IOERR_LOCK, .SQLITE_IOERR_RDLOCK, .SQLITE_IOERR_UNLOCK, .SQLITE_IOERR_CHECKRESERVEDLOCK,
                .SQLITE_IOERR_SHMLOCK,
            ]
            self = .cannotStore(
                locks.contains(error.extendedResultCode) ? LibraryError.withoutLocks : "disk I/O error")
        case .SQLITE_NOMEM: self = .cannotStore("out of memory")
        default: self = .failed(error.message ?? "\(error.resultCode)")
        }
    }
}
