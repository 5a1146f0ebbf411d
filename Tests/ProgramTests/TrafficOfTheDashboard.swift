import CommonTesting
import Foundation
import Testing

/// The amount of output to the terminal, which determines the delay on a slow line.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TrafficOfTheDashboard: ProgramSuite {
    let temporary = TemporaryFolder()

    @Test func movingTheSelectionSendsFewBytes() async throws {
        // Excludes the article beside the list, which follows once a row rests.
        try home.write("[feeds]\nfollow-list = false\n", to: ".config/tappa/config.toml")
        let terminal = try #require(OuterTerminal.tappa("--segment", "feeds", home: home, columns: 80, rows: 24))
        defer { terminal.stop() }
        #expect(await terminal.wait { $0.contains("Welcome to tappa") })
        terminal.send("\r")
        #expect(await terminal.wait { $0.contains("Panes of every size") })
        // This terminal answers no query, so it gets them twice.
        #expect(await terminal.wait { $0.components(separatedBy: "\u{1B}]11;?").count == 3 })
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
