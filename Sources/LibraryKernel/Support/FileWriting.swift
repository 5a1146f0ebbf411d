import Foundation
import Platform

/// Writes files completely or not at all, and reports errors as numbers (`errno`).
package enum FileWriting {
    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: The error number, or `nil` on success.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// Renames a file without ever replacing another.
    ///
    /// - Returns: The error number (`EEXIST` if the name is taken), or `nil` on success.
    package static func move(_ file: String, to path: String) -> Int32? {
        if link(file, path) == 0 {
            unlink(file)
            return nil
        }
        // Some file systems have no hard links. There an empty file reserves the name.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK else { return errno }
        let reserved = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard reserved >= 0 else { return errno }
        close(reserved)
        guard rename(file, path) != 0 else { return nil }
        let fault = errno
        unlink(path)
        return fault
    }

    /// Replaces a file atomically, even if several programs do so at the same time.
    ///
    /// - Parameter write: Writes the new file at the path it receives.
    /// - Returns: The error number, if nothing was replaced, or `nil` on success.
    static func replace(_ path: String, _ write: (_ part: String) -> Int32?) -> Int32? {
        let part = "\(path).part-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let fault = write(part) ?? (rename(part, path) == 0 ? nil : errno)
        if fault != nil { unlink(part) }
        return fault
    }
}
