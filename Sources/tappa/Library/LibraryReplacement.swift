import ArgumentParser
import Foundation
import LibraryKernel

/// Puts a new library in the place of another, which is kept beside it.
enum LibraryReplacement {
    /// Runs a function while no other program replaces a library in the same folder.
    ///
    /// Two programs would delete each other's files, and the next one would start with an empty library.
    ///
    /// - Throws: An exit code, after a message, if another program is at it.
    static func alone(at path: String, _ replace: () throws -> Void) throws {
        let folder = open(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        // Some file systems have no locks.
        if folder >= 0, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw fail("another program is replacing this library; try again when it has ended", ExitStatus.unavailable)
        }
        try replace()
    }

    /// Renames the library at a path, and moves the new one there.
    ///
    /// - Parameters:
    ///   - new: The path of the new library.
    ///   - word: The word to insert into the name of the previous library.
    /// - Returns: The path of the previous library, or `nil` if there was none.
    /// - Throws: An exit code, after a message, if the library was not replaced.
    static func replace(_ path: String, by new: String, as word: String) throws -> String? {
        var previous: String?
        // A program that starts in between creates an empty library, which is renamed too.
        for _ in 0..<10 {
            if ["", "-wal"].contains(where: { FileManager.default.fileExists(atPath: path + $0) }) {
                guard let aside = Quarantine.library(path, isOwn: true, as: word) else { break }
                previous = previous ?? aside
            }
            guard FileWriting.move(new, to: path) == nil else { continue }
            OpenedDatabase.delete(new)
            return previous
        }
        throw fail("the new library is \(new), but it could not replace \(path)", ExitStatus.inputOutput)
    }
}
