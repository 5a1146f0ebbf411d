import Foundation
import Platform

/// Writes bytes whole or not at all; a fault is told by its number (`errno`).
package enum FileWriting {
    /// Writes all bytes to a descriptor, however many calls that takes.
    ///
    /// - Returns: What kept it from that; `nil`: nothing.
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

    /// Gives a file another name, unless something has that name: nothing is ever replaced.
    ///
    /// - Returns: What kept it from that (`EEXIST`: the name is taken); `nil`: nothing.
    static func move(_ file: String, to path: String) -> Int32? {
        if link(file, path) == 0 {
            unlink(file)
            return nil
        }
        // Some file systems have no second names: there an empty file of our own reserves the place.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK else { return errno }
        let reserved = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard reserved >= 0 else { return errno }
        close(reserved)
        guard rename(file, path) != 0 else { return nil }
        let fault = errno
        unlink(path)
        return fault
    }

    /// Puts a file in the place of another; whoever else does the same at the same time, one of the two stands there then.
    ///
    /// - Parameter write: Writes the file that is to take the place, under the name that it is given.
    /// - Returns: What kept it from that, and nothing of it is left; `nil`: nothing.
    static func replace(_ path: String, _ write: (_ part: String) -> Int32?) -> Int32? {
        let part = "\(path).part-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let fault = write(part) ?? (rename(part, path) == 0 ? nil : errno)
        if fault != nil { unlink(part) }
        return fault
    }
}
