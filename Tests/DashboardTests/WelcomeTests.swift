import Feeds
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// The welcome sheet: a theme with preview, subscriptions of other programs, and no key in the way.
@MainActor
@Suite struct WelcomeTests {
    nonisolated private static let newsboat = DiscoveredSubscriptions(
        name: "newsboat",
        list: [NewSubscription(url: "https://a.example/feed"), NewSubscription(url: "https://b.example/feed")])

    private func start(_ width: Int = 100, _ height: Int = 30) async throws -> DashboardScreen {
        try await DashboardScreen(
            width, height, segment: "stages",
            adjust: { environment in
                environment.welcome.isFirstStart = true
                environment.welcome.find = { [WelcomeTests.newsboat] }
            })
    }

    @Test func previewsThemesWhileChoosing() async throws {
        let dashboard = try await start()
        let screen = dashboard.screen
        #expect(screen.text.contains("Welcome to tappa") && screen.text.contains("‹ terminal ›"))
        #expect(await screen.wait(for: "Bring 2 feeds from newsboat"))
        for _ in 1...3 { screen.press("down") }
        screen.press("right")
        #expect(screen.text.contains("‹ dark ›") && screen.application.window.theme.name == "dark")
        #expect(await screen.wait { dashboard.settings[.theme] == "dark" })
        screen.press("left")
        #expect(screen.application.window.theme.name == "terminal")
    }

    @Test(arguments: [(42, 24), (80, 24), (120, 39)])
    func isAsHighAsItsLongestNote(width: Int, height: Int) async throws {
        let screen = try await start(width, height).screen
        #expect(await screen.wait(for: "Bring 2 feeds from newsboat"))
        let lines = screen.lines.count { $0.contains("│") }
        screen.press("down")
        #expect(screen.text.contains("readers.") && screen.lines.count { $0.contains("│") } == lines)
        // Items that don't fit leave no gap in the border.
        #expect(screen.lines.contains { $0.contains("╰─") && $0.contains("─ ") && $0.contains("esc close ─╯") })
    }

    /// Users with feeds start with them.
    @Test func listsFeedsFirstWithoutRaces() async throws {
        var dashboard = try await DashboardScreen(80, 24, segment: nil, feeds: [])
        #expect(dashboard.screen.text.contains("▐Stages▌"))
        dashboard = try await DashboardScreen(80, 24, segment: nil, race: nil)
        #expect(dashboard.screen.text.contains("▐Feeds"))
        dashboard = try await DashboardScreen(
            80, 24, segment: nil, race: nil,
            adjust: { $0.settings.use("stages", for: SettingKey<String>.startSegment.name) })
        #expect(dashboard.screen.text.contains("▐Stages▌"))
    }

    @Test func offersFeedsOfOtherPrograms() async throws {
        let dashboard = try await start()
        let screen = dashboard.screen
        let before = try dashboard.library.feeds.all().count
        #expect(await screen.wait(for: "Bring 2 feeds from newsboat"))
        #expect(await screen.press("enter", until: "Followed 2 feeds"))
        #expect(screen.text.contains("✓ followed"))
        screen.press("enter")
        #expect(try dashboard.library.feeds.all().count == before + 2)
        screen.press("esc")
        #expect(!screen.text.contains("Welcome to tappa ─"))
    }

    @Test func anyOtherKeyClosesItAndStillWorks() async throws {
        let screen = try await start().screen
        screen.press("j")
        #expect(!screen.text.contains("Welcome to tappa") && screen.text.contains("▌◷  2 Lisbon"))
        #expect(screen.press("k", shows: "▌▬  1 Porto"))
    }

    @Test func showsNoSheetInSmallPanesOrLater() async throws {
        #expect(!(try await start(29, 12)).screen.text.contains("Welcome"))
        #expect(!(try await DashboardScreen(100, 30, segment: "stages")).screen.text.contains("Welcome"))
    }
}
