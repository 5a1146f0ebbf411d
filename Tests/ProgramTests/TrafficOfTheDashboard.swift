import Foundation
import Testing

/// How much the built program sends to the terminal: over a slow line that is what one waits for.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TrafficOfTheDashboard {
    @Test func movingTheSelectionSendsLittle() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: home) }
        // The article beside the list, which follows once a row rests, is another matter.
        let folder = home.appendingPathComponent(".config/tappa")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("[feeds]\nfollow-list = false\n".utf8).write(to: folder.appendingPathComponent("config.toml"))
        let terminal = try #require(OuterTerminal.tappa("--segment", "feeds", home: home, columns: 80, rows: 24))
        defer { terminal.stop() }
        #expect(await terminal.wait { $0.contains("Welcome to tappa") })
        terminal.send("\r")
        #expect(await terminal.wait { $0.contains("Panes of every size") })
        for key in ["j", "j", "j", "k", "k"] {
            await terminal.waitForQuiet()
            let before = terminal.count
            terminal.send(key)
            #expect(await terminal.wait { _ in terminal.count > before })
            await terminal.waitForQuiet()
            #expect(terminal.count - before <= 150, "after \(key)")
        }
    }
}
