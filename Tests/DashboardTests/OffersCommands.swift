import FeedParsing
import LibraryTesting
import TerminalUI
import Testing

@testable import Accounts
@testable import Dashboard
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// The commands of each place, with those that aren't possible there disabled.
@MainActor
@Suite struct OffersCommands {
    /// A dashboard with a row of each kind in its list of feeds.
    static func dashboard(_ width: Int = 120, path: String? = nil) async throws -> DashboardScreen {
        let dashboard = try await FeedWalk.dashboard(opens: false, width, 40)
        let library = dashboard.library
        let alpha = try #require(try library.feeds.feed(url: "https://alpha.example/feed")).id
        try await library.changes.perform(.tag(alpha, ["x"]))
        try await library.changes.perform(.collapseGroup(.tag("x"), false))
        try await library.changes.perform(.saveSearch(name: "found", query: "words"))
        try await library.changes.perform(
            .addAccount(
                NewAccount(name: "home", kind: .reader, address: "https://s.example/", user: "u", secret: "env:NONE")))
        let hidden = try await library.follow("https://hidden.example/feed")
        var options = SubscriptionOptions()
        options.isHidden = true
        try await library.changes.perform(.setOptions(hidden, options))
        let broken = try await library.follow("https://broken.example/feed")
        try await library.changes.perform(NoteFailure(broken, "no answer", notBefore: nil, isGone: false, date: 1))
        #expect(
            await dashboard.screen.wait {
                dashboard.screen.text.contains("Hidden") && dashboard.screen.text.contains("⌕ found")
            })
        #expect(await dashboard.screen.wait { dashboard.feedList?.model.broken.count == 1 })
        return dashboard
    }

    /// The offered commands without the toolkit's and global ones; disabled ones in parentheses.
    private func offered(_ dashboard: DashboardScreen) -> String {
        let general = Set(ToolkitCommands.all.map(\.name))
        return dashboard.screen.application.window.offeredCommands.filter {
            !general.contains($0.name) && $0.definition.place != "everywhere"
        }.map { $0.isEnabled ? $0.name : "(\($0.name))" }.joined(separator: " ")
    }

    /// Compares the commands of places with the recorded ones.
    private func expectRecorded(
        _ found: [String], in file: String, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let difference = try RecordedLines.difference(found, from: file)
        #expect(
            difference.isEmpty, "`make screens` records the commands as they are now: \(difference)",
            sourceLocation: place)
    }

    @Test func everyRowKindHasCommands() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let library = dashboard.library
        let alpha = try #require(try library.feeds.feed(url: "https://alpha.example/feed")).id
        let search = try #require(try library.search.saved().first).id
        let account = try #require(try library.accounts.all(now: 1).first).id
        let rows: [(name: String, identifier: AnyHashable)] = [
            ("a list", FeedListModel.BuiltInList.unread), ("a list of feeds", FeedListModel.BuiltInList.broken),
            ("a search", "search \(search)"), ("a feed", alpha), ("a feed under its tag", "feed \(alpha) x"),
            ("a folder", FeedGroup.folder("News", account: nil)), ("a tag", FeedGroup.tag("x")),
            ("hidden feeds", FeedGroup.hidden), ("an account", "account \(account)"),
        ]
        var found: [String] = []
        for (name, identifier) in rows {
            try dashboard.select(identifier)
            found.append("\(name): \(offered(dashboard))")
        }
        try dashboard.select(alpha)
        dashboard.screen.press("v")
        found.append("marked feeds: \(offered(dashboard))")
        try expectRecorded(found, in: "CommandsOfRows.txt")
    }

    @Test func everyScreenHasCommands() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let screen = dashboard.screen
        var found: [String] = []
        let walks: [(name: String, keys: [String])] = [
            ("entries", ["enter"]), ("an entry", ["enter"]), ("dates", ["p"]), ("back", ["esc"]),
            ("list", ["esc", "esc"]), ("health", ["i"]), ("reload", ["esc", "L"]), ("options", ["esc", ","]),
            ("all", ["esc", "g g", "j", "enter"]), ("starred", ["esc", "j", "enter"]),
        ]
        for (name, keys) in walks {
            for key in keys {
                try await dashboard.press(key)
            }
            found.append("\(name): \(offered(dashboard))")
        }
        screen.press("S", typing: "words", then: "enter")
        #expect(await screen.wait(for: "Words of A1"))
        found.append("a search: \(offered(dashboard))")
        try expectRecorded(found, in: "CommandsOfScreens.txt")
    }

    /// Global commands work on the first screen of each segment.
    @Test(arguments: ["feeds", "stages", "settings"]) func someCommandsWorkEverywhere(segment: String) async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: segment)
        let general = Set(ToolkitCommands.all.map(\.name))
        let everywhere = dashboard.screen.application.window.offeredCommands.filter {
            !general.contains($0.name) && $0.definition.place == "everywhere"
        }.map { $0.isEnabled ? $0.name : "(\($0.name))" }
        #expect(
            everywhere == [
                "feeds.reloadAll", "feeds.showReload", "(feeds.stopReload)", "(outbox.show)", "downloads.show",
                "rules.show", "feed.search", "feeds.recentlyRead", "spoilers.hide", "(program.undo)", "program.quit",
                "segments.add", "inspector.toggle", "(accessory.open)", "(accessory.dismiss)", "program.help",
                "program.palette", "program.menu", "program.quitNow", "program.interrupt", "program.releaseMemory",
                "program.redraw", "program.suspend",
            ])
    }
}
