import FeedParsing
import LibraryTesting
@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
import TerminalUI
import Testing

@testable import Dashboard

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

    private func select(_ identifier: AnyHashable, in dashboard: DashboardScreen) throws {
        let list = try #require(dashboard.feedList)
        guard let path = list.model.path(where: { $0.identifier == identifier }) else {
            Issue.record("no row \(identifier)")
            return
        }
        list.table.select(path)
        dashboard.screen.application.render()
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
            try select(identifier, in: dashboard)
            found.append("\(name): \(offered(dashboard))")
        }
        try select(alpha, in: dashboard)
        dashboard.screen.press("v")
        found.append("marked feeds: \(offered(dashboard))")
        #expect(
            found.joined(separator: "\n") == """
                a list: feed.reload feed.add feed.open entry.nextUnread feed.markAllRead (feed.moveUp) (feed.moveDown)
                a list of feeds: feed.reload feed.add feed.open entry.nextUnread (feed.moveUp) (feed.moveDown)
                a search: feed.reload feed.add feed.open entry.nextUnread feed.markAllRead (feed.moveUp) (feed.moveDown) search.delete \
                feed.rename search.sort
                a feed: feed.reload feed.add feed.open entry.nextUnread feed.browser feed.health feed.rename feed.folder feed.tags \
                feed.options feed.unsubscribe feed.markAllRead (feed.moveUp) feed.moveDown
                a feed under its tag: feed.reload feed.add feed.open entry.nextUnread feed.browser feed.health feed.rename feed.folder \
                feed.tags feed.options feed.unsubscribe feed.markAllRead (feed.moveUp) (feed.moveDown)
                a folder: feed.reload feed.add feed.open entry.nextUnread feed.collapse feed.markAllRead feed.rename (feed.moveUp) (feed.moveDown)
                a tag: feed.reload feed.add feed.open entry.nextUnread feed.collapse feed.markAllRead feed.rename (feed.moveUp) (feed.moveDown)
                hidden feeds: feed.reload feed.add feed.open entry.nextUnread feed.collapse feed.markAllRead (feed.moveUp) (feed.moveDown)
                an account: (feed.reload) feed.add feed.open entry.nextUnread (feed.moveUp) (feed.moveDown) account.sync account.remove
                marked feeds: feed.reload feed.add feed.open entry.nextUnread feed.folder feed.tags feed.unsubscribe feed.markAllRead \
                feed.moveUp (feed.moveDown)
                """)
    }

    @Test func everyScreenHasCommands() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let screen = dashboard.screen
        var found: [String] = []
        let walks: [(name: String, keys: [String])] = [
            ("entries", ["enter"]), ("an entry", ["enter"]), ("dates", ["p"]), ("back", ["esc"]),
            ("list", ["esc", "esc"]),
            ("health", ["i"]), ("reload", ["esc", "L"]), ("options", ["esc", ","]),
            ("all", ["esc", "g g", "j", "enter"]),
            ("starred", ["esc", "j", "enter"]),
        ]
        for (name, keys) in walks {
            for key in keys {
                screen.press(key)
                try await dashboard.settle()
            }
            found.append("\(name): \(offered(dashboard))")
        }
        screen.press("S")
        screen.type("words")
        screen.press("enter")
        #expect(await screen.wait(for: "Words of A1"))
        found.append("a search: \(offered(dashboard))")
        let marking =
            "entry.toggleRead entry.toggleStar entry.toggleLater entry.delete entry.markAllRead entry.markMore (entry.reveal) "
            + "entry.tags entry.rule"
        let opening =
            "entry.publishDate entry.browser (entry.play) (entry.download) entry.copyLink entry.pipe entry.copyMarkdown"
        let going = "entry.nextUnread entry.previous entry.next"
        let reading =
            "entry.fullText entry.save (entry.changes) (entry.stage) (entry.follow) (entry.link) (entry.pictures)"
        let disabled = "\(marking) \(opening)".replacing("(", with: "").replacing(")", with: "").split(separator: " ")
            .map { "(\($0))" }.joined(separator: " ")
        #expect(
            found == [
                "entries: \(going) \(marking) \(opening) feed.reload",
                "an entry: \(going) \(marking) \(opening) \(reading)",
                "dates: popover.close", "back: \(going) \(marking) \(opening) \(reading)",
                "list: feed.reload feed.add feed.open entry.nextUnread feed.browser feed.health feed.rename feed.folder feed.tags feed.options "
                    + "feed.unsubscribe feed.markAllRead (feed.moveUp) (feed.moveDown) entry.markMore entry.rule \(reading)",
                "health: health.close", "reload: (reload.stopOne) (reload.retry) reload.close",
                "options: entry.markMore entry.rule \(reading)",
                "all: \(going) \(marking) \(opening) feed.reload \(reading)",
                "starred: \(going) \(disabled) feed.reload \(reading)",
                "a search: \(going) \(marking) \(opening) feed.reload search.save \(reading)",
            ])
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
                "rules.show",
                "feed.search", "feeds.recentlyRead", "spoilers.hide", "program.quit", "(program.undo)", "program.help",
                "program.palette",
                "program.menu", "program.quitNow", "program.releaseMemory", "program.redraw", "program.suspend",
            ])
    }
}
