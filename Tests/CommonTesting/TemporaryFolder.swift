import Foundation

/// A folder for a suite or test that is deleted automatically.
package final class TemporaryFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// Makes the folder; without one there is nothing to test.
    package init() {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("\(url.path): \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// A script of the shell's in it, ready to be run. Another process writes it: while this one has it open for
    /// writing, a child that another test starts at that moment has it open too, and none could run it (`ETXTBSY`).
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
