import Foundation

/// A folder for a suite or test that is deleted automatically.
package final class TemporaryFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// Creates the folder, and ends the test if that fails.
    package init() {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("\(url.path): \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of a file in the folder.
    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, with the folders around it, and returns its path.
    @discardableResult package func write(_ text: String, to name: String) throws -> String {
        try url.write(text, to: name)
    }

    /// Writes an executable shell script into the folder.
    ///
    /// Another process writes it: if this process had it open for writing while another test starts a child, the child
    /// would inherit the descriptor and the script couldn't run (`ETXTBSY`).
    @discardableResult package func script(_ name: String, _ text: String) throws -> String {
        let path = path(name)
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", #"printf '#!/bin/sh\n%s\n' "$1" > "$0" && chmod 700 "$0""#, path, text]
        try writer.run()
        writer.waitUntilExit()
        guard writer.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }
}

extension URL {
    /// Writes a file in the folder, with the folders around it, and returns its path.
    @discardableResult package func write(_ text: String, to name: String) throws -> String {
        let file = appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
