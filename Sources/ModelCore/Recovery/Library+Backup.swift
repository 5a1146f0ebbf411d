import Feeds
import Foundation
import GRDB
import LibraryKernel
import Races

/// Complete copies of the library (https://www.sqlite.org/backup.html).
extension Library {
    /// Writes a copy of the library to a file that only its owner can read. Other programs may write to the library
    /// meanwhile.
    ///
    /// - Parameter path: The new file, which must not exist.
    /// - Returns: Its size in bytes.
    /// - Throws: ``LibraryError`` if no file was written.
    package func backUp(to path: String) throws(LibraryError) -> Int {
        guard PrivateFile.create(path) else {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        do {
            let target = try DatabaseQueue(path: path)
            try store.read { db in try target.writeWithoutTransaction { try db.backup(to: $0) } }
            // The copy must not need a log beside it, as its journal mode would require. It must not contain the tokens
            // by which this machine recognises its libraries.
            try target.writeWithoutTransaction { db in
                try SwitchedOff.removeTokens(from: db)
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            try target.close()
            FileWriting.syncFolder(of: path)
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        } catch {
            OpenedDatabase.delete(path)
            throw LibraryError(error, path: path)
        }
    }

    /// The result of restoring a backup.
    package struct Restored: Sendable {
        package var feeds: Int
        package var entries: Int
        /// Everything in the backup that would have run programs or written files.
        package var switchedOff: SwitchedOff
    }

    /// Copies a backup and migrates the copy to the current version.
    ///
    /// Its programs are disabled. The copy has exactly the tables, indexes and triggers that this version creates. If
    /// the backup has others, its rows are copied into a new library.
    ///
    /// - Throws: ``LibraryError`` if the backup is damaged, belongs to another program, or is newer than this version.
    package static func copy(backup source: String, to path: String) throws(LibraryError) -> Restored {
        try copyFiles(of: source, to: path)
        PrivateFile.protect(path)
        do throws(LibraryError) {
            let library = try Library(path: path)
            defer { _ = library.changes.drain() }
            guard try library.read(LibrarySchema.current.isExact) else { throw .foreignTriggers(path: path) }
            return try library.restored(
                try library.changes.prepare { db in
                    // What a copy would run is switched off, and it is known on no machine.
                    try SwitchedOff.removeTokens(from: db)
                    return try SwitchedOff.apply(to: db)
                })
        } catch .foreignTriggers {
            OpenedDatabase.delete(path)
            let off = try LibraryRecovery.recover(source, into: path).switchedOff
            let library = try Library(path: path)
            defer { _ = library.changes.drain() }
            return try library.restored(off)
        } catch {
            throw error.naming(source)
        }
    }

    /// Copies the file of a backup, and its write-ahead log if there is one.
    private static func copyFiles(of source: String, to path: String) throws(LibraryError) {
        try OpenedDatabase.requireRegularFile(source)
        // Follows links, because opening a copied link would change the backup itself.
        guard let resolved = realpath(source, nil) else {
            throw .cannotOpen(path: source, reason: String(cString: strerror(errno)))
        }
        defer { free(resolved) }
        let file = String(cString: resolved)
        do {
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            guard let size, size > 0 else { throw LibraryError.damaged(path: source) }
            // A library that is still in use has its newest changes in the log.
            let hasLog = Quarantine.hasLog(file)
            if hasLog, (try? copyLibraryInUse(file, to: path)) != nil { return }
            try FileManager.default.copyItem(atPath: file, toPath: path)
            if hasLog { try FileManager.default.copyItem(atPath: file + "-wal", toPath: path + "-wal") }
        } catch let error as LibraryError {
            throw error
        } catch {
            let fault = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = fault.map { String(cString: strerror(Int32(clamping: $0.code))) } ?? error.localizedDescription
            throw .cannotOpen(path: source, reason: reason)
        }
    }

    /// Copies a library with its log by SQLite's own means: another program may move pages from the log to the library
    /// between two copies of files. SQLite can't open a library in a read-only directory, or one that is damaged.
    private static func copyLibraryInUse(_ file: String, to path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        let source = try DatabaseQueue(path: file, configuration: configuration)
        guard PrivateFile.create(path) else { throw CocoaError(.fileWriteFileExists) }
        do {
            let target = try DatabaseQueue(path: path)
            try source.read { db in try target.writeWithoutTransaction { try db.backup(to: $0) } }
            try target.close()
        } catch {
            OpenedDatabase.delete(path)
            throw error
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
