import TerminalUI
import Testing

/// The screens of the dashboard, compared completely.
@MainActor
@Suite struct ScreenTests {
    @Test(arguments: [(200, 30), (148, 24), (120, 30), (79, 23), (60, 19), (39, 11), (80, 7), (20, 6), (10, 2)])
    func STA_01_stages(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, segment: "stages")
        #expect(dashboard.screen.difference(from: "stages-\(width)x\(height)") == nil)
    }

    @Test(arguments: [(200, 30), (148, 24), (120, 30), (79, 23), (60, 19), (39, 11), (80, 7), (20, 6), (10, 2)])
    func entry(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height)
        dashboard.screen.press("enter", "j", "j", "enter")
        #expect(dashboard.screen.application.window.focusedController.title == "Reading dates")
        #expect(await dashboard.articleIsShown)
        try await dashboard.settle()
        #expect(dashboard.screen.difference(from: "entry-\(width)x\(height)") == nil)
    }

    @Test(arguments: [(120, 30), (79, 23), (39, 11), (20, 6)])
    func settings(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, segment: "settings")
        #expect(dashboard.screen.difference(from: "settings-\(width)x\(height)") == nil)
    }

    @Test func emptyLibrary() async throws {
        let dashboard = try await DashboardScreen(79, 23, feeds: [])
        #expect(dashboard.screen.difference(from: "empty-79x23") == nil)
    }

    @Test func help() async throws {
        let dashboard = try await DashboardScreen(79, 23, segment: "stages")
        dashboard.screen.press("?")
        #expect(dashboard.screen.difference(from: "help-79x23") == nil)
        dashboard.screen.press("?")
        #expect(!dashboard.screen.text.contains("Keys"))
    }
}

extension DashboardScreen {
    /// Whether the article's text, which renders asynchronously, has arrived.
    var articleIsShown: Bool {
        get async {
            let text = screen.application.window.focusedView as? TextView
            return await screen.wait { (text?.paragraphs.count ?? 0) > 10 }
        }
    }
}
