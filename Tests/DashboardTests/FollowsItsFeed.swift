import FeedParsing
import Feeds
import Foundation
import LibraryTesting
import LoopbackServer
import ModelCore
import Pictures
import TerminalUI
import TerminalUITesting
import Testing

/// An open article shows changes by its feed, and its keys work from the list beside it.
@MainActor
@Suite struct FollowsItsFeed {
    private static func feed(_ title: String, before: String = "", word: String) -> String {
        let lines = (0..<60).map { "&lt;p&gt;Line \($0)\($0 == 41 ? word : "").&lt;/p&gt;" }.joined()
        return """
            <rss><channel><title>Long</title><item><guid>1</guid><title>\(title)</title>
            <description>\(before)\(lines)</description></item></channel></rss>
            """
    }

    private func store(_ text: String, in dashboard: DashboardScreen) async throws {
        let url = "https://long.example/feed"
        let id = try #require(try dashboard.library.feeds.all().first { $0.url == url }?.id)
        let reading = try FeedParser.parse(Array(text.utf8), base: url)
        try await dashboard.library.store(reading.feed, in: id, record: FetchRecord(date: DashboardScreen.now))
    }

    @Test(arguments: [Size(width: 120, height: 24), Size(width: 50, height: 20)])
    func FEE_06_anOpenArticleFollowsItsFeed(_ size: Size) async throws {
        let first = FollowsItsFeed.feed("One", word: " dry")
        let dashboard = try await DashboardScreen(
            size.width, size.height, feeds: [("https://long.example/feed", first)])
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "Line 5."))
        for _ in 0..<30 where !screen.text.contains("Line 41 dry") { screen.press("ctrl-d") }
        let row = try #require(screen.lines.firstIndex { $0.contains("Line 40.") })
        // The text above the line being read grows, and a visible word changes.
        let more = (0..<7).map { "&lt;p&gt;New \($0).&lt;/p&gt;" }.joined()
        try await store(FollowsItsFeed.feed("Two", before: more, word: " wet"), in: dashboard)
        #expect(await screen.wait(for: "Line 41 wet"))
        #expect(!screen.text.contains("dry"))
        #expect(screen.lines.firstIndex { $0.contains("Line 40.") } == row)
        #expect(await screen.press("D", until: "~~One~~"))
        screen.press("h")
        #expect(await screen.press("g", "g", until: "New 0."))
        #expect(screen.text.contains("Two"))
    }

    /// A mark or a reload without changes leaves the text and its selection alone.
    @Test func keepsAnUnchangedArticle() async throws {
        let text = FollowsItsFeed.feed("One", word: " dry")
        let dashboard = try await DashboardScreen(120, 24, feeds: [("https://long.example/feed", text)])
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "Line 5."))
        screen.press("space")
        func article() -> [String] { screen.lines[3...].map { String($0.dropFirst(46)) } }
        let before = article()
        let id = try #require(try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
        try await dashboard.library.setMark(.starred, true, entries: [id], now: 1)
        try await store(text, in: dashboard)
        try await dashboard.settle()
        #expect(article() == before)
    }

    /// The picture of an article is enlarged by the same key from the list beside it.
    @Test func aPictureGrowsFromTheListBesideIt() async throws {
        let text = """
            <rss><channel><title>Long</title><item><guid>1</guid><title>One</title>
            <description>&lt;p&gt;Text.&lt;/p&gt;&lt;img src="https://long.example/a.jpg" alt="Climb"&gt;</description>
            </item></channel></rss>
            """
        let dashboard = try await DashboardScreen(140, 30, feeds: [("https://long.example/feed", text)]) { _ in
            // A white square inside a black one.
            var pixels: [UInt8] = []
            for row in 0..<40 {
                for column in 0..<40 {
                    let isWhite = (10..<30).contains(row) && (10..<30).contains(column)
                    pixels += [UInt8](repeating: isWhite ? 255 : 0, count: 3) + [255]
                }
            }
            return .success(Picture(width: 40, height: 40, rgba: pixels))
        }
        let screen = dashboard.screen
        try await dashboard.settings.set("halves", for: "appearance.pictures", in: dashboard.library)
        #expect(await screen.press("enter", "enter", until: "P pictures"))
        #expect(await screen.press("P") { screen.text.contains("From long.example") && screen.text.contains("▀▀▀▀") })
        func whiteCells() -> Int { (0..<140).count { screen.terminal.cells[$0, 14].style.foreground == .palette(231) } }
        let whole = whiteCells()
        screen.press("\\", "\\")
        screen.press("+", "+", "+")
        #expect(whiteCells() > whole)
        screen.press("-")
        screen.press("0")
        #expect(whiteCells() == whole)
    }

    /// The article key refers to the selected stage in every layout; adding a race has its own key.
    @Test(arguments: [Size(width: 100, height: 24), Size(width: 70, height: 24), Size(width: 40, height: 20)])
    func theListReadsTheArticleOfItsStage(_ size: Size) async throws {
        let server = try LoopbackServer { _ in
            let words = (0..<80).map { "word\($0)" }.joined(separator: " ")
            return .init(
                "<html><body><article><p>\(words)</p><p>\(words)</p></article></body></html>", type: "text/html")
        }
        let dashboard = try await DashboardScreen(
            size.width, size.height, segment: "stages", race: DashboardScreen.race(on: server))
        let screen = dashboard.screen
        // The list has the focus in any layout; only the first stage has an article.
        if !screen.text.contains("Évora") { screen.press("\\") }
        screen.press("g")
        screen.press("?")
        let help = screen.text
        screen.press("esc")
        if size.height >= 24 { #expect(help.contains("Read Article")) }
        #expect(await screen.press("a", until: "word1 "))
        #expect(!screen.text.contains("Follow a race"))
    }
}
