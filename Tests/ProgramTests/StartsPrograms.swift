import CommonTesting
import Fetching
import Foundation
import ModelCore
import Testing

@testable import tappa

/// Programs of the user: found by name, started with unchanged arguments, with clear errors.
@MainActor @Suite(.timeLimit(.minutes(5))) struct StartsPrograms {
    private let temporary = TemporaryFolder()

    /// Finds the programs `a` and `b` as if they were in `PATH`.
    nonisolated private static func find(_ name: String) -> String? {
        ["a", "b", "w3m"].contains(name) ? "/bin/\(name)" : nil
    }

    /// A program that records its arguments line by line.
    private func noting(_ name: String = "note", then end: String = "") throws -> String {
        try temporary.script(name, "printf '[%s]\\n' \"$@\" > \"$0.words\"; \(end)")
    }

    private func words(_ program: String) -> [String] {
        String(decoding: FileManager.default.contents(atPath: program + ".words") ?? Data(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    // MARK: Command lines

    @Test(
        arguments: [
            ("a", "L", ["/bin/a", "L"]), ("a -x 'y z'", "L", ["/bin/a", "-x", "y z", "L"]),
            ("a %s -x", "L", ["/bin/a", "L", "-x"]), ("a --url=%s title:%s", "L", ["/bin/a", "--url=L", "title:L"]),
            // The address appears only in its place, whatever it contains.
            ("a %s", "x%s%%", ["/bin/a", "x%s%%"]), ("a 100%% %s", "L", ["/bin/a", "100%", "L"]),
            ("a 100%%", "L", ["/bin/a", "100%", "L"]),
            // An address is never an option.
            ("a", "-rf", ["/bin/a", " -rf"]), ("a %s", "-rf", ["/bin/a", " -rf"]),
            ("a -o=%s", "-rf", ["/bin/a", "-o=-rf"]), ("none", "L", nil),
        ] as [(String, String, [String]?)])
    func insertsTheAddressIntoTheCommandLine(command: String, address: String, words: [String]?) throws {
        let template = try ProgramSetting.browser.template(of: command)
        #expect(ProgramCall(template, ["link": address], find: Self.find)?.words == words)
    }

    /// The setting is one program, whose arguments may contain colons; the variable is a list.
    @Test(
        arguments: [
            ("a -o x:y", ["/bin/a", "-o", "x:y", "L"]), ("none:b", ["/bin/b", "L"]), ("none", nil),
            ("w3m", ["/bin/w3m", "L"]),
        ] as [(String, [String]?)])
    func readsTheConfiguredBrowser(setting: String, words: [String]?) throws {
        let browser = try LinkOpener.browser(setting: setting, link: "L", find: Self.find)
        #expect(browser?.call.words == words && browser?.isInTerminal == words.map { $0[0] == "/bin/w3m" })
    }

    @Test(arguments: [
        "w3m", "lynx", "links", "links2", "elinks", "edbrowse", "browsh", "carbonyl", "chawan", "cha", "www-browser",
    ]) func recognizesTextBrowsers(name: String) throws {
        for command in [name, "/usr/bin/\(name)", "sh -c '\(name) \"$TAPPA_LINK\" > x'", "env A=b \(name) %s"] {
            let browser = try LinkOpener.browser(setting: command, link: "L") { $0.hasPrefix("/") ? $0 : "/bin/\($0)" }
            #expect(browser?.isInTerminal == true, "\(command)")
        }
        for command in ["\(name)-gui", "xterm -e \(name) %s", "tmux new-window \(name) %s"] {
            let browser = try LinkOpener.browser(setting: command, link: "L") { "/bin/\($0)" }
            #expect(browser?.isInTerminal == false, "\(command)")
        }
    }

    // MARK: Links

    @Test func passesALinkAsOneArgument() async throws {
        let link = "https://a.example/?x=$(id)&y=;z"
        for (end, problem) in [
            ("", nil), ("exit 3", "The browser note failed (3); nothing was opened."),
            ("kill -9 $$", "The browser note was killed by signal 9."),
        ] as [(String, String?)] {
            let program = try noting(then: end)
            let told = await LinkOpener.open(link, with: "\(program) --new", patience: Patience.whole) { _ in
                Issue.record("the terminal is not needed")
                return nil
            }
            #expect(told == problem && words(program) == ["[--new]", "[\(link)]"])
        }
    }

    @Test func handsOverTheTerminalToTextBrowsers() async throws {
        let program = try noting("w3m", then: "exit 2")
        let none = await LinkOpener.open("https://a.example/", with: program) { _ in nil }
        #expect(none == "w3m needs a terminal of its own." && words(program).isEmpty)
        let given = await LinkOpener.open("https://a.example/", with: program) { $0() }
        #expect(
            given == "The browser w3m failed (2); nothing was opened." && words(program) == ["[https://a.example/]"])
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://a.example/", "https://user@a.example/"])
    func startsNoProgramForOtherLinks(link: String) async throws {
        let program = try noting()
        let told = await LinkOpener.open(link, with: program) { $0() }
        #expect(told == "Only http, https, mailto and gemini links can be opened." && words(program).isEmpty)
    }

    // MARK: Recordings

    private func play(_ address: String, with player: String, hasTerminal: Bool = true) -> String? {
        MediaPlayer.play(address, with: player, handOver: { hasTerminal ? $0() : nil })
    }

    @Test func playsRemoteAndLocalRecordings() throws {
        let file = try temporary.write("x", to: "my recording.mp3")
        let program = try noting()
        for address in ["http://a.example/1.mp3", "https://a.example/1.mp3?x=%20", file] {
            #expect(play(address, with: "\(program) -q") == nil)
            #expect(words(program) == ["[-q]", "[\(address)]"])
            unlink(program + ".words")
        }
        for address in [
            "ftp://a.example/1.mp3", "mailto:a@b.example", "gemini://a.example/", "1.mp3", "/no/such/file.mp3", "-x",
            "file://\(file)", "https://user@a.example/1.mp3", "https://a.example/a b",
        ] {
            #expect(play(address, with: program) == "Only http and https addresses can be played.")
            #expect(words(program).isEmpty, "\(address)")
        }
    }

    @Test(
        arguments: [
            ("exit 0", nil), ("exit 4", nil), ("exit 1", "%s failed (1)."), ("exit 127", "Can't start %s."),
            ("kill -9 $$", "%s was killed by signal 9."),
        ] as [(String, String?)])
    func reportsAFailedPlayerButNoStoppedOne(end: String, problem: String?) throws {
        let program = try noting(then: end)
        #expect(play("https://a.example/", with: program) == problem?.replacing("%s", with: program))
    }

    @Test func reportsAMissingPlayer() throws {
        #expect(
            play("https://a.example/", with: "no-such-player --x")
                == "No such player: 'no-such-player'. Change the setting audio.player.")
        let program = try noting()
        #expect(
            play("https://a.example/", with: program, hasTerminal: false) == "\(program) needs a terminal of its own.")
        #expect(words(program).isEmpty)
    }

    // MARK: Notifications

    @Test func passesTitleAndTextLast() throws {
        let program = try noting()
        #expect(Notifier.run("\(program) -u 'very low'", title: "-t $(id)", body: "b\n; c") == nil)
        #expect(words(program) == ["[-u]", "[very low]", "[ -t $(id)]", "[b", "; c]"])
        #expect(
            Notifier.run("no-such-program -x", title: "t", body: "b")
                == "No such notification program: 'no-such-program -x'.")
        #expect(Notifier.run("", title: "t", body: "b")?.hasPrefix("notifications.command: ") == true)
        // notify-send reads the text as markup, but not the title.
        let desktop = try noting("notify-send")
        #expect(Notifier.run(desktop, title: "a < b & c", body: "<b>x</b> & y") == nil)
        #expect(words(desktop) == ["[a < b & c]", "[&lt;b&gt;x&lt;/b&gt; &amp; y]"])
        // A script can open what the notification is about.
        let opening = try noting(then: "printf '[%s]' \"$TAPPA_PLACE\" >> \"$0.words\"")
        #expect(Notifier.run(opening, title: "t", body: "b", place: .race("giro-2026", stage: 12)) == nil)
        #expect(words(opening) == ["[t]", "[b]", "[race:giro-2026/12]"])
        let failing = try noting(then: "exit 5")
        #expect(Notifier.run(failing, title: "t", body: "b") == "\(failing) failed (5).")
        #expect(Notifier.run("true", title: "t", body: "b") == nil)
    }

    // MARK: Children

    @Test(
        arguments: [
            (0, nil), (1, "X failed (1), so."), (126, "X failed (126), so."), (127, "Can't start X."),
            (128, "X failed (128), so."),
            (-9, "X was killed by signal 9."), (-1, "X was killed by signal 1."),
        ] as [(Int, String?)])
    func describesFailuresByCode(code: Int, sentence: String?) {
        #expect(ChildProcess.problem(of: "X", code, consequence: ", so") == sentence)
    }

    @Test func readsOutputUnlessTheProgramFails() throws {
        let sh = try #require(ChildProcess.find("sh"))
        #expect(ChildProcess.output(of: [sh, "-c", "printf 'a\\nb\\n'"]) == "a\nb\n")
        #expect(ChildProcess.output(of: [sh, "-c", "printf x; exit 1"]) == nil)
        #expect(ChildProcess.output(of: ["/no/such/program"]) == nil)
        #expect(ChildProcess.output(of: [sh, "-c", "printf %s \"$1\"", "x", "two $(words)"]) == "two $(words)")
        #expect(ChildProcess.find("no-such-program") == nil && ChildProcess.find("/bin/sh") == "/bin/sh")
    }
}
