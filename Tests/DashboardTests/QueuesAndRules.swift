import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The download queue and the rules sheet, by their keys.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct QueuesAndRules {
    private let folder = TemporaryFolder()

    private func filled() async throws -> Library {
        let library = try Library(path: nil)
        try await library.follow("https://one.example/feed", with: DashboardScreen.feed)
        try await library.indexAll()
        return library
    }

    // MARK: Downloads

    /// Queued downloads are saved one after the other in the folder of the settings, and reported.
    @Test func downloadsPlaysAndDequeuesRecordings() async throws {
        let server = try LoopbackServer { request in
            request.path == "/bad.mp3" ? .init(404) : .init(200, body: Array("sound".utf8))
        }
        let played = Mutex<[String]>([])
        let library = try await filled()
        let sounds = folder.path("sounds")
        let own = try await library.follow(server.url("/feed"))
        let dashboard = try StartedDashboard(
            library, file: ["audio.folder": sounds],
            adjust: { environment in
                environment.programs.play = { address, _, start, keep in
                    played.withLock { $0.append("\(address) \(start)") }
                    keep(PlayedEnclosure(position: 90, duration: 600))
                    return address.contains("Two") ? "no player" : nil
                }
            })
        let (screen, services) = (dashboard.screen, dashboard.services)
        #expect(screen.press("ctrl-x", "d", shows: "No downloads. e on an entry"))
        // Each command needs its row.
        for key in ["x", "r", "d"] { screen.press(key) }
        #expect(screen.text.contains("No downloads"))
        services.entries.enclosures.download(server.url("/1.mp3"), "One", of: own)
        #expect(await screen.wait { (try? library.downloads.all().first?.isDone) == true })
        #expect(try library.downloads.all().first?.path == sounds + "/One.mp3")
        #expect(await screen.wait { dashboard.said == "Downloaded: One" })
        #expect(await screen.wait(for: "done, 5 B"))
        services.entries.enclosures.download(server.url("/1.mp3"), "One", of: own)
        #expect(await screen.wait { dashboard.said == "Already downloaded · ^x d shows it" })
        services.entries.enclosures.download(server.url("/2.mp3"), "Two", of: own)
        services.entries.enclosures.download(server.url("/bad.mp3"), "Bad", of: own)
        #expect(await screen.wait { (try? library.downloads.all().count { $0.isDone || $0.error != nil }) == 3 })
        #expect(await screen.wait { dashboard.said?.hasPrefix("Bad: ") == true && dashboard.isFailure })
        screen.press("esc", "ctrl-x", "d")
        let titles = try library.downloads.all().map(\.title)
        for _ in 0..<(titles.firstIndex(of: "Bad") ?? 0) { screen.press("j") }
        screen.press("x")
        #expect(screen.text.contains("x: this needs a finished download") && played.withLock(\.isEmpty))
        // Enter and x play a downloaded file from the last position; r retries a failed download.
        func choose(_ title: String) {
            screen.press("g", "g")
            for _ in 0..<(titles.firstIndex(of: title) ?? 0) { screen.press("j") }
        }
        choose("One")
        #expect(await screen.press("x") { played.withLock { $0.count } == 1 })
        #expect(played.withLock { $0[0] } == sounds + "/One.mp3 0")
        try await dashboard.settle()
        choose("One")
        #expect(await screen.press("enter") { played.withLock { $0.count } == 2 })
        #expect(played.withLock { $0[1] }.hasPrefix(sounds + "/One.mp3 "))
        #expect(
            try played.withLock { $0[1] }.hasSuffix(
                " \(library.downloads.playback(of: server.url("/1.mp3"))?.start ?? -1)"))
        choose("Two")
        #expect(await screen.press("enter") { dashboard.said == "no player" && dashboard.isFailure })
        choose("Bad")
        let count = server.requests.count
        screen.press("x")
        #expect(played.withLock { $0.count } == 3, "what failed cannot be played")
        #expect(await screen.press("r") { server.requests.count > count })
        #expect(await screen.wait { (try? library.downloads.all().first { $0.title == "Bad" }?.error) != nil })
        screen.press("d")
        #expect(await screen.wait { (try? library.downloads.all().map(\.title)) == titles.filter { $0 != "Bad" } })
        #expect(await screen.press("u") { (try? library.downloads.all().count) == 3 })
    }

    /// Audio on the feed's own host may be in the private network; elsewhere it may not.
    @Test func onlyTheFeedsOwnHostMayBePrivate() async throws {
        let server = try LoopbackServer { _ in .init(200, body: Array("sound".utf8)) }
        let library = try Library(path: nil)
        let own = try await library.follow(server.url("/feed"))
        let stranger = try await library.follow("https://stranger.example/feed")
        let dashboard = try StartedDashboard(library, file: ["audio.folder": folder.path("sounds")])
        for (title, subscription, isAllowed) in [
            ("Own", own, true), ("Strange", stranger, false), ("None", nil, false),
        ] as [(String, FeedID?, Bool)] {
            dashboard.services.entries.enclosures.download(server.url("/\(title).mp3"), title, of: subscription)
            #expect(
                try await dashboard.waitUntil {
                    try library.downloads.all().contains { $0.title == title && ($0.isDone || $0.error != nil) }
                })
            #expect(try library.downloads.all().first { $0.title == title }?.isDone == isAllowed, "\(title)")
        }
        #expect(server.requests.map(\.path) == ["/Own.mp3"])
    }

    // MARK: Rules

    @Test func namesANewRuleUniquely() {
        let known: Set<String> = ["news"]
        let names: [(String, Bool)] = [
            ("a", true), ("", false), (String(repeating: "a", count: 60), true),
            (String(repeating: "a", count: 61), false), ("news", false), ("News", true),
        ]
        for (name, isFree) in names {
            #expect((RuleMaker.problem(with: name, known: known) == nil) == isFree, "\(name)")
        }
        #expect(RuleMaker.problem(with: "", known: known)?.string == "Enter a name of 1 to 60 characters.")
        #expect(RuleMaker.problem(with: "news", known: known)?.string == "A rule with this name already exists.")
        #expect(RuleMaker.tagging("") == nil && RuleMaker.tagging("one") == .tag("one"))
        #expect(RuleMaker.tagging("one or two") == .tag("one-or-two"))
    }

    /// The menu offers each action that needs no name once, under a title of its own. Its text is read again.
    @Test func offersEveryRuleAction() async throws {
        let actions = Rule.Action.plain
        for action in actions { #expect(Rule.Action(action.text) == action) }
        #expect(Set(actions.map(\.text)).count == actions.count && Set(actions.map(\.title)).count == actions.count)
        let dashboard = try StartedDashboard(try await filled(), width: 120, height: 40)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "!", until: "Which entries?"))
        #expect(await screen.press("enter", until: "Action for new entries"))
        for action in actions {
            #expect(screen.text.contains(action.title), "\(action): \(screen.text)")
        }
        withExtendedLifetime(dashboard) {}
    }

    /// The guide lists all actions, and says how many of them apply only to news.
    @Test func guideNamesEveryRuleAction() throws {
        let path = "Sources/tappa/Guide.docc/Rules.md"
        let guide = try String(
            contentsOf: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../\(path)").standardized,
            encoding: .utf8)
        let names = Rule.Action.examples.map { "`\($0.text)`" }
        let numbers = [3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"]
        let news = Rule.Action.examples.count { !$0.isOfLibrary }
        let sentence =
            "`then` lists any of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? ""). "
            + "The last \(numbers[news] ?? "\(news)") apply only to news"
        let words = guide.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(sentence), "Write in \(path): \(sentence)")
    }

    private func command(_ name: String) -> EntryCommand {
        EntryCommand(
            CommandDefinition("user.\(name)", DisplayText(name), keys: [], group: "Entry", place: "entries")
        ) { _, _ in .done }
    }

    /// A rule made from an entry is stored as chosen, and applied to existing entries only if the user confirms.
    @Test(arguments: [
        ("Star", "star", true), ("Delete", "delete", true), ("Notify me", "notify", false),
        ("Run Note", "run Note", false), ("Tag …", "tag two-words", true),
    ])
    func savesARuleAndRunsItOnRequest(title: String, action: String, isOfLibrary: Bool) async throws {
        for answer in isOfLibrary ? [false, true] : [false] {
            let kept = Mutex<[Rule]>([])
            let library = try await filled()
            let dashboard = try StartedDashboard(
                library, width: 120, height: 40,
                adjust: { environment in
                    environment.writer.keepRule = { rule in
                        kept.withLock { $0.append(rule) }
                        return "rules/new.toml"
                    }
                    environment.configuration.entryCommands = [self.command("Note")]
                })
            let screen = dashboard.screen
            #expect(await screen.press("enter", "!", until: "Which entries?"))
            screen.press("G", "enter", "ctrl-u", typing: "title:reading", then: "enter")
            #expect(await screen.wait(for: "Action for new entries"))
            screen.press("g", "g")
            for _ in 0..<20 where !["▌", "▌ "].contains(where: { screen.text.contains($0 + title) }) {
                screen.press("j")
            }
            screen.press("enter")
            if title == "Tag …" {
                screen.type("two words", then: "enter")
            }
            #expect(await screen.wait(for: "New rule"), "\(screen.text)")
            screen.press("ctrl-u", typing: "mine", then: "enter")
            #expect(await screen.wait { dashboard.said == "Active from now on. Stored in rules/new.toml." })
            #expect(kept.withLock { $0.map(\.name) } == ["mine"] && library.rules == kept.withLock { $0 })
            #expect(kept.withLock { $0.first?.then.map(\.text) } == [action])
            #expect(kept.withLock { $0.first?.when.text } == "title:reading")
            #expect(screen.text.contains("Apply to existing entries?") == isOfLibrary)
            guard isOfLibrary else { continue }
            #expect(screen.text.contains("1 entry matches: \(action)"))
            if answer { screen.press("tab") }
            try await dashboard.press("enter")
            #expect(try library.ruleTallies()["mine"]?.matches ?? 0 == (answer ? 1 : 0))
        }
    }

    @Test func reportsARuleThatCannotBeSaved() async throws {
        let library = try await filled()
        let dashboard = try StartedDashboard(
            library, width: 120,
            adjust: { $0.writer.keepRule = { _ in throw LibraryError.cannotStore("the disk is full") } })
        let screen = dashboard.screen
        #expect(await screen.press("enter", "!", "enter", "enter", until: "New rule"))
        #expect(await screen.press("enter") { dashboard.said == "the disk is full" && dashboard.isFailure })
        #expect(library.rules.isEmpty)
    }

    /// The sheet shows each rule's matches, actions and errors; its keys show, apply and undo.
    @Test func showsRunsAndUndoesRules() async throws {
        let library = try await filled()
        library.rules = [
            Rule(name: "reading", when: try SearchQuery("title:reading"), then: [.mark(.starred), .mark(.later)]),
            Rule(name: "all", when: try SearchQuery("is:unread"), then: [.mark(.read)]),
            Rule(name: "tell", when: try SearchQuery("title:app"), then: [.notify]),
        ]
        let dashboard = try StartedDashboard(library, width: 120, height: 40)
        let screen = dashboard.screen
        #expect(await screen.press("ctrl-x", "r", until: "title:reading → star, later"))
        #expect(screen.text.contains("title:app → notify"))
        // Entries that arrived in the last thirty days count, whatever their date.
        #expect(
            await screen.wait {
                screen.lines.contains { $0.contains("reading") && $0.contains("0 matches · 1 in 30 days") }
            })
        #expect(screen.lines.contains { $0.contains("all") && $0.contains("0 matches · 4 in 30 days") })
        #expect(screen.lines.contains { $0.contains("tell") && $0.contains("0 matches · 1 in 30 days") })
        screen.press("x")
        #expect(try library.marks() == [4, 0, 0], "what has done nothing has nothing to take back")
        #expect(await screen.press("a", until: "Apply to existing entries?"))
        #expect(screen.text.contains("1 entry matches: star, later. u undoes this."))
        try await dashboard.press("enter")
        #expect(try library.marks() == [4, 0, 0], "the first answer leaves it")
        #expect(await screen.press("a", "tab", "enter") { (try? library.marks()) == [4, 1, 1] })
        #expect(await screen.wait { screen.lines.contains { $0.contains("reading") && $0.contains("1 matches, now") } })
        #expect(await screen.press("x") { (try? library.marks()) == [4, 0, 0] })
        #expect(await screen.press("j", "a", "tab", "enter") { (try? library.marks()) == [0, 0, 0] })
        // Actions beyond the library don't apply to existing entries.
        screen.press("j", "a")
        #expect(!screen.text.contains("Apply to existing entries?"))
        screen.press("k", "k", "enter")
        #expect(await screen.wait { screen.text.contains("Reading dates") && screen.lines[0].contains("▐Feeds") })
        #expect(dashboard.window.presentedViewController == nil)
    }

    @Test func explainsHowToCreateARule() async throws {
        let dashboard = try StartedDashboard(try await filled(), width: 120)
        dashboard.screen.press("ctrl-x", "r")
        let text = dashboard.screen.text
        #expect(text.contains("No rules. ! on an entry creates one") && text.contains("[[rules]]"))
        for key in ["a", "x"] { dashboard.screen.press(key) }
        dashboard.screen.press("q")
        #expect(dashboard.window.presentedViewController == nil && !dashboard.screen.application.isFinished)
    }

    // MARK: What arrives

    /// Commands run, one notification is sent, and each failure is reported; nothing is sent while the pane has focus.
    @Test func arrivalsRunCommandsAndNotifyOnce() async throws {
        for hasFocus in [nil, false, true] as [Bool?] {
            let library = try Library(path: nil)
            let feed = try await library.follow("https://one.example/feed")
            let rules = [Rule(name: "tell", when: try SearchQuery("title:big"), then: [.notify, .run("note")])]
            func arrive(_ titles: [String]) async throws { try await library.store(titles, in: feed, rules: rules) }
            try await arrive(["Old"])
            try await arrive(["Old", "Big 1", "Big 2", "small"])
            let told = Mutex<[String]>([])
            let ran = Mutex<[String]>([])
            let dashboard = try StartedDashboard(
                library,
                adjust: { environment in
                    environment.programs.notify = { title, body, _ in
                        told.withLock { $0.append("\(title): \(body)") }
                        return "no notifier"
                    }
                    environment.programs.runOnArrival = { command, entry in
                        ran.withLock { $0.append("\(command) \(entry.title)") }
                        return entry.title == "Big 1" ? "note failed" : nil
                    }
                })
            dashboard.services.paneFocus.hasFocus = hasFocus
            // The end of a reload starts it, and so does the end of a sync.
            dashboard.services.feeds.syncs.didFinish()
            await dashboard.services.arrivals.task?.value
            #expect(ran.withLock { Set($0) } == ["note Big 1", "note Big 2"])
            #expect(told.withLock { $0.count } == (hasFocus == true ? 0 : 1))
            #expect(dashboard.said == (hasFocus == true ? "note failed" : "no notifier") && dashboard.isFailure)
            // Each is handed out once.
            dashboard.services.feeds.reloads.didFinish()
            await dashboard.services.arrivals.task?.value
            #expect(ran.withLock { $0.count } == 2 && told.withLock { $0.count } == (hasFocus == true ? 0 : 1))
        }
    }
}
