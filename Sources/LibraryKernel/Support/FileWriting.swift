import Foundation
import Platform

/// Writes files completely or not at all, and reports errors as numbers (`errno`): the only place that does.
///
/// A file counts once its data and its name are on the disk, so that it survives a power cut.
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

    /// Creates a file. An existing file is not overwritten, and an incomplete one is removed.
    package static func create(_ path: String, _ data: Data, mode: mode_t) -> Int32? {
        if let fault = fill(path, data, mode: mode) { return fault }
        syncFolder(of: path)
        return nil
    }

    /// Replaces a file atomically, even if several programs do so at the same time.
    ///
    /// - Parameters:
    ///   - mode: The mode of the new file, to which the umask applies.
    ///   - exactMode: The mode that it gets instead, or `nil`.
    /// - Returns: The error number, if nothing was replaced, or `nil` on success.
    package static func replace(_ path: String, with data: Data, mode: mode_t, exactMode: mode_t? = nil) -> Int32? {
        let part = "\(path).part-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        if let fault = fill(part, data, mode: mode, exactMode: exactMode) { return fault }
        guard rename(part, path) == 0 else {
            let fault = errno
            unlink(part)
            return fault
        }
        syncFolder(of: path)
        return nil
    }

    /// Opens a file to append to it, and creates it with mode 0600 if there is none. Doesn't wait for the reader of a pipe.
    ///
    /// - Returns: Its descriptor, or `nil` if it can't be opened.
    package static func openToAppend(_ path: String) -> Int32? {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Appends to a file, which is created with mode 0600 if there is none.
    package static func append(_ data: Data, to path: String) -> Int32? {
        guard let descriptor = openToAppend(path) else { return errno }
        defer { close(descriptor) }
        if let fault = data.withUnsafeBytes({ write($0, to: descriptor) }) ?? sync(descriptor) { return fault }
        syncFolder(of: path)
        return nil
    }

    /// Writes a new file whose name doesn't count yet.
    private static func fill(_ path: String, _ data: Data, mode: mode_t, exactMode: mode_t? = nil) -> Int32? {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var fault = data.withUnsafeBytes { write($0, to: descriptor) }
        if fault == nil, let exactMode, fchmod(descriptor, exactMode) != 0 { fault = errno }
        fault = fault ?? sync(descriptor)
        if fault != nil { unlink(path) }
        return fault
    }

    /// Waits until the data of an open file are on the disk.
    package static func sync(_ descriptor: Int32) -> Int32? {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            // Pipes, devices and some file systems have nothing to sync.
            case EINVAL, ENOSYS, ENOTSUP, EROFS: return nil
            default: return errno
            }
        }
        return nil
    }

    /// Waits until the names in a file's folder are on the disk.
    package static func syncFolder(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Without an error, because the file is there and some file systems can't sync folders.
        fsync(descriptor)
        close(descriptor)
    }

    /// Renames a file without ever replacing another.
    ///
    /// - Returns: The error number (`EEXIST` if the name is taken), or `nil` on success.
    package static func move(_ file: String, to path: String) -> Int32? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno }
        let fault = sync(descriptor)
        close(descriptor)
        if let fault = fault ?? give(file, the: path) { return fault }
        syncFolder(of: path)
        return nil
    }

    private static func give(_ file: String, the path: String) -> Int32? {
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
}
