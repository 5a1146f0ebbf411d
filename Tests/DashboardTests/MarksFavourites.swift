import Foundation
import LibraryKernel
import ModelCore
import RaceModel
import Races
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import StagesSegment

/// Riders and teams that the user marks, and the general classification on the road.
@MainActor
@Suite struct MarksFavourites {
    private nonisolated static let race = """
        {"schema": 2, "race": "Volta", "year": 2026,
         "teams": [{"id": "a", "name": "Team Azul"}],
         "riders": [{"id": "1", "name": "Ana Sousa", "number": 1}, {"id": "2", "name": "Bea Costa", "number": 2},
          {"id": "3", "name": "Cis van der Dias", "number": 3}, {"id": "4", "name": "Dora Reis", "number": 4, "team": "a"}],
         "withdrawals": [WITHDRAWALS],
         "stages": [
          {"number": 1, "date": "2026-11-19", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
           "results": [{"rider": "2", "time": "4:00:00"}, {"rider": "1", "gap": 4}, {"rider": "3", "gap": 9}],
           "general": [{"rider": "2"}, {"rider": "1", "gap": 4}, {"rider": "3", "gap": 30}, {"rider": "4", "gap": 50}]},
          {"number": 2, "date": "2026-11-20", "start": "Lisbon", "finish": "Faro", "distance_km": 120,
           "start_time": "2026-11-20T10:00:00Z", "finish_time": "2026-11-20T16:30:00Z",
           "live": {"at": "2026-11-20T11:59:50Z", "km_to_go": 40, "groups": [
             {"name": "Head of the race", "riders": ["3", "4"]}, {"name": "Peloton", "gap": 65, "riders": ["1", "2"]}]},
           "ticker": [TICKER]}]}
        """

    private func race(ticker: String = "", withdrawals: String = "") throws -> Race {
        let text = MarksFavourites.race.replacing("TICKER", with: ticker)
            .replacing("WITHDRAWALS", with: withdrawals)
        return try RaceFile.read(Data(text.utf8))
    }

    private func dashboard() async throws -> DashboardScreen {
        try await DashboardScreen(
            120, 36, segment: "stages",
            race: MarksFavourites.race.replacing("TICKER", with: "").replacing("WITHDRAWALS", with: ""))
    }

    @Test func STA_20_marksRidersAndTeams() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        screen.press("K", "enter")
        while !screen.text.contains("General classification") { screen.press("]") }
        // The last row is marked, and becomes the first one with its own place.
        #expect(await screen.press("G", "*", until: "Dora Reis is a favourite."))
        #expect(await screen.wait(for: "● Dora Reis"))
        let rows = screen.text.split(separator: "\n").filter { $0.contains("Reis") || $0.contains("Costa") }
        let (reis, costa) = (
            rows.firstIndex { $0.contains("● Dora") }, rows.firstIndex { $0.contains("1") && $0.contains("Bea") }
        )
        #expect(try #require(reis) < (try #require(costa)))
        #expect(try dashboard.library.races.favourites().contains(.rider, "Dora Reis"))
        // On the rider's page the same key takes the mark away.
        // It stays selected.
        #expect(await screen.press("enter") { screen.text.contains(/Team +Team Azul/) }, "\(screen.text)")
        #expect(await screen.press("*", until: "Dora Reis is no longer a favourite."))
        #expect(try dashboard.library.races.favourites() == Favourites())
    }

    @Test func STA_21_namesFavouritesFirstAndAddsTheGapsOnTheRoad() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        #expect(await screen.wait(for: "General on the road, computed"))
        let lines = screen.text.split(separator: "\n").map(String.init)
        let heading = try #require(lines.firstIndex { $0.contains("General on the road") })
        let expected = ["Cis van der Dias", "Dora Reis +0:20", "Bea Costa +0:35", "Ana Sousa +0:39"]
        for (place, words) in expected.enumerated() {
            #expect(lines[heading + 1 + place].contains("\(place + 1)  \(words)"), "\(lines[heading + 1 + place])")
        }
        #expect(!screen.text.contains("● Reis"))
        try await dashboard.library.changes.perform(Favourites.mark(.team, "Team Azul", true))
        #expect(await screen.wait(for: "● Reis, van der Dias"))
        #expect(screen.text.contains("● Dora Reis +0:20"))
    }

    @Test func notifiesOfFavouritesThroughTheDelay() async throws {
        var told: [String] = []
        let time = Mutex(DashboardScreen.now)
        let library = try Library(path: nil)
        try await library.store(try race())
        let settings = try Settings(library: library, file: [:])
        let alerts = RaceAlerts(
            library: library, settings: settings, paneFocus: PaneFocus(), clock: { time.withLock { $0 } }
        ) { title, body, place in
            #expect(place.text.hasPrefix("race:"))
            told.append("\(title): \(body)")
            return nil
        }
        #expect(!alerts.areWanted)
        try await library.changes.perform(Favourites.mark(.rider, "Cis van der Dias", true))
        #expect(alerts.areWanted)
        _ = try await alerts.look()
        try await library.changes.perform(.delayLive(LiveDelay(seconds: 60), now: DashboardScreen.now))
        try await library.store(
            try race(
                ticker: """
                    {"time": "2026-11-20T12:00:10Z", "text": "Van der DIAS attacks", "kind": "attack"},
                    {"time": "2026-11-20T12:00:11Z", "text": "Sousa attacks", "kind": "attack"},
                    {"time": "2026-11-20T12:00:12Z", "text": "Dias eats", "kind": "text"}
                    """))
        time.withLock { $0 += 30 }
        _ = try await alerts.look()
        #expect(told.isEmpty)
        time.withLock { $0 += 60 }
        for _ in 0..<2 { _ = try await alerts.look() }
        #expect(told == ["Volta, stage 2: Van der DIAS attacks"])
        try await library.changes.perform(.delayLive(LiveDelay(seconds: 0), now: DashboardScreen.now))
        try await library.store(try race(withdrawals: #"{"rider": "3", "stage": 2, "reason": "DNF"}"#))
        for _ in 0..<2 { _ = try await alerts.look() }
        #expect(told.last == "Volta, stage 2: Cis van der Dias did not finish" && told.count == 2)
    }
}
