import CommonTesting
import Foundation
import Testing

/// Programs that the dashboard or a reload runs end with it, however it ends, and leave no files behind.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EndsPrograms: ProgramSuite {
    let temporary = TemporaryFolder()
    /// The folder for temporary files. Its path is in the environment of all processes of a test and of no others.
    private var files: String { temporary.path("tmp") }

    /// How the dashboard ends.
    enum End: CaseIterable {
        case key, ended, hungUp, killed

        var signal: Int32? {
            switch self {
            case .key: nil
            case .ended: SIGTERM
            case .hungUp: SIGHUP
            case .killed: SIGKILL
            }
        }
    }

    /// A shell script that leaves processes in its group and in a session of their own.
    private static let leaving = "sleep 987 & setsid sleep 986 & sleep 985"

    private func settings(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        try home.write(text, to: ".config/tappa/config.toml")
    }

    /// Returns the command lines of this test's processes, the words separated by spaces.
    private func processes() -> [String] {
        let ids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return ids.compactMap { id in
            func text(_ name: String) -> String {
                let bytes = FileManager.default.contents(atPath: "/proc/\(id)/\(name)") ?? Data()
                return String(decoding: bytes, as: UTF8.self).replacing("\0", with: " ")
            }
            guard text("environ").contains("TMPDIR=\(files) ") else { return nil }
            return text("cmdline").trimmingCharacters(in: .whitespaces)
        }
    }

    private func isRunning(_ program: String) -> Bool { processes().contains { $0 == program } }

    private func expectNothingLeft(_ comment: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isEmpty = await eventually(every: .milliseconds(20)) { processes().isEmpty }
        #expect(isEmpty, "\(comment): \(processes())", sourceLocation: sourceLocation)
        let left = try FileManager.default.contentsOfDirectory(atPath: files)
        #expect(left.isEmpty, "\(comment): \(left)", sourceLocation: sourceLocation)
    }

    /// Opens the first entry.
    private func dashboard() async throws -> TmuxSession {
        let tmux = try TmuxSession(
            "tappa --in-memory --segment feeds", width: 70, height: 20, home: home, environment: "TMPDIR=\(files)")
        #expect(await tmux.wait(for: "Welcome to tappa"))
        await tmux.press("Enter", expecting: "Moving around")
        await tmux.press("Enter", expecting: "A first tour")
        return tmux
    }

    private func end(_ tmux: TmuxSession, _ end: End) async throws {
        guard let signal = end.signal else { return tmux.press("Q") }
        kill(try #require(tmux.programID), signal)
    }

    private func pipe(_ tmux: TmuxSession, to line: String) async {
        await tmux.send("|", expecting: "Pipe to program")
        tmux.send(line)
        tmux.press("Enter")
    }

    /// A program that prints without end is stopped at the bound, which the screen reports, and is gone then.
    @Test func ACT_08_boundsTheOutput() async throws {
        try settings("")
        let tmux = try await dashboard()
        await pipe(tmux, to: "yes")
        #expect(await tmux.wait(for: "yes printed more than 16 MiB and was stopped."))
        #expect(await eventually { !isRunning("yes") && !isRunning("sh -c yes") })
        await tmux.press("Escape", expecting: "A first tour")
        await tmux.press("Q", expecting: "ended with 0")
        try await expectNothingLeft("yes")
    }

    /// So is one that is still printing when Esc and `Q` follow at once.
    @Test func ACT_08_stopsAPrintingProgram() async throws {
        try settings("")
        let tmux = try await dashboard()
        await pipe(tmux, to: "yes")
        await tmux.press("Escape", "Q", "Escape", "Q", expecting: "ended with 0")
        try await expectNothingLeft("yes")
    }

    /// Processes that a piped-to program leaves running end with the dashboard.
    @Test(arguments: End.allCases) func ACT_08_endsPipes(end: End) async throws {
        try settings("")
        let tmux = try await dashboard()
        await pipe(tmux, to: EndsPrograms.leaving)
        for number in 985...987 { #expect(await eventually { isRunning("sleep \(number)") }, "sleep \(number)") }
        try await self.end(tmux, end)
        #expect(await tmux.wait(for: "ended with"))
        try await expectNothingLeft("\(end)")
    }

    /// So do those of commands with `mode = "output"`, also if they ignore signals.
    @Test(arguments: End.allCases) func ACT_08_endsCommands(end: End) async throws {
        try settings(
            """
            [[commands]]
            name = "leave"
            key = "B"
            sh = "trap '' HUP INT TERM; \(EndsPrograms.leaving)"
            input = "markdown"
            mode = "output"
            """)
        let tmux = try await dashboard()
        tmux.press("B")
        for number in 985...987 { #expect(await eventually { isRunning("sleep \(number)") }, "sleep \(number)") }
        try await self.end(tmux, end)
        #expect(await tmux.wait(for: "ended with"))
        try await expectNothingLeft("\(end)")
    }

    /// The program of a rule ends with a killed reload.
    @Test(arguments: [SIGTERM, SIGHUP, SIGKILL]) func ACT_08_endsProgramsOfRules(signal: Int32) async throws {
        try settings(
            """
            [[commands]]
            name = "leave"
            sh = "\(EndsPrograms.leaving)"
            input = "html"
            [[rules]]
            name = "leaves"
            when = "is:unread"
            then = ["run leave"]
            """)
        let feed = temporary.path("feed.xml")
        func write(_ items: Int) throws {
            let list = (0..<items).map { "<item><guid>\($0)</guid><title>x</title></item>" }.joined()
            try Data("<rss version=\"2.0\"><channel><title>F</title>\(list)</channel></rss>".utf8)
                .write(to: URL(fileURLWithPath: feed))
        }
        try write(1)
        #expect(tappa("add", "file://\(feed)").code == 0)
        #expect(tappa("reload").code == 0)
        try write(2)
        let tmux = try TmuxSession("tappa reload", width: 80, height: 10, home: home, environment: "TMPDIR=\(files)")
        for number in 985...987 { #expect(await eventually { isRunning("sleep \(number)") }, "sleep \(number)") }
        kill(try #require(tmux.programID), signal)
        #expect(await tmux.wait(for: "ended with"))
        try await expectNothingLeft("\(signal)")
    }
}
