import Foundation
import Platform

/// tappa's own files and folders, which no other user of the machine can read, whatever the umask.
package enum PrivateFile {
    /// Creates a folder and its missing parents for its owner alone (0700). An existing folder's mode is corrected if
    /// it belongs to tappa.
    ///
    /// - Parameter isOwn: Whether the folder belongs to tappa, and was not chosen by the user.
    package static func makeFolder(_ path: String, isOwn: Bool) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            var status = stat()
            if isOwn, isDirectory.boolValue, stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
                // Permissions that the owner removed from themselves stay removed.
                chmod(path, status.st_mode & 0o700)
            }
            return
        }
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        chmod(path, 0o700)
    }

    /// Removes the permissions of other users from a file, if it exists (0600).
    ///
    /// - Parameter isWritten: Whether to make the file writable for its owner.
    package static func protect(_ path: String, isWritten: Bool = false) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid() else { return }
        // Permissions that the owner removed from themselves stay removed.
        let mode = isWritten ? 0o600 : status.st_mode & 0o600
        if status.st_mode & 0o777 != mode { chmod(path, mode) }
    }

    /// Creates an empty file (0600) if none exists.
    static func touch(_ path: String) {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes a whole file (0600) and waits until it is on disk.
    ///
    /// - Returns: Whether it succeeded; otherwise `errno` has the reason.
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

    /// Replaces a file (0600) atomically, even if several programs do so at the same time.
    @discardableResult
    package static func replace(_ path: String, with data: Data) -> Bool {
        FileWriting.replace(path) { part in write(data, to: part) ? nil : errno } == nil
    }

    /// Waits until the directory entries of a file's folder are on disk.
    static func syncDirectory(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
