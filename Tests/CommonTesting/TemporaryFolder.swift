import Foundation

/// A folder of a suite's or a test's own, which goes with it: a test cannot forget it.
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
}
