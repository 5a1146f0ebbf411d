import Foundation
import Platform

/// Moves unusable files out of the way without deleting anything.
package enum Quarantine {
    static let signature = Data("SQLite format 3\0".utf8)
    /// Whether a file starts with SQLite's header (https://www.sqlite.org/fileformat.html, section 1.3).
    static func isDatabase(_ path: String) -> Bool {
        (FileHandle(forReadingAtPath: path)?.readData(ofLength: signature.count) ?? Data()) == signature
    }

    private static let logs = ["-wal", "-shm"]

    /// Renames a damaged database and its logs.
    ///
    /// - Parameters:
    ///   - isOwn: Whether the path is tappa's default. Elsewhere only files that were databases are renamed, since the
    ///     path may be mistyped.
    ///   - word: The word to include in the new name.
    /// - Returns: The new name, or `nil` if the file was not renamed.
    package static func library(_ path: String, isOwn: Bool, as word: String = "damaged") -> String? {
        guard isOwn || isDatabase(path) else { return nil }
        return renameAll(path, word)
    }

    /// Renames an empty or missing library that has a write-ahead log.
    ///
    /// SQLite would create a new library and delete the log, which is the last copy of the old content.
    ///
    /// - Returns: The new name, or `nil` if there is no such log.
    static func logWithoutLibrary(_ path: String) -> String? {
        guard size(path) ?? 0 == 0, hasLog(path) else { return nil }
        return renameAll(path)
    }

    /// Whether the write-ahead log beside a library contains pages.
    static func hasLog(_ path: String) -> Bool {
        // The header of a log has 32 bytes. A log that is not longer has no pages.
        size(path + "-wal") ?? 0 > 32
    }

    private static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func renameAll(_ path: String, _ word: String = "damaged") -> String? {
        var aside = "\(path).\(word)-\(Int(clamping: Date().timeIntervalSince1970))"
        while FileManager.default.fileExists(atPath: aside) { aside += "x" }
        var isDone = rename(path, to: aside)
        for log in logs where rename(path + log, to: aside + log) { isDone = true }
        return isDone ? aside : nil
    }

    @discardableResult
    static func rename(_ path: String, to other: String) -> Bool { Platform.rename(path, other) == 0 }
}
