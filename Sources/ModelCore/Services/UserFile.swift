import Foundation

/// Files that the user names, with `~` for the home directory.
enum UserFile {
    /// Why one cannot be read or written, in a sentence.
    struct Problem: Error, Sendable, CustomStringConvertible {
        var description: String
    }

    static func read(_ path: String) throws(Problem) -> Data {
        guard let data = FileManager.default.contents(atPath: NSString(string: path).expandingTildeInPath) else {
            throw Problem(description: "There is no file \(path)")
        }
        return data
    }

    /// Writes a file; one that is there already is not overwritten.
    static func write(_ data: Data, to path: String) throws(Problem) {
        let file = NSString(string: path).expandingTildeInPath
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Problem(description: "There is already a file \(path)")
        }
        do {
            try data.write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            throw Problem(description: "\(path) cannot be written")
        }
    }
}
