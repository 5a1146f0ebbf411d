import FeedParsing
import Foundation
import RaceCentre
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// The season: races by month, both in the library and in the calendar.
@MainActor
@Suite struct BrowsesTheSeason {
    private static func race(
        _ item: Int, _ name: String, _ first: String, _ last: String? = nil, _ kind: String? = nil,
        _ country: String? = nil
    ) throws -> CalendarRace {
        CalendarRace(
            item: try #require(WikidataItem("Q\(item)")), name: name, firstDay: try #require(CalendarDay(first)),
            lastDay: try #require(CalendarDay(last ?? first)), kind: kind, country: country)
    }

    @Test func STA_12_findsRacesWhileTyping() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        let screen = dashboard.screen
        let race = BrowsesTheSeason.race
        try await dashboard.library.storeCalendar(
            [
                race(1, "Ronde", "2026-04-05", "2026-04-08", "2.1", "Belgium"),
                race(2, "Sagres Women", "2026-11-18", "2026-11-25", "women, 2.1", "Portugal"),
            ], year: 2026)
        try await dashboard.library.storeCalendar([race(3, "Épernay", "2027-02-05", nil, "2.2", "France")], year: 2027)
        screen.press("C")
        let lines = screen.lines
        let order = [
            "April 2026", "Ronde", "November 2026 ─", "● Volta 2026", "Sagres Women", "February 2027", "Épernay",
        ].map {
            word in lines.firstIndex { $0.contains(word) }
        }
        #expect(order == order.sorted { ($0 ?? .max) < ($1 ?? .max) } && !order.contains(nil), "\(screen.text)")
        #expect(lines.first { $0.contains("Sagres") }?.contains("under way") == true)
        // The first race that has not ended is selected and centred.
        #expect(lines.first { $0.contains("▌") && $0.contains("Sagres") } != nil, "\(screen.text)")
        for letter in "epernay fra" { screen.press(letter == " " ? "space" : String(letter)) }
        #expect(screen.text.contains("Épernay") && !screen.text.contains("Ronde"))
        for _ in 0..<11 { screen.press("backspace") }
        for letter in "volta" { screen.press(String(letter)) }
        screen.press("enter")
        // A stored race opens.
        #expect(await screen.wait(for: "Stage 5 of 5 · Volta 2026"), "\(screen.text)")
    }

    @Test func STA_12_centresToday() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        let screen = dashboard.screen
        let races = try (0..<80).map { index in
            let day = CalendarDay(instant: DashboardScreen.now + Int64(index - 40) * 4 * 86_400)
            return try BrowsesTheSeason.race(index + 1, "Race \(index)", day.text)
        }
        try await dashboard.library.storeCalendar(races, year: 2026)
        screen.press("C")
        let shown = screen.lines.indices.filter { screen.lines[$0].contains("Race ") }
        let today = try #require(screen.lines.firstIndex { $0.contains("Race 40 ") })
        let middle = (try #require(shown.first) + (try #require(shown.last))) / 2
        #expect(abs(today - middle) <= 2, "\(screen.text)")
        // From there the list moves as usual.
        screen.press("down")
        #expect(screen.lines.firstIndex { $0.contains("Race 40 ") } == today)
    }
}
