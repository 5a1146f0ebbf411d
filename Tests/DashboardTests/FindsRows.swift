import TerminalUI
import Testing

/// A walk: find rows while typing, go to the next one, leave.
@MainActor
@Suite struct FindsRows {
    @Test func TAB_05_findsEntriesByTitle() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("enter", "/", typing: "reading")
        #expect(screen.text.contains("▌● Reading dates"))
        #expect(screen.press("esc", shows: "▌● Undated"))
        screen.press("/", typing: "A", then: "enter")
        #expect(screen.text.contains("▌● Undated"))
        #expect(screen.press("n", shows: "▌● Keyboard"))
        #expect(screen.press("n", "n", "N", "N", shows: "▌● Keyboard"))
        screen.press("esc")
        #expect(try dashboard.library.feeds.unreadCount() == 4)
        #expect(await screen.press("n") { (try? dashboard.library.feeds.unreadCount()) == 3 })
    }

    @Test func TAB_05_findsStagesByTownOrWinner() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "stages")
        let screen = dashboard.screen
        screen.press("/", typing: "évora")
        #expect(screen.text.contains("▌◆  3 Lisbon → Évora"))
        #expect(screen.press("enter", "n", shows: "▌   4 Évora"))
        #expect(screen.press("n", shows: "▌◆  3 Lisbon"))
        #expect(screen.difference(from: "find-120x30") == nil)
    }
}
