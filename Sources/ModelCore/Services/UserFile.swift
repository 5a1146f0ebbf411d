import Foundation

/// Files that the user names, with `~` for the home directory.
package enum UserFile {
    /// Why one cannot be read or written, in a sentence.
    package struct Problem: Error, Sendable, CustomStringConvertible {
        package var description: String
        /// The same without what was typed, which may be anything: a log has nothing private in it.
        package var logged: String

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

    static func read(_ path: String) throws(Problem) -> Data {
        guard let data = FileManager.default.contents(atPath: expanded(path)) else {
            throw Problem(description: "There is no file \(path)", logged: "There is no such file")
        }
        return data
    }

    /// Writes a file; one that is there already is not overwritten.
    package static func write(_ data: Data, to path: String) throws(Problem) {
        let file = expanded(path)
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Problem(description: "There is already a file \(path)", logged: "There is already such a file")
        }
        do {
            try data.write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            throw Problem(description: "\(path) cannot be written", logged: "A file cannot be written")
        }
    }
}
