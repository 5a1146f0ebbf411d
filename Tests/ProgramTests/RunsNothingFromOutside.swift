import CommonTesting
import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import TerminalUI
import Testing

@testable import Configuration
@testable import Dashboard
@testable import tappa

/// Hostile links and titles run nothing, whatever starts a program and however the user wrote it, with real shells.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RunsNothingFromOutside {
    private let temporary = TemporaryFolder()

    /// The links, in which `PWNED` is a file that must not appear.
    private static let links = [
        "http://evil.example/?a=1;touch$IFS$9PWNED", "http://evil.example/$(touch${IFS}PWNED)",
        "http://evil.example/`touch${IFS}PWNED`", "http://evil.example/'\"';touch$IFS$9PWNED;'\"",
        "http://good.example/?a=1&b=2",
        "http://evil.example/?a=1&touch$IFS$9PWNED;", "http://evil.example/%s{title}$TAPPA_TITLE",
        "http://evil.example/#(touch${IFS}PWNED)|touch$IFS$9PWNED\\",
    ]
    private static let titles = [
        "x; touch PWNED", "$(touch PWNED)", "`touch PWNED`", "' ; touch PWNED ; '", "\" ; touch PWNED ; \"",
        "--exec=touch PWNED",
        "#(touch PWNED)", "a & touch PWNED &", "%s {link} {title} %T", "+!touch PWNED", "x\\", ";",
    ]

    private var pwned: String { temporary.path("pwned") }

    private func hostile(_ text: String) -> String { text.replacing("PWNED", with: pwned) }

    /// A program that records its arguments.
    private func noting(_ name: String = "note") throws -> String {
        try temporary.script(name, #"printf '[%s]' "$@" > "$0.new"; mv "$0.new" "$0.words""#)
    }

    /// Returns the arguments of a program that may still be starting, and forgets them.
    private func words(_ program: String) async -> String? {
        let path = program + ".words"
        guard await eventually({ FileManager.default.fileExists(atPath: path) }) else { return nil }
        defer { unlink(path) }
        return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    private func expectNothing(_ comment: String) {
        #expect(access(pwned, F_OK) != 0, "\(comment)")
        unlink(pwned)
    }

    private static let hasBash = CommandWords.path(of: "bash") != nil
    nonisolated private static let hasTmux = CommandWords.path(of: "tmux") != nil

    /// Command lines that pass a link whole, with `NOTE` for the program.
    private static let safe =
        [
            "NOTE", "NOTE %s", "sh -c 'NOTE \"$TAPPA_LINK\"'", "sh -c 'NOTE \"$1\"' sh %s", "sh -c 'exec NOTE \"$0\"'",
            "env X=1 sh -ec 'NOTE \"$TAPPA_LINK\"'", "nohup NOTE %s", "xargs -n1 sh -c 'NOTE \"$TAPPA_LINK\"'",
        ] + (hasBash ? ["bash -c 'NOTE \"$TAPPA_LINK\"'", "bash -c 'f() { NOTE \"$1\"; }; f \"$TAPPA_LINK\"'"] : [])
    /// Command lines in which a shell would read the link, of programs that are installed.
    private static let unsafe = all.filter { CommandWords.path(of: CommandWords.split($0)[0]) != nil }
    private static let all = [
        "sh -c 'NOTE %s'", "sh -c \"NOTE '%s'\"", "sh -c 'NOTE \"%s\"'", "sh -c", "sh -c %s", "sh",
        "env sh -c 'NOTE %s'",
        "bash -c 'NOTE %s'", "/bin/sh -ec 'NOTE %s'", "nohup sh -c 'NOTE %s &'", "sh -c 'eval \"NOTE $1\"' x %s",
        "sh -c 'sh -c \"NOTE $TAPPA_LINK\"'", "sh -c '$1' x %s", "NOTE x%sy", "watch NOTE %s", "xargs sh -c 'NOTE %s'",
        "sh -c 'f() { eval \"$1\"; }; f \"$TAPPA_LINK\"'", "sh -c 'set -- \"$TAPPA_LINK\"; eval \"$1\"'",
        "sh -c 'export E=\"$TAPPA_LINK\"; eval \"$E\"'", "sh -c 't=$(echo \"$TAPPA_LINK\"); eval \"$t\"'",
        "sh -c 't=`echo \"$TAPPA_LINK\"`; eval \"$t\"'", "sh -c 'sh -c \"$(echo \"$TAPPA_LINK\")\"'",
        "sh -c 'echo \"$TAPPA_LINK\" | while read t; do eval \"$t\"; done'",
        "sh -c 'readonly E=\"$TAPPA_LINK\"; sh -c \"$E\"'",
        "sh -c 'echo \"$TAPPA_LINK\" | xargs -I{} sh -c \"NOTE {}\"'",
        "script -qc 'NOTE %s' /dev/null", "perl -e %s", "env %s", "sh -c 'echo \"NOTE $TAPPA_LINK\" | sh'",
    ]

    @Test func opensLinksWithoutRunningThem() async throws {
        let note = try noting()
        for command in Self.safe.map({ $0.replacing("NOTE", with: note) }) {
            for link in Self.links.map(hostile) where LinkOpener.isOpened(link) {
                let problem = await LinkOpener.open(link, with: command, patience: Patience.whole) { $0() }
                #expect(problem == nil, "\(command): \(link)")
                #expect(await words(note) == "[\(link)]", "\(command): \(link)")
                expectNothing("\(command): \(link)")
            }
        }
        for command in Self.unsafe.map({ $0.replacing("NOTE", with: note) }) {
            for link in Self.links.map(hostile) where LinkOpener.isOpened(link) {
                let problem = await LinkOpener.open(link, with: command, patience: Patience.whole) { $0() }
                #expect(problem?.hasPrefix("feeds.browser: ") == true, "\(command): \(problem ?? "opened")")
                expectNothing("\(command): \(link)")
                #expect(throws: ProgramRefusal.self) {
                    try LinkOpener.browser(command, link: link, find: ChildProcess.find)
                }
            }
        }
        #expect(access(note + ".words", F_OK) != 0)
    }

    @Test func playsLinksWithoutRunningThem() async throws {
        let note = try noting()
        for link in Self.links.map(hostile) where LinkOpener.isOpened(link) {
            for command in Self.safe.map({ $0.replacing("NOTE", with: note) }) {
                #expect(MediaPlayer.play(link, with: command, handOver: { $0() }) == nil)
                #expect(await words(note) == "[\(link)]", "\(command): \(link)")
            }
            for command in Self.unsafe.map({ $0.replacing("NOTE", with: note) }) {
                let problem = MediaPlayer.play(link, with: command, handOver: { $0() })
                #expect(problem?.hasPrefix("audio.player: ") == true, "\(command)")
            }
            expectNothing(link)
        }
    }

    @Test func notifiesWithoutRunningTitles() async throws {
        let note = try noting()
        for title in Self.titles.map(hostile) {
            for command in [note, "sh -c '\(note) \"$TAPPA_TITLE\" \"$TAPPA_TEXT\"'", "sh -c '\(note) \"$0\" \"$1\"'"] {
                #expect(Notifier.run(command, title: title, body: title) == nil)
                let safe = title.hasPrefix("-") || title.hasPrefix("+") ? " " + title : title
                #expect(await words(note) == "[\(safe)][\(safe)]", "\(command): \(title)")
            }
            for command in ["sh -c", "bash -c", "sh", "ssh host notify-send", "eval notify-send", "env"] {
                let problem = Notifier.run(command, title: title, body: title)
                #expect(problem?.hasPrefix("notifications.command: ") == true, "\(command)")
            }
            expectNothing(title)
        }
    }

    /// The text below a notification's title is escaped, from the setting, a command and a rule alike.
    @Test func escapesMarkup() async throws {
        let program = try noting("notify-send")
        #expect(Notifier.run(program, title: "a & b", body: "<i> & b") == nil)
        #expect(await words(program) == "[a & b][&lt;i&gt; &amp; b]")
        let detail = try await entry("<b>1</b> & 2", "http://a.example/?a=1&b=2")
        for (options, shown) in [("", ""), ("\"-u\", \"low\", \"--\", ", "[-u][low][--]")] {
            let file = ConfigurationFile.parse(
                "[[commands]]\nname = \"n\"\nrun = [\"\(program)\", \(options)\"{feed}\", \"{link}\"]", path: "",
                for: .init(.dashboard))
            let command = try #require(file.commands.first)
            #expect(UserCommandRunner.runOnArrival(command, detail) == nil)
            #expect(await words(program) == "\(shown)[News][http://a.example/?a=1&amp;b=2]")
        }
    }

    private func entry(_ title: String, _ link: String) async throws -> EntryDetail {
        try await EntryDetail.first(of: ParsedFeed([ParsedEntry(title: title, link: link)], title: "News"))
    }

    /// Commands, macros, bookmarks and programs of rules, from an import with newsboat's own example.
    @Test func importsProgramsThatRunNothing() async throws {
        let (w3m, mark) = (try noting("w3m"), try noting("mark"))
        let lines = [
            "browser \"bash -c \\\"\(w3m) %u\\\"\"",
            "macro a set browser \"bash -c \\\"\(w3m) %u\\\"\" ; open-in-browser",
            "macro b set browser \"sh -c '\(w3m) %u'\" ; open-in-browser",
            "macro c set browser \"\(w3m) %u > /dev/null 2>&1\" ; open-in-browser",
            "macro d set browser \"\(w3m) \\\"%u\\\" ; true\" ; open-in-browser",
            "macro e set browser \"sh -c \\\"\(w3m) '%u'\\\"\" ; open-in-browser",
            "macro f set browser \"X=1 \(w3m)\" ; open-in-browser", "bookmark-cmd \"sh -c '\(mark) \\\"$@\\\"' sh\"",
        ].filter { Self.hasBash || !$0.contains("bash") }
        let known = ConfigurationFile.Commands(.dashboard)
        let imported = NewsboatConfiguration(lines.joined(separator: "\n"), for: known)
        let file = ConfigurationFile.parse(imported.text(withTheme: false), path: "", for: known)
        #expect(file.problems.isEmpty && file.commands.count == lines.count - (Self.hasBash ? 1 : 0))
        for (number, link) in Self.links.map(hostile).enumerated() {
            let title = hostile(Self.titles[number % Self.titles.count])
            let detail = try await entry(title, link)
            let fields = UserCommandRunner.fields(of: detail)
            for command in file.commands {
                let isBookmark = command.name == "bookmark"
                let expected = isBookmark ? ["link", "title", "", "feed"] : ["link"]
                let values = expected.map { CommandTemplate.environment(["x": fields[$0] ?? ""])["TAPPA_X"] ?? "" }
                let text = values.map { "[\($0)]" }.joined()
                guard
                    case .done = await UserCommandRunner.command(command, handOver: { $0() }).run(
                        .entry(detail), { _ in "" })
                else {
                    Issue.record("\(command.name) failed")
                    continue
                }
                #expect(await words(isBookmark ? mark : w3m) == text, "\(command.name)")
                #expect(UserCommandRunner.runOnArrival(command, detail) == nil)
                #expect(await words(isBookmark ? mark : w3m) == text, "\(command.name) by a rule")
            }
            if let browser = file.settings["feeds.browser"], LinkOpener.isOpened(link) {
                #expect(await LinkOpener.open(link, with: browser, patience: Patience.whole) { $0() } == nil)
                #expect(await words(w3m) == "[\(link)]")
            }
            expectNothing(link)
        }
    }

    /// tmux starts one argument with a shell of its server, and several without.
    @Test(.enabled(if: hasTmux)) func tmuxRunsNothing() async throws {
        let note = try noting()
        let socket = temporary.path("s")
        func tmux(_ words: String...) -> Int32 {
            Program.run("/usr/bin/env", ["tmux", "-S", socket, "-f", "/dev/null"] + words).code
        }
        Leftovers.remove(temporary.url)
        #expect(tmux("new-session", "-d", "cat") == 0)
        defer { _ = tmux("kill-server") }
        let start = "tmux -S \(socket)"
        let imported = NewsboatConfiguration(
            "browser \"\(start) new-window \\\"\(note) %u\\\"\"", for: ConfigurationFile.Commands(.dashboard))
        let file = ConfigurationFile.parse(imported.text(withTheme: false), path: "", for: .init(.dashboard))
        let safe = [
            try #require(file.settings["feeds.browser"]), "\(start) new-window \(note) %s",
            "\(start) new-window -e TAPPA_LINK=%s '\(note) \"$TAPPA_LINK\"'",
            "\(start) neww -d sh -c '\(note) \"$1\"' sh %s",
            "\(start) split-window -d -e L=%s '\(note) \"$L\"'",
        ]
        for link in Self.links.map(hostile) where LinkOpener.isOpened(link) {
            for command in safe {
                #expect(await LinkOpener.open(link, with: command, patience: Patience.whole) { $0() } == nil)
                #expect(await words(note) == "[\(link)]", "\(command): \(link)")
            }
            for command in [
                "new-window '\(note) %s'", "new-window", "new-window %s", "split-window -h %s", "display-popup -E %s",
                "new-window -n %s \(note)", "run-shell %s", "if-shell true %s", "display-message %s",
                "send-keys -t 0 %s Enter",
                "-c %s", "new-window -e A=%s 'eval \"\(note) $A\"'", "new-window '\(note) \"$TAPPA_LINK\"'",
            ] {
                let problem = await LinkOpener.open(link, with: "\(start) \(command)", patience: Patience.whole) {
                    $0()
                }
                // A variable of the user's own name isn't known to come from outside.
                #expect(problem?.hasPrefix("feeds.browser: ") == true, "\(command)")
            }
            expectNothing(link)
        }
    }

    /// Values of earlier versions in a library are not run, and the start says what to write instead.
    @Test func reportsStoredPrograms() async throws {
        let library = try Library(path: nil)
        try library.carryOut(.set("feeds.browser", "sh -c 'w3m %s'"))
        let settings = try Settings(library: library, file: [:])
        #expect(
            settings.programProblems == [
                #"feeds.browser: %s would be read as commands by the shell of sh; write sh -c 'w3m "$TAPPA_LINK"'."#
            ])
    }
}
