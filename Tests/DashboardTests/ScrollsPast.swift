import Feeds
import ModelCore
import TerminalUI
import Testing

@testable import Dashboard
@testable import FeedsSegment

/// Marking entries as read while scrolling past them, going to unread entries from the list of feeds, and the list of
/// recently read entries.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ScrollsPast {
    @Test func findsPassedRows() {
        var rows = PassedRows()
        let size = Size(width: 9, height: 5)
        #expect(rows.update(0..<5, selected: 0, size: size) == [])
        #expect(rows.update(0..<5, selected: 1, size: size) == [0])
        #expect(rows.update(0..<5, selected: 4, size: size) == [])
        #expect(rows.update(3..<8, selected: 4, size: size) == [0, 1, 2])
        #expect(rows.update(4..<9, selected: 5, size: size) == [3, 4])
        #expect(rows.update(0..<5, selected: 0, size: size) == [])
        // The end of a long list was never seen.
        #expect(rows.update(95..<100, selected: 99, size: size) == [0, 1, 2, 3, 4])
        // A lower pane hides rows, and a changed list has others.
        #expect(rows.update(97..<100, selected: 99, size: Size(width: 9, height: 3)) == [])
        rows.reset()
        #expect(rows.update(99..<100, selected: 99, size: Size(width: 9, height: 3)) == [])
    }

    @Test func marksPassedEntriesIfTheSettingSaysSo() async throws {
        let dashboard = try await DashboardScreen(50, 24)
        let screen = dashboard.screen
        try await dashboard.press("enter", "j", "j")
        #expect(try dashboard.library.feeds.unreadCount() == 4)
        dashboard.set("on", for: "feeds.mark-read-on-scroll")
        #expect(await screen.press("g g", "j", "j") { (try? dashboard.library.feeds.unreadCount()) == 2 })
        try await dashboard.press("k")
        #expect(try dashboard.library.feeds.unreadCount() == 2)
    }

    @Test func opensTheNextUnreadEntryFromTheListOfFeeds() async throws {
        func feed(_ name: String) -> (String, String) {
            (
                "https://\(name).example/",
                "<rss><channel><title>Feed \(name)</title><item><guid>1</guid><title>Entry \(name)</title><description>Text \(name)</description></item></channel></rss>"
            )
        }
        let dashboard = try await DashboardScreen(120, 24, feeds: [feed("a"), feed("b")])
        let screen = dashboard.screen
        #expect(await screen.press("n", until: "Text a"))
        #expect(await screen.wait { (try? dashboard.library.feeds.unreadCount()) == 1 })
        screen.press("h", "h")
        #expect(await screen.press("n", until: "Text b"))
        #expect(await screen.wait { (try? dashboard.library.feeds.unreadCount()) == 0 })
        for key in ["n", "N"] {
            #expect(screen.press("h", "h", key, shows: "No unread entries."))
        }
    }

    @Test func listsRecentlyReadEntries() async throws {
        let dashboard = try await DashboardScreen(120, 24)
        let screen = dashboard.screen
        #expect(await screen.press("ctrl-x h", until: "You haven't read any entries yet."))
        let rows = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9)
        for (index, row) in rows.prefix(2).enumerated() {
            try await dashboard.library.changes.perform(
                .mark(.read, true, entries: [row.id], wholeStories: false, now: Instant(100 + index)))
        }
        #expect(await screen.wait(for: rows[1].title.prefix(12).description))
        #expect(screen.text.contains("Recently read"))
        #expect(!screen.lines.contains { $0.prefix(40).contains(rows[3].title.prefix(12)) })
    }

    /// What another program queues is downloaded at once.
    @Test func downloadsWhatOthersQueue() async throws {
        let dashboard = try await DashboardScreen(120, 24)
        await dashboard.controller.beginWork()
        dashboard.library.changes.submit(
            .queueDownload(url: "ftp://a.example/1.mp3", title: "One", allowsPrivateHost: false, now: 1)
        ) { _ in }
        #expect(await dashboard.screen.wait { (try? dashboard.library.downloads.all().first?.error) != nil })
    }
}
