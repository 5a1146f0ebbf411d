import FeedParsing
import LibraryTesting
import TerminalUI
import Testing

@testable import Dashboard
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// Moving between entries: next, previous, next unread, past the end of a list, in either order.
@MainActor
@Suite struct GoesThroughEntries {
    /// `]` and `[` open the neighbour from the list and the article; at the ends nothing happens.
    @Test(arguments: FeedWalk.orders, [false, true]) func opensTheNeighbour(order: String, isArticle: Bool) async throws
    {
        let dashboard = try await FeedWalk.dashboard(order: order)
        let titles = FeedWalk.titles(order)
        if isArticle { dashboard.screen.press("enter") }
        for title in titles.dropFirst() + [titles[4]] {
            dashboard.screen.press("]")
            #expect(dashboard.selectedTitle == title && dashboard.shownTitle == title, "\(title)")
        }
        for title in titles.dropLast().reversed() + [titles[0]] {
            dashboard.screen.press("[")
            #expect(dashboard.selectedTitle == title && dashboard.shownTitle == title, "\(title)")
        }
        dashboard.screen.press("]", "]")
        #expect(dashboard.shownTitle == titles[2])
    }

    /// `n` opens the selected entry if it is unread, then those below, then from the top, then in the next feed, and
    /// then reports that there is none.
    @Test(arguments: FeedWalk.orders, 0..<5) func opensTheNextUnread(order: String, start: Int) async throws {
        try await readAll("n", order, start)
    }

    /// `N` does the same upwards.
    @Test(arguments: FeedWalk.orders, [0, 2, 4]) func opensThePreviousUnread(order: String, start: Int) async throws {
        try await readAll("N", order, start)
    }

    private func readAll(_ key: String, _ order: String, _ start: Int) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order)
        dashboard.set("on", for: SettingKey.markReadOnOpen.name)
        let titles = FeedWalk.titles(order)
        for _ in 0..<start { dashboard.screen.press("j") }
        let way =
            key == "n"
            ? Array(titles[start...]) + titles[..<start]
            : titles[...start].reversed() + titles[(start + 1)...].reversed()
        for (index, title) in way.enumerated() {
            dashboard.screen.press(key)
            #expect(dashboard.shownTitle == title && dashboard.selectedTitle == title, "\(title)")
            try await dashboard.settle()
            #expect(try dashboard.titles(with: .read) == Set(way[...index]))
        }
        let beta = (order == "newest first") == (key == "n") ? ["B1", "B2", "B3"] : ["B3", "B2", "B1"]
        #expect(await dashboard.screen.wait { dashboard.feedList?.model.contents.subscriptions.first?.unread == 0 })
        for (index, title) in beta.enumerated() {
            #expect(await dashboard.screen.press(key) { dashboard.shownTitle == title }, "\(title)")
            try await dashboard.settle()
            #expect(try dashboard.titles(with: .read) == Set(titles + beta[...index]))
        }
        #expect(dashboard.entryList?.title == "Beta")
        #expect(await dashboard.screen.wait { dashboard.feedList?.model.contents.unread == 0 })
        #expect(dashboard.screen.press(key, shows: "No unread entries."))
        #expect(dashboard.shownTitle == beta[2])
    }

    /// Skips entries that are already read.
    @Test(arguments: FeedWalk.orders) func skipsReadEntries(order: String) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order)
        let titles = FeedWalk.titles(order)
        let rows = try dashboard.rows()
        try await dashboard.library.setMark(
            .read, true, entries: [titles[1], titles[3]].compactMap { rows[$0]?.id }, now: 1)
        #expect(await dashboard.screen.wait { dashboard.feedList?.model.contents.subscriptions.first?.unread == 3 })
        for index in [0, 2, 4, 0] {
            dashboard.screen.press("n")
            #expect(dashboard.shownTitle == titles[index])
        }
    }

    /// The next feeds with unread entries in list order, wrapping around; a feed with two rows counts once.
    @Test func findsTheNextFeedWithUnreadEntries() async throws {
        let library = try Library(path: nil)
        var ids: [FeedID] = []
        for name in ["a", "b", "c", "d"] {
            ids.append(try await library.follow("https://\(name).example/feed", tags: name == "a" ? ["x"] : []))
        }
        try await library.changes.perform(.collapseGroup(.tag("x"), false))
        for (id, count) in zip(ids, [2, 0, 1, 3]) {
            var feed = ParsedFeed(format: .rss)
            feed.entries = (0..<count).map { number in
                var entry = ParsedEntry()
                (entry.id, entry.title) = ("\(number)", "\(number)")
                return entry
            }
            try await library.store(feed, in: id, record: FetchRecord(date: 1))
        }
        let model = try FeedListModel(library, now: 1)
        func path(_ index: Int) -> RowPath? { model.path { $0.identifier == AnyHashable(ids[index]) } }
        func next(_ path: RowPath?) -> FeedID? {
            path.flatMap { model.unreadFeeds(after: $0).first }.flatMap { model.row(at: $0)?.subscription?.id }
        }
        #expect(next(path(0)) == ids[2])
        #expect(next(path(1)) == ids[2])
        #expect(next(path(2)) == ids[3])
        // Around the end: the first row of another feed.
        #expect(next(path(3)) == ids[0])
        #expect(next(model.paths.first) == ids[0])
        let before = try #require(path(2))
        #expect(model.unreadFeeds(after: before, -1).map { model.row(at: $0)?.subscription?.id } == [ids[0], ids[3]])
        let tagged = try #require(model.path { $0.identifier == AnyHashable("feed \(ids[0]) x") })
        #expect(next(tagged) == ids[2])
        #expect(model.unreadFeeds(after: RowPath(section: 9, row: 9)).isEmpty)
        try await library.setMark(.read, true, in: .subscription(ids[2]), now: 1)
        try await library.setMark(.read, true, in: .subscription(ids[3]), now: 1)
        let later = try FeedListModel(library, now: 1)
        let first = try #require(later.path { $0.identifier == AnyHashable(ids[0]) })
        #expect(later.unreadFeeds(after: first).isEmpty)
    }

    /// `J` and `K` go to the neighbouring feeds: from an article to an entry, from a list to a list.
    @Test(arguments: [(120, 34), (80, 24), (42, 24)]) func goesThroughTheFeeds(width: Int, height: Int) async throws {
        let dashboard = try await FeedWalk.dashboard(width, height)
        dashboard.screen.press("enter")
        #expect(dashboard.shownTitle == "A1")
        try await dashboard.press("J")
        #expect(dashboard.shownTitle == "B1")
        #expect(dashboard.screen.press("J", shows: "This is the last feed."))
        try await dashboard.press("K")
        #expect(dashboard.shownTitle == "A1")
    }

    /// Opening marks as read, once and without an undo step; the setting disables it.
    @Test func openingIsNotUndone() async throws {
        let dashboard = try await FeedWalk.dashboard()
        try await dashboard.press("enter")
        #expect(try dashboard.titles(with: .read).isEmpty)
        dashboard.set("on", for: SettingKey.markReadOnOpen.name)
        try await dashboard.press("]")
        #expect(try dashboard.titles(with: .read) == ["A2"])
        #expect(dashboard.screen.press("u", shows: "u: this needs something to undo"), "\(dashboard.screen.text)")
        try await dashboard.settle()
        #expect(try dashboard.titles(with: .read) == ["A2"])
    }

    /// An entry deleted by another program can't be opened.
    @Test func saysThatAnEntryIsGone() async throws {
        let dashboard = try await FeedWalk.dashboard()
        let list = try #require(dashboard.entryList)
        let id = try #require(list.selectedEntryID)
        // The list is notified after the key.
        let gone = Task { try await dashboard.library.changes.perform(.delete(entries: [id], now: 1)) }
        while try dashboard.library.entries.row(id) != nil { try await Task.sleep(for: .milliseconds(1)) }
        list.table.delegate?.tableView(list.table, didActivateRowAt: RowPath(row: 0))
        _ = try await gone.value
        #expect(dashboard.screen.text.contains("This entry no longer exists.") || dashboard.selectedTitle == "A2")
    }
}
