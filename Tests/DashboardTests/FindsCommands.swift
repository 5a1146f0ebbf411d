import Foundation
import LoopbackServer
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import FeedsSegment

/// Commands that work everywhere: palette, menu, help, undo, quit, copy, play.
@MainActor
@Suite struct FindsCommands {
    private func command(_ name: String, isEnabled: Bool = true, _ traits: CommandDefinition.Traits = []) -> Command {
        let toolkit = ToolkitCommands.all.first { $0.name == name }
        return Command(toolkit ?? CommandDefinition(name, DisplayText(name), keys: [], traits), isEnabled: isEnabled) {}
    }

    /// Recently chosen commands come first, then the program's, the toolkit's, and disabled ones, without duplicates.
    @Test func ranksCommands() {
        let offered = [
            command("list.down"), command("a"), command("b", isEnabled: false), command("c"),
            command("secret", .unlisted), command("list.find"), command("d", isEnabled: false),
        ]
        for (recent, expected) in [
            ([], ["a", "c", "list.down", "list.find", "b", "d"]),
            (["c"], ["c", "a", "list.down", "list.find", "b", "d"]),
            (["list.find", "c"], ["list.find", "c", "a", "list.down", "b", "d"]),
            // Commands that are disabled, missing or unlisted don't come first.
            (["b", "elsewhere", "secret", "c"], ["c", "a", "list.down", "list.find", "b", "d"]),
        ] as [([String], [String])] {
            #expect(ProgramActions.ranked(offered, recent: recent).map(\.name) == expected, "\(recent)")
        }
        // Those of a group are together.
        let mixed = [("a", "One"), ("b", "Two"), ("c", "One"), ("d", "Two")].map { name, group in
            Command(CommandDefinition(name, "", keys: [], group: DisplayText(group))) {}
        }
        #expect(ProgramActions.ranked(mixed, recent: []).map(\.name) == ["a", "c", "b", "d"])
    }

    @Test func remembersTheLastNine() {
        #expect(ProgramActions.noting("a", in: []) == ["a"])
        #expect(ProgramActions.noting("a", in: ["b", "a", "c"]) == ["a", "b", "c"])
        let ten = (1...9).reduce(into: [String]()) { recent, number in
            recent = ProgramActions.noting("\(number)", in: recent)
        }
        #expect(ten == (1...9).reversed().map(String.init))
        #expect(ProgramActions.noting("10", in: ten) == ["10"] + ten.prefix(8))
        #expect(ProgramActions.noting("1", in: ten).count == 9)
    }

    /// A command chosen in the palette is performed and comes first the next time. It is found by words of its
    /// identifier.
    @Test func runsTheFoundCommand() async throws {
        let dashboard = try await FeedWalk.dashboard()
        let screen = dashboard.screen
        screen.press(":", typing: "star entry.toggle", then: "enter")
        try await dashboard.settle()
        #expect(try dashboard.titles(with: .starred) == ["A1"])
        screen.press(":")
        #expect(screen.lines.contains { $0.contains("▌Recent ") && $0.contains(" Remove star ") }, "\(screen.text)")
        screen.press("esc")
        #expect(try dashboard.titles(with: .starred) == ["A1"])
    }

    /// Palette and help find the commands of other places, say which row they need, and go there.
    @Test(arguments: [(120, 39), (80, 24)], [":", "?"]) func findsCommandsElsewhere(
        size: (Int, Int), key: String
    ) async throws {
        let dashboard = try await FeedWalk.dashboard(size.0, size.1)
        let screen = dashboard.screen
        screen.press(key, typing: "move to folder")
        #expect(
            screen.text.contains(key == ":" ? "on a feed" : "Move to folder (f) works on a feed."), "\(screen.text)")
        try await dashboard.press("enter")
        #expect(dashboard.feedList?.selectedRow?.subscription != nil)
        #expect(screen.text.contains("f: Move to folder"), "\(screen.text)")
        #expect(screen.press("f", shows: "or a new name; empty for none"), "\(screen.text)")
        screen.press("esc", key, typing: "race.winners", then: "enter")
        #expect(screen.lines[0].contains("▐Stages"), "\(screen.text)")
    }

    /// Enter on a command that is disabled here shows why.
    @Test func explainsDisabledCommands() async throws {
        let dashboard = try await FeedWalk.dashboard()
        let screen = dashboard.screen
        for (words, reason) in [
            ("go to current", "Go to current event: this needs a line about something current"),
            ("new pane", "Open in a new pane"),
        ] {
            screen.press(":", typing: words, then: "enter")
            #expect(screen.text.contains(reason) && !screen.text.contains("Commands"), "\(screen.text)")
        }
    }

    /// What each command needs, in words that complete a sentence.
    @Test func namesConditions() {
        let conditions = CommandTable.dashboard.commands.map { "\($0.condition)" }
        for words in [
            "on a feed", "on an entry", "on an entry with links", "on a stage", "in settings", "with tmux and a place",
        ] {
            #expect(conditions.contains(words), "\(words)")
        }
        #expect(!conditions.contains("in everywhere"))
    }

    /// The menu contains the actions for the selected row and performs them.
    @Test func offersAMenu() async throws {
        let dashboard = try await FeedWalk.dashboard()
        let screen = dashboard.screen
        screen.press("j", ".")
        for words in ["Mark as read", "Star", "Read later", "Delete", "Edit tags", "Open in browser"] {
            #expect(screen.text.contains(words), "\(words)")
        }
        // Commands that work everywhere aren't in it.
        #expect(
            !screen.text.contains("Reload all feeds") && !screen.text.contains("Quit immediately")
                && !screen.text.contains("Next row"))
        screen.click(on: "Read later")
        try await dashboard.settle()
        #expect(try dashboard.titles(with: .later) == ["A2"])
        screen.press(".", ".")
        #expect(!screen.text.contains("Mark read"))
    }

    /// Quitting asks for confirmation only while a reload is running.
    @Test func asksBeforeAReloadIsCutOff() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Answer(200, delay: 20_000) }
        let dashboard = try await DashboardScreen(100, 24, feeds: [(server.url("/a"), FeedWalk.atom("Alpha", []))])
        let screen = dashboard.screen
        screen.press("r")
        await server.wait(for: "/a")
        screen.press("q")
        #expect(screen.text.contains("The running reload will be cancelled.") && !screen.application.isFinished)
        screen.press("enter")
        #expect(!screen.text.contains("broken off") && !screen.application.isFinished)
        // The reload sheet shows what runs; only that can be stopped.
        screen.press("L")
        #expect(screen.text.contains("▌Alpha") && screen.text.contains("… "))
        func isEnabled(_ name: String) -> Bool {
            screen.application.window.offeredCommands.contains { $0.name == name && $0.isEnabled }
        }
        #expect(isEnabled("reload.stopOne") && !isEnabled("reload.retry"))
        #expect(await screen.press("x") { isEnabled("reload.retry") && !isEnabled("reload.stopOne") })
        #expect(await screen.press("r") { isEnabled("reload.stopOne") })
        #expect(await screen.press("q", "X") { !isEnabled("feeds.stopReload") })
        #expect(screen.text.contains("Stopped: "))
        screen.press("q")
        #expect(screen.application.isFinished)
    }

    @Test func quitsAtOnce() async throws {
        let dashboard = try await DashboardScreen(100, 24)
        dashboard.screen.press("enter", "p", "Q")
        #expect(dashboard.screen.application.isFinished)
    }

    /// Ctrl-C cancels what is open, also a half-typed text, and only then quits.
    @Test func cancelsBeforeItQuits() async throws {
        let dashboard = try await DashboardScreen(100, 24)
        let (screen, window) = (dashboard.screen, dashboard.screen.application.window)
        for keys in [["p"], ["S"], ["?"], [":"], ["a"]] {
            screen.press("enter")
            for key in keys { screen.press(key) }
            screen.type("words")
            try await dashboard.settle()
            guard window.presentedViewController != nil else { continue }
            screen.press("ctrl-c")
            #expect(window.presentedViewController == nil && !screen.application.isFinished, "\(keys)")
        }
        screen.press("ctrl-c")
        #expect(screen.application.isFinished)
    }

    /// Link and title are copied with Markdown's special characters escaped.
    @Test func copiesLinks() async throws {
        let dashboard = try await FeedWalk.dashboard()
        let screen = dashboard.screen
        screen.press("y")
        #expect(screen.terminal.copied == "https://alpha.example/A1")
        #expect(screen.text.contains("Link copied to the terminal's clipboard."))
        screen.press("j", "Y")
        #expect(screen.terminal.copied == "[A2](https://alpha.example/A2)")
        screen.press("enter", "y")
        #expect(screen.terminal.copied == "https://alpha.example/A2")
        screen.press("o")
        #expect(await dashboard.openedLinks == ["https://alpha.example/A2"])
    }

    /// An entry without a link or audio reports that.
    @Test func saysWhatAnEntryLacks() async throws {
        let feed =
            "<rss><channel><title>Bare</title><item><guid isPermaLink=\"false\">1</guid><title>One</title></item></channel></rss>"
        let dashboard = try await DashboardScreen(120, 24, feeds: [("https://bare.example/feed", feed)])
        let screen = dashboard.screen
        for keys in [["enter"], ["enter"]] {
            for key in keys { screen.press(key) }
            for (key, words) in [
                ("o", "o: this needs a link"), ("y", "y: this needs a link"), ("Y", "Y: this needs a link"),
                ("x", "x: this needs audio or video"), ("e", "e: this needs audio or video"),
            ] {
                #expect(screen.press(key, shows: words), "\(key)")
            }
            // So the menu doesn't list them.
            screen.press(".")
            #expect(screen.text.contains("Star ") && !screen.text.contains("link") && !screen.text.contains("audio"))
            screen.press("esc")
        }
        #expect(screen.press("F", shows: "F: this needs a link"))
        #expect(screen.terminal.copied == nil || screen.terminal.copied == "")
    }

    /// The key queues the audio of the selected entry once.
    @Test func downloadsARecording() async throws {
        let feed = """
            <rss><channel><title>Pod</title><item><guid>1</guid><title>One</title>
            <enclosure url="http://127.0.0.1:1/1.mp3" type="audio/mpeg"/></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(120, 24, feeds: [("https://pod.example/feed", feed)])
        dashboard.screen.press("enter", "e")
        #expect(
            await dashboard.screen.wait {
                (try? dashboard.library.downloads.all().map(\.url)) == ["http://127.0.0.1:1/1.mp3"]
            })
        #expect(
            await dashboard.screen.wait {
                dashboard.screen.text.contains("Downloading One") || dashboard.screen.text.contains("127.0.0.1")
            })
        try await dashboard.press("e")
        #expect(try dashboard.library.downloads.all().count == 1)
    }

    /// The user's command receives the selected entry, or each marked one; its output is shown.
    @Test func runsTheUsersCommands() async throws {
        var given: [String] = []
        func own(
            _ name: String, _ key: String, _ traits: CommandDefinition.Traits,
            _ result: @escaping (String) -> EntryCommand.Result
        ) -> EntryCommand {
            EntryCommand(
                CommandDefinition(
                    "user.\(name)", DisplayText(name), keys: [KeySequence(stringLiteral: key)], group: "Your commands",
                    place: "entries", needs: "an entry", traits)
            ) { target, markdown in
                guard case .entry(let entry) = target else { return .failed("no entry") }
                given.append("\(name) \(entry.title)")
                return result(markdown(entry))
            }
        }
        let dashboard = try await FeedWalk.dashboard { environment in
            environment.configuration.entryCommands = [
                own("one", "B", []) { _ in .done }, own("all", "I", .actsOnMarkedRows) { _ in .done },
                own("print", "W", .actsOnMarkedRows) { .output("got \($0)") },
                own("fail", "Z", .actsOnMarkedRows) { _ in .failed("it broke") },
            ]
        }
        let screen = dashboard.screen
        #expect(await screen.press("j", "B", until: "one · done"))
        #expect(await screen.press("home", "v", "v", "B") { given.count == 2 })
        #expect(dashboard.entryList?.table.markedPaths == [])
        #expect(await screen.press("home", "v", "v", "I", until: "all · 2 done"))
        #expect(given == ["one A2", "one A3", "all A1", "all A2"])
        screen.press("home", "v", "v", "W")
        #expect(await screen.wait { screen.text.contains("got # A1") && screen.text.contains("got # A2") })
        #expect(screen.text.contains("https://alpha.example/A1"))
        #expect(await screen.press("esc", "home", "v", "v", "Z", until: "it broke"))
        // A failing step ends the command.
        #expect(given.suffix(1) == ["fail A1"])
    }
}
