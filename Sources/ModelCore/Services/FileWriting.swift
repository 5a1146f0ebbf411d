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
