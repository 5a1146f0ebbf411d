import FeedParsing
import LibraryTesting
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment

/// The card of the selected row, in the detail until an entry opens.
@MainActor
@Suite struct ShowsFeedCards {
    private func walk(_ width: Int = 120, _ height: Int = 39, follows: Bool = true) async throws -> DashboardScreen {
        let dashboard = try await FeedWalk.dashboard(opens: false, width, height) { environment in
            if follows { environment.settings.use("on", for: SettingKey.followList.name) }
        }
        #expect(await dashboard.screen.wait(for: "Words of A1."))
        return dashboard
    }

    /// The lines of the detail beside the list.
    private func detail(_ dashboard: DashboardScreen) -> [String] {
        dashboard.column(46..<120).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test func FEE_05_showsTheSelectedFeed() async throws {
        let dashboard = try await walk()
        let lines = detail(dashboard)
        #expect(lines[2].contains("Alpha") && lines[3].contains("5 unread of 5 · one every week · alpha.example"))
        #expect(lines[4].contains("Reloaded 2 hours ago · every 60 min"))
        // A1 a moment ago, A2 and A3 yesterday, A4 eight days ago; A5 is older than 30 days.
        #expect(lines[6].contains("▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▅▁▁▁▁▁▁█▅  4 entries in 30 days"))
        #expect(lines[8].hasPrefix(" ● A1 ") && lines[8].hasSuffix(" 1 h"))
        #expect(lines[9].hasPrefix("   Words of A1."))
        #expect(lines[10].hasPrefix(" ● A2"))
    }

    /// The card follows the selection to folders, built-in lists and saved searches.
    @Test func FEE_05_followsTheSelection() async throws {
        let dashboard = try await walk()
        try await dashboard.library.changes.perform(.saveSearch(name: "Second", query: "title:b2"))
        #expect(await dashboard.screen.wait(for: "⌕ Second"))
        dashboard.screen.press("g", "g")
        for (name, fact) in [
            ("Unread", "2 feeds · 8 unread"), ("All", "6 entries in 30 days"),
            ("Starred", "No starred entries. s stars the selected entry."), ("Second", "title:b2"),
            ("Alpha", "5 unread of 5"), ("News", "1 feed · 3 unread"), ("Beta", "3 unread of 3"),
        ] {
            #expect(await dashboard.screen.wait { detail(dashboard)[2].contains(name) }, "\(name)")
            #expect(detail(dashboard).contains { $0.contains(fact) }, "\(name): \(dashboard.screen.text)")
            #expect(dashboard.split?.hasDetail == false)
            dashboard.screen.press("j")
        }
    }

    /// A card with entries of several feeds names them.
    @Test func namesFeedsInCardsOfSeveral() async throws {
        let dashboard = try await walk()
        #expect(await dashboard.screen.press("g", "g") { detail(dashboard).contains { $0.hasSuffix("Beta · 2 h") } })
        #expect(detail(dashboard).contains { $0.hasPrefix(" ● A1 ") && $0.hasSuffix(" Alpha · 1 h") })
    }

    @Test func opensTheClickedEntry() async throws {
        let dashboard = try await walk()
        dashboard.screen.click(on: "Words of A3.")
        #expect(await dashboard.screen.wait { dashboard.shownTitle == "A3" })
        #expect(dashboard.selectedTitle == "A3")
    }

    /// An article stays when its reader goes back to the feeds, until another row is selected. The setting for
    /// following applies to the card too.
    @Test func FEE_05_replacesAnArticleOnceTheSelectionMoves() async throws {
        for follows in [true, false] {
            let dashboard = try await walk(follows: follows)
            #expect(await dashboard.screen.press("enter", "enter") { dashboard.shownTitle == "A1" })
            dashboard.screen.press("h", "h")
            #expect(dashboard.split?.focusedColumn == .primary && dashboard.shownTitle == "A1")
            dashboard.screen.press("g", "g")
            guard follows else {
                let other = try await walk()
                #expect(await other.screen.press("g", "g") { detail(other)[2].contains("Unread") })
                #expect(dashboard.shownTitle == "A1")
                continue
            }
            #expect(await dashboard.screen.wait { detail(dashboard)[2].contains("Unread") })
            #expect(dashboard.split?.hasDetail == false && dashboard.split?.focusedColumn == .primary)
        }
    }

    @Test func FEE_03_showsErrorsOnTheCard() async throws {
        let dashboard = try await walk()
        let alpha = try #require(try dashboard.library.feeds.feed(url: "https://alpha.example/feed")).id
        // The card that is shown follows each of them.
        for words in ["! no such host", "! no such host (2 times in a row)"] {
            try await dashboard.library.changes.perform(
                NoteFailure(alpha, "no such host", notBefore: nil, isGone: false, date: DashboardScreen.now))
            #expect(await dashboard.screen.wait(for: words))
        }
        #expect(detail(dashboard).contains { $0.contains("Reloaded now · next in 1 hour") })
        #expect(await dashboard.screen.press("g", "g", until: "! Alpha: no such host"))
    }

    /// New entries appear on the card without a key.
    @Test func showsNewEntries() async throws {
        let dashboard = try await walk()
        let alpha = try #require(try dashboard.library.feeds.feed(url: "https://alpha.example/feed")).id
        try await dashboard.store(FeedWalk.atom("Alpha", [("A0", 60)] + FeedWalk.alpha), in: alpha)
        #expect(await dashboard.screen.wait(for: "● A0"))
        #expect(await dashboard.screen.wait(for: "6 unread of 6"))
    }

    @Test func FEE_05_namesTheKeysThatAddFeeds() async throws {
        let keys = KeyMap(["feed.add": ["f7"]])
        let dashboard = try await DashboardScreen(120, 30, feeds: [], keyMap: keys)
        let lines = detail(dashboard).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("No feeds yet") && lines.contains("F7  Add feed"))
        #expect(lines.contains("I  Import subscriptions"))
        try await dashboard.library.follow("https://alpha.example/feed")
        #expect(await dashboard.screen.wait { !dashboard.screen.text.contains("No feeds yet") })
    }

    @Test func drawsAnyActivity() {
        for (counts, signs) in [
            ([0, 1, 2, 4], "▁▃▅█"), ([0, 0], "▁▁"), ([1], "█"), ([Int.max, 1, -1], "█▂▁"), ([], ""),
        ] as [([Int], String)] {
            #expect(FeedCardText.columns(counts, hasUnicode: true).map(\.string) == [signs], "\(counts)")
        }
        #expect(FeedCardText.columns([0, 4], hasUnicode: false).map(\.string) == ["_#"])
        #expect(FeedCardText.columns([0, 1, 4, 8], height: 2, hasUnicode: true).map(\.string) == ["  ▁█", "▁▃██"])
    }

    /// A long text takes the lines that short ones leave.
    @Test func sharesTheLinesAmongTheEntries() async throws {
        func item(_ title: String, _ text: String) -> String {
            "<item><title>\(title)</title><guid>\(title)</guid><description>\(text)</description></item>"
        }
        let long = String(repeating: "word ", count: 120) + "end."
        let items = item("One", long) + item("Two", "Short.") + item("Three", "Brief.")
        let dashboard = try await DashboardScreen(
            120, 39,
            feeds: [("https://alpha.example/feed", "<rss><channel><title>Alpha</title>\(items)</channel></rss>")],
            race: nil)
        #expect(await dashboard.screen.wait(for: "Short."), "\(dashboard.screen.text)")
        #expect(dashboard.screen.text.contains("end.") && dashboard.screen.text.contains("Brief."))
        // In a lower pane the long text is cut, and the short ones stay.
        dashboard.screen.resize(120, 20)
        let rows = dashboard.screen.lines.count { $0.contains("word word") }
        #expect(rows > 2 && !dashboard.screen.text.contains("end."), "\(dashboard.screen.text)")
        #expect(dashboard.screen.text.contains("Short.") && dashboard.screen.text.contains("Brief."))
    }

    /// In any width lines fit, and in screen-reader mode words replace signs.
    @Test func fitsAnyWidth() async throws {
        let dashboard = try await walk()
        var subject = FeedCard.Subject(name: "All", feeds: try dashboard.library.feeds.all(), query: EntryQuery(.all))
        subject.notes = ["a note"]
        let card = try FeedCard(subject, library: dashboard.library, now: DashboardScreen.now)
        var spoken = Symbols.unicode
        spoken.isLinear = true
        for columns in 1...100 {
            for symbols in [Symbols.unicode, spoken] {
                let text = FeedCardText(
                    columns: columns, rows: 24, dates: DateText(style: .relative, now: DashboardScreen.now),
                    symbols: symbols,
                    hasUnicode: true, reloadMinutes: 0)
                let lines = text.lines(of: card, emptyText: "")
                #expect(lines.allSatisfy { $0.pieces.reduce(0) { $0 + $1.text.columns } <= max(columns, 4) })
                let words = lines.flatMap { $0.pieces.map(\.text.string) }.joined(separator: "\n")
                #expect(
                    words.contains("●") != symbols.isLinear && words.contains("█") == !symbols.isLinear || columns < 34)
            }
        }
    }
}
