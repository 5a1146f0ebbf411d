import TerminalUI
import Testing

@testable import Dashboard

/// A title that the bar would truncate is on the page, and in the bar only while it is scrolled away.
@MainActor
@Suite struct MovesTitles {
    private static let title = "A title of so many words that the bar of a narrow pane has to truncate it"

    private static let feed: String = {
        let lines = (0..<60).map { "&lt;p&gt;Line \($0).&lt;/p&gt;" }.joined()
        let items = [title, "Short"].map { title in
            "<item><title>\(title)</title><guid>\(title)</guid><description>\(lines)</description></item>"
        }
        return "<rss><channel><title>Alpha</title>\(items.joined())</channel></rss>"
    }()

    private func dashboard(_ width: Int, _ height: Int, list: [String]) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(width, height, feeds: [("https://a.example/feed", MovesTitles.feed)])
        for key in list { dashboard.screen.press(key) }
        #expect(await dashboard.screen.press("home", "enter", until: "Line 0."))
        try await dashboard.settle()
        return dashboard
    }

    private func count(_ text: String, in dashboard: DashboardScreen) -> Int {
        dashboard.screen.text.components(separatedBy: text).count - 1
    }

    @Test func movesTheTitleIntoTheBarAsItScrollsAway() async throws {
        let dashboard = try await dashboard(60, 24, list: ["enter"])
        let screen = dashboard.screen
        #expect(count("A title of", in: dashboard) == 1 && screen.text.contains("1 of 2"))
        #expect(screen.text.contains("truncate it"))
        screen.press("space")
        #expect(count("A title of", in: dashboard) == 1 && screen.text.contains("1 of 2"))
        #expect(screen.lines.contains { $0.contains("A title of so many") && $0.contains("…") })
        screen.press("g g")
        #expect(count("A title of", in: dashboard) == 1 && screen.text.contains("1 of 2"))
        // A title that would fit into the bar is on the page alone, too.
        #expect(await screen.press("]") { !screen.text.contains("A title") })
        #expect(count("Short", in: dashboard) == 1 && screen.text.contains("2 of 2"))
    }

    /// The bar names the feed, and the line below the title doesn't.
    @Test(arguments: [true, false])
    func namesTheFeedOnce(isList: Bool) async throws {
        let dashboard = try await dashboard(39, 24, list: isList ? ["g g", "j", "enter"] : ["enter"])
        let bar = dashboard.screen.lines.first { $0.contains("1 of 2") } ?? ""
        #expect(bar.contains("Alpha"), "\(dashboard.screen.text)")
        #expect(count("Alpha", in: dashboard) == 1, "\(dashboard.screen.text)")
    }

    /// In one line there is only the title.
    @Test func showsTheTitleInALowPane() async throws {
        let dashboard = try await dashboard(40, 24, list: ["enter"])
        dashboard.screen.resize(40, 2)
        #expect(dashboard.screen.lines[0].contains("A title of so many"), "\(dashboard.screen.text)")
    }
}
