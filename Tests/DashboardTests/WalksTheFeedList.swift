import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// The list of feeds: its rows, its first selection, and its keys for feeds, groups and searches.
@MainActor
@Suite struct WalksTheFeedList {
    /// The lines of the list of feeds without trailing spaces.
    private func rows(_ dashboard: DashboardScreen) -> [String] {
        dashboard.column(0..<45).map { line in
            var line = line
            while line.last == " " || line.last == "│" { line.removeLast() }
            return line
        }
    }

    private func id(_ name: String, _ dashboard: DashboardScreen) throws -> FeedID {
        try #require(try dashboard.library.feeds.feed(url: "https://\(name).example/feed")).id
    }

    // MARK: Rows

    @Test func showsCountsSignsAndErrors() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let later = try #require(try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 1).first).id
        try await dashboard.library.setMark(.later, true, entries: [later], now: 1)
        func row(_ word: String) -> String? { rows(dashboard).first { $0.contains(word) } }
        func ends(_ word: String, _ end: String) async -> Bool {
            await dashboard.screen.wait { row(word)?.hasSuffix(end) == true }
        }
        for (word, end) in [
            (" Unread", " 8"), (" Read later", " 1"), (" ⌕ found", " 8"), (" Broken feeds", " 1"), (" ▾ News", " 3"),
            ("   Beta", " 3"), (" ▾ #x", " 5"), ("   Alpha", " 5"), (" ▸ Hidden", "─"), (" Starred", "Starred"),
            (" All", "All"), ("! https://broken", "no answer"), ("not synced yet", "not synced yet"),
        ] {
            #expect(
                await ends(word, end),
                "\(word): \(String(describing: row(word)))\n\(dashboard.screen.text) \(dashboard.feedList?.model.contents.later ?? -1)  \(String(describing: try? dashboard.library.entries.count(in: EntryQuery(.later))))"
            )
        }
        #expect(
            rows(dashboard).contains { $0.contains(" Subscriptions") }
                && rows(dashboard).contains { $0.contains(" Tags") })
        // A selected feed has one line, too: the list doesn't jump.
        let before = rows(dashboard).count
        try dashboard.select(try id("broken", dashboard))
        #expect(rows(dashboard).count == before)
    }

    /// In screen-reader mode, signs are words.
    @Test func saysWordsWhereItIsReadOut() async throws {
        let dashboard = try await OffersCommands.dashboard()
        dashboard.set("on", for: SettingKey.linear.name)
        let text = dashboard.screen.text
        for words in ["open: News", "3 unread", "open: #x", "5 unread", "closed: Hidden", "search: found", "failed"] {
            #expect(text.contains(words), "\(words)\n\(text)")
        }
    }

    /// A change of a feed while it isn't stored, and a feed that is being fetched.
    @Test func countsFollowWhatIsRead() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        func row(_ word: String) -> String? { rows(dashboard).first { $0.contains(word) } }
        dashboard.screen.press("A")
        #expect(
            await dashboard.screen.wait {
                row("▌Alpha")?.hasSuffix("Alpha") == true && row(" Unread")?.hasSuffix(" 3") == true
            })
        #expect(dashboard.screen.text.contains("▐Feeds 3▌"))
        #expect(try dashboard.titles(with: .read) == Set(FeedWalk.titles("newest first")))
        dashboard.screen.press("u")
        #expect(
            await dashboard.screen.wait {
                row("▌Alpha")?.hasSuffix(" 5") == true && dashboard.screen.text.contains("▐Feeds 8▌")
            })
        #expect(await dashboard.screen.press("g g", "A") { dashboard.screen.text.contains("▐Feeds▌") })
        #expect(try dashboard.titles(with: .read).count == 8)
    }

    /// The second list shows the entries that the row counts.
    @Test func opensTheEntriesOfEachRow() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let library = dashboard.library
        let rows: [(identifier: AnyHashable, scope: EntryScope, title: String)] = [
            (FeedListModel.BuiltInList.all, .all, "All"), (FeedListModel.BuiltInList.starred, .starred, "Starred"),
            (FeedListModel.BuiltInList.unread, .unread(keepingReadSince: DashboardScreen.now), "Unread"),
            ("search \(try library.search.saved()[0].id)", .search(try SearchQuery("words")), "found"),
            (try id("alpha", dashboard), .subscription(try id("alpha", dashboard)), "Alpha"),
            ("feed \(try id("alpha", dashboard)) x", .subscription(try id("alpha", dashboard)), "Alpha"),
            (FeedGroup.folder("News", account: nil), .folder("News"), "News"), (FeedGroup.tag("x"), .tag("x"), "x"),
            (FeedGroup.hidden, .hidden, "Hidden"),
        ]
        for (identifier, scope, title) in rows {
            try dashboard.select(identifier)
            dashboard.screen.press("enter")
            #expect(dashboard.entryList?.scope == scope && dashboard.entryList?.title.string == title, "\(title)")
            dashboard.screen.press("h")
        }
    }

    /// Prompts hold their value selected: typing replaces it, and a key that moves the cursor keeps it.
    @Test func typingReplacesThePresentFolder() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let beta = try id("beta", dashboard)
        for (keys, folder) in [([], "Culture"), (["end"], "CultureCulture")] as [([String], String)] {
            try dashboard.select(beta)
            #expect(dashboard.screen.press("f", shows: "or a new name; empty for none"), "\(dashboard.screen.text)")
            for key in keys { dashboard.screen.press(key) }
            dashboard.screen.type("Culture", then: "enter")
            try await dashboard.settle()
            #expect(try dashboard.library.feeds.feed(beta)?.folder == folder)
        }
    }

    /// Without feeds, list, detail and bar say how to add one.
    @Test(arguments: [(120, 39), (80, 24), (42, 24)]) func saysHowToAddAFeed(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, feeds: [])
        #expect(await dashboard.screen.wait(for: "No feeds yet. a adds one."), "\(dashboard.screen.text)")
        #expect(dashboard.screen.lines.last?.contains("a add feed") == true, "\(dashboard.screen.text)")
    }

    /// Lists of feeds offer broken feeds, which lead to the health page.
    @Test func offersBrokenFeeds() async throws {
        let dashboard = try await OffersCommands.dashboard()
        try dashboard.select(FeedListModel.BuiltInList.broken)
        dashboard.screen.press("enter")
        #expect(
            dashboard.screen.text.contains("Broken feeds")
                && dashboard.screen.text.contains("▌https://broken.example/feed"))
        dashboard.screen.press("enter")
        #expect(dashboard.screen.text.contains("Error") && dashboard.screen.text.contains("no answer"))
        for key in ["q", "i", "enter", "h", "backspace", "esc"] {
            dashboard.screen.press(key)
            #expect(!dashboard.screen.text.contains("Newest entry"), "\(key)")
            #expect(dashboard.screen.press("esc", "i", shows: "Newest entry"))
        }
        dashboard.screen.press("q")
        #expect(
            dashboard.feedList?.table.selectedPath.flatMap { dashboard.feedList?.model.row(at: $0)?.name }
                == "https://broken.example/feed")
    }

    // MARK: What is selected at first

    @Test(
        arguments: [
            ("the first feed", "Alpha"), ("All", "All"), ("starred", "Starred"), ("beta", "Beta"), ("News", "News"),
            ("no such list", "Alpha"),
        ])
    func selectsTheRowOfTheSetting(value: String, row: String) async throws {
        let dashboard = try await DashboardScreen(
            120, 30, feeds: FeedWalk.feeds,
            adjust: { environment in
                environment.settings.use(value == "News" ? "the first feed" : value, for: SettingKey.startList.name)
            })
        let list = try #require(dashboard.feedList)
        let name = list.table.selectedPath.flatMap { list.model.row(at: $0)?.name }
        #expect(name == (value == "News" ? "Alpha" : row))
    }

    /// An open list of any kind is open again at the next start.
    @Test func restoresEveryKindOfList() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("l.sqlite")
        let first = try await DashboardScreen(120, 34, feeds: FeedWalk.feeds, path: path)
        let library = first.library
        let (alpha, beta) = (try id("alpha", first), try id("beta", first))
        try await library.changes.perform(.tag(alpha, ["x"]))
        try await library.changes.perform(.move(beta, folder: "News"))
        try await library.changes.perform(.saveSearch(name: "found", query: "words"))
        var options = SubscriptionOptions()
        options.isHidden = true
        let hidden = try await library.follow("https://hidden.example/feed")
        try await library.changes.perform(.setOptions(hidden, options))
        try await library.setMark(.later, true, in: .all, now: 1)
        try await library.indexAll()
        #expect(
            await first.screen.wait { first.screen.text.contains("Hidden") && first.screen.text.contains("Read later") }
        )
        let rows: [(identifier: AnyHashable, name: String)] = [
            (FeedListModel.BuiltInList.all, "all"), (FeedListModel.BuiltInList.starred, "starred"),
            (FeedListModel.BuiltInList.unread, "unread"), (FeedListModel.BuiltInList.later, "later"),
            ("search \(try library.search.saved()[0].id)", "search:words"), (alpha, "feed:https://alpha.example/feed"),
            (FeedGroup.folder("News", account: nil), "folder:News"), (FeedGroup.tag("x"), "tag:x"),
            (FeedGroup.hidden, "hidden"),
        ]
        for (identifier, name) in rows {
            try first.select(identifier)
            first.screen.press("enter", "j")
            let (scope, entry) = (first.entryList?.scope, first.entryList?.selectedEntryID)
            let state = try #require(first.savedState())
            let kept = try JSONDecoder().decode(
                DashboardState.FeedState.self, from: Data(try #require(state.roots["feeds"]).utf8))
            #expect(kept.list == name && kept.selectedEntry == entry && kept.isFeedListFocused == false, "\(name)")
            let second = try await DashboardScreen(120, 34, feeds: [], state: state, race: nil, path: path)
            #expect(second.entryList?.scope == scope && second.entryList?.selectedEntryID == entry, "\(name)")
            first.screen.press("h")
        }
    }

    /// Without an open list the next start selects the same row and opens nothing.
    @Test func selectsTheRowOfTheLastRun() async throws {
        let first = try await DashboardScreen(120, 34, race: nil)
        for identifier in [FeedListModel.BuiltInList.all, .starred, .unread] {
            try first.select(identifier)
            let state = try #require(first.savedState())
            let second = try await DashboardScreen(120, 34, state: state, race: nil)
            #expect(second.feedList?.selectedRow?.identifier == AnyHashable(identifier))
            #expect(second.entryList == nil)
            let wide = try await DashboardScreen(200, 34, state: state, race: nil)
            #expect(wide.entryList?.title == identifier.title)
        }
        // After a resize, the list of another row is still there without being shown.
        let resized = try await DashboardScreen(200, 34, race: nil)
        resized.screen.press("g", "g")
        resized.screen.resize(100, 34)
        resized.screen.press("j")
        let last = try await DashboardScreen(100, 34, state: resized.savedState(), race: nil)
        #expect(last.feedList?.selectedRow?.identifier == AnyHashable(FeedListModel.BuiltInList.all))
        #expect(last.entryList == nil && last.screen.lines[2].hasPrefix(" Feeds"))
    }

    // MARK: Feeds

    /// Fetches only the selected feed, or all of them; a list's own key fetches all.
    @Test func reloadsOneFeedOrAll() async throws {
        let server = try LoopbackServer { request in
            .init(FeedWalk.atom(request.path == "/a" ? "Alpha" : "Beta", [("New", 60)]), type: "application/atom+xml")
        }
        let dashboard = try await DashboardScreen(
            100, 30,
            feeds: [(server.url("/a"), FeedWalk.atom("Alpha", [])), (server.url("/b"), FeedWalk.atom("Beta", []))])
        let screen = dashboard.screen
        func paths() -> [String] { server.requests.map(\.path).filter { $0.count == 2 } }
        for (keys, expected) in [
            (["r"], ["/a"]), (["j", "r"], ["/b"]), (["R"], ["/a", "/b"]), (["g g", "r"], ["/a", "/b"]),
            (["enter", "r"], ["/a", "/b"]), (["R"], ["/a", "/b"]), (["h", "G", "enter", "r"], ["/b"]),
        ] {
            let before = paths().count
            for key in keys { screen.press(key) }
            #expect(await screen.wait { paths().count >= before + expected.count }, "\(keys)")
            try await dashboard.settle()
            #expect(
                await screen.wait {
                    !dashboard.screen.application.window.offeredCommands.contains {
                        $0.name == "feeds.stopReload" && $0.isEnabled
                    }
                })
            #expect(paths().dropFirst(before).sorted() == expected, "\(keys)")
        }
    }

    @Test func opensTheHomePage() async throws {
        let dashboard = try await DashboardScreen(100, 30)
        dashboard.screen.press("o")
        #expect(await dashboard.openedLinks == ["https://loaf.example/"])
    }

    /// Each prompt starts with the current value; an empty one restores the default.
    @Test func renamesMovesAndTagsOneFeed() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let (screen, library) = (dashboard.screen, dashboard.library)
        let alpha = try id("alpha", dashboard)
        func enter(_ key: String, shows: String, _ text: String) async throws {
            #expect(screen.press(key, shows: shows), "\(key)\n\(screen.text)")
            screen.press("ctrl-u", typing: text, then: "enter")
            try await dashboard.settle()
        }
        func feed() throws -> SubscriptionRow? { try library.feeds.feed(alpha) }
        try await enter("e", shows: "Alpha", "Mine")
        #expect(try feed()?.title == "Mine")
        #expect(await screen.wait { rows(dashboard).contains { $0.contains("▌Mine") } })
        try await enter("e", shows: "Mine", "")
        #expect(try feed()?.title == "Alpha")
        try await dashboard.press("u", "u")
        #expect(try feed()?.title == "Alpha")
        try await enter("f", shows: "a new name; empty for none", "Sport")
        #expect(try feed()?.folder == "Sport")
        #expect(await screen.wait { rows(dashboard).contains { $0.contains("▌  Alpha") } })
        try await enter("f", shows: "Sport", "")
        #expect(try feed()?.folder == nil)
        try await dashboard.press("u")
        #expect(try feed()?.folder == "Sport")
        try await enter("t", shows: "Separate tags with spaces", "one \"two words\" one")
        #expect(try library.feeds.health(of: alpha)?.tags == ["one", "two words"])
        #expect(await screen.wait { screen.text.contains("#two words") })
        try await enter("t", shows: "one \"two words\"", "")
        #expect(try library.feeds.health(of: alpha)?.tags == [])
        // Closing a prompt changes nothing.
        for key in ["e", "f", "t"] {
            screen.press(key, typing: "no", then: "esc")
        }
        try await dashboard.settle()
        #expect(
            try feed()?.title == "Alpha" && feed()?.folder == "Sport" && library.feeds.health(of: alpha)?.tags == [])
    }

    @Test func unsubscribesAfterAQuestion() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let (screen, library) = (dashboard.screen, dashboard.library)
        #expect(screen.press("d", shows: "Alpha and its 5 entries will be removed. u undoes "))
        // Enter first means Cancel.
        try await dashboard.press("enter")
        #expect(try library.feeds.all().count == 2)
        try await dashboard.press("d", "right", "enter")
        #expect(try library.feeds.all().map(\.title) == ["Beta"] && library.entries.count(in: EntryQuery(.all)) == 3)
        try await dashboard.press("u")
        #expect(
            try Set(library.feeds.all().map(\.title)) == ["Alpha", "Beta"]
                && library.entries.count(in: EntryQuery(.all)) == 8)
    }

    @Test func changesTagsOfSeveralFeeds() {
        let table: [(tags: [String], typed: String, after: [String])] = [
            ([], "", []), ([], "a b", ["a", "b"]), (["a"], "b", ["a", "b"]), (["a", "b"], "-a", ["b"]),
            (["a", "b"], "a", ["b", "a"]), (["a"], "-a b", ["b"]), (["b"], "-a", ["b"]),
            (["a", "b"], "-a -b c", ["c"]), (["a"], "a -a", ["a"]),
        ]
        for (tags, typed, after) in table {
            #expect(FeedActions.tags(tags, changedBy: typed) == after, "\(tags) \(typed)")
        }
    }

    /// Commands act on all marked feeds and no others, in one step; only removing them is confirmed.
    @Test func actsOnMarkedFeeds() async throws {
        let feeds = ["One", "Two", "Six"].map {
            ("https://\($0.lowercased()).example/feed", FeedWalk.atom($0, [("\($0)1", 60)]))
        }
        let dashboard = try await DashboardScreen(100, 30, feeds: feeds)
        let (screen, library) = (dashboard.screen, dashboard.library)
        func all() throws -> [String: SubscriptionRow] {
            Dictionary(uniqueKeysWithValues: try library.feeds.all().map { ($0.title, $0) })
        }
        func mark() { screen.press("home", "j", "j", "j", "v", "j", "v", "k", "k") }
        // The first and the last feed.
        mark()
        try await dashboard.press("A")
        #expect(try all().mapValues(\.unread) == ["One": 0, "Two": 1, "Six": 0])
        screen.press("esc")
        mark()
        #expect(screen.press("f", shows: "2 feeds. Folder: a new name; empty for none"))
        screen.type("News", then: "enter")
        try await dashboard.settle()
        #expect(try all().mapValues(\.folder) == ["One": "News", "Two": nil, "Six": "News"])
        try await dashboard.press("u")
        #expect(try all().values.allSatisfy { $0.folder == nil })
        #expect(await screen.wait { !screen.text.contains("▾ News") })
        screen.press("esc")
        mark()
        #expect(screen.press("t", shows: "Tags for 2 feeds; -word removes one"))
        screen.type("daily", then: "enter")
        try await dashboard.settle()
        #expect(
            try all().mapValues { try library.feeds.health(of: $0.id)?.tags } == [
                "One": ["daily"], "Two": [], "Six": ["daily"],
            ])
        screen.press("esc")
        mark()
        #expect(screen.press("d", shows: "2 feeds and their 2 entries will"))
        try await dashboard.press("right", "enter")
        #expect(try Array(all().keys) == ["Two"])
        try await dashboard.press("u")
        #expect(try Set(all().keys) == ["One", "Two", "Six"])
        // For one marked feed the question shows its name.
        #expect(await screen.wait { rows(dashboard).contains { $0.contains("One") } })
        screen.press("esc", "home", "j", "j", "j", "v", "d")
        #expect(screen.text.contains("One and its 1 entry will"), "\(screen.text)")
    }

    // MARK: Groups and searches

    @Test func renamesAndDissolvesGroups() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let (screen, library) = (dashboard.screen, dashboard.library)
        let (alpha, beta) = (try id("alpha", dashboard), try id("beta", dashboard))
        func enter(_ text: String, shows: String) async throws {
            #expect(screen.press("e", shows: shows))
            screen.press("ctrl-u", typing: text, then: "enter")
            try await dashboard.settle()
        }
        try dashboard.select(FeedGroup.tag("x"))
        // A tag is a single word.
        try await enter("two words", shows: "The tag's name; an existing name merges both")
        #expect(try library.feeds.health(of: alpha)?.tags == ["two-words"])
        try await dashboard.press("u")
        #expect(try library.feeds.health(of: alpha)?.tags == ["x"])
        try dashboard.select(FeedGroup.folder("News", account: nil))
        try await enter("News", shows: "The folder's name; an existing name merges both")
        #expect(!screen.text.contains("u: "))
        try await enter("World news", shows: "News")
        #expect(try library.feeds.feed(beta)?.folder == "World news")
        #expect(await screen.wait(for: "▾ World news"))
        try dashboard.select(FeedGroup.folder("World news", account: nil))
        try await enter("", shows: "World news")
        #expect(try library.feeds.feed(beta)?.folder == nil)
    }

    @Test func marksAndCollapsesGroups() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let (screen, library) = (dashboard.screen, dashboard.library)
        for (group, read) in [
            (FeedGroup.tag("x"), Set(FeedWalk.titles("newest first"))),
            (.folder("News", account: nil), ["B1", "B2", "B3"]),
        ] {
            try dashboard.select(group)
            try await dashboard.press("A")
            #expect(try dashboard.titles(with: .read) == read, "\(group)")
            try await dashboard.press("u")
            #expect(try dashboard.titles(with: .read).isEmpty)
            func isClosed() throws -> Bool? { try library.feeds.groupPlaces()(group)?.isClosed }
            func title() -> String? {
                screen.application.window.offeredCommands.first { $0.name == "feed.collapse" }?.title.string
            }
            #expect(title() == "Collapse")
            #expect(await screen.press("-") { title() == "Expand" })
            #expect(try isClosed() == true)
            // Collapsing a row is not an undo step.
            try await dashboard.press("u")
            #expect(try isClosed() == true)
            #expect(await screen.press("-") { title() == "Collapse" })
            #expect(try isClosed() == false)
        }
    }

    @Test func renamesSortsAndForgetsSearches() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let (screen, library) = (dashboard.screen, dashboard.library)
        let search = try library.search.saved()[0]
        try dashboard.select("search \(search.id)")
        screen.press("e", "ctrl-u", typing: "Other", then: "enter")
        try await dashboard.settle()
        #expect(try library.search.saved().map(\.name) == ["Other"] && library.search.saved()[0].query == "words")
        try await dashboard.press("e", "ctrl-u", "enter")
        #expect(try library.search.saved().map(\.name) == ["Other"])
        for (downs, order) in EntryOrder.allCases.enumerated().reversed() {
            screen.press(",")
            // The current order is marked.
            let marked = screen.lines.filter { $0.contains("✓") }
            #expect(marked.count == 1, "\(screen.text)")
            for _ in 0..<downs { screen.press("j") }
            try await dashboard.press("enter")
            #expect(try library.search.saved()[0].order == order)
            #expect(await screen.wait { dashboard.feedList?.model.contents.searches.first?.order == order })
        }
        #expect(screen.press(",", shows: "✓ As in settings"))
        try await dashboard.press("esc", "d")
        #expect(try library.search.saved().isEmpty)
        try await dashboard.press("u")
        #expect(try library.search.saved().map(\.name) == ["Other"])
    }

    @Test func keepsASearchUnderItsName() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let (screen, library) = (dashboard.screen, dashboard.library)
        for (typed, name) in [("Mine", "Mine"), ("", "words")] {
            screen.press("S", typing: "words", then: "enter")
            #expect(await screen.wait(for: "Words of A1"))
            screen.press("K", "ctrl-u", typing: typed, then: "enter")
            // The message of the first round may still be shown.
            try await dashboard.settle()
            #expect(await screen.wait(for: "Saved in the list of feeds."))
            #expect(try library.search.saved().map(\.name) == [name] && library.search.saved()[0].query == "words")
        }
    }

    @Test func movesRowsByKeys() async throws {
        let dashboard = try await OffersCommands.dashboard()
        let (screen, library) = (dashboard.screen, dashboard.library)
        func titles() throws -> [String] {
            try library.feeds.all().filter { !$0.isHidden && $0.folder == nil }.map(\.title)
        }
        let before = try titles()
        #expect(before == ["Alpha", "https://broken.example/feed"])
        try dashboard.select(try id("alpha", dashboard))
        try await dashboard.press("J")
        #expect(try titles() == before.reversed())
        #expect(
            await screen.wait {
                dashboard.feedList?.model.row(at: dashboard.feedList?.table.selectedPath ?? RowPath(row: 0))?.name
                    == "Alpha"
            })
        try await dashboard.press("u")
        #expect(try titles() == before)
        #expect(await screen.wait { dashboard.feedList?.model.contents.subscriptions.first?.title == "Alpha" })
        #expect(screen.press("K", shows: "K: this needs a row that can be moved"))
        #expect(try titles() == before)
    }

    // MARK: Options

    /// Each option cycles through its values, changes nothing else, and can be undone.
    @Test func cyclesThroughEveryOption() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let (screen, library) = (dashboard.screen, dashboard.library)
        let alpha = try id("alpha", dashboard)
        func options() throws -> SubscriptionOptions { try library.feeds.options(of: alpha) }
        typealias Options = SubscriptionOptions
        func with(_ change: (inout Options) -> Void) -> Options {
            var options = Options()
            change(&options)
            return options
        }
        let rows: [(title: String, values: [(Options, String)])] = [
            ("Full text", [(with { $0.fullText = true }, "always"), (Options(), "on request")]),
            ("Counts as unread", [(with { $0.isUncounted = true }, "never"), (Options(), "yes")]),
            (
                "Entries a day",
                ([1, 3, 5, 10, 20] as [Int]).map { (limit: Int) in
                    (with { $0.dailyLimit = limit }, "\(limit), the rest archived")
                } + [(Options(), "all")]
            ),
            (
                "Automatic reload",
                [
                    (with { $0.interval = 60 }, "every 1 h"), (with { $0.interval = 360 }, "every 6 h"),
                    (with { $0.interval = 1440 }, "once a day"), (Options(), "as the feed suggests"),
                ]
            ),
            (
                "Pictures in articles",
                [
                    (with { $0.showsPictures = true }, "shown"), (with { $0.showsPictures = false }, "on request"),
                    (Options(), "as in settings"),
                ]
            ),
            ("Changed entries", [(with { $0.marksChangedUnread = true }, "become unread"), (Options(), "stay read")]),
            (
                "Mark as read after",
                [
                    (with { $0.readAfterDays = 1 }, "1 day"), (with { $0.readAfterDays = 3 }, "3 days"),
                    (with { $0.readAfterDays = 7 }, "7 days"), (with { $0.readAfterDays = 30 }, "30 days"),
                    (Options(), "never"),
                ]
            ),
            ("Notifications", [(with { $0.notifies = true }, "yes"), (Options(), "no")]),
            ("In the list", [(with { $0.isHidden = true }, "hidden"), (Options(), "yes")]),
        ]
        screen.press(",")
        for (title, values) in rows {
            func value() -> String? { screen.lines.first { $0.contains("▌\(title)") } }
            for (expected, words) in values {
                try await dashboard.press("enter")
                #expect(try options() == expected, "\(title) \(words)")
                #expect(value()?.contains(words) == true, "\(words): \(String(describing: value()))")
            }
            try await dashboard.press("enter", "u")
            #expect(try options() == Options(), "\(title)")
            screen.press("j")
        }
        // The table has all rows: nothing comes after the last one.
        let last = rows.last?.title ?? ""
        #expect(screen.lines.contains { $0.contains("▌\(last)") }, "\(screen.text)")
    }
}
