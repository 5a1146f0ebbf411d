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
        #expect(await screen.press("j") { side() != before && side().contains("Feed") })
        // It survives every resize, as a column or a popover.
        for (width, height) in [(149, 40), (1, 1), (80, 24), (200, 50), (150, 10), (149, 10), (170, 40)] {
            screen.resize(width, height)
            screen.press("j", "k")
            #expect((window.presentedViewController is InspectorViewController) == (width < 150), "\(width)")
            if height >= 24 { #expect(screen.text.contains("In the feed"), "\(screen.text)") }
        }
        #expect(side().contains("Feed"))
        #expect(await screen.press(DashboardSegment.key(of: "stages")) { side().contains("Volta 2026") })
        screen.press("ctrl-x", "i")
        #expect(!side().contains("Volta 2026"))
        screen.resize(100, 30)
        screen.press("ctrl-x", "i")
        #expect(window.presentedViewController is InspectorViewController && screen.text.contains("Volta 2026"))
        screen.press("esc")
        #expect(window.presentedViewController == nil)
    }

    /// A prompt stays open in a pane that becomes narrow, and the inspector returns with the width.
    @Test func SPL_16a_aPromptStaysOverTheInspector() async throws {
        let dashboard = try await DashboardScreen(170, 40, segment: "stages")
        let screen = dashboard.screen
        screen.press("ctrl-x", "i", "T")
        screen.resize(100, 30)
        #expect(screen.application.window.presentedViewController is TextPromptViewController)
        screen.press("esc")
        screen.resize(170, 40)
        #expect(screen.application.window.presentedViewController == nil && screen.text.contains("Volta 2026"))
    }

    /// The links of the article, once it was read, and the riders of the stage.
    @Test func SPL_16c_listsLinksAndRiders() async throws {
        let race = """
            {"race": "Volta", "year": 2026, "riders": [{"id": "1", "name": "Ana Sousa", "number": 11}, {"id": "2", "name": "Bea Costa"}],
             "withdrawals": [{"rider": "2", "stage": 1, "reason": "DNF"}],
             "stages": [{"number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon"}]}
            """
        let dashboard = try await DashboardScreen(170, 40, segment: "stages", race: race)
        let screen = dashboard.screen
        func side() -> String { screen.lines.map { String($0.dropFirst(170 - 38)) }.joined(separator: "\n") }
        screen.press("ctrl-x", "i")
        #expect(await screen.wait { side().contains("2 riders") && side().contains(/11 +Ana Sousa/) }, "\(screen.text)")
        #expect(side().contains("Bea Costa did not finish"))
        screen.press(DashboardSegment.key(of: "feeds"), "enter")
        #expect(await screen.press("G", "enter") { side().contains(/1 +More/) }, "\(screen.text)")
        // In the list, with the article beside it.
        try await dashboard.press("h")
        #expect(side().contains("Links") && side().contains(/1 +More/), "\(screen.text)")
    }

    /// Hidden results are hidden here, too.
    @Test func SPL_16b_hiddenResultsStayHidden() async throws {
        let dashboard = try await DashboardScreen(170, 40, segment: "stages")
        #expect(await dashboard.screen.press("ctrl-x", "i", until: "Winner"))
        try await dashboard.press("H")
        #expect(
            await dashboard.screen.wait { !dashboard.screen.text.contains("Rider One") }, "\(dashboard.screen.text)")
    }
}
