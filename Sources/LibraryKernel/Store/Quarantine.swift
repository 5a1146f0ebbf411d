import Foundation
import Platform

/// Renames unusable files instead of deleting them.
package enum Quarantine {
    static let signature = Array("SQLite format 3\0".utf8)
    /// Whether a file starts with SQLite's signature (https://www.sqlite.org/fileformat.html, section 1.3).
    package static func isDatabase(_ path: String) -> Bool {
        FileReading.piece(of: path, count: signature.count) == signature
    }

    private static let logs = ["-wal", "-shm"]

    /// Renames a damaged database and its logs.
    ///
    /// - Parameters:
    ///   - isOwn: Whether the file is at tappa's default path. Elsewhere, only files with SQLite's signature are
    ///     renamed, because the path may be mistyped.
    ///   - word: The word to insert into the new name.
    /// - Returns: The new path, or `nil` if nothing was renamed.
    package static func library(_ path: String, isOwn: Bool, as word: String = "damaged") -> String? {
        guard isOwn || isDatabase(path) else { return nil }
        return renameAll(path, word)
    }

    /// Renames the write-ahead log of an empty or missing library.
    ///
    /// SQLite would otherwise create a new library and delete the log, which is the last copy of the old contents.
    ///
    /// - Returns: The new path of the library, or `nil` if there is no such log.
    package static func logWithoutLibrary(_ path: String) -> String? {
        guard size(path) ?? 0 == 0, hasLog(path) else { return nil }
        return renameAll(path)
    }

    /// Whether the write-ahead log beside a library contains pages.
    package static func hasLog(_ path: String) -> Bool {
        // The header of a log is 32 bytes long. A log that is no longer than this has no pages.
        size(path + "-wal") ?? 0 > 32
    }

    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func renameAll(_ path: String, _ word: String = "damaged") -> String? {
        var aside = "\(path).\(word)-\(Instant.now)"
        while FileManager.default.fileExists(atPath: aside) { aside += "x" }
        var isDone = rename(path, to: aside)
        for log in logs where rename(path + log, to: aside + log) { isDone = true }
        return isDone ? aside : nil
    }

    @discardableResult
    package static func rename(_ path: String, to other: String) -> Bool { Platform.rename(path, other) == 0 }
}
