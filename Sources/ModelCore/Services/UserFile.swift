import Foundation
import Platform

/// Files that the user names, with `~` for the home directory.
package enum UserFile {
    /// Why one cannot be read or written, in a sentence.
    package struct Problem: Error, Sendable, CustomStringConvertible {
        package var description: String
        /// The same without what was typed, which may be anything: a log has nothing private in it.
        package var logged: String
        /// What kept the file from being read or written (`errno`); 0 where it was something else.
        package fileprivate(set) var fault: Int32 = 0

        /// - Parameter logged: `nil`: the description, which has nothing of the user's.
        package init(description: String, logged: String? = nil) {
            self.description = description
            self.logged = logged ?? description
        }
    }

    /// A path with the home directory in the place of `~`: that of the environment, where the user's shell would look too.
    package static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty
        else { return NSString(string: path).expandingTildeInPath }
        return home + path.dropFirst()
    }

    /// Bytes of a file that somebody names, at most.
    private static let most = 256 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - most: Bytes that it may have.
    ///   - isFound: Whether it was found in a folder rather than named: what is no file there, such as a pipe that nobody writes to,
    ///     is not opened.
    package static func read(_ path: String, most: Int = most, isFound: Bool = false) throws(Problem) -> Data {
        let file = expanded(path)
        var status = stat()
        if isFound, stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Problem(reading: path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem(reading: path, errno) }
        defer { close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Platform.read(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Problem(reading: path, errno) }
            data.append(contentsOf: buffer[..<count])
            if data.count > most { throw Problem(reading: path, EFBIG, most) }
        }
    }

    /// Writes a file; one that is there already is not overwritten, and none is left where it could not be written whole.
    ///
    /// - Parameter isPrivate: Whether only its owner may read it (0600), as all files that tappa makes for itself.
    package static func write(_ data: Data, to path: String, isPrivate: Bool = false) throws(Problem) {
        if let fault = create(expanded(path), data, mode: isPrivate ? 0o600 : 0o666) {
            throw Problem(writing: path, fault)
        }
    }

    /// Writes a file in the place of another, whole or not at all; the mode of the other stays.
    ///
    /// - Parameter isPrivate: Whether only its owner may read a new file (0600), as all files that tappa makes for itself.
    package static func replace(_ path: String, with data: Data, isPrivate: Bool = false) throws(Problem) {
        let file = expanded(path)
        var status = stat()
        let isThere = stat(file, &status) == 0
        let fault = FileWriting.replace(file) { part in
            if let fault = create(part, data, mode: isPrivate || isThere ? 0o600 : 0o666) { return fault }
            return !isThere || chmod(part, status.st_mode & 0o777) == 0 ? nil : errno
        }
        if let fault {
            throw Problem(writing: path, fault)
        }
    }

    /// - Returns: The number of the fault that kept the file from being made.
    private static func create(_ file: String, _ data: Data, mode: mode_t) -> Int32? {
        let descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return errno }
        let fault = data.withUnsafeBytes { FileWriting.write($0, to: descriptor) }
        close(descriptor)
        if fault != nil { unlink(file) }
        return fault
    }
}

extension UserFile.Problem {
    /// Why a file cannot be read, by the number of the fault (`errno`).
    fileprivate init(reading path: String, _ fault: Int32, _ most: Int = 0) {
        switch fault {
        case ENOENT, ENOTDIR: self.init(fault, "No such file: \(path)", or: "No such file")
        case EISDIR: self.init(fault, "\(path) is a directory", or: "Is a directory")
        case EINVAL: self.init(fault, "\(path) is not a regular file", or: "Not a regular file")
        case EACCES, EPERM: self.init(fault, "Permission denied: \(path)", or: "Permission denied: a file")
        case EFBIG:
            let size = "is larger than \(most >> 10) KiB"
            self.init(fault, "\(path) \(size)", or: "A file \(size)")
        default:
            let reason = "can't be read: \(String(cString: strerror(fault)))"
            self.init(fault, "\(path) \(reason)", or: "A file \(reason)")
        }
    }

    /// Why a file cannot be written, by the number of the fault (`errno`).
    fileprivate init(writing path: String, _ fault: Int32) {
        switch fault {
        case EEXIST: self.init(fault, "File exists: \(path)", or: "File exists")
        case ENOENT, ENOTDIR: self.init(fault, "No such directory for \(path)", or: "No such directory")
        case EACCES, EPERM, EROFS: self.init(fault, "Permission denied: \(path)", or: "Permission denied: a file")
        default:
            let reason = "can't be written: \(String(cString: strerror(fault)))"
            self.init(fault, "\(path) \(reason)", or: "A file \(reason)")
        }
    }

    private init(_ fault: Int32, _ description: String, or logged: String) {
        self.init(description: description, logged: logged)
        self.fault = fault
    }
}
