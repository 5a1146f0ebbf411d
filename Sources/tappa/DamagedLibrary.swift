import Foundation

/// Puts a database that cannot be opened out of the way, without deleting anything.
enum DamagedLibrary {
    private static let signature = Data("SQLite format 3\0".utf8)

    /// Renames a damaged database and its logs.
    ///
    /// - Parameter isOwn: Whether it is at tappa's own place; elsewhere only what was a database once is touched, since a path
    ///   may have been mistyped.
    /// - Returns: The new name; `nil` when it was left alone.
    static func setAside(_ path: String, isOwn: Bool) -> String? {
        let head = FileHandle(forReadingAtPath: path)?.readData(ofLength: signature.count) ?? Data()
        guard isOwn || head == signature else { return nil }
        let time = Int(Date().timeIntervalSince1970)
        let aside = "\(path).damaged-\(time)"
        guard (try? FileManager.default.moveItem(atPath: path, toPath: aside)) != nil else { return nil }
        for log in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + log) {
            try? FileManager.default.moveItem(atPath: path + log, toPath: aside + log)
        }
        return aside
    }
}
