import Foundation
import Testing

/// The tutorial's program and the gallery, run as a user would.
@Suite(.serialized) struct ProgramsOfTheToolkit {
    @Test(arguments: ["Example", "Gallery"], ["q", "C-c"]) func quitsAProgram(name: String, key: String)
        async throws
    {
        let tmux = try TmuxSession(Program.path(of: name).path, width: 80, height: 20)
        #expect(await tmux.wait(for: name == "Example" ? "Asolo" : "Controls"))
        tmux.press("Tab")
        #expect(await tmux.wait(for: name == "Example" ? "Burgos" : "Containers"))
        await tmux.press(key, expecting: "ended with 0")
    }

    @Test(arguments: ["Example", "Gallery"]) func reportsAMissingTerminal(name: String) {
        let result = Program.run(Program.path(of: name).path, [])
        #expect(result.code == 69)
        #expect(result.errors == "\(name): this is not a terminal\n")
        #expect(result.output.isEmpty)
    }

    /// In an asynchronous program, tasks of the main actor run while it waits for keys.
    @Test func runsTasksBesideAnAsynchronousProgram() async throws {
        let tmux = try await TmuxSession(
            Program.path(of: "Gallery").path, width: 100, height: 24, expecting: "Controls")
        tmux.press("/")
        tmux.send("progress")
        tmux.press("Enter", "Enter")
        var seen: Set<String> = []
        // The spinner advances without a key.
        let turned = await tmux.wait { text in
            seen.insert(text)
            return seen.count >= 4
        }
        #expect(turned)
        await tmux.press("C-c", expecting: "ended with 0")
    }
}
