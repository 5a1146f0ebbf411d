import CommonTesting
import FeedParsing
import Feeds
import LibraryTesting
import ModelCore
import TerminalUI
import Testing

@testable import Dashboard
@testable import FeedsSegment
@testable import LibraryKernel

/// The next unread entry is read and rendered before it is asked for, and read again if something has changed since.
@MainActor
@Suite struct PreparesTheNextEntry {
    /// A dashboard in which `A2` was opened with `n` and `A3` is ready.
    private func dashboard(path: String? = nil, waits: Bool = true) async throws -> DashboardScreen {
        let dashboard = try await FeedWalk.dashboard(
            path: path, adjust: { if !waits { $0.time.readingPatience = .zero } })
        dashboard.set("on", for: SettingKey.markReadOnOpen.name)
        #expect(await dashboard.screen.wait { dashboard.selectedTitle == "A1" })
        #expect(await dashboard.screen.press("enter", "n") { dashboard.shownTitle == "A2" })
        try await dashboard.settle()
        #expect(await dashboard.screen.wait { dashboard.entryList?.nextUnread.isReady == true })
        return dashboard
    }

    private func id(_ title: String, _ dashboard: DashboardScreen) throws -> EntryID {
        try #require(try dashboard.rows()[title]).id
    }

    /// The entry opens with its text although nothing can be read in the background.
    @Test func FEE_42_opensWhatIsReady() async throws {
        let dashboard = try await dashboard(waits: false)
        BackgroundRead.queue.suspend()
        defer { BackgroundRead.queue.resume() }
        dashboard.screen.press("n")
        #expect(dashboard.shownTitle == "A3" && dashboard.selectedTitle == "A3")
        #expect(dashboard.screen.text.contains("Words of A3."), "\(dashboard.screen.text)")
    }

    @Test func FEE_42_skipsDeletedEntries() async throws {
        let dashboard = try await dashboard()
        try await dashboard.library.changes.perform(.delete(entries: [id("A3", dashboard)], now: 1))
        dashboard.screen.press("n")
        #expect(dashboard.shownTitle == "A4")
    }

    @Test func FEE_42_skipsEntriesThatWereMarked() async throws {
        let dashboard = try await dashboard()
        try await dashboard.library.setMark(.read, true, entries: [id("A3", dashboard)], now: 1)
        dashboard.screen.press("n")
        #expect(dashboard.shownTitle == "A4")
    }

    /// Another program's mark is seen before it is announced.
    @Test func FEE_42_skipsEntriesThatAnotherProgramMarked() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("l.sqlite")
        let dashboard = try await dashboard(path: path)
        let other = try Library(path: path)
        try await other.setMark(.read, true, entries: [id("A3", dashboard)], now: 1)
        dashboard.screen.press("n")
        #expect(dashboard.shownTitle == "A4")
    }

    @Test func FEE_42_showsNewTexts() async throws {
        let dashboard = try await dashboard()
        let text = FeedWalk.atom("Alpha", FeedWalk.alpha).replacing("Words of A3.", with: "Other words.")
        let feed = try #require(try dashboard.library.feeds.feed(url: "https://alpha.example/feed")).id
        try await dashboard.library.store(
            FeedParser.parse(Array(text.utf8), base: "https://alpha.example/feed").feed, in: feed,
            record: FetchRecord(date: DashboardScreen.now))
        dashboard.screen.press("n")
        #expect(dashboard.shownTitle == "A3")
        #expect(await dashboard.screen.wait(for: "Other words."), "\(dashboard.screen.text)")
    }

    /// An entry that has become unread comes before the one that was ready.
    @Test func FEE_42_opensEntriesThatBecameUnread() async throws {
        let dashboard = try await dashboard()
        let third = try id("A3", dashboard)
        try await dashboard.library.setMark(.read, true, entries: [third], now: 1)
        dashboard.screen.press("[")
        #expect(dashboard.shownTitle == "A1")
        #expect(await dashboard.screen.wait { dashboard.entryList?.nextUnread.isReady == true })
        try await dashboard.library.setMark(.read, false, entries: [third], now: 1)
        dashboard.screen.press("n")
        #expect(dashboard.shownTitle == "A3")
    }
}
