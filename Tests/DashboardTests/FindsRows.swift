import TerminalUI
import Testing

/// A walk: find rows while typing, go to the next one, leave.
@MainActor
@Suite struct FindsRows {
    @Test func TAB_05_findsEntriesByTitle() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("enter", "/")
        screen.type("reading")
        #expect(screen.text.contains("▌● Reading dates"))
        screen.press("esc")
        #expect(screen.text.contains("▌● Undated"))
        screen.press("/")
        screen.type("A")
        screen.press("enter")
        #expect(screen.text.contains("▌● Undated"))
        screen.press("n")
        #expect(screen.text.contains("▌● Keyboard"))
        screen.press("n", "n", "N", "N")
        #expect(screen.text.contains("▌● Keyboard"))
        screen.press("esc")
        #expect(try dashboard.library.feeds.unreadCount() == 4)
        screen.press("n")
        #expect(await screen.wait { (try? dashboard.library.feeds.unreadCount()) == 3 })
    }

    @Test func TAB_05_findsStagesByTownOrWinner() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "stages")
        let screen = dashboard.screen
        screen.press("/")
        screen.type("évora")
        #expect(screen.text.contains("▌◆  3 Lisbon → Évora"))
        screen.press("enter", "n")
        #expect(screen.text.contains("▌   4 Évora"))
        screen.press("n")
        #expect(screen.text.contains("▌◆  3 Lisbon"))
        #expect(screen.difference(from: "find-120x30") == nil)
    }
}
