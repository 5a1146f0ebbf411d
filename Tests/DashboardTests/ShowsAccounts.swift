import Feeds
import LibraryTesting
import LoopbackServer
import ModelCore
import TerminalUI
import Testing

@testable import Accounts
@testable import FeedsSegment

/// Accounts beside local feeds: their sections, status and outbox.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct ShowsAccounts {
    private func dashboard(_ server: ReaderServer) async throws -> DashboardScreen {
        let feed = server.addFeed("News", url: "https://news.example/feed", folder: "Papers")
        server.addEntry("First", feed: feed)
        server.addEntry("Second", feed: feed)
        let dashboard = try await DashboardScreen(100, 24, feeds: [])
        try await dashboard.library.addAccount(on: server)
        return dashboard
    }

    @Test func ACC_01_showsAnAccountAsASection() async throws {
        let server = try ReaderServer()
        let dashboard = try await dashboard(server)
        let screen = dashboard.screen
        #expect(await screen.wait { screen.text.contains("not synced yet") })
        #expect(await screen.press("R") { screen.text.contains("synced just now") && screen.text.contains("▾ Papers") })
        #expect(await screen.wait { screen.text.contains("home: 2 new, 0 sent") })
        // Marks are pending, and shown as such.
        #expect(await screen.press("G", "A") { screen.text.contains("synced just now · 2 to send") })
        #expect(await screen.press("O") { screen.text.contains("Read: First") && screen.text.contains("home · ") })
        #expect(await screen.press("r") { screen.text.contains("The outbox is empty") })
        #expect(server.with { $0.entries.values.allSatisfy(\.isRead) })
        #expect(await screen.press("esc", "u") { screen.text.contains("synced just now · 2 to send") })
    }

    @Test func reportsAnUnreachableServerOnItsRow() async throws {
        let server = try ReaderServer()
        let dashboard = try await dashboard(server)
        let screen = dashboard.screen
        #expect(await screen.press("R") { screen.text.contains("home: 2 new") })
        server.stop()
        server.setFault { _ in .lostRequest }
        #expect(await screen.press("R") { screen.text.contains("! server away: ") })
        #expect(await screen.press("G", "enter", "m") { (try? dashboard.library.outbox.count()) ?? 0 == 1 })
        // At once: the outbox is empty.
        #expect(try dashboard.library.outbox.items().first?.reason?.hasPrefix("server away") == true)
        #expect(await screen.press("O") { screen.text.contains("! server away") })
        // In screen-reader mode, the sign is a word.
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        screen.press("esc", "O")
        #expect(await screen.wait { screen.text.contains("failed: server away") && !screen.text.contains("! ") })
    }

    @Test func addsAFeedToTheServerOfAnAccount() async throws {
        let server = try ReaderServer()
        let dashboard = try await dashboard(server)
        let screen = dashboard.screen
        #expect(await screen.press("R") { screen.text.contains("home: 2 new") })
        #expect(await screen.press("G", "a") { screen.text.contains("Add a feed to home") })
        screen.press("ctrl-u")
        let other = try LoopbackServer { _ in
            .init("<rss><channel><title>Other</title><item><title>x</title><guid>1</guid></item></channel></rss>")
        }
        screen.type(other.url("/feed"), then: "enter")
        #expect(await screen.wait { server.with { $0.feeds.count } == 2 })
        #expect(try dashboard.library.feeds.feed(url: other.url("/feed"))?.account != nil)
        // It isn't followed a second time beside the account.
        #expect(await screen.press("g", "g", "a") { screen.text.contains("Add feed") })
        screen.press("ctrl-u", typing: other.url("/feed"), then: "enter")
        #expect(await screen.wait { screen.text.contains("home already follows this feed.") })
        #expect(try dashboard.library.feeds.feed(url: other.url("/feed"))?.account != nil)
        #expect(await screen.wait { dashboard.feedList?.selectedRow?.subscription?.url == other.url("/feed") })
        // The account's row is found by its name.
        screen.press("/", typing: "hom")
        #expect(await screen.wait { screen.lines.contains { $0.contains("▌") && $0.contains("synced just now") } })
    }

    @Test func confirmsWhatHappensToFeedsOfAnAccount() async throws {
        let server = try ReaderServer()
        let dashboard = try await dashboard(server)
        let screen = dashboard.screen
        #expect(await screen.press("R") { screen.text.contains("home: 2 new") })
        #expect(await screen.wait { screen.text.contains("▾ Papers") })
        #expect(await screen.press("G", "k", "k", "d") { screen.text.contains("Remove this account?") })
        #expect(await screen.press("tab", "enter") { (try? dashboard.library.accounts.all(now: 0).isEmpty) == true })
        #expect(try dashboard.library.feeds.feed(url: "https://news.example/feed")?.account == nil)
    }
}
