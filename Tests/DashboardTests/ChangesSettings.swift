import ModelCore
import TerminalUITesting
import TerminalUI
import Testing

/// Walks through the settings segment.
@MainActor
@Suite struct ChangesSettings {
    @Test func SET_01_aThemeIsTakenAtOnceAndLasts() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        screen.press("enter", "j", "j", "j", "enter")
        #expect(await screen.wait(for: "rosa · here"))
        #expect(screen.application.window.theme.name == "rosa")
        #expect(dashboard.settings["appearance.theme"].value == "rosa")
        screen.press("x")
        #expect(await screen.wait { screen.application.window.theme.name == "terminal" })
    }

    @Test func SPL_09_theListsWidthIsASetting() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        screen.press(">", ">")
        #expect(await screen.wait { dashboard.settings["appearance.list-width"].value == "42" })
        #expect(screen.lines[1].prefix { $0 != "┬" }.count == 50)
    }

    /// Opens the list's width and types another number than those that are offered.
    private func typeListWidth(_ number: String, _ screen: TestScreen) {
        screen.press("/")
        screen.type("List width")
        screen.press("enter", "enter", "G", "enter", "ctrl-u")
        screen.type(number)
        screen.press("enter")
    }

    @Test func SET_01_aNumberIsChecked() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        typeListWidth("99", screen)
        #expect(screen.text.contains("'99' is not a whole number from 20 to 70"))
        #expect(dashboard.settings["appearance.list-width"].value == "38")
    }

    @Test func aNumberThatIsNotOfferedComesAndGoesBetweenTwoDrawings() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        typeListWidth("37", screen)
        #expect(await screen.wait(for: "● 37"))
        // Changed somewhere else, such as by a key of the split view: the page is drawn before it hears of it.
        dashboard.settings.use(nil, for: "appearance.list-width")
        screen.resize(100, 30)
        #expect(screen.text.contains("○ 37"))
        screen.press("x")
        #expect(await screen.wait { screen.text.contains("● 38") && !screen.text.contains("37") })
    }

    @Test func changesInARowAreStoredInTheirOrder() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        for _ in 0..<20 { dashboard.screen.press(">") }
        for _ in 0..<7 { dashboard.screen.press("<") }
        try await dashboard.settle()
        #expect(dashboard.settings["appearance.list-width"].value == "56")
        #expect(try Settings(library: dashboard.library, file: [:])["appearance.list-width"].value == "56")
    }
}
