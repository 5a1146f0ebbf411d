import FeedParsing
import Foundation
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// The season: races by month, both in the library and in directories.
@MainActor
@Suite struct BrowsesTheSeason {
    private static let directory = """
        {"title": "All", "races": [
         {"name": "Ronde", "start": "2026-04-05", "kind": "classic", "country": "BE", "address": "ronde.json"},
         {"name": "Sagres Women", "start": "2026-11-18", "end": "2026-11-25", "kind": "women", "country": "PT", "address": "sagres.json"},
         {"name": "Épernay", "start": "2027-02-05", "kind": "classic", "country": "FR", "address": "epernay.json"}]}
        """

    @Test func STA_12_findsRacesWhileTyping() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        let screen = dashboard.screen
        let address = "https://race.example/races.json"
        let races = try RaceDirectory.read(Data(BrowsesTheSeason.directory.utf8), at: address).races
        try await dashboard.library.changes.perform(
            .followDirectory(races, DirectorySubscription(address: address, title: "All")))
        screen.press("C")
        let lines = screen.lines
        let order = [
            "April 2026", "Ronde", "November 2026", "● Volta 2026", "Sagres Women", "February 2027", "Épernay",
        ].map {
            word in lines.firstIndex { $0.contains(word) }
        }
        #expect(order == order.sorted { ($0 ?? .max) < ($1 ?? .max) } && !order.contains(nil), "\(screen.text)")
        #expect(lines.first { $0.contains("Sagres") }?.contains("under way") == true)
        // The first race that has not ended is selected and centred.
        #expect(lines.first { $0.contains("▌") && $0.contains("Sagres") } != nil, "\(screen.text)")
        for letter in "epernay fr" { screen.press(letter == " " ? "space" : String(letter)) }
        #expect(screen.text.contains("Épernay") && !screen.text.contains("Ronde"))
        for _ in 0..<10 { screen.press("backspace") }
        for letter in "volta" { screen.press(String(letter)) }
        screen.press("enter")
        // A stored race opens.
        #expect(await screen.wait(for: "Stage 5 of 5 · Volta 2026"), "\(screen.text)")
    }

    @Test func STA_12_centresToday() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        let screen = dashboard.screen
        let rows = (0..<80).map { index in
            let day = CalendarDay(instant: DashboardScreen.now + Int64(index - 40) * 4 * 86_400)
            return #"{"name": "Race \#(index)", "start": "\#(day.text)", "address": "\#(index).json"}"#
        }
        let address = "https://race.example/races.json"
        let document = #"{"title": "All", "races": [\#(rows.joined(separator: ","))]}"#
        let races = try RaceDirectory.read(Data(document.utf8), at: address).races
        try await dashboard.library.changes.perform(
            .followDirectory(races, DirectorySubscription(address: address, title: "All")))
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
