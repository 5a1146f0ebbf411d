import Foundation
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// What a pane shows that nobody touches while minutes and days pass.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct MovesOnInTime {
    /// Ages and the last reload move on each minute. Nothing is sent while nothing changes.
    @Test func agesMoveOnByThemselves() async throws {
        let clock = TestClock()
        let dashboard = try await DashboardScreen(100, 24, adjust: { $0.time.clock = { clock.now } })
        #expect(await dashboard.screen.wait(for: "Reloaded 2 hours ago"))
        let before = dashboard.screen.text
        dashboard.controller.showTime()
        dashboard.screen.application.send([])
        #expect(dashboard.screen.text == before)
        clock.now += 3600
        dashboard.controller.showTime()
        dashboard.screen.application.send([])
        #expect(dashboard.screen.text.contains("Reloaded 3 hours ago"))
    }

    /// At midnight the next stage becomes today's.
    @Test func stagesMoveOnAtMidnight() async throws {
        // Wednesday 11 November 2026, 23:59 UTC.
        let clock = TestClock(1_794_441_540)
        let dashboard = try await DashboardScreen(100, 30, segment: "stages", adjust: { $0.time.clock = { clock.now } })
        func today() -> [String] {
            dashboard.screen.text.split(separator: "\n").map(String.init).filter { $0.lowercased().contains("today") }
        }
        let first = today()
        #expect(!first.isEmpty)
        clock.now += 60
        dashboard.controller.showTime()
        dashboard.screen.application.send([])
        #expect(!today().isEmpty && today() != first, "\(dashboard.screen.text)")
    }

    /// The date over an article is that of the time zone.
    @Test func articlesFollowTheTimeZone() async throws {
        let dashboard = try await FeedWalk.dashboard()
        defer { useTimeZone() }
        dashboard.screen.press("enter")
        func facts() -> Substring? { dashboard.screen.text.split(separator: "\n").first { $0.contains("2026") } }
        #expect(await dashboard.screen.wait { facts() != nil })
        let before = facts()
        // Nothing is awaited, because other tests have the same zone.
        setenv("TZ", "ABC-14", 1)
        dashboard.controller.showTime()
        dashboard.screen.application.send([])
        #expect(facts() != nil && facts() != before, "\(dashboard.screen.text)")
    }

    /// Another time zone is another day.
    @Test func readsAgainInAnotherTimeZone() async throws {
        let dashboard = try await DashboardScreen(100, 24)
        defer { useTimeZone() }
        let noon = DateText(style: .relative, now: DashboardScreen.now)
        #expect(noon.zone == 0)
        setenv("TZ", "ABC-14", 1)
        #expect(noon.zone == 14 * 3600 && noon.today.number == CalendarDay(instant: DashboardScreen.now).number + 1)
        dashboard.controller.showTime()
        dashboard.screen.application.send([])
        #expect(dashboard.screen.text.contains("Use Your Loaf"))
    }
}
