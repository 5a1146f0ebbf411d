import CommonTesting
import Foundation
import Testing

/// Events in the life of a terminal (row TER-01).
@Suite(.serialized, .timeLimit(.minutes(10))) struct TerminalLifeInTmux: ProgramSuite {
    let temporary = TemporaryFolder()

    @Test func TER_01_stopsAndContinues() async throws {
        let tmux = try TmuxSession("bash --norc -i", width: 90, height: 20)
        await tmux.press("\(Program.path.path) --in-memory --segment stages", "Enter", expecting: "Amsterdam → Utrecht")
        await tmux.press("C-z", expecting: "Stopped")
        #expect(tmux.command("display-message", "-p", "#{alternate_on} #{mouse_any_flag}").hasPrefix("0 0"))
        await tmux.press("fg", "Enter", expecting: "Amsterdam → Utrecht")
        #expect(tmux.command("display-message", "-p", "#{alternate_on} #{mouse_sgr_flag}").hasPrefix("1 1"))
        await tmux.press("j", expecting: "Tyler Farrar")
        tmux.press("Q")
        #expect(await tmux.wait { !$0.contains("Tyler Farrar") })
    }

    /// A stopped job that another program continues stays with the shell; `fg` redraws the screen.
    @Test(arguments: [SIGTSTP, SIGSTOP]) func TER_01_staysQuietInTheBackground(stop: Int32) async throws {
        let tmux = try TmuxSession("bash --norc -i", width: 90, height: 12)
        await tmux.press("\(Program.path.path) --in-memory --segment stages", "Enter", expecting: "Amsterdam → Utrecht")
        await tmux.press("j", expecting: "Tyler Farrar")
        let screen = tmux.text
        let shell = try #require(tmux.programID)
        let job = Program.run("/usr/bin/env", ["pgrep", "-P", "\(shell)"]).output
        let program = try #require(Int32(job.trimmingCharacters(in: .whitespacesAndNewlines)))
        func isStopped() -> Bool {
            Program.run("/usr/bin/env", ["ps", "-o", "stat=", "-p", "\(program)"]).output.hasPrefix("T")
        }
        if stop == SIGTSTP { tmux.press("C-z") } else { kill(program, stop) }
        #expect(await tmux.wait { $0.contains("Stopped") && isStopped() })
        kill(program, SIGCONT)
        // It continues for at least a moment.
        #expect(await tmux.wait { _ in isStopped() })
        tmux.press("clear; echo still the $0", "Enter")
        #expect(await tmux.wait { $0.contains("still the bash") && !$0.contains("Tyler Farrar") && isStopped() })
        tmux.press("fg", "Enter")
        #expect(await tmux.wait { $0 == screen }, "\(tmux.text)")
        tmux.press("Q")
        #expect(await tmux.wait { !$0.contains("Tyler Farrar") })
    }

    @Test func TER_01_redrawsOverForeignOutput() async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment stages", width: 90, height: 20, expecting: "Amsterdam → Utrecht")
        let pane = tmux.command("display-message", "-p", "#{pane_tty}").trimmingCharacters(in: .whitespacesAndNewlines)
        let file = try #require(FileHandle(forWritingAtPath: pane))
        try file.write(contentsOf: Data("\u{1B}[3;3HA message to all\u{1B}[5;1H\u{1B}[2K\u{1B}[31m".utf8))
        #expect(await tmux.wait { $0.contains("A message to all") && !$0.contains("▌◷  1 Amsterdam") })
        tmux.press("C-l")
        #expect(await tmux.wait { !$0.contains("A message to all") && $0.contains("▌◷  1 Amsterdam") })
    }

    @Test func TER_01_survivesZoomingAPane() async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment stages", width: 160, height: 40, expecting: "Amsterdam → Utrecht")
        tmux.press("j", "j", "Enter")
        let row = "▌▬  3 Amsterdam → Middelburg"
        #expect(await tmux.wait { $0.contains(row) && $0.contains("Wouter Weylandt") })
        _ = tmux.command("split-window", "-h", "-d", "cat")
        #expect(await tmux.wait { widest($0) <= 80 && $0.contains("Wouter Weylandt") })
        _ = tmux.command("resize-pane", "-Z", "-t", ":.0")
        #expect(await tmux.wait { widest($0) == 160 && $0.contains("Wouter Weylandt") && $0.contains(row) })
    }

    @Test func TER_01_quitsWithItsTerminal() async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment stages", width: 80, height: 24, expecting: "Amsterdam")
        let program = try #require(tmux.programID)
        _ = tmux.command("kill-server")
        #expect(await eventually { kill(program, 0) != 0 })
    }

    @Test func TER_01_survivesDetachAndAttachAtAnotherSize() async throws {
        let inner = try await TmuxSession(
            "tappa --in-memory --segment stages", width: 120, height: 30, expecting: "Amsterdam → Utrecht")
        await inner.press("j", "Enter", expecting: "Tyler Farrar")
        _ = inner.command("set-option", "-w", "window-size", "latest")
        let outer = try TmuxSession("env -u TMUX tmux -S \(inner.socket) attach", width: 50, height: 16)
        #expect(await outer.wait(for: "Tyler Farrar"))
        _ = inner.command("detach-client")
        let again = try TmuxSession("env -u TMUX tmux -S \(inner.socket) attach", width: 130, height: 35)
        #expect(await again.wait { $0.contains("Tyler Farrar") && widest($0) == 130 })
        #expect(again.text.contains("▌▬  2 Amsterdam → Utrecht"))
    }

    @Test func restoresThePaneInItsPlace() async throws {
        do {
            let tmux = try await TmuxSession(
                "tappa --segment stages", width: 120, height: 30, home: home, expecting: "Amsterdam → Utrecht")
            await tmux.press("j", "j", "j", "Tab", "Enter", "j", "Enter", expecting: "The same keys work in lists")
            await tmux.press("Q", expecting: "ended with 0")
        }
        let again = try await TmuxSession(
            "tappa", width: 120, height: 30, home: home, expecting: "The same keys work in lists")
        await again.press("BTab", expecting: "▌◶  4 Savigliano")
    }

    private func widest(_ text: String) -> Int { text.split(separator: "\n").map(\.count).max() ?? 0 }
}
