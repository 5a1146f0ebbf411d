import Foundation
import Platform

/// Creates files and folders that only their owner can access, regardless of the umask.
package enum PrivateFile {
    /// Creates a folder and its missing parents with mode 0700.
    ///
    /// If the folder exists and belongs to tappa, removes the permissions of group and others.
    ///
    /// - Parameter isOwn: Whether the folder belongs to tappa, rather than being chosen by the user.
    package static func makeFolder(_ path: String, isOwn: Bool) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            var status = stat()
            if isOwn, isDirectory.boolValue, stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
                // Doesn't restore permissions that the owner has removed.
                chmod(path, status.st_mode & 0o700)
            }
            return
        }
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        chmod(path, 0o700)
        FileWriting.syncFolder(of: path)
    }

    /// Removes the permissions of group and others from a file that belongs to the user (0600), if it exists.
    ///
    /// Folders and devices keep theirs: a log file may be a link to `/dev/null`.
    ///
    /// - Parameter isWritten: Whether to make the file writable again if its owner write-protected it.
    package static func protect(_ path: String, isWritten: Bool = false) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG else { return }
        // Doesn't restore permissions that the owner has removed.
        let mode = isWritten ? 0o600 : status.st_mode & 0o600
        if status.st_mode & 0o777 != mode { chmod(path, mode) }
    }

    /// Reads a file that was found at a path of tappa's own.
    ///
    /// - Returns: `nil` if there is no regular file, or if it can't be read. Opening a pipe could wait forever.
    package static func contents(_ path: String) -> Data? { try? UserFile.read(path, isFound: true) }

    /// Creates an empty file with mode 0600 if there is none.
    package static func touch(_ path: String) {
        if create(path) { FileWriting.syncFolder(of: path) }
    }

    /// Creates an empty file with mode 0600.
    ///
    /// - Returns: Whether the file was created. If not, for example because the path exists, `errno` has the reason.
    package static func create(_ path: String) -> Bool {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// Replaces a file atomically with one of mode 0600.
    ///
    /// Safe even if another program replaces the same file at the same time.
    ///
    /// - Returns: Whether the file was replaced. If not, `errno` has the reason.
    @discardableResult
    package static func replace(_ path: String, with data: Data) -> Bool {
        guard let fault = FileWriting.replace(path, with: data, mode: 0o600) else { return true }
        errno = fault
        return false
    }
}
