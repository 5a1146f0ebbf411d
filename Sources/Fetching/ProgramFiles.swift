import CSpawn
import Foundation

/// The standard streams of a background program, as files in a folder that only the user can read.
package struct ProgramFiles: Sendable {
    private let folder: String
    private let hasInput: Bool

    /// Creates the folder. Returns `nil` if that fails.
    ///
    /// - Parameter input: The standard input, or `nil` for none.
    package init?(input: Data?) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-\(UUID().uuidString)").path
        hasInput = input != nil
        guard mkdir(folder, 0o700) == 0 else { return nil }
        if let input, !FileManager.default.createFile(atPath: folder + "/in", contents: input) {
            remove()
            return nil
        }
    }

    /// Starts a program in its own session, to which its children belong.
    ///
    /// - Parameters:
    ///   - words: The program's path and its arguments. No shell is involved.
    ///   - environment: The variables as NAME=value, or `nil` for those of this process.
    /// - Returns: The process, or `nil` if it could not be started.
    package func start(_ words: [String], environment: [String]? = nil) -> pid_t? {
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { list in list.map { strdup($0) } + [nil] }
        defer { for text in arguments + (variables ?? []) { free(text) } }
        var child: pid_t = 0
        let input = hasInput ? folder + "/in" : nil
        let words = arguments.map { UnsafePointer($0) }
        let result =
            if let variables {
                csp_start(words, variables.map { UnsafePointer($0) }, input, output, folder + "/errors", true, &child)
            } else {
                csp_start(words, nil, input, output, folder + "/errors", true, &child)
            }
        return result == 0 ? child : nil
    }

    /// The file with its standard output.
    package var output: String { folder + "/out" }

    /// Returns the first line of its error output up to a number of bytes, or `nil` if there is none.
    package func firstError(most: Int) -> String? {
        let said = FileHandle(forReadingAtPath: folder + "/errors")?.readData(ofLength: most) ?? Data()
        return String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    }

    /// Deletes the files.
    package func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
