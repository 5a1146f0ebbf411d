import CommonTesting
import Foundation
import LibraryTesting
import ModelCore
import Testing

/// However a dashboard ends, it restores its terminal; and no behaviour of a terminal can block it (row TER-01).
@Suite(.serialized, .timeLimit(.minutes(10))) struct RestoresTheTerminal {
    private let temporary = TemporaryFolder()
    private var home: URL { temporary.url }

    private func words(_ arguments: [String]) -> [String] {
        let settings = ["HOME=\(home.path)", "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "TMUX="]
        return ["env"] + settings + [Program.path.path] + arguments
    }

    private func dashboard(_ settings: [String] = []) throws -> Pane {
        let pane = try Pane.spawn(["env"] + settings + words(["--in-memory", "--segment", "stages"]))
        #expect(pane.read(until: "Amsterdam").contains("\u{1B}[?1049h"))
        return pane
    }

    @Test(
        arguments: [
            SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
        ])
    func exitsWithTheSignal(signal: Int32) throws {
        let pane = try dashboard()
        #expect(!pane.isSane)
        kill(pane.process, signal)
        let end = try #require(pane.end())
        #expect(end.status == 128 + signal)
        #expect(end.drawn.contains("\u{1B}[?1049l") && end.drawn.contains("\u{1B}[?1000l"))
        #expect(pane.isSane)
        pane.close()
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL]) func restoresTheTerminalAfterAFault(signal: Int32) throws {
        let pane = try dashboard(["SWIFT_BACKTRACE=enable=no"])
        kill(pane.process, signal)
        let end = try #require(pane.end())
        #expect(end.status == -signal)
        #expect(end.drawn.contains("\u{1B}[?1049l"))
        #expect(pane.isSane)
        pane.close()
    }

    /// With unread output, keys, signals and hang-ups are still handled, and frames aren't queued.
    @Test(arguments: [true, false]) func aBlockedTerminalBlocksNothing(quits: Bool) throws {
        let pane = try dashboard()
        func memory() -> Int {
            let text = (try? String(contentsOfFile: "/proc/\(pane.process)/statm", encoding: .utf8)) ?? ""
            return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
        let before = memory()
        for _ in 0..<40 {
            pane.type(String(repeating: "\t", count: 50))
            usleep(10_000)
        }
        #expect(memory() < before + 4096)
        if quits { pane.type("Q") } else { kill(pane.process, SIGTERM) }
        let end = try #require(pane.end(reading: false))
        #expect(end.status == (quits ? 0 : 128 + SIGTERM))
        #expect(pane.isSane)
        #expect(pane.read().contains("\u{1B}[?1049l"))
        pane.close()
    }

    @Test func drawsTheLastFrameOnceTheTerminalReads() throws {
        let pane = try dashboard()
        for _ in 0..<20 {
            pane.type(String(repeating: "\t", count: 50))
            usleep(10_000)
        }
        // From Stages by Tab, 1,000 times around all segments and then to Settings.
        let count = SegmentName.allCases.count
        let rest = (SegmentName.settings.tabs(from: .stages) - 1_000 % count + count) % count
        pane.type(String(repeating: "\t", count: rest == 0 ? count : rest))
        #expect(pane.read(until: "The program's colours").contains("The program's colours"))
        pane.type("Q")
        #expect(pane.end()?.status == 0)
        pane.close()
    }

    @Test func takesTheSizeOfTheTerminal() throws {
        let pane = try Pane.spawn(["env", "LINES=10", "COLUMNS=40"] + words(["--in-memory"]))
        // The bar at the bottom of thirty rows, which the cursor reaches in one of two ways.
        #expect(pane.read(until: "\u{1B}[30").contains("\u{1B}[30"))
        pane.type("Q")
        #expect(pane.end()?.status == 0)
        pane.close()
    }

    @Test func resetsTheTerminalAfterAKill() throws {
        let script = "\"$0\" --in-memory --segment stages; echo left; read x; \"$0\" reset-terminal; echo reset; read x"
        let shell = words([])
        let pane = try Pane.spawn(shell.dropLast() + ["sh", "-c", script, Program.path.path])
        _ = pane.read(until: "Amsterdam")
        let children = Program.run("/usr/bin/env", ["pgrep", "-P", "\(pane.process)"]).output
        let program = try #require(children.split(separator: "\n").first.flatMap { Int32($0) })
        kill(program, SIGKILL)
        #expect(pane.read(until: "left").contains("left"))
        #expect(!pane.isSane)
        pane.type("\n")
        let drawn = pane.read(until: "reset")
        #expect(drawn.contains("\u{1B}[?1049l") && drawn.contains("\u{1B}[?1000l"))
        #expect(pane.isSane)
        pane.type("\n")
        #expect(pane.end()?.status == 0)
        pane.close()
    }

    @Test func theNextStartCleansUpAfterAKill() throws {
        let script = "\"$0\" --in-memory --segment stages; \"$0\" --in-memory --segment stages; echo done; read x"
        let pane = try Pane.spawn(words([]).dropLast() + ["sh", "-c", script, Program.path.path])
        _ = pane.read(until: "Amsterdam")
        let children = Program.run("/usr/bin/env", ["pgrep", "-P", "\(pane.process)"]).output
        let program = try #require(children.split(separator: "\n").first.flatMap { Int32($0) })
        kill(program, SIGKILL)
        _ = pane.read(until: "Amsterdam")
        pane.type("Q")
        #expect(pane.read(until: "done").contains("done"))
        #expect(pane.isSane)
        pane.type("\n")
        #expect(pane.end()?.status == 0)
        pane.close()
    }
}
