import Foundation
import Platform

/// Reads and writes files that the user names. A leading `~` stands for the home directory.
package enum UserFile {
    /// The reason why a file can't be read or written, as a sentence.
    package struct Problem: Error, Sendable, CustomStringConvertible {
        package var description: String
        /// The reason without what the user typed, so that logs contain nothing private.
        package var logged: String
        /// The error number (`errno`), or 0 for an error of another kind.
        package let fault: Int32

        /// - Parameters:
        ///   - logged: The reason for logs, or `nil` if the description contains nothing private.
        ///   - fault: The error number, or 0.
        package init(description: String, logged: String? = nil, fault: Int32 = 0) {
            self.description = description
            self.logged = logged ?? description
            self.fault = fault
        }
    }

    /// Returns a path with `~` replaced by the home directory of the environment, as shells do.
    package static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty
        else { return NSString(string: path).expandingTildeInPath }
        return home + path.dropFirst()
    }

    /// Returns the absolute path of a database, with `~` replaced. SQLite reads a relative path such as `file:x` as a URI.
    package static func absolute(_ path: String) -> String { URL(fileURLWithPath: expanded(path)).path }

    /// The default maximum size of a file in bytes.
    private static let maximum = 256 << 20

    /// Reads a file.
    ///
    /// A named pipe that no program writes to is an error after some seconds.
    ///
    /// - Parameters:
    ///   - maximum: The maximum size in bytes.
    ///   - isFound: Whether only a regular file is opened, since a pipe might block: a file that was found in a folder,
    ///     or named in the dashboard.
    package static func read(_ path: String, maximum: Int = maximum, isFound: Bool = false) throws(Problem) -> Data {
        var data = Data()
        do throws(FileReading.Fault) {
            try FileReading.read(expanded(path), maximum: maximum, isRegular: isFound) { data.append(contentsOf: $0) }
        } catch {
            throw Problem(reading: path, error.number, maximum)
        }
        return data
    }

    /// Returns the names of a folder's files in no particular order. A missing folder has none.
    ///
    /// Every start lists folders. `FileManager` and `URL` would take most of the time of a status line.
    package static func names(inFolder path: String) throws(Problem) -> [String] {
        errno = 0
        guard let directory = opendir(path) else {
            if errno == ENOENT { return [] }
            if errno == ENOTDIR { throw Problem(ENOTDIR, "\(path) is not a directory", or: "Not a directory") }
            throw Problem(reading: path, errno, maximum)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        if errno != 0 { throw Problem(reading: path, errno, maximum) }
        return names
    }

    /// Reads standard input to its end.
    package static func standardInput() throws(Problem) -> Data {
        var data = Data()
        do throws(FileReading.Fault) {
            try FileReading.read(STDIN_FILENO, maximum: maximum) { data.append(contentsOf: $0) }
        } catch {
            throw Problem(reading: "Standard input", error.number, maximum)
        }
        return data
    }

    /// Writes a new file. An existing file is not overwritten, and an incomplete file is removed.
    ///
    /// - Parameter isPrivate: Whether only its owner may read it (0600), as all of tappa's own files.
    package static func write(_ data: Data, to path: String, isPrivate: Bool = false) throws(Problem) {
        if let fault = FileWriting.create(expanded(path), data, mode: isPrivate ? 0o600 : 0o666) {
            throw Problem(writing: path, fault)
        }
    }

    /// Replaces a file atomically and keeps its mode.
    ///
    /// - Parameter isPrivate: Whether only its owner may read a new file (0600), as all of tappa's own files.
    package static func replace(_ path: String, with data: Data, isPrivate: Bool = false) throws(Problem) {
        let file = expanded(path)
        var status = stat()
        let isThere = stat(file, &status) == 0
        let fault = FileWriting.replace(
            file, with: data, mode: isPrivate || isThere ? 0o600 : 0o666,
            exactMode: isThere ? status.st_mode & 0o777 : nil)
        if let fault { throw Problem(writing: path, fault) }
    }
}

extension UserFile.Problem {
    fileprivate init(reading path: String, _ fault: Int32, _ maximum: Int) {
        switch fault {
        case ENOENT, ENOTDIR: self.init(fault, "No such file: \(path)", or: "No such file")
        case EISDIR: self.init(fault, "\(path) is a directory", or: "Is a directory")
        case EINVAL: self.init(fault, "\(path) is not a regular file", or: "Not a regular file")
        case EACCES, EPERM: self.init(fault, "Permission denied: \(path)", or: "Permission denied: a file")
        case EBADF: self.init(fault, "\(path) is closed or only open for writing", or: "Not open for reading")
        case FileReading.noWriter: self.init(fault, "No program writes to \(path)", or: "No program writes to a pipe")
        case EFBIG:
            let size = "is larger than " + (maximum > 1 << 20 ? "\(maximum >> 20) MiB" : "\(maximum >> 10) KiB")
            self.init(fault, "\(path) \(size)", or: "A file \(size)")
        default:
            let reason = "can't be read: \(String(cString: strerror(fault)))"
            self.init(fault, "\(path) \(reason)", or: "A file \(reason)")
        }
    }

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

    fileprivate init(_ fault: Int32, _ description: String, or logged: String) {
        self.init(description: description, logged: logged, fault: fault)
    }
}
