import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// Notifications of a stage: its start, its last ten kilometres and its result, each once and only where enabled.
@MainActor
@Suite struct NotifiesOfStages {
    /// Friday 20 November 2026, 12:00 UTC: the start of the stage.
    private nonisolated static let start: Instant = 1_795_176_000

    /// A race of one stage whose notifications are recorded.
    @MainActor
    private final class Scene {
        let library: Library
        let settings: Settings
        let paneFocus = PaneFocus()
        let clock = TestClock(NotifiesOfStages.start - 60)
        var told: [String] = []
        var problem: String?
        private(set) lazy var alerts = newAlerts()

        private func newAlerts() -> RaceAlerts {
            RaceAlerts(library: library, settings: settings, paneFocus: paneFocus, clock: { [clock] in clock.now }) {
                [weak self] title, body, _ in
                self?.told.append("\(title): \(body)")
                return self?.problem
            }
        }

        /// Forgets what was reported, as a new dashboard does.
        func restart() { alerts = newAlerts() }

        init(_ on: [SettingKey<Bool>] = [.notifiesStart, .notifiesLastKilometres, .notifiesResult], day: Int64 = 0)
            async throws
        {
            useTimeZone()
            library = try Library(path: nil)
            settings = try Settings(library: library, file: [:])
            for key in on { settings.use("on", for: key.name) }
            self.day = day
            try await store()
        }

        /// The day of the stage, counted from the 20th.
        let day: Int64

        func store(_ change: (inout Stage) -> Void = { _ in }) async throws {
            let start = NotifiesOfStages.start + day * 86_400
            var stage = Stage(
                number: 4, date: CalendarDay(instant: start).text, start: "Porto", finish: "Lisbon", distance: 100)
            stage.startTime = Timestamp.rfc3339(start)
            change(&stage)
            try await library.store(Race(race: "Volta", year: 2026, stages: [stage]))
        }

        func at(_ seconds: Int64) async throws -> [String] {
            clock.now = NotifiesOfStages.start + seconds
            told = []
            _ = try await alerts.look()
            return told
        }
    }

    private static func ticker(_ km: Double, at seconds: Int64) -> [TickerLine] {
        [TickerLine(time: Timestamp.rfc3339(start + seconds), km: km, text: "x")]
    }

    /// A stage from its start to its result, with each combination of the settings.
    @Test(arguments: 0..<8)
    func notifiesAsConfigured(bits: Int) async throws {
        let keys: [SettingKey<Bool>] = [.notifiesStart, .notifiesLastKilometres, .notifiesResult]
        func wants(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        let scene = try await Scene(keys.indices.filter(wants).map { keys[$0] })
        for seconds in [-60, -1] as [Int64] { #expect(try await scene.at(seconds) == []) }
        #expect(try await scene.at(0) == (wants(0) ? ["Volta, stage 4: has started: Porto → Lisbon"] : []))
        #expect(try await scene.at(1) == [])
        try await scene.store { $0.ticker = NotifiesOfStages.ticker(89.9, at: 7200) }
        #expect(try await scene.at(7200) == [])
        try await scene.store { $0.ticker = NotifiesOfStages.ticker(90, at: 7300) }
        #expect(try await scene.at(7300) == (wants(1) ? ["Volta, stage 4: 10 km to go: Porto → Lisbon"] : []))
        try await scene.store { $0.ticker = NotifiesOfStages.ticker(95.5, at: 7400) }
        #expect(try await scene.at(7400) == [])
        try await scene.store { $0.winner = "Ana Sousa" }
        #expect(try await scene.at(8000) == (wants(2) ? ["Volta, stage 4: Ana Sousa won: Porto → Lisbon"] : []))
        #expect(try await scene.at(8060) == [])
    }

    /// The first of a time trial's running list has not won, and officials may change a result.
    @Test func notifiesOfACorrectionOnce() async throws {
        let scene = try await Scene([.notifiesResult])
        func store(_ winner: String?, isRunning: Bool? = nil) async throws {
            try await scene.store { stage in
                stage.results = winner.map { [Placing(place: 1, rider: $0)] }
                (stage.winner, stage.isRunning) = (isRunning == true ? nil : winner, isRunning)
            }
        }
        #expect(try await scene.at(0) == [])
        for (seconds, rider) in [(600, "Ana"), (1200, "Bea"), (1800, "Cis")] as [(Int64, String)] {
            try await store(rider, isRunning: true)
            #expect(try await scene.at(seconds) == [])
        }
        try await store("Bea")
        #expect(try await scene.at(7200) == ["Volta, stage 4: Bea won: Porto → Lisbon"])
        try await store("Cis")
        #expect(try await scene.at(7300) == ["Volta, stage 4: Result corrected: Cis won: Porto → Lisbon"])
        #expect(try await scene.at(7400) == [])
        try await store("Bea")
        #expect(try await scene.at(7500) == ["Volta, stage 4: Result corrected: Bea won: Porto → Lisbon"])
        try await store("Cis")
        #expect(try await scene.at(7600) == [])
    }

    /// The kilometres are those at the time of the notification, rounded up.
    @Test(arguments: [(90.1, "10 km"), (91.0, "9 km"), (99.3, "1 km"), (100.0, "0 km"), (101.0, "0 km")])
    func notifiesOfTheRemainingKilometres(km: Double, words: String) async throws {
        let scene = try await Scene([.notifiesLastKilometres])
        #expect(try await scene.at(0) == [])
        try await scene.store { $0.ticker = NotifiesOfStages.ticker(km, at: 7200) }
        #expect(try await scene.at(7200) == ["Volta, stage 4: \(words) to go: Porto → Lisbon"])
    }

    /// Events before the first look are no news.
    @Test func neverNotifiesOfPastStages() async throws {
        let scene = try await Scene()
        try await scene.store { $0.winner = "Ana Sousa" }
        #expect(try await scene.at(8000) == [])
        #expect(try await scene.at(8060) == [])
        let running = try await Scene()
        #expect(try await running.at(60) == [])
        #expect(try await running.at(120) == [])
    }

    /// There is no notification, then or later, while the pane has focus or in quiet hours.
    @Test func notifiesNeitherWhenFocusedNorAtNight() async throws {
        for (hasFocus, isTold) in [(true, false), (false, true), (nil, true)] as [(Bool?, Bool)] {
            let scene = try await Scene()
            _ = try await scene.at(-60)
            scene.paneFocus.hasFocus = hasFocus
            #expect(try await scene.at(0).isEmpty != isTold)
            scene.paneFocus.hasFocus = false
            #expect(try await scene.at(60) == [])
        }
        let scene = try await Scene()
        scene.settings.use("12-13", for: SettingKey<String>.quietHours.name)
        _ = try await scene.at(-60)
        #expect(try await scene.at(0) == [])
        #expect(try await scene.at(3600) == [])
        try await scene.store { $0.winner = "Ana Sousa" }
        #expect(try await scene.at(3660).count == 1)
    }

    /// Yesterday and tomorrow count too, because time zones differ; other days don't.
    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)] as [(Int64, Bool)])
    func notifiesOfTheDaysAroundToday(day: Int64, isTold: Bool) async throws {
        let scene = try await Scene([.notifiesResult], day: day)
        _ = try await scene.at(0)
        try await scene.store { $0.winner = "Ana Sousa" }
        #expect(try await scene.at(60).isEmpty != isTold)
    }

    @Test func neverNotifiesOfHiddenResults() async throws {
        let scene = try await Scene()
        try await scene.library.changes.perform(.hideResults(true, race: nil))
        _ = try await scene.at(-60)
        // The start reveals nothing; kilometres and result do.
        #expect(try await scene.at(0) == ["Volta, stage 4: has started: Porto → Lisbon"])
        try await scene.store { $0.ticker = NotifiesOfStages.ticker(95, at: 7200) }
        #expect(try await scene.at(7200) == [])
        try await scene.store { $0.winner = "Ana Sousa" }
        #expect(try await scene.at(7260) == [])
        try await scene.library.changes.perform(.revealStage(4, race: "volta-2026", true))
        #expect(try await scene.at(7320) == ["Volta, stage 4: Ana Sousa won: Porto → Lisbon"])
    }

    /// The leader's jersey has the name that the race gives it.
    @Test func notifiesOfANewLeader() async throws {
        let scene = try await Scene([.notifiesLeader])
        func store(_ leaders: [String?], jerseys: [Jersey]? = nil, isCancelled: Bool = false) async throws {
            var race = Race(race: "Volta", year: 2026, stages: [])
            race.leaderJersey = "maglia rosa"
            race.jerseys = jerseys
            for (index, leader) in leaders.enumerated() {
                var stage = Stage(
                    number: index + 2, date: "2026-11-\(18 + index)", start: "A", finish: "B", leaderAfter: leader)
                if isCancelled, index == 1 { stage.status = "cancelled" }
                race.stages.append(stage)
            }
            try await scene.library.store(race)
        }
        try await store(["Ana", "Ana", nil])
        #expect(try await scene.at(100) == [])
        try await store(["Ana", "Ana", "Ana"])
        #expect(try await scene.at(200) == [])
        try await store(["Ana", "Ana", "Bea"])
        #expect(try await scene.at(300) == ["Volta, stage 4: Bea takes the maglia rosa from Ana"])
        try await store(["Ana", nil, nil], isCancelled: true)
        _ = try await scene.at(400)
        scene.restart()
        _ = try await scene.at(500)
        let jersey = Jersey(classification: "general", name: "yellow jersey")
        try await store(["Ana", nil, "Cia"], jerseys: [jersey], isCancelled: true)
        try await scene.library.changes.perform(.hideResults(true, race: nil))
        #expect(try await scene.at(600) == [])
        // The leader before is hidden, so that it can't be named.
        try await scene.library.changes.perform(.revealStage(4, race: "volta-2026", true))
        #expect(try await scene.at(700) == [])
        try await scene.library.changes.perform(.revealStage(2, race: "volta-2026", true))
        #expect(try await scene.at(800) == ["Volta, stage 4: Cia takes the yellow jersey from Ana"])
    }

    /// Stages of two races are reported separately, a cancelled one not at all, and a failure of the program is
    /// returned.
    @Test func notifiesOnceForEachRace() async throws {
        let scene = try await Scene()
        var stage = Stage(number: 4, date: "2026-11-20", start: "X", finish: "X")
        stage.startTime = Timestamp.rfc3339(NotifiesOfStages.start)
        try await scene.library.store(Race(race: "Tour", year: 2026, stages: [stage]))
        stage.status = "cancelled"
        try await scene.library.store(Race(race: "Giro", year: 2026, stages: [stage]))
        _ = try await scene.at(-60)
        #expect(
            Set(try await scene.at(0)) == [
                "Volta, stage 4: has started: Porto → Lisbon", "Tour, stage 4: has started: X",
            ])
        scene.problem = "no notify-send"
        try await scene.store { $0.winner = "Ana" }
        #expect(try await scene.alerts.look() == "no notify-send")
        #expect(try await scene.alerts.look() == nil)
    }
}
