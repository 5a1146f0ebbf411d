import Foundation
import LibraryTesting
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds
@testable import ModelCore
@testable import StagesSegment

/// Headlines, the footer and the overview of a stage: weight only where it informs.
@MainActor
@Suite struct KeepsScreensCalm {
    /// The line of keys.
    private func footer(_ screen: TestScreen) -> String { screen.lines.last { !$0.isEmpty } ?? "" }

    @Test(arguments: [(200, 50), (120, 39), (79, 23), (60, 19), (42, 24), (39, 11)])
    func alwaysHasAHeadline(width: Int, height: Int) async throws {
        let title = "A title that no bar of this width could hold, and that is whole on the page nevertheless"
        let feed = DashboardScreen.feed.replacing("Reading dates", with: title)
        let dashboard = try await DashboardScreen(width, height, feeds: [("https://loaf.example/feed", feed)])
        let screen = dashboard.screen
        #expect(await screen.press("enter", "j", "j", "enter", until: "A line of a longer"))
        let words = screen.lines.map { line in
            String(line.split(separator: "│").last ?? "").split(separator: " ").filter { $0 != "┃" }
                .joined(separator: " ")
        }.joined(separator: " ")
        #expect(words.contains(title), "\(screen.text)")
        #expect(screen.text.contains("3 of 4"), "\(screen.text)")
        // A short title is there too, and no bar repeats it.
        #expect(await screen.press("[", until: "Short."))
        #expect(!screen.text.contains("‹ Keyboard"))
    }

    @Test func hasNoReadingRuleWhereAllIsVisible() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "j", "enter", until: "Short."))
        #expect(!screen.text.contains("━"), "\(screen.text)")
        #expect(await screen.press("]", until: "A line of a longer article."))
        #expect(screen.text.contains("━"), "\(screen.text)")
    }

    @Test func showsTheKeysOfTheFocusedColumnOnce() async throws {
        let dashboard = try await DashboardScreen(200, 40)
        let screen = dashboard.screen
        #expect(footer(screen).contains("⏎ open") && footer(screen).contains("4 of 4"), "\(screen.text)")
        #expect(await screen.press("enter", until: "1 of 4"))
        #expect(screen.text.ranges(of: "⏎ open").count == 1 && screen.text.ranges(of: "? keys").count == 1)
        #expect(await screen.press("j", "j", "enter", until: "A line of a longer"))
        #expect(footer(screen).contains("space page") && footer(screen).contains(" %"), "\(screen.text)")
        #expect(!screen.text.contains("⏎ open") && screen.text.ranges(of: "date").count >= 1)
    }

    @Test func offersNoKeyThatDoesNothing() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("k", "enter", until: "‹ Feeds"))
        #expect(!footer(screen).contains("open") && !footer(screen).contains(" of "), "\(screen.text)")
        // Without races the only key is the one that follows one.
        let empty = try await DashboardScreen(120, 30, segment: "stages", race: nil).screen
        #expect(
            footer(empty).split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                == ["T follow a race", "? keys"], "\(empty.text)")
    }

    @Test func showsCountsAsSet() async throws {
        for (value, row, badge) in [
            ("number", "● 4", "▐Feeds 4▌"), ("dot", "●", "▐Feeds •▌"), ("none", "", "▐Feeds▌"),
        ] {
            try await StartedDashboard.both("appearance.counts", value) { dashboard in
                let lines = dashboard.screen.lines
                let feed = lines.first { $0.contains("▌One") }?.prefix { $0 != "│" } ?? ""
                #expect(row.isEmpty ? !feed.contains("●") : feed.contains(row), "\(value): \(feed)")
                #expect(feed.contains("4") == (value == "number") && lines[0].contains(badge), "\(value): \(lines[0])")
            }
        }
    }

    private static let race = """
        {"schema": 2, "race": "Volta", "year": 2026,
         "riders": [{"id": "1", "name": "Ana Sousa"}, {"id": "2", "name": "Bea Costa"}],
         "stages": [
          {"number": 1, "date": "2026-11-17", "start": "Porto", "finish": "Lisbon",
           "general": [{"rider": "2", "time": "4:00:00"}, {"rider": "1", "gap": 4}]},
          {"number": 2, "date": "2026-11-18", "start": "Lisbon", "finish": "Faro",
           "general": [{"rider": "1", "time": "8:00:00"}, {"rider": "2", "gap": 66}]},
          {"number": 3, "date": "2026-11-21", "start": "Faro", "finish": "Sagres", "distance_km": 150,
           "climbs": [{"km": 60, "name": "Alto da Foz", "category": "3", "length_km": 5, "gradient": 6, "elevation_m": 500},
                      {"km": 120, "name": "Serra", "category": "1", "length_km": 9, "gradient": 7, "elevation_m": 900}]}]}
        """

    @Test(arguments: [(120, 39), (200, 50)])
    func showsAStageOnOnePage(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, segment: "stages", race: KeepsScreensCalm.race)
        let screen = dashboard.screen
        #expect(await screen.press("G", until: "Alto da Foz"), "\(screen.text)")
        // The profile, the classification after the last stage, and the gaps.
        #expect(screen.text.contains("General after stage 2") && screen.text.contains("Sousa"), "\(screen.text)")
        #expect(screen.text.contains("3 Alto da Foz 5 km") && screen.text.contains("1 Serra 9 km"), "\(screen.text)")
        #expect(screen.text.contains("+1:06") && screen.text.contains("stage 2"), "\(screen.text)")
        screen.resize(60, 19)
        #expect(!screen.text.contains("General after stage 2"))
    }

    /// Races without classifications show who has won and led, unless that is hidden.
    @Test func showsWinnersBesideTheFacts() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "stages")
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Winners and leaders"), "\(screen.text)")
        #expect(screen.text.contains("1 One  One") && screen.text.contains("2 Two  Two"), "\(screen.text)")
        #expect(await screen.press("H") { !screen.text.contains("Winners and leaders") }, "\(screen.text)")
        #expect(await screen.press("H", until: "Winners and leaders"))
        screen.resize(60, 19)
        #expect(!screen.text.contains("Winners and leaders"))
    }

    /// A race of four stages, with a profile and places.
    private static let wide = """
        {"schema": 3, "race": "Volta", "year": 2026, "riders": [{"id": "1", "name": "Ana Sousa"}, {"id": "2", "name": "Bea Costa"}, {"id": "3", "name": "Lia Dias"}],
         "stages": [\((1...4).map { number in
            """
            {"number": \(number), "date": "2026-11-\(10 + number)", "start": "A", "finish": "B", "distance_km": 100,
             "start_lat_lon": [41.15, -8.61], "finish_lat_lon": [38.72, -9.14],
             "climbs": [{"name": "Serra", "km": 60, "elevation_m": 900, "length_km": 9, "gradient": 7}],
             "results": [{"rider": "1", "time": 9000}, {"rider": "2", "gap": 4}],
             "general": [{"rider": "1"}, {"rider": "2", "gap": \(20 * number)}],
             "points": [{"rider": "2", "points": \(30 + number)}, {"rider": "1", "points": 9}, {"rider": "3", "points": 8}]}
            """
        }.joined(separator: ","))]}
        """

    /// Large panes show the profile below the map, and other lists and the gaps beside the standings.
    @Test func usesTheSpaceOfLargePages() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "stages", race: Self.wide)
        let screen = dashboard.screen
        screen.press("G", "enter")
        screen.turn(to: "Map")
        #expect(screen.text.contains("● B") && screen.text.contains("Serra 9 km"), "\(screen.text)")
        screen.turn(to: "Standings")
        #expect(screen.text.contains("General classification after stage 4"), "\(screen.text)")
        #expect(screen.text.contains("Winners and leaders") && screen.text.contains("4 Sousa"), "\(screen.text)")
        #expect(screen.lines.contains { $0.contains(/\D1 +stage 4/) }, "\(screen.text)")
        // The list that the table shows isn't repeated beside it.
        #expect(screen.lines.contains { $0.contains(/1 Costa +34/) }, "\(screen.text)")
        screen.press("c", "c")
        #expect(
            screen.text.contains("▐Points▌") && !screen.lines.contains { $0.contains(/1 Costa +34/) }, "\(screen.text)")
        screen.press("c", "c")
        // The winners are in the table only.
        #expect(screen.text.components(separatedBy: "Winners and leaders").count == 2, "\(screen.text)")
        screen.press("c")
        let won = StageOverview.List("Stages won", counting: ["Lia Dias", "Ana Sousa", "Bea Costa", "Ana Sousa"])
        #expect(
            won.ranking(rows: 2).map { $0.spans.map(\.text.string).joined() } == ["Stages won", "2 Sousa", "1 Costa"],
            "\(won.ranking(rows: 2))")
        // Narrower panes have pages of their own for these.
        screen.resize(79, 23)
        #expect(!screen.text.contains("Winners and leaders"), "\(screen.text)")
        screen.turn(to: "Map")
        #expect(!screen.text.contains("Serra 9 km"), "\(screen.text)")
    }

    @Test func showsHitsWhileOneTypes() async throws {
        let dashboard = try await DashboardScreen(100, 30)
        let screen = dashboard.screen
        try await dashboard.library.indexAll()
        // A word that is being typed finds what begins like it, and says so.
        #expect(await screen.press("S", "d", "a", "t", "e", until: "1 result for date*"), "\(screen.text)")
        #expect(await screen.press("s") { screen.lines.contains { $0.contains("1 result  ") } }, "\(screen.text)")
        #expect(screen.text.contains("Reading dates"))
        #expect(await screen.press("x", until: "No results."), "\(screen.text)")
    }
}
