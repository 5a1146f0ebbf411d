import Foundation
import Platform

/// Files and folders of tappa's own, which nobody else on the machine is to read, under any umask.
package enum PrivateFile {
    /// Makes a folder, and those above it that are missing, for its owner alone (0700); one that is there already is put right
    /// where it is tappa's own.
    ///
    /// - Parameter isOwn: Whether the folder is tappa's alone, rather than one that the user named.
    package static func makeFolder(_ path: String, isOwn: Bool) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            var status = stat()
            if isOwn, isDirectory.boolValue, stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
                // What its owner has taken from himself stays taken.
                chmod(path, status.st_mode & 0o700)
            }
            return
        }
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        chmod(path, 0o700)
    }

    /// Takes from others what they may do with an own file, if it is there (0600).
    ///
    /// - Parameter isWritten: Whether its owner is to write to it, although it was protected.
    package static func protect(_ path: String, isWritten: Bool = false) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid() else { return }
        // What its owner has taken from himself stays taken.
        let mode = isWritten ? 0o600 : status.st_mode & 0o600
        if status.st_mode & 0o777 != mode { chmod(path, mode) }
    }

    /// Makes an empty file (0600) where there is none.
    static func touch(_ path: String) {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes a whole file (0600) and waits until the disk has it.
    ///
    /// - Returns: Whether that was done; `errno` tells why not.
    package static func write(_ data: Data, to path: String) -> Bool {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let fault = data.withUnsafeBytes { FileWriting.write($0, to: descriptor) }
        let isWhole = fault == nil && fsync(descriptor) == 0
        let reason = fault ?? errno
        close(descriptor)
        errno = reason
        return isWhole
    }

    /// Puts a file (0600) in the place of another, whole or not at all; whoever else does the same at the same time.
    @discardableResult
    package static func replace(_ path: String, with data: Data) -> Bool {
        FileWriting.replace(path) { part in write(data, to: part) ? nil : errno } == nil
    }

    /// Waits until the disk has the names of a file's folder.
    static func syncDirectory(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
