import Foundation
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// A walk over two runs: the second restores the first.
@MainActor
@Suite struct RestoresScreens {
    @Test(arguments: [(120, 39), (70, 20), (40, 12)])
    func restoresSegmentListEntryAndLine(width: Int, height: Int) async throws {
        let first = try await DashboardScreen(width, height, segment: "stages")
        // The second library is another one, in which nothing was read.
        try await first.settings.set("off", for: "feeds.mark-read-on-open", in: first.library)
        first.screen.press("j", "tab", "enter", "j", "j", "enter")
        #expect(await first.articleIsShown)
        // A line back, so that in low panes the bars appear as at a start.
        first.screen.press("space", "space", "k")
        let before = first.screen.text
        let state = try #require(first.savedState())
        let second = try await DashboardScreen(width, height, segment: nil, state: state)
        #expect(await second.articleIsShown)
        #expect(await second.screen.wait { second.screen.text == before })
        #expect(second.screen.press("backtab", shows: "▌◷  2 Lisbon"))
    }

    @Test func ignoresOutdatedState() async throws {
        var state = DashboardState(segment: "feeds")
        state.roots = [:]
        state.version = 99
        let dashboard = try await DashboardScreen(120, 30, segment: nil, feeds: [], state: state)
        #expect(dashboard.screen.text.contains("▐Stages▌"))
        var gone = DashboardState(segment: "feeds")
        gone.roots["feeds"] = """
            {"list":"https://gone.example/","selectedEntry":99,"openEntry":99,"paragraph":7,"offset":3,"isDetailFocused":true}
            """
        gone.roots["stages"] = #"{"race":"none","number":7,"isDetailFocused":false}"#
        let other = try await DashboardScreen(120, 30, segment: nil, state: gone)
        #expect(other.screen.text.contains("▐Feeds 4▌"))
        #expect(other.screen.text.contains("Use Your Loaf"))
    }
}
