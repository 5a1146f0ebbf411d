import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment

/// The detail beside a list of entries: what it shows, when it marks as read, and when it stays.
@MainActor
@Suite struct FollowsTheSelection {
    /// Every combination of the setting, the width beside the list, and the selected and shown entry.
    @Test func decidesWhatToShow() {
        for isWanted in [false, true] {
            for isBeside in [false, true] {
                for selected in [nil, 1, 2] as [EntryID?] {
                    for shown in [nil, 1, 2] as [EntryID?] {
                        let next = EntryListRules.entryToFollow(
                            isWanted: isWanted, isBeside: isBeside, selected: selected, shown: shown)
                        let follows = isWanted && isBeside && selected != nil && selected != shown
                        #expect(next == (follows ? selected : nil))
                    }
                }
            }
        }
    }

    @Test func decidesWhenItIsRead() {
        for (seconds, isRead, dwell) in [
            (0, false, nil), (0, true, nil), (1, false, 1), (600, false, 600), (1, true, nil), (-1, false, nil),
        ] as [(Int, Bool, Int?)] {
            #expect(EntryListRules.dwell(seconds: seconds, isRead: isRead) == dwell)
        }
    }

    private func following(_ order: String = "newest first") async throws -> DashboardScreen {
        try await FeedWalk.dashboard(order: order) { $0.settings.use("on", for: SettingKey.followList.name) }
    }

    /// Once the selection rests, the detail shows its entry, the list marks that row, and the list keeps the focus.
    @Test(arguments: FeedWalk.orders) func showsTheRowOnceTheSelectionRests(order: String) async throws {
        let dashboard = try await following(order)
        let titles = FeedWalk.titles(order)
        for (key, index) in [("j", 1), ("j", 2), ("G", 4), ("k", 3), ("home", 0)] {
            #expect(await dashboard.screen.press(key) { dashboard.shownTitle == titles[index] })
            #expect(dashboard.split?.focusedColumn == .supplementary && dashboard.selectedTitle == titles[index])
            #expect(
                await dashboard.screen.wait(for: "Words of \(titles[index]).  ")
                    || dashboard.screen.text.contains("Words of"))
        }
        try await dashboard.settle()
        #expect(try dashboard.titles(with: .read).isEmpty)
    }

    /// A walk to a low, wide pane and back changes nothing, with a popover or without.
    @Test(arguments: [nil, "t"] as [String?]) func keepsTheCardThroughLowPanes(key: String?) async throws {
        let dashboard = try await FeedWalk.dashboard(opens: true, 70, 20) {
            $0.settings.use("on", for: SettingKey.followList.name)
        }
        let screen = dashboard.screen
        try await dashboard.settle()
        if let key { screen.press(key) }
        let before = (screen.text, dashboard.shownTitle)
        for height in [1, 5] {
            screen.resize(120, height)
            // Nothing may follow, so there is nothing else to wait for.
            try await Task.sleep(for: EntryFollower.delay * 2)
            screen.resize(70, 20)
            try await dashboard.settle()
            #expect(screen.text == before.0 && dashboard.shownTitle == before.1, "120x\(height)")
        }
    }

    /// The detail also follows the only list of a split view with two columns.
    @Test func followsTheOnlyList() async throws {
        let dashboard = try await following()
        let services = try #require(dashboard.feedList?.services)
        let list = EntryListViewController(scope: .all, title: "All", services: services)
        let split = SplitViewController(primary: list, placeholder: MessageViewController("No entry selected."))
        let screen = TestScreen(root: split, size: Size(width: 120, height: 30))
        screen.press("j")
        let isFollowing = await screen.wait {
            let detail = split.detailViewController as? EntryViewController
            return detail != nil && detail?.entryID == list.selectedEntryID
        }
        #expect(isFollowing && split.focusedColumn == .primary)
    }

    /// A list that was just opened begins with the newest entry, until somebody uses it.
    @Test func beginsWithWhatArrivesAtTheStart() async throws {
        let dashboard = try await following()
        let alpha = try #require(try dashboard.library.feeds.feed(url: "https://alpha.example/feed")).id
        try await dashboard.store(FeedWalk.atom("Alpha", [("A0", 60)] + FeedWalk.alpha), in: alpha)
        #expect(await dashboard.screen.wait { dashboard.selectedTitle == "A0" })
        dashboard.screen.press("j", "k")
        try await dashboard.store(FeedWalk.atom("Alpha", [("A-1", 30)] + FeedWalk.alpha), in: alpha)
        #expect(await dashboard.screen.wait(for: "● A-1"))
        #expect(dashboard.selectedTitle == "A0")
    }

    /// An article with focus stays, whatever happens to the list.
    @Test func keepsReadEntriesInPlace() async throws {
        let dashboard = try await following()
        dashboard.screen.press("j", "enter")
        #expect(dashboard.shownTitle == "A2" && dashboard.split?.focusedColumn == .secondary)
        let alpha = try #require(try dashboard.library.feeds.feed(url: "https://alpha.example/feed")).id
        try await dashboard.store(FeedWalk.atom("Alpha", [("A0", 60)] + FeedWalk.alpha), in: alpha)
        #expect(await dashboard.screen.wait(for: "● A0"))
        #expect(dashboard.shownTitle == "A2" && dashboard.selectedTitle == "A2")
    }

    /// An entry shown for a while is marked as read without an undo step; moving on earlier leaves it unread.
    @Test func marksReadAfterADelay() async throws {
        let dashboard = try await following()
        dashboard.settings.use("1", for: SettingKey.readAfter.name)
        #expect(await dashboard.screen.press("j") { dashboard.shownTitle == "A2" })
        #expect(await dashboard.screen.press("j") { dashboard.shownTitle == "A3" })
        #expect(await dashboard.screen.wait { (try? dashboard.titles(with: .read)) == ["A3"] })
        #expect(dashboard.screen.press("u", shows: "u: this needs something to undo"))
        // Leaving the list ends the delay.
        #expect(await dashboard.screen.press("j") { dashboard.shownTitle == "A4" })
        dashboard.screen.press("tab")
        let other = try await following()
        other.settings.use("1", for: SettingKey.readAfter.name)
        #expect(await other.screen.press("j") { (try? other.titles(with: .read)) == ["A2"] })
        #expect(try dashboard.titles(with: .read) == ["A3"])
    }

    /// In narrow panes nothing opens automatically; `Space` previews the entry over the list without marking it.
    @Test func previewsInNarrowPanes() async throws {
        let dashboard = try await FeedWalk.dashboard(44, 30) { environment in
            environment.settings.use("on", for: SettingKey.followList.name)
            environment.settings.use("on", for: SettingKey.markReadOnOpen.name)
        }
        #expect(await dashboard.screen.press("j", "space", until: "Words of A2."))
        #expect(dashboard.screen.application.window.presentedViewController != nil)
        #expect(await dashboard.screen.press("J", until: "Words of A3."))
        try await dashboard.settle()
        #expect(try dashboard.titles(with: .read).isEmpty)
        // Commands act on the previewed entry.
        try await dashboard.press("s")
        #expect(try dashboard.titles(with: .starred) == ["A3"])
        dashboard.screen.press("]")
        #expect(await dashboard.screen.wait { dashboard.screen.application.window.presentedViewController == nil })
        try await dashboard.settle()
        #expect(try dashboard.titles(with: .read) == ["A4"])
        // Beside the list there is no preview.
        let wide = try await FeedWalk.dashboard()
        wide.screen.press("space")
        #expect(wide.screen.application.window.presentedViewController == nil)
    }

    /// In an article opened from a list, `]` moves the list's selection, and the row of the article is marked.
    @Test func marksTheShownRow() async throws {
        let dashboard = try await FeedWalk.dashboard()
        func shownRows() -> [Int] {
            guard let list = dashboard.entryList else { return [] }
            return (0..<5).filter {
                list.table.dataSource?.tableView(list.table, cellForRowAt: RowPath(row: $0)).isShown == true
            }
        }
        #expect(shownRows() == [])
        dashboard.screen.press("j", "enter")
        #expect(shownRows() == [1])
        dashboard.screen.press("]")
        #expect(shownRows() == [2])
        dashboard.screen.press("h", "k", "k")
        #expect(shownRows() == [2])
    }

    // MARK: Rows

    /// Excerpts have their own line from 40 columns and 15 lines on, if titles have one line.
    @Test func showsExcerptsWhereTheyFit() async throws {
        for (width, height, lines, excerpts, expected) in [
            (40, 15, "1", "on", 2), (39, 15, "1", "on", 1), (40, 14, "1", "on", 1), (90, 40, "2", "on", 1),
            (90, 40, "1", "off", 1), (90, 40, "1", "on", 2),
        ] {
            let dashboard = try await FeedWalk.dashboard()
            dashboard.settings.use(lines, for: SettingKey.rowLines.name)
            dashboard.settings.use(excerpts, for: SettingKey.excerpts.name)
            let list = try #require(dashboard.entryList)
            list.table.frame = Rect(x: 0, y: 0, width: width, height: height)
            #expect(list.tableView(list.table, heightForRowAt: RowPath(row: 0)) == expected, "\(width) x \(height)")
            let cell = list.table.dataSource?.tableView(list.table, cellForRowAt: RowPath(row: 2))
            #expect(cell?.detail.string == (expected == 2 ? "Words of A3." : ""))
        }
    }

    /// An excerpt belongs to its entry and changes with it.
    @Test func keepsExcerptsWithTheirEntries() async throws {
        let dashboard = try await FeedWalk.dashboard()
        func excerpts() -> [String] {
            guard let list = dashboard.entryList else { return [] }
            return (0..<5).compactMap {
                list.table.dataSource?.tableView(list.table, cellForRowAt: RowPath(row: $0)).detail.string
            }
        }
        #expect(excerpts() == ["A1", "A2", "A3", "A4", "A5"].map { "Words of \($0)." })
        let alpha = try #require(try dashboard.library.feeds.feed(url: "https://alpha.example/feed")).id
        try await dashboard.store(
            FeedWalk.atom("Alpha", FeedWalk.alpha).replacing("Words of A3.", with: "News."), in: alpha)
        #expect(await dashboard.screen.wait { excerpts()[2] == "News." })
    }

    /// An empty list gives the reason and a key that helps.
    @Test func emptyListsSayWhy() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let library = dashboard.library
        let empty = try await library.follow("https://empty.example/feed")
        func text(_ scope: EntryScope) -> String {
            guard let services = dashboard.feedList?.services else { return "" }
            let list = EntryListViewController(scope: scope, title: "", services: services)
            _ = list.view
            return list.table.emptyText.string
        }
        let query = try SearchQuery("nothing-like-it")
        let table: [(scope: EntryScope, words: String)] = [
            (.subscription(empty), "Not fetched yet. R fetches all feeds."),
            (.folder("none"), "No entries yet. R reloads all feeds."),
            (.accountFolder("none", 1), "No entries yet. R reloads all feeds."),
            (.tag("none"), "No entries yet. R reloads all feeds."),
            (.hidden, "No entries yet. R reloads all feeds."),
            (.starred, "No starred entries. s stars the selected entry."),
            (.later, "Nothing to read later. w adds the selected entry."), (.archived, "No archived entries."),
            (.search(query), "No results."), (.sorted(query, .feed), "No results."),
            (.subscription(999), "You no longer follow this feed."),
        ]
        for (scope, words) in table { #expect(text(scope) == words) }
        try await library.changes.perform(NoteFailure(empty, "no answer", notBefore: nil, isGone: false, date: 1))
        #expect(text(.subscription(empty)) == "Reload failed: no answer. r retries.")
        try await library.setMark(.read, true, in: .all, now: 1)
        #expect(text(.unread(keepingReadSince: DashboardScreen.now)) == "No unread entries. R reloads all feeds.")
        // Entries that aren't indexed yet may be found later.
        let alpha = try #require(try library.feeds.feed(url: "https://alpha.example/feed")).id
        for count in [1, 2] {
            try await dashboard.store(
                FeedWalk.atom("Alpha", FeedWalk.alpha).replacing("Words of A\(count)", with: "Other \(count)"),
                in: alpha)
            let waiting = try library.search.unindexedCount()
            let words =
                waiting == 1
                ? "1 entry is still being indexed." : "\(waiting) entries are still being indexed."
            #expect(text(.search(query)) == (waiting == 0 ? "No results." : "No results yet. \(words)"))
        }
    }

    /// Finding continues from the selected row in both directions, wrapping around.
    @Test func findsTitlesEitherWay() async throws {
        let dashboard = try await FeedWalk.dashboard()
        dashboard.screen.press("j", "/", typing: "a")
        #expect(dashboard.selectedTitle == "A2")
        dashboard.screen.press("enter")
        for title in ["A3", "A4", "A5", "A1"] {
            dashboard.screen.press("n")
            #expect(dashboard.selectedTitle == title)
        }
        for title in ["A5", "A4"] {
            dashboard.screen.press("N")
            #expect(dashboard.selectedTitle == title)
        }
        dashboard.screen.press("esc", "/", typing: "zzz")
        #expect(dashboard.selectedTitle == "A4")
        // In the list of feeds: lists, feeds and folders.
        dashboard.screen.press("esc", "esc", "home", "/", typing: "al")
        func row() -> String? {
            let list = dashboard.feedList
            return list?.table.selectedPath.flatMap { list?.model.row(at: $0)?.name }
        }
        #expect(row() == "All")
        dashboard.screen.press("enter", "n")
        #expect(row() == "Alpha")
        dashboard.screen.press("n")
        #expect(row() == "All")
    }

    /// In three columns, the second shows the entries of the row selected in the first, and Enter moves there.
    @Test func showsTheEntriesOfTheSelectedFeed() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false, 200, 34)
        #expect(dashboard.entryList?.title == "Alpha" && dashboard.split?.focusedColumn == .primary)
        dashboard.screen.press("j")
        #expect(dashboard.entryList?.title == "News" && dashboard.split?.focusedColumn == .primary)
        let list = dashboard.entryList
        dashboard.screen.press("enter")
        #expect(dashboard.entryList === list && dashboard.split?.focusedColumn == .supplementary)
        dashboard.screen.press("h", "j")
        #expect(dashboard.entryList?.title == "Beta" && dashboard.split?.focusedColumn == .primary)
    }
}
