import TerminalUI
import Testing

@testable import Dashboard

/// The words of a search, highlighted in its results and in the articles opened from there.
@MainActor
@Suite struct HighlightsHits {
    private static let feed: String = {
        let words = String(repeating: "far away from here ", count: 40)
        return """
            <rss><channel><title>A feed with a name that is rather long</title><item><guid>1</guid>
            <title>A day on Gravel, 東京 gravel</title>
            <description>&lt;p&gt;\(words) then Grável came. \(words)&lt;/p&gt;&lt;p&gt;No gravel, regravel.&lt;/p&gt;
            </description></item></channel></rss>
            """
    }()

    private func dashboard(_ width: Int) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(width, 24, feeds: [("https://a.example/feed", HighlightsHits.feed)])
        try await dashboard.library.indexAll()
        dashboard.screen.press("S", typing: "gravel", then: "enter")
        #expect(await dashboard.screen.wait(for: "A day on Gravel"))
        try await dashboard.settle()
        return dashboard
    }

    /// Returns the underlined letters of a line up to a column. Without colours, matches are bold and underlined.
    private func highlighted(_ row: Int?, before end: Int = .max, in dashboard: DashboardScreen) -> String {
        let screen = dashboard.screen
        guard let row else { return "" }
        var letters = ""
        var column = 0
        for character in screen.lines[row] where column < end {
            if screen.terminal.cells[column, row].style.attributes.contains(.underline) { letters.append(character) }
            column += DisplayText(String(character)).columns
        }
        return letters
    }

    @Test func highlightsHitsInRows() async throws {
        let dashboard = try await dashboard(120)
        let list = 45
        let lines = dashboard.screen.lines
        let title = lines.firstIndex { $0.contains("▌● A day on Gravel") }
        #expect(highlighted(title, before: list, in: dashboard) == "Gravelgravel", "\(dashboard.screen.text)")
        // The excerpt begins just before the hit, and the feed is at its right.
        let excerpt = lines.firstIndex { $0.hasPrefix("▌  …here then Grável") }
        #expect(highlighted(excerpt, before: list, in: dashboard) == "Grável", "\(dashboard.screen.text)")
        #expect(excerpt.map { lines[$0].contains(" A feed with a …") } == true, "\(dashboard.screen.text)")
    }

    @Test func highlightsHitsInArticles() async throws {
        let dashboard = try await dashboard(39)
        #expect(await dashboard.screen.press("enter", until: "far away"))
        func hits() -> [String] {
            dashboard.screen.press("G")
            return dashboard.screen.lines.indices.map { highlighted($0, in: dashboard) }.filter { !$0.isEmpty }
        }
        #expect(hits() == ["gravel"] && dashboard.screen.text.contains("No gravel, regravel."))
        // Opened from another list, nothing is highlighted.
        #expect(await dashboard.screen.press("esc", "esc", "home", "j", "enter", "enter", until: "far away"))
        #expect(hits() == [] && dashboard.screen.text.contains("No gravel, regravel."))
    }
}
