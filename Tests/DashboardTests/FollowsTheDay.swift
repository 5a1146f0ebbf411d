import Foundation
import ModelCore
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import StagesSegment

/// A stage on its day: it opens by itself, counts down, shows the position of the race and the winner. Also standings
/// and riders' pages.
@MainActor
@Suite struct FollowsTheDay {
    /// A stage that starts at `DashboardScreen.now`, with additions.
    private static func race(_ more: String = "") -> String {
        """
        {"schema": 2, "race": "Volta", "year": 2026,
         "jerseys": [{"classification": "general", "name": "yellow jersey", "color": "#ffd700"}],
         "riders": [{"id": "1", "name": "Ana Sousa", "country": "PT"}, {"id": "2", "name": "Bea Costa"}],
         "stages": [
          {"number": 1, "date": "2026-11-19", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
           "results": [{"rider": "2", "time": "4:00:00"}, {"rider": "1", "gap": 4}],
           "general": [{"rider": "2"}, {"rider": "1", "gap": 4}]},
          {"number": 2, "date": "2026-11-20", "start": "Lisbon", "finish": "Faro", "distance_km": 120,
           "start_time": "2026-11-20T13:30:00+00:00", "finish_time": "2026-11-20T16:30:00Z" \(more)},
          {"number": 3, "date": "2026-11-21", "start": "Faro", "finish": "Sagres"}]}
        """
    }

    private func dashboard(
        _ width: Int = 120, _ more: String = "", clock: TestClock = TestClock(), state: DashboardState? = nil,
        adjust: @escaping (inout DashboardEnvironment) -> Void = { _ in }
    ) async throws -> DashboardScreen {
        try await DashboardScreen(
            width, 24, segment: state == nil ? "stages" : nil, state: state, race: FollowsTheDay.race(more),
            adjust: {
                $0.time.clock = { clock.now }
                adjust(&$0)
            })
    }

    private func update(_ dashboard: DashboardScreen, _ more: String) async throws {
        try await dashboard.library.store(RaceFile.read(Data(FollowsTheDay.race(more).utf8)))
        try await dashboard.settle()
    }

    @Test func STA_09_opensTheStageOfTodayWithItsState() async throws {
        let clock = TestClock()
        let dashboard = try await dashboard(clock: clock)
        let screen = dashboard.screen
        #expect(screen.text.contains("Starts in 1 h 30 min, at 13:30 UTC"))
        clock.now += 5400 + 3600
        try await update(dashboard, #", "ticker": [{"time": "2026-11-20T14:30:00Z", "km": 40.5, "text": "A break"}]"#)
        #expect(await screen.wait(for: "79.5 km to go"))
        // 40.5 km in an hour.
        #expect(screen.text.contains("finish about 16:27 UTC"))
        #expect(screen.text.contains("14:30 km 40.5  A break"))
        try await update(
            dashboard,
            #", "results": [{"rider": "1", "time": 9000}, {"rider": "2", "gap": 7}], "general": [{"rider": "1"}]"#)
        #expect(await screen.wait(for: "Ana Sousa won."))
        #expect(screen.text.contains("Bea Costa · +0:07"))
    }

    @Test func aCancelledStageSaysSo() async throws {
        let dashboard = try await dashboard(120, #", "status": "cancelled""#)
        #expect(dashboard.screen.text.contains("The stage was cancelled."))
    }

    @Test func opensTodaysStageOnAnotherDay() async throws {
        func state(_ day: Int64) -> DashboardState {
            let room = #"{"race": "volta-2026", "number": 1, "isDetailFocused": false, "day": \#(day)}"#
            var state = DashboardState(segment: "stages")
            state.roots["stages"] = room
            return state
        }
        let later = try await dashboard(state: state(1))
        #expect(later.screen.text.contains("Starts in"))
        let same = try await dashboard(state: state(CalendarDay(instant: DashboardScreen.now).number))
        #expect(same.screen.text.contains("Winner    Bea Costa"))
    }

    @Test func STA_10_choosesSortsAndOpensStandings() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        screen.press("K", "enter")
        while !screen.text.contains("General classification") { screen.press("]") }
        #expect(screen.text.contains("yellow jersey Bea Costa"))
        screen.press("c")
        #expect(screen.text.contains("Result after stage 1") && screen.text.contains("4:00:00"))
        #expect(screen.press("c", shows: "Winners and leaders"))
        #expect(await screen.press("c", "j", "enter", until: "Country  PT"))
        #expect(screen.text.contains("Porto → Lisbon"))
        #expect(await screen.press("esc", until: "General classification"))
    }

    @Test func notifiesOnceOfWhatIsWanted() async throws {
        let told = Told()
        let clock = TestClock()
        let dashboard = try await dashboard(clock: clock)
        let library = dashboard.library
        let paneFocus = PaneFocus()
        let alerts = RaceAlerts(
            library: library, settings: dashboard.settings, paneFocus: paneFocus, clock: { clock.now }
        ) { title, body, _ in
            told.list.append("\(title): \(body)")
            return nil
        }
        for key in [SettingKey<Bool>.notifiesStart, .notifiesLastKilometres, .notifiesResult] {
            dashboard.set("on", for: key.name)
        }
        // Earlier events are no news, such as yesterday's winner.
        #expect(try await alerts.look() == nil)
        clock.now += 5400
        for _ in 0..<2 { _ = try await alerts.look() }
        #expect(told.list == ["Volta, stage 2: has started: Lisbon → Faro"])
        clock.now += 9000
        try await update(dashboard, #", "ticker": [{"time": "2026-11-20T16:00:00Z", "km": 110.5, "text": "x"}]"#)
        for _ in 0..<2 { _ = try await alerts.look() }
        #expect(told.list.last == "Volta, stage 2: 10 km to go: Lisbon → Faro")
        // No notifications of hidden results or while the pane has focus.
        try await library.changes.perform(.hideResults(true, race: nil))
        try await update(dashboard, #", "results": [{"rider": "1"}]"#)
        _ = try await alerts.look()
        try await library.changes.perform(.hideResults(false, race: nil))
        #expect(told.list.count == 2)
        _ = try await alerts.look()
        #expect(told.list.last == "Volta, stage 2: Ana Sousa won: Lisbon → Faro")
        #expect(told.list.count == 3)
    }

    private final class Told { var list: [String] = [] }
}
