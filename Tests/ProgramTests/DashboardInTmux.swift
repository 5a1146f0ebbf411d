import CommonTesting
import Foundation
import LibraryTesting
import ModelCore
import Testing

/// Walks through the built program in a real tmux.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DashboardInTmux: ProgramSuite {
    let temporary = TemporaryFolder()

    @Test(arguments: [(120, 39), (79, 23), (60, 19), (39, 11)])
    func readsInEverySegment(width: Int, height: Int) async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment stages", width: width, height: height, expecting: "Amsterdam → Utrecht")
        await tmux.press("j", "Enter", expecting: "Tyler Farrar")
        await tmux.press("p", expecting: "Sunday 9 May 2010")
        tmux.press("p")
        for _ in 0..<SegmentName.feeds.tabs(from: .stages) { tmux.press("Tab") }
        #expect(await tmux.wait(for: "Use Your Loaf"))
        await tmux.press("Enter", "Enter", expecting: "tappa shows stage races")
        await tmux.press("p", expecting: "Sunday 1 November 2026")
        tmux.resize(100, 30)
        #expect(await tmux.wait { $0.contains("Sunday 1 November 2026") && widest($0) == 100 })
        tmux.resize(width, height)
        #expect(await tmux.wait { $0.contains("Sunday 1 November 2026") && widest($0) <= width })
        tmux.press("Escape")
        #expect(await tmux.wait { !$0.contains("Sunday 1 November") })
        for _ in 0..<SegmentName.settings.tabs(from: .feeds) { tmux.press("Tab") }
        #expect(await tmux.wait(for: "Theme"))
        await tmux.press("Q", expecting: "ended with 0")
    }

    private func widest(_ text: String) -> Int { text.split(separator: "\n").map(\.count).max() ?? 0 }

    @Test func TER_01_restoresTheTerminalHoweverItEnds() async throws {
        for (signal, words) in [(SIGTERM, "ended with"), (SIGILL, "ended with"), (SIGABRT, "ended with")] {
            let tmux = try await TmuxSession(
                "tappa --in-memory --segment stages", width: 80, height: 24, expecting: "Amsterdam")
            #expect(tmux.command("display-message", "-p", "#{alternate_on} #{mouse_sgr_flag}").hasPrefix("1 1"))
            let program = try #require(tmux.programID)
            kill(program, signal)
            #expect(await tmux.wait(for: words))
            #expect(tmux.command("display-message", "-p", "#{alternate_on} #{mouse_any_flag}").hasPrefix("0 0"))
        }
    }

    @Test func TER_06_receivesClicksWithTmuxTerminfo() async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment stages", width: 120, height: 30, expecting: "Amsterdam")
        await tmux.send("\u{1B}[<0;12;1M\u{1B}[<0;12;1m", expecting: "Subscriptions")
        tmux.send("\u{1B}[200~qQ\u{1B}[201~")
        await tmux.press(SegmentName.settings.key, expecting: "Theme")
    }

    @Test func TER_02_rejectsADumbTerminalInOneLine() async throws {
        let tmux = try TmuxSession(
            "tappa --in-memory --segment stages", width: 80, height: 24, environment: "TERM=dumb")
        #expect(await tmux.wait(for: "ended with 69"))
        #expect(tmux.text.contains("the terminal type 'dumb' can't display the dashboard"))
    }

    @Test(arguments: ["xterm-256color", "screen-256color", "linux", "vt100"])
    func TER_02_runsInOtherTerminals(term: String) async throws {
        let tmux = try TmuxSession(
            "tappa --in-memory --segment stages", width: 80, height: 24, environment: "TERM=\(term)")
        #expect(await tmux.wait(for: "Utrecht"))
        await tmux.press("j", expecting: "Tyler Farrar")
        await tmux.press("q", expecting: "ended with 0")
    }

    @Test func keepsReadMarks() async throws {
        tappa("list")
        let tmux = try await TmuxSession(
            "tappa --segment feeds", width: 120, height: 30, home: home, expecting: "Welcome to tappa")
        await tmux.press("Enter", "Enter", expecting: "Feeds 8")
        let program = try #require(tmux.programID)
        kill(program, SIGKILL)
        #expect(tappa("list").output.contains("8/9\tWelcome to tappa"))
    }

    /// Invalid keys are reported on the screen while all others apply; commands print each on its own line.
    @Test func appliesOrReportsConfiguredKeys() async throws {
        func configure(_ text: String) throws { try home.write(text, to: ".config/tappa/config.toml") }
        try configure(
            """
            [keys]
            preset = "vim"
            "entry.toogleStar" = "x"
            "program.help" = ["ctrl-g"]
            "entry.toggleLater" = "j"
            """)
        let listed = tappa("list")
        #expect(listed.code == 0)
        let lines = listed.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("line 3: no such command: 'entry.toogleStar'; did you mean"))
        #expect(lines.last?.contains("line 5: 'j' for entry.toggleLater is list.down in lists") == true)
        let tmux = try await TmuxSession(
            "tappa --segment feeds", width: 200, height: 20, home: home,
            expecting: "line 3: no such command: 'entry.toogleStar'")
        #expect(await tmux.wait(for: "^g keys"))
        await tmux.press("C-g", expecting: "Keys")
        await tmux.press("Escape", "g", "T", expecting: "▐Stages▌")
        // A corrected file applies at once and silently; a half-written one changes nothing.
        try configure("[keys]\n\"program.help\" = \"ctrl-t\"\n[appearance]\nstart = 'feeds'\n")
        #expect(await tmux.wait { !$0.contains("no such command") })
        await tmux.press("C-t", expecting: "Keys")
        tmux.press("Escape")
        try configure("[keys\n")
        #expect(await tmux.wait(for: "line 1: a table's name ends with ]"))
        await tmux.press("C-t", expecting: "Keys")
        tmux.press("Escape")
        try configure("[keys]\npreset = 'vim'\n")
        #expect(await tmux.wait { !$0.contains("a table's name") })
        await tmux.press("Z", "Z", expecting: "ended with 0")
    }
}
