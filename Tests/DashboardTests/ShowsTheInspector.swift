import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// The inspector beside article and stage.
@MainActor
@Suite struct ShowsTheInspector {
    @Test func SPL_16a_aColumnInWidePanesAndAPopoverInOthers() async throws {
        let dashboard = try await DashboardScreen(170, 40)
        let screen = dashboard.screen
        let window = screen.application.window
        screen.press("enter", "ctrl-x", "i")
        func side() -> String { screen.lines.map { String($0.dropFirst(170 - 38)) }.joined(separator: "\n") }
        #expect(await screen.wait { side().contains("In the feed") }, "\(screen.text)")
        #expect(window.presentedViewController == nil)
        // It follows the selection.
        let before = side()
        screen.press("j")
        #expect(await screen.wait { side() != before && side().contains("Feed") })
        // It survives every resize, and takes no input.
        for (width, height) in [(149, 40), (1, 1), (80, 24), (200, 50), (150, 10), (170, 40)] {
            screen.resize(width, height)
            screen.press("j", "k")
            if width < 150 { #expect(!screen.text.contains("In the feed") || width == 149) }
        }
        #expect(side().contains("Feed"))
        screen.press(DashboardSegment.key(of: "stages"))
        #expect(await screen.wait { side().contains("Volta 2026") })
        screen.press("ctrl-x", "i")
        #expect(!side().contains("Volta 2026"))
        screen.resize(100, 30)
        screen.press("ctrl-x", "i")
        #expect(window.presentedViewController is InspectorViewController && screen.text.contains("Volta 2026"))
        screen.press("esc")
        #expect(window.presentedViewController == nil)
    }

    /// Hidden results are hidden here, too.
    @Test func SPL_16b_hiddenResultsStayHidden() async throws {
        let dashboard = try await DashboardScreen(170, 40, segment: "stages")
        dashboard.screen.press("ctrl-x", "i")
        #expect(await dashboard.screen.wait(for: "Winner"))
        dashboard.screen.press("H")
        try await dashboard.settle()
        #expect(
            await dashboard.screen.wait { !dashboard.screen.text.contains("Rider One") }, "\(dashboard.screen.text)")
    }
}
