import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import TerminalUI
import Testing

@testable import Accounts
@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The commands that mark parts of a list or the whole list as read, in either order, from every row.
@MainActor
@Suite struct MarksPartsOfLists {
    private static func row(_ id: EntryID, _ date: Instant) -> EntryRow {
        EntryRow(
            id: id, subscriptionID: 3, title: "", isRead: false, isStarred: false, sortDate: date, hasDate: true,
            isLater: false, sources: 1)
    }

    private static func feed(folder: String?, account: AccountID? = nil) -> SubscriptionRow {
        SubscriptionRow(id: 3, url: "", title: "Alpha", folder: folder, unread: 0, total: 0, account: account)
    }

    @Test(arguments: [false, true]) func offersAboveAndBelowByScreenOrder(isOldestFirst: Bool) throws {
        let scopes: [EntryScope] = [
            .all, .subscription(3), .unread(keepingReadSince: 1), .starred, .later, .archived, .folder("News"),
            .tag("x"), .hidden, .search(try SearchQuery("x")),
        ]
        for scope in scopes {
            let offers = MarkOffer.offers(
                for: MarksPartsOfLists.row(7, 1000), in: EntryQuery(scope, order: isOldestFirst ? .oldest : .newest),
                now: 10_000_000, feed: nil
            )
            let (newer, older) = (EntryPart.newer(1000, 7), EntryPart.older(1000, 7))
            #expect(
                offers == [
                    MarkOffer(title: "All above", target: .part(isOldestFirst ? older : newer)),
                    MarkOffer(title: "All below", target: .part(isOldestFirst ? newer : older)),
                    MarkOffer(title: "All older than a day", target: .part(.before(10_000_000 - 86_400))),
                    MarkOffer(title: "All older than a week", target: .part(.before(10_000_000 - 604_800))),
                    MarkOffer(title: "All older than a month", target: .part(.before(10_000_000 - 2_592_000))),
                ])
        }
    }

    /// A list in another order than that of its dates has no "above" and "below".
    @Test(arguments: [EntryOrder.feed, .rhythm]) func offersNoAboveOrBelowInOtherOrders(order: EntryOrder) {
        let offers = MarkOffer.offers(
            for: MarksPartsOfLists.row(7, 1000), in: EntryQuery(.all, order: order), now: 0, feed: nil)
        #expect(offers.map(\.title) == ["All older than a day", "All older than a week", "All older than a month"])
    }

    /// A search with its own order has no "above" and "below" by date.
    @Test(arguments: EntryOrder.allCases) func offersNoAboveOrBelowInRankedLists(order: EntryOrder) throws {
        let offers = MarkOffer.offers(
            for: MarksPartsOfLists.row(7, 1000), in: EntryQuery(.sorted(try SearchQuery("x"), order)), now: 0, feed: nil
        )
        #expect(offers.map(\.title) == ["All older than a day", "All older than a week", "All older than a month"])
    }

    @Test func offersTheFeedAndItsFolder() {
        func last(_ feed: SubscriptionRow) -> [MarkOffer] {
            Array(
                MarkOffer.offers(
                    for: MarksPartsOfLists.row(7, 1000), in: EntryQuery(.all), now: 0, feed: feed
                ).dropFirst(5))
        }
        let whole = MarkOffer(title: "All of Alpha", target: .scope(.subscription(3)))
        #expect(last(MarksPartsOfLists.feed(folder: nil)) == [whole])
        #expect(
            last(MarksPartsOfLists.feed(folder: "News"))
                == [whole, MarkOffer(title: "All in folder News", target: .scope(.folder("News")))])
        #expect(
            last(MarksPartsOfLists.feed(folder: "News", account: 4))
                == [whole, MarkOffer(title: "All in folder News", target: .scope(.accountFolder("News", 4)))])
    }

    private func choose(_ title: String, in dashboard: DashboardScreen) async throws {
        dashboard.screen.press("M")
        let list = try #require(dashboard.screen.application.window.focusedView as? TableView)
        for _ in 0..<9 {
            if dashboard.screen.lines.contains(where: { $0.contains("▌\(title)") }) { break }
            dashboard.screen.press("j")
        }
        #expect(dashboard.screen.lines.contains { $0.contains("▌\(title)") }, "\(list.numberOfRows)")
        try await dashboard.press("enter")
    }

    /// Marks the entries above on the screen, from the first, a middle and the last row, but not the entry itself or
    /// other feeds.
    @Test(arguments: FeedWalk.orders, 0..<5) func marksAboveAndBelowTheSelectedRow(order: String, row: Int) async throws
    {
        for (title, isAbove) in [("All above", true), ("All below", false)] {
            let dashboard = try await FeedWalk.dashboard(order: order)
            for _ in 0..<row { dashboard.screen.press("j") }
            let titles = FeedWalk.titles(order)
            #expect(dashboard.selectedTitle == titles[row])
            try await choose(title, in: dashboard)
            #expect(
                try dashboard.titles(with: .read) == Set(isAbove ? titles[..<row] : titles[(row + 1)...]), "\(title)")
            // It is one undo step and keeps the selection.
            #expect(dashboard.selectedTitle == titles[row])
            try await dashboard.press("u")
            #expect(try dashboard.titles(with: .read).isEmpty)
        }
    }

    /// An entry that is exactly a day old is not older than a day.
    @Test(
        arguments: FeedWalk.orders,
        [
            ("All older than a day", Set(["A4", "A5"])), ("All older than a week", Set(["A4", "A5"])),
            ("All older than a month", Set(["A5"])), ("All of Alpha", Set(["A1", "A2", "A3", "A4", "A5"])),
        ])
    func marksOlderEntries(order: String, choice: (String, Set<String>)) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order)
        dashboard.screen.press("j")
        try await choose(choice.0, in: dashboard)
        #expect(try dashboard.titles(with: .read) == choice.1)
        try await dashboard.press("u")
        #expect(try dashboard.titles(with: .read).isEmpty)
    }

    /// In the list of all entries, the menu marks only the feed or the folder of the selected entry.
    @Test func marksTheFolderOfTheSelectedEntry() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        dashboard.screen.press("g g", "j", "enter", "j")
        #expect(dashboard.selectedTitle == "B1")
        try await choose("All in folder News", in: dashboard)
        #expect(try dashboard.titles(with: .read) == ["B1", "B2", "B3"])
        dashboard.screen.press("u", "k")
        try await choose("All of Alpha", in: dashboard)
        #expect(try dashboard.titles(with: .read) == Set(FeedWalk.titles("newest first")))
    }

    /// In a list of several feeds, above and below apply to all of them.
    @Test(arguments: FeedWalk.orders) func marksAcrossTheFeedsOfAList(order: String) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order, opens: false)
        dashboard.screen.press("g g", "j", "enter")
        let titles = try dashboard.library.entries.rows(in: FeedWalk.query(.all, order), limit: 99).map(\.title)
        for _ in 0..<3 { dashboard.screen.press("j") }
        #expect(dashboard.selectedTitle == titles[3])
        try await choose("All above", in: dashboard)
        #expect(try dashboard.titles(with: .read) == Set(titles[..<3]))
    }

    /// `A` marks the whole list and nothing beyond it, from any row and from the article.
    @Test(arguments: FeedWalk.orders, [[], ["j", "j"], ["G"], ["enter"], ["v", "j", "v"]]) func marksTheWholeList(
        order: String, keys: [String]
    ) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order)
        for key in keys { dashboard.screen.press(key) }
        try await dashboard.press("A")
        #expect(try dashboard.titles(with: .read) == Set(FeedWalk.titles(order)))
        try await dashboard.press("u")
        #expect(try dashboard.titles(with: .read).isEmpty)
    }

    /// Entries still being stored when the key is pressed stay unread: the user hasn't seen them.
    @Test(arguments: [["A"], ["M", "j", "enter"]]) func leavesLaterArrivalsUnread(keys: [String]) async throws {
        let folder = TemporaryFolder()
        let path = folder.path("library.sqlite")
        let dashboard = try await FeedWalk.dashboard(path: path)
        let library = dashboard.library
        let alpha = try #require(try library.feeds.feed(url: "https://alpha.example/feed")).id
        let parsed = try FeedParser.parse(
            Array(FeedWalk.atom("Alpha", FeedWalk.alpha + [("A6", 60 * FeedWalk.day)]).utf8), base: nil)
        let feed = PreparedFeed(parsed.feed, record: FetchRecord(date: DashboardScreen.now))
        // Another program's lock keeps the feed in the queue while the key is pressed.
        let other = try OtherProgram.lock(path)
        let storing = Task { try await library.changes.perform(StoreFeed(feed, in: alpha)) }
        #expect(await eventually { library.changes.pending > 0 })
        dashboard.screen.press("j", "j", "j")
        for key in keys { dashboard.screen.press(key) }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        _ = try await storing.value
        try await dashboard.settle()
        let read = try dashboard.titles(with: .read)
        #expect(!read.isEmpty && !read.contains("A6"))
        #expect(try dashboard.rows().keys.contains("A6"))
    }

    /// An empty list has nothing to mark.
    @Test func offersNothingInAnEmptyList() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        #expect(dashboard.screen.press("g g", "j", "j", "enter", shows: "No starred entries."))
        for key in ["A", "M"] {
            #expect(dashboard.screen.press(key, shows: "\(key): this needs a list of entries"))
        }
    }
}
