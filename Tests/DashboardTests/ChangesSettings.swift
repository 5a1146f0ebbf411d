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

    @Test func SET_01_aNumberIsChecked() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        screen.press("j", "j", "enter", "G", "enter", "ctrl-u")
        screen.type("99")
        screen.press("enter")
        #expect(screen.text.contains("'99' is not a whole number from 20 to 70"))
        #expect(dashboard.settings["appearance.list-width"].value == "38")
    }
}
