import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Folders, tags, rules and marks in the lists, by keys.
@MainActor
@Suite struct ManagesGroups {
    private func dashboard() async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(120, 34)
        for (url, folder, tags) in [
            ("https://one.example/feed", "News", ["daily"]), ("https://two.example/feed", "News", []),
        ] {
            let id = try await dashboard.library.follow(url, folder: folder, tags: tags)
            var feed = ParsedFeed(format: .rss)
            feed.title = url.contains("one") ? "One" : "Two"
            feed.entries = (1...3).map { number in
                var entry = ParsedEntry()
                entry.id = "\(number)"
                entry.title = "\(feed.title ?? "") sponsored \(number)"
                entry.link = "https://one.example/\(number)"
                entry.published = ParsedDate(instant: 1_700_000_000 - Int64(number) * 86_400, text: "")
                return entry
            }
            try await dashboard.library.store(feed, in: id, record: FetchRecord(date: 1_700_000_000))
        }
        try await dashboard.library.indexAll()
        #expect(await dashboard.screen.wait { dashboard.screen.text.contains("  Two") })
        return dashboard
    }

    @Test func collapsesExpandsAndRenamesGroups() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        #expect(await screen.wait { screen.text.contains("▾ News") && screen.text.contains("▸ #daily") })
        screen.press("g", "g", "/", typing: "News", then: "enter", "-")
        func listsOne() -> Bool { dashboard.column(0..<44).contains { $0.contains("   One") } }
        #expect(await screen.wait { screen.text.contains("▸ News") && !listsOne() })
        #expect(await screen.press("-") { screen.text.contains("▾ News") && listsOne() })
        screen.press("e", "ctrl-u", typing: "World", then: "enter")
        #expect(await screen.wait { screen.text.contains("▾ World") })
        #expect(await screen.press("u") { screen.text.contains("▾ News") })
        // A folder opens as a list of its entries, which can be marked as a whole.
        screen.press("enter")
        #expect(
            await screen.wait { screen.text.contains("One sponsored 1") && screen.text.contains("Two sponsored 1") })
        screen.press("A")
        #expect(
            await screen.wait {
                (try? dashboard.library.entries.rows(in: EntryQuery(.folder("News")), limit: 9).allSatisfy(\.isRead))
                    == true
            })
    }

    @Test func dragsFeedsIntoFolders() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        func place(_ text: String) throws -> Point {
            let row = try #require(screen.lines.firstIndex { $0.prefix(44).contains(text) }, "\(text) \(screen.text)")
            return Point(x: 6, y: row)
        }
        #expect(await screen.wait { screen.text.contains("▾ News") })
        screen.drag(from: try place("Use Your Loaf"), to: try place("▾ News"))
        #expect(
            await screen.wait {
                (try? dashboard.library.feeds.feed(url: "https://loaf.example/feed")?.folder) == "News"
            })
        screen.press("u")
        #expect(
            await screen.wait {
                (try? dashboard.library.feeds.feed(url: "https://loaf.example/feed")?.folder) == .some(nil)
            })
        #expect(
            await screen.wait {
                screen.lines.contains {
                    $0.prefix(20).contains("▌Use Your Loaf") || $0.prefix(20).contains(" Use Your Loaf")
                }
            })
        // Dropped on another feed of the folder, it takes that feed's position.
        screen.drag(from: try place("  Two"), to: try place("  One"))
        #expect(await screen.wait { (try? dashboard.library.feeds.all().map(\.title).suffix(2)) == ["Two", "One"] })
        #expect(await screen.wait { ((try? place("  Two").y) ?? 99) < ((try? place("  One").y) ?? 0) })
        // A click without a drag opens the row as before: the dragged row is selected.
        screen.click(6, try place("  Two").y)
        #expect(await screen.wait { screen.text.contains("Two sponsored 1") })
    }

    @Test func hidesReadFeeds() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        let news = try dashboard.library.entries.rows(in: EntryQuery(.folder("News")), limit: 9).map(\.id)
        try await dashboard.library.setMark(.read, true, entries: news, now: 1)
        dashboard.set("on", for: SettingKey.hideRead.name)
        #expect(await screen.wait { !screen.text.contains("News") && !screen.text.contains("#daily") })
    }

    @Test func nextUnreadContinuesInTheNextFeed() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        screen.press("g", "g", "/", typing: "One", then: "enter", "enter", "n", "n", "n")
        #expect(
            await screen.wait {
                (try? dashboard.library.entries.rows(in: EntryQuery(.folder("News")), limit: 9).filter(\.isRead).count)
                    == 3
            })
        #expect(await screen.press("n") { screen.text.contains("Two sponsored") }, "\(screen.text)")
        #expect(
            await screen.wait {
                (try? dashboard.library.entries.rows(in: EntryQuery(.folder("News")), limit: 9).filter(\.isRead).count)
                    == 4
            })
    }

    @Test func marksAPartAndAddsTags() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        screen.press("g", "g", "/", typing: "One", then: "enter", "enter", "j", "M")
        #expect(
            await screen.wait {
                screen.text.contains("All above") && screen.text.contains("All in folder News")
            })
        #expect(await screen.press("enter") { (try? dashboard.library.feeds.unreadCount()) == 9 })
        screen.press("t", typing: "race", then: "enter")
        #expect(await screen.wait { (try? dashboard.library.entries.count(in: EntryQuery(.tag("race")))) == 1 })
    }

    @Test func createsARuleFromAnEntry() async throws {
        let kept = Mutex<[Rule]>([])
        let dashboard = try await DashboardScreen(
            120, 34,
            adjust: { environment in
                environment.writer.keepRule = { rule in
                    kept.withLock { $0.append(rule) }
                    return "rules/new.toml"
                }
            })
        try await dashboard.library.indexAll()
        let screen = dashboard.screen
        screen.press("enter", "!")
        #expect(await screen.wait { screen.text.contains("Which entries?") && screen.text.contains("here") })
        #expect(await screen.press("enter") { screen.text.contains("Action for new entries") })
        #expect(await screen.press("enter") { screen.text.contains("New rule") })
        #expect(await screen.press("enter") { screen.text.contains("Apply to existing entries?") })
        let rule = try #require(kept.withLock { $0 }.first)
        #expect(rule.then == [.mark(.read)] && dashboard.library.rules == [rule])
        screen.press("tab", "enter")
        #expect(await screen.wait { (try? dashboard.library.ruleTallies()[rule.name]?.matches ?? 0) ?? 0 > 0 })
        screen.press("ctrl-x", "r")
        #expect(await screen.wait { screen.text.contains("Rules") && screen.text.contains("matches, now") })
    }

    @Test func completesAQueryWithTab() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        screen.press("S", typing: "fol")
        #expect(screen.text.contains("⇥ folder:"))
        screen.press("tab", typing: "N")
        #expect(screen.text.contains("⇥ News"))
        screen.press("tab", "enter")
        #expect(
            await screen.wait { screen.text.contains("One sponsored 1") && screen.text.contains("Two sponsored 3") })
    }

    @Test func notifiesOfNewEntriesWhenUnfocused() async throws {
        let told = Mutex<[String]>([])
        let paneFocus = PaneFocus()
        let controller = { (library: Library) in
            ArrivalController(
                library: library, status: StatusController(messageTime: .seconds(1)), paneFocus: paneFocus,
                run: { _, _ in nil },
                notify: { title, body, _ in
                    told.withLock { $0.append("\(title): \(body)") }
                    return nil
                })
        }
        let library = try Library(path: nil)
        let feed = try await library.follow("https://one.example/feed")
        let rule = Rule(name: "tell", when: try SearchQuery("title:big"), then: [.notify])
        func arrive(_ titles: [String]) async throws { try await library.store(titles, in: feed, rules: [rule]) }
        try await arrive(["Old"])
        try await arrive(["Big 1", "Old"])
        let arrivals = controller(library)
        paneFocus.hasFocus = true
        arrivals.begin()
        await arrivals.task?.value
        #expect(told.withLock { $0 }.isEmpty)
        try await arrive(["Big 2", "Old"])
        paneFocus.hasFocus = false
        arrivals.begin()
        await arrivals.task?.value
        #expect(told.withLock { $0 } == ["1 new entry: Big 2"])
    }

    /// Several marked feeds are moved, tagged and removed in one step.
    @Test func changesSeveralFeedsAtOnce() async throws {
        let feeds = (1...4).map {
            ("https://\($0).example/feed", DashboardScreen.feed.replacing("Loaf", with: "Loaf \($0)"))
        }
        let dashboard = try await DashboardScreen(100, 30, feeds: feeds)
        let (screen, library) = (dashboard.screen, dashboard.library)
        func folders() throws -> [String?] { try library.feeds.all().map(\.folder) }
        screen.press("v", "v", "f", typing: "News", then: "enter")
        // The next selection refers to the list as it is then.
        #expect(await screen.wait { screen.text.contains("▾ News") && !screen.text.contains("✓") })
        #expect(try folders().count { $0 == "News" } == 2)
        #expect(await screen.press("u") { screen.text.contains("Undid ") && !screen.text.contains("▾ News") })
        #expect(try folders().allSatisfy { $0 == nil })
        #expect(screen.text.contains("▌Use Your Loaf 3"))
        try await dashboard.press("v", "v", "d", "enter")
        #expect(try library.feeds.all().count == 4)
        screen.press("esc", "k", "k", "k", "v", "v", "t", typing: "daily", then: "enter")
        func tagged() throws -> Int {
            try library.feeds.all().count { try library.feeds.health(of: $0.id)?.tags == ["daily"] }
        }
        #expect(await screen.wait { (try? tagged()) == 2 })
    }
}
