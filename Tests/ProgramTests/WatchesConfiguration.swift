import CommonTesting
import Foundation
import Testing

@testable import tappa

/// The configuration is read again whatever happens to its folder.
@MainActor @Suite struct WatchesConfiguration {
    private final class Count { var value = 0 }

    @Test func noticesCreatedDeletedAndReplacedFolders() async throws {
        let temporary = TemporaryFolder()
        let home = temporary.url
        let folder = home.appendingPathComponent("a/tappa")
        let count = Count()
        let watch = ConfigurationWatch(folder.appendingPathComponent("config.toml").path) { count.value += 1 }
        defer { watch.stop() }
        func expectChange(_ what: String, _ change: () throws -> Void) async throws {
            let before = count.value
            try change()
            #expect(await eventually { count.value > before }, "\(what)")
        }
        let manager = FileManager.default
        func write(to folder: URL) throws { try folder.write("x", to: "config.toml") }
        try await expectChange("made") { try write(to: folder) }
        try await expectChange("changed") { try write(to: folder) }
        try await expectChange("deleted") { try manager.removeItem(at: folder) }
        try await expectChange("made again") { try write(to: folder) }
        try await expectChange("replaced by a link") {
            try write(to: home.appendingPathComponent("other"))
            try manager.removeItem(at: folder)
            try manager.createSymbolicLink(at: folder, withDestinationURL: home.appendingPathComponent("other"))
        }
        try await expectChange("changed behind the link") { try write(to: home.appendingPathComponent("other")) }
    }
}
