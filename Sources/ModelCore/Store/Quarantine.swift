import Foundation
import Platform

/// Puts files that cannot be used out of the way, without deleting anything.
package enum Quarantine {
    static let signature = Data("SQLite format 3\0".utf8)
    /// Whether a file begins as SQLite's do (https://www.sqlite.org/fileformat.html, section 1.3).
    static func isDatabase(_ path: String) -> Bool {
        (FileHandle(forReadingAtPath: path)?.readData(ofLength: signature.count) ?? Data()) == signature
    }

    private static let logs = ["-wal", "-shm"]

    /// Renames a damaged database and its logs.
    ///
    /// - Parameters:
    ///   - isOwn: Whether it is at tappa's own place; elsewhere only what was a database once is touched, since a path may
    ///     have been mistyped.
    ///   - word: What stands in its new name.
    /// - Returns: The new name; `nil` when it was left alone.
    package static func library(_ path: String, isOwn: Bool, as word: String = "damaged") -> String? {
        guard isOwn || isDatabase(path) else { return nil }
        return renameAll(path, word)
    }

    /// Renames an empty or missing library whose write-ahead log is there: SQLite would begin a new library and delete the
    /// log, the last copy of what was in the old one.
    ///
    /// - Returns: The new name; `nil` where there is nothing of the kind.
    static func logWithoutLibrary(_ path: String) -> String? {
        guard size(path) ?? 0 == 0, hasLog(path) else { return nil }
        return renameAll(path)
    }

    /// Whether pages are in the write-ahead log beside a library.
    static func hasLog(_ path: String) -> Bool {
        // The header of a log is 32 bytes long; one that has no more has no pages.
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
