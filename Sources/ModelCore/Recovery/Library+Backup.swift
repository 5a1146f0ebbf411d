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
            // What a copy has taken along of the log's mode would want a log beside it. Whoever is given the copy is not to know the tokens
            // by which this machine recognises its libraries.
            try target.writeWithoutTransaction { db in
                try SwitchedOff.removeTokens(from: db)
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            try target.close()
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            throw LibraryError(error, path: path)
        }
    }

    /// What a backup brought.
    package struct Restored: Sendable {
        package var feeds: Int
        package var entries: Int
        /// What the backup would have run or written to.
        package var switchedOff: SwitchedOff
    }

    /// Copies a backup, and brings the copy to the present version. Its programs are switched off, and the copy has exactly the tables,
    /// indexes and triggers that this program makes: where the backup has others, its rows are copied into a new library.
    ///
    /// - Throws: ``LibraryError`` where it is damaged, of another program, or newer than this one.
    package static func copy(backup source: String, to path: String) throws(LibraryError) -> Restored {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: source)[.size] as? Int
            guard let size, size > 0 else { throw LibraryError.damaged(path: source) }
            try FileManager.default.copyItem(atPath: source, toPath: path)
        } catch let error as LibraryError {
            throw error
        } catch {
            throw .cannotOpen(path: source, reason: error.localizedDescription)
        }
        PrivateFile.protect(path)
        do throws(LibraryError) {
            let library = try Library(path: path)
            defer { _ = library.changes.drain() }
            guard try library.read(Schema.isExact) else { throw .foreignTriggers(path: path) }
            return try library.restored(try library.changes.forgetOrigin())
        } catch .foreignTriggers {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            let off = try LibraryRecovery.recover(source, into: path).switchedOff
            let library = try Library(path: path)
            defer { _ = library.changes.drain() }
            return try library.restored(off)
        } catch {
            throw error.naming(source)
        }
    }

    private func restored(_ off: SwitchedOff) throws(LibraryError) -> Restored {
        if let first = try LibraryCheck.run(self).first { throw .failed(first) }
        return try read { db in
            Restored(
                feeds: try Int.fetchOne(db, sql: "SELECT count(*) FROM subscription") ?? 0,
                entries: try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0, switchedOff: off)
        }
    }
}
