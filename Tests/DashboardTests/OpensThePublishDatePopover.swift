import FeedParsing
import Feeds
import ModelCore
import TerminalUI
import Testing

/// A walk: open an entry, show its dates, go on.
@MainActor
@Suite struct OpensThePublishDatePopover {
    @Test func POP_04_opensByKeyAndToolbar() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "G", "enter", until: "In a recent post"))
        try await dashboard.settle()
        #expect(screen.press("p", shows: "Wednesday 16 November 2011"))
        #expect(screen.text.contains("20:05 UTC · 15 years ago"))
        #expect(screen.text.contains("Wed, 16 Nov 2011 21:05:00 +0100"))
        #expect(screen.text.contains("First seen   2 hours ago"))
        #expect(screen.text.contains("▽"))
        #expect(screen.difference(from: "publish-date-120x30") == nil)
        screen.press("p")
        #expect(!screen.text.contains("Wednesday 16"))
        screen.click(on: "p date")
        #expect(screen.text.contains("Wednesday 16 November 2011"))
        screen.press("esc")
        #expect(!screen.text.contains("Wednesday 16"))
    }

    @Test func POP_04_showsUnreadableDatesAsWritten() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        #expect(dashboard.screen.press("enter", shows: "▌● Undated"))
        #expect(dashboard.screen.press("p", shows: "Unreadable date."))
        #expect(dashboard.screen.text.contains("some day"))
    }

    @Test(arguments: [(120, 39), (79, 23), (60, 19), (39, 11)])
    func POP_04_aStageShowsItsDay(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, segment: "stages")
        #expect(dashboard.screen.press("enter", "p", shows: "Tuesday 10 November 2026"))
        #expect(dashboard.screen.text.contains("week ago"))
        dashboard.screen.press("q")
        #expect(!dashboard.screen.text.contains("In the file"))
    }

    /// The dates change with the entry, and close when it is deleted.
    @Test func POP_01_updatesTheDates() async throws {
        let dashboard = try await DashboardScreen(120, 39)
        let screen = dashboard.screen
        try await dashboard.press("enter", "G", "enter")
        #expect(screen.press("p", shows: "Wed, 16 Nov 2011 21:05:00 +0100"))
        let feed = try #require(try dashboard.library.feeds.all().first)
        let text = DashboardScreen.feed.replacing(
            "Wed, 16 Nov 2011 21:05:00 +0100", with: "Thu, 17 Nov 2011 08:00:00 +0100")
        let changed = try FeedParser.parse(Array(text.utf8), base: feed.url)
        _ = try await dashboard.library.store(changed.feed, in: feed.id, record: FetchRecord(date: DashboardScreen.now))
        #expect(await screen.wait(for: "Thu, 17 Nov 2011 08:00:00"))
        #expect(!screen.text.contains("Wed, 16 Nov 2011 21:05"))
        let ids = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 99).map(\.id)
        try await dashboard.library.changes.perform(.delete(entries: ids, now: DashboardScreen.now))
        #expect(await screen.wait { !screen.text.contains("Publish Date ─") && !screen.text.contains("In the feed") })
    }

    /// At a row, the popover follows the row through resizes and insertions, and closes with it.
    @Test func POP_01_closesWithItsRow() async throws {
        let dashboard = try await DashboardScreen(120, 39)
        dashboard.settings.use("off", for: SettingKey.followList.name)
        let screen = dashboard.screen
        screen.press("enter", "j", "j", "p")
        func isOpen() -> Bool { screen.text.contains("First seen") }
        #expect(isOpen())
        for (width, height) in [(120, 16), (79, 23), (60, 19), (120, 39)] {
            screen.resize(width, height)
            #expect(isOpen(), "\(width) x \(height)")
        }
        let before = try #require(screen.lines.firstIndex { $0.contains("▌") })
        let id = try #require(try dashboard.library.feeds.all().first?.id)
        var feed = ParsedFeed(format: .rss)
        var entry = ParsedEntry()
        entry.id = "new"
        entry.title = "Newer than all"
        entry.published = ParsedDate(instant: DashboardScreen.now - 60, text: "")
        feed.entries = [entry]
        try await dashboard.library.store(feed, in: id, record: FetchRecord(date: DashboardScreen.now))
        #expect(await screen.wait(for: "Newer than all"))
        #expect(isOpen() && screen.lines.firstIndex { $0.contains("▌") } == before)
        // The row was deleted, and its popover with it.
        let rows = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9)
        try await dashboard.library.changes.perform(.delete(entries: rows.map(\.id), now: DashboardScreen.now))
        #expect(await screen.wait { !isOpen() })
    }
}
