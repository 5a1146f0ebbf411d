import FeedParsing
import Feeds
import Foundation
import LoopbackServer
import TerminalUI
import Testing

/// A walk through actions on feeds and entries other than reading.
@MainActor
@Suite struct ManagesFeeds {
    @Test func FEE_01_savesASearch() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("S", typing: "list visible", then: "enter")
        #expect(await screen.wait { screen.text.contains("Mail app style") && !screen.text.contains("Undated") })
        // Typing would replace the suggested name.
        screen.press("K", "end", typing: "!", then: "enter", "h")
        #expect(await screen.wait { screen.text.contains("⌕ list visible!") })
        screen.press("S", typing: "is:purple", then: "enter")
        #expect(screen.text.contains("is: takes unread, read, starred, later or"))
    }

    /// Very many entries are indexed in the background; a search reports how many are missing.
    @Test func saysWhatTheIndexLacks() async throws {
        let items = (1...600).map { "<item><guid>\($0)</guid><title>Entry \($0)</title></item>" }.joined()
        let feed = "<rss><channel><title>Many</title>\(items)</channel></rss>"
        let dashboard = try await DashboardScreen(100, 30, feeds: [("https://a.example/feed", feed)])
        let screen = dashboard.screen
        screen.press("S", typing: "zebra", then: "enter")
        // Nothing was awaited since, so that no more entries were indexed.
        let waiting = try dashboard.library.search.unindexedCount()
        #expect(waiting == 0 || screen.text.contains("No results yet. \(waiting) entries"))
        #expect(await screen.wait(for: "No results."))
    }

    @Test func undoesDeletedEntriesAndMarks() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("enter", "d")
        #expect(
            await screen.wait {
                (try? dashboard.library.entries.count(in: EntryQuery(.all))) == 3
                    && screen.text.contains("u: undo deleting 1 entry")
            })
        #expect(await screen.press("A") { (try? dashboard.library.feeds.unreadCount()) == 0 })
        #expect(await screen.wait { screen.text.contains("u: undo marking 3 entries as read") })
        #expect(await screen.press("u") { (try? dashboard.library.feeds.unreadCount()) == 3 })
        #expect(await screen.press("u") { (try? dashboard.library.feeds.unreadCount()) == 4 })
        // The entry is selected again, and the bar counts it.
        #expect(await screen.wait { screen.text.contains("1 of 4") && !screen.text.contains("of 3") }, "\(screen.text)")
        #expect(await screen.press("w") { (try? dashboard.library.entries.count(in: EntryQuery(.later))) == 1 })
    }

    @Test func renamesMovesAndUnsubscribesFeeds() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("e", "ctrl-u", typing: "Loaf", then: "enter")
        #expect(
            await screen.wait {
                // Between the bar and the last line, which names the undo key.
                let rows = screen.lines.dropFirst().dropLast()
                return rows.contains { $0.contains("Loaf  ") } && !rows.contains { $0.contains("Use Your") }
            })
        screen.press("f", typing: "Swift", then: "enter")
        #expect(await screen.wait { (try? dashboard.library.feeds.all().first?.folder) == "Swift" })
        #expect(await screen.wait { screen.text.contains(" Swift") })
        #expect(screen.press("i", shows: "https://loaf.example/feed"))
        #expect(await screen.press("q", "d", "right", "enter") { (try? dashboard.library.feeds.all().isEmpty) == true })
        #expect(await screen.wait { screen.text.contains("u: undo unfollowing Loaf") })
        #expect(await screen.press("u") { (try? dashboard.library.feeds.unreadCount()) == 4 })
    }

    @Test func selectsAFeedAgainWhoseRemovalIsUndone() async throws {
        let other = DashboardScreen.feed.replacing("Use Your Loaf", with: "Zebra")
        let dashboard = try await DashboardScreen(
            120, 30,
            feeds: [("https://loaf.example/feed", DashboardScreen.feed), ("https://zebra.example/feed", other)])
        let screen = dashboard.screen
        #expect(await screen.press("d", "y") { screen.lines.contains { $0.hasPrefix("▌Zebra") } }, "\(screen.text)")
        #expect(await screen.press("u") { screen.lines.contains { $0.hasPrefix("▌Use Your Loaf") } }, "\(screen.text)")
    }

    @Test func countsStarredEntries() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        func starred() -> String {
            screen.lines.first { $0.contains("Starred") }?.prefix { $0 != "│" }.split(separator: " ")
                .joined(separator: " ") ?? ""
        }
        #expect(starred() == "Starred")
        #expect(await screen.press("enter", "s", "j", "s", "q") { starred() == "Starred 2" }, "\(screen.text)")
        #expect(await screen.press("u") { starred() == "Starred 1" }, "\(screen.text)")
    }

    /// `B` on a broken feed asks for its address, and finds a feed on the page that is entered.
    @Test func movesABrokenFeedToAnotherAddress() async throws {
        let feed = DashboardScreen.feed
        let server = try LoopbackServer { request in
            switch request.path {
            case "/":
                .init(
                    "<html><head><link rel='alternate' type='application/rss+xml' href='/new'></head></html>",
                    type: "text/html")
            case "/new": .init(feed)
            default: .init(404)
            }
        }
        let dashboard = try await DashboardScreen(120, 30, feeds: [(server.url("/old"), feed)])
        let screen = dashboard.screen
        #expect(await screen.press("r", until: "B edits its address or finds it on a page"), "\(screen.text)")
        screen.press("B")
        #expect(screen.text.contains("Address of ") && screen.text.contains("/old"), "\(screen.text)")
        screen.type(server.url("/"), then: "enter")
        #expect(await screen.wait { (try? dashboard.library.feeds.all().first?.url) == server.url("/new") })
        // The new address is the user's own, so it may be private; it was reloaded at once.
        #expect(await screen.wait { (try? dashboard.library.feeds.all().first?.error) == .some(nil) })
        #expect(await screen.wait { !screen.text.contains("not found") }, "\(screen.text)")
        #expect(await screen.press("u") { (try? dashboard.library.feeds.all().first?.url) == server.url("/old") })
    }

    /// The card of an empty library names keys that work there.
    @Test func offersTheKeysThatAnEmptyLibraryNames() async throws {
        for (key, title) in [("a", "Add feed"), ("I", "Import"), ("C", "Add account")] {
            let screen = try await DashboardScreen(120, 30, feeds: []).screen
            #expect(await screen.wait { screen.text.contains("No feeds yet") && screen.text.contains("\(key)  ") })
            #expect(screen.press(key, shows: "╭─ \(title) ─"), "\(screen.text)")
        }
    }

    @Test func SET_02_managesSubscriptions() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        let screen = dashboard.screen
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".opml")
        defer { try? FileManager.default.removeItem(at: file) }
        screen.press("E", "ctrl-u", typing: file.path, then: "enter")
        #expect(screen.text.contains("Wrote 1 feed to"))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("https://loaf.example/feed"))
        try Data(text.replacing("loaf.example", with: "other.example").utf8).write(to: file)
        screen.press("I", "ctrl-u", typing: file.path, then: "enter")
        #expect(await screen.wait(for: "Followed 1 feed"))
        screen.press("M")
        #expect(await screen.wait { screen.text.contains("Subscriptions") && screen.text.contains("Use Your Loaf") })
        #expect(try dashboard.library.feeds.all().count == 2)
    }

    /// An error in a readable feed is shown in its row with its line, and in full in its status.
    @Test func FEE_03_reportsProblemsOfAFeedWithTheirLine() async throws {
        let text =
            "<rss><channel><title>Loose</title>\n<item><guid>1</guid><title>a & b</title></item>\n</channel></rss>"
        let dashboard = try await DashboardScreen(
            120, 30,
            feeds: [("https://loose.example/feed", text), ("https://sound.example/feed", DashboardScreen.feed)])
        let screen = dashboard.screen
        // The list, without the card beside it.
        func lines() -> [Substring] { screen.lines.map { $0.prefix { $0 != "│" } } }
        let row = try #require(lines().firstIndex { $0.contains("Loose") })
        // A sign marks the error, and the card explains it.
        #expect(lines()[row].contains("△") && lines().filter { $0.contains("△") }.count == 1)
        #expect(await screen.wait(for: "△ line 2: "), "\(screen.text)")
        screen.press("k")
        #expect(lines()[row].contains("△") && !lines().contains { $0.contains("△ line") })
        screen.press("j")
        screen.press("i")
        #expect(screen.text.contains("Problems") && screen.text.contains("line 2: "))
        // The next successful reading clears it.
        let id = try #require(try dashboard.library.feeds.all().first { $0.title == "Loose" }?.id)
        #expect(try dashboard.library.feeds.health(of: id)?.problems.isEmpty == false)
        let sound = try FeedParser.parse(Array(text.replacing("&", with: "and").utf8), base: nil)
        try await dashboard.library.store(sound.feed, in: id, record: FetchRecord(date: DashboardScreen.now))
        #expect(try dashboard.library.feeds.health(of: id)?.problems == [])
        #expect(await screen.wait { !screen.text.contains("△") })
    }

    /// If a tracking service has replaced an entry's address, the original is opened and copied.
    @Test func FEE_02_opensTheOriginalLink() async throws {
        let text = """
            <rss xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><channel><title>Burned</title>
            <item><guid>1</guid><title>One</title><link>https://proxy.example/~r/1</link>
            <feedburner:origLink>https://own.example/1</feedburner:origLink></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(120, 30, feeds: [("https://burned.example/feed", text)])
        dashboard.screen.press("enter", "o")
        #expect(await dashboard.openedLinks == ["https://own.example/1"])
        dashboard.screen.press("enter", "o")
        #expect(await dashboard.openedLinks == ["https://own.example/1", "https://own.example/1"])
        #expect(!dashboard.screen.text.contains("See also"))
    }

    @Test func saysThatTheFeedOfAListIsGone() async throws {
        let dashboard = try await DashboardScreen(120, 24)
        #expect(dashboard.screen.press("enter", shows: "Undated"))
        let id = try #require(try dashboard.library.feeds.all().first?.id)
        // As another program would.
        try await dashboard.library.changes.perform(.unsubscribe(id))
        #expect(await dashboard.screen.wait(for: "You no longer follow this feed."), "\(dashboard.screen.text)")
    }
}
