import Foundation
import GRDB

/// Copies of the library that stand alone (https://www.sqlite.org/backup.html).
extension Library {
    /// Writes the library of this moment into a file, which only its owner can read; others may write to the library meanwhile.
    ///
    /// - Parameter path: Where; nothing may be there.
    /// - Returns: Its bytes.
    /// - Throws: ``LibraryError``; then there is no file.
    package func backUp(to path: String) throws(LibraryError) -> Int {
        do {
            PrivateFile.touch(path)
            PrivateFile.protect(path)
            let target = try DatabaseQueue(path: path)
            try store.read { db in try target.writeWithoutTransaction { try db.backup(to: $0) } }
            // What a copy has taken along of the log's mode would want a log beside it.
            try target.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            try target.close()
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            throw LibraryError(error, path: path)
        }
    }

    /// Copies a backup, and brings the copy to the present version.
    ///
    /// - Returns: What is in it.
    /// - Throws: ``LibraryError`` where it is damaged, of another program, or newer than this one.
    package static func copy(backup source: String, to path: String) throws(LibraryError) -> (feeds: Int, entries: Int)
    {
        do {
            try FileManager.default.copyItem(atPath: source, toPath: path)
        } catch {
            throw .cannotOpen(path: path, reason: error.localizedDescription)
        }
        PrivateFile.protect(path)
        let library = try Library(path: path)
        defer { _ = library.changes.drain() }
        let findings = try LibraryCheck.run(library)
        if let first = findings.first { throw .failed(first) }
        return try library.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM subscription") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
            )
        }
    }
}
