import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// Hidden results: no screen shows a winner until the user reveals it.
@MainActor
@Suite struct HidesResultsOnScreen {
    private static let race = """
        {"schema": 2, "race": "Volta", "year": 2026, "stages": [
         {"number": 1, "date": "2026-11-19", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
          "results": [{"rider": "Bea Costa", "time": 14410}, {"rider": "Ana Sousa", "gap": 4}],
          "general": [{"rider": "Ana Sousa"}, {"rider": "Bea Costa", "gap": 14}],
          "ticker": [{"time": "2026-11-19T14:00:00Z", "km": 150, "text": "Costa wins"}]},
         {"number": 2, "date": "2026-11-20", "start": "Lisbon", "finish": "Faro", "distance_km": 12}]}
        """
    private static let feed = """
        <rss version="2.0"><channel><title>Cycling</title>
        <item><guid>1</guid><title>Costa takes it</title><link>https://a.example/costa</link>
         <pubDate>Thu, 19 Nov 2026 17:00:00 GMT</pubDate><description>Bea Costa before Sousa</description></item>
        <item><guid>2</guid><title>An evening in Lisbon</title><link>https://a.example/lisbon</link>
         <pubDate>Thu, 19 Nov 2026 18:00:00 GMT</pubDate><description>Costa raised her arms</description></item>
        </channel></rss>
        """
    private static let names = ["Costa", "Sousa", "COSTA", "costa"]

    private func dashboard(_ size: Size, _ segment: String) async throws -> DashboardScreen {
        try await DashboardScreen(
            size.width, size.height, segment: segment, feeds: [("https://a.example/feed", HidesResultsOnScreen.feed)],
            race: HidesResultsOnScreen.race)
    }

    private func check(_ dashboard: DashboardScreen, _ keys: String) {
        let text = dashboard.screen.text
        for name in HidesResultsOnScreen.names { #expect(!text.contains(name), "after \(keys):\n\(text)") }
    }

    @Test(arguments: [Size(width: 160, height: 40), Size(width: 60, height: 19), Size(width: 20, height: 6)])
    func STA_11_noScreenShowsTheWinner(_ size: Size) async throws {
        for segment in SegmentName.allCases.map(\.rawValue) {
            let dashboard = try await dashboard(size, segment)
            try await dashboard.press("H")
            check(dashboard, "H in \(segment)")
            for key in [
                "enter", "]", "]", "]", "p", "esc", "[", "J", "K", "esc", "j", "enter", "p", "esc", "]", "enter", "D",
                "?", "esc", "S",
            ] {
                try await dashboard.press(key)
                check(dashboard, "\(key) in \(segment)")
            }
            for letter in "lisbon" { dashboard.screen.press(String(letter)) }
            try await dashboard.press("enter")
            check(dashboard, "a search in \(segment)")
            try await dashboard.press("enter")
            check(dashboard, "a hit in \(segment)")
        }
    }

    @Test func revealsStageByStage() async throws {
        let dashboard = try await dashboard(Size(width: 120, height: 24), "stages")
        let screen = dashboard.screen
        #expect(screen.press("K", shows: "Bea Costa"))
        #expect(await screen.press("H", until: "hidden"))
        #expect(!screen.text.contains("Costa"))
        #expect(await screen.press("i", until: "Bea Costa"))
        #expect(await screen.press("i", until: "hidden"))
        #expect(await screen.press("H", until: "Bea Costa"))
    }

    @Test func revealsASingleEntry() async throws {
        let dashboard = try await dashboard(Size(width: 120, height: 24), "feeds")
        let screen = dashboard.screen
        #expect(await screen.press("enter", until: "Costa takes it"))
        #expect(await screen.press("j", "enter", until: "Bea Costa before Sousa"))
        // Open screens hide them too.
        #expect(await screen.press("H", until: "This entry may spoil a stage"))
        #expect(!screen.text.contains("Costa"))
        #expect(await screen.press("i", until: "Bea Costa before Sousa"))
    }
}
