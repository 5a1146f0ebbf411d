import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// The season: months, the selected race, how far away each is, and where a race leads.
@MainActor
@Suite struct ListsTheSeason {
    private static func race(_ name: String, _ first: String?, _ last: String? = nil, id: String? = nil) -> SeasonRace {
        SeasonRace(
            id: id, name: name, firstDay: first.flatMap { CalendarDay($0) },
            lastDay: (last ?? first).flatMap { CalendarDay($0) })
    }

    @Test func groupsRacesByMonth() {
        let races = [
            ListsTheSeason.race("a", "2025-11-30"), ListsTheSeason.race("b", "2026-10-31", "2026-11-02"),
            ListsTheSeason.race("c", "2026-11-01"), ListsTheSeason.race("d", "2026-11-30"),
            ListsTheSeason.race("e", nil),
        ]
        let months = SeasonMonth.months(of: races)
        #expect(months.map(\.title.string) == ["November 2025", "October 2026", "November 2026", "Without dates"])
        #expect(months.map { $0.races.map(\.name) } == [["a"], ["b"], ["c", "d"], ["e"]])
        #expect(SeasonMonth.months(of: []).isEmpty)
    }

    /// Selects the first race that has not ended by today, or the last of all.
    @Test func choosesTheRaceNearestToToday() throws {
        let today = try #require(CalendarDay("2026-11-20"))
        let past = ListsTheSeason.race("past", "2026-10-01", "2026-11-19")
        let table: [(races: [SeasonRace], path: RowPath?)] = [
            ([], nil), ([past], RowPath(section: 0, row: 0)), ([past, past], RowPath(section: 0, row: 1)),
            ([past, ListsTheSeason.race("today", "2026-11-20")], RowPath(section: 1, row: 0)),
            ([past, ListsTheSeason.race("ends today", "2026-11-01", "2026-11-20")], RowPath(section: 1, row: 0)),
            ([past, past, ListsTheSeason.race("later", "2027-01-01"), past], RowPath(section: 1, row: 0)),
            (
                [
                    past, ListsTheSeason.race("under way", "2026-11-01", "2026-11-30"),
                    ListsTheSeason.race("later", "2026-11-25"),
                ], RowPath(section: 1, row: 0)
            ),
            ([past, ListsTheSeason.race("undated", nil)], RowPath(section: 1, row: 0)),
        ]
        for (races, path) in table {
            #expect(SeasonMonth.nearest(to: today, in: SeasonMonth.months(of: races)) == path, "\(races.map(\.name))")
        }
    }

    @Test func opensTodaysNextOrLastStage() throws {
        let today = try #require(CalendarDay("2026-11-20"))
        func stage(_ days: [String?]) -> Int? {
            let stages = days.enumerated().map { Stage(number: $0 + 1, date: $1, start: "A", finish: "B") }
            return SeasonMonth.stage(of: stages, on: today)?.number
        }
        #expect(stage([]) == nil && stage(["2026-11-18", "2026-11-19"]) == 2)
        #expect(stage(["2026-11-19", "2026-11-20", "2026-11-21"]) == 2)
        #expect(stage(["2026-11-19", "2026-11-21", "2026-11-22"]) == 2 && stage(["2026-11-21", "2026-11-22"]) == 1)
        #expect(stage([nil, "2026-11-21"]) == 1)
    }

    @Test func saysHowFarARaceIs() {
        setenv("TZ", "UTC", 1)
        tzset()
        let dates = DateText(style: .relative, now: DashboardScreen.now)
        let table: [(String?, String?, String?)] = [
            (nil, nil, nil), ("2026-11-20", "2026-11-20", "under way"), ("2026-11-18", "2026-11-20", "under way"),
            ("2026-11-20", "2026-11-25", "under way"), ("2026-11-19", "2026-11-19", "yesterday"),
            ("2026-11-21", "2026-11-30", "tomorrow"), ("2026-11-25", "2026-11-30", "in 5 days"),
            ("2026-11-10", "2026-11-15", "1 week ago"),
        ]
        for (first, last, words) in table {
            #expect(SeasonMonth.words(ListsTheSeason.race("r", first, last), dates: dates) == words, "\(first ?? "-")")
        }
    }

    private static func directory(_ server: String) -> String {
        """
        {"title": "All", "races": [
         {"name": "Ronde", "start": "2026-04-05", "kind": "classic", "country": "BE", "address": "\(server)/ronde.csv"},
         {"name": "Sagres", "start": "2026-11-18", "end": "2026-11-25", "kind": "women", "country": "PT", "address": "\(server)/sagres.csv"},
         {"name": "Tirol", "start": "2027-02-05", "kind": "classic", "country": "AT", "address": "\(server)/none"}]}
        """
    }

    /// Enter follows a race in a directory, and opens a race in the library.
    @Test func followsAListedRace() async throws {
        let server = try LoopbackServer { request in
            request.path == "/sagres.csv"
                ? .init("number,start,finish,date\n1,A,B,2026-11-18\n2,B,C,2026-11-21\n3,C,D,2026-11-25\n") : .init(404)
        }
        defer { server.stop() }
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        let screen = dashboard.screen
        let address = server.url("/races.json")
        let races = try RaceDirectory.read(Data(ListsTheSeason.directory(server.url("")).utf8), at: address).races
        var directory = DirectorySubscription(address: address, title: "All")
        try await dashboard.library.changes.perform(.followDirectory(races, directory))
        screen.press("C")
        func row(_ word: String) -> String { screen.lines.first { $0.contains(word) } ?? "" }
        #expect(
            row("Ronde").contains("classic · BE") && row("Sagres").contains("under way · women · PT"), "\(screen.text)")
        #expect(row("Volta 2026").contains("● Volta 2026") && !row("Sagres").contains("●"))
        screen.press("enter")
        #expect(await screen.wait(for: "● sagres 2026"), "\(screen.text)")
        #expect(try dashboard.library.races.subscriptions().map(\.raceID) == ["sagres-2026"])
        // Once stored it is listed once, and opens its next stage.
        #expect(screen.lines.filter { $0.lowercased().contains("sagres") }.count == 1, "\(screen.text)")
        for letter in "sagres" { screen.press(String(letter)) }
        screen.press("enter")
        #expect(await screen.wait(for: "Stage 2 of 3 · sagres 2026"), "\(screen.text)")
        #expect(!screen.text.contains("Season"))
        screen.press("1", "C")
        // Up and down move from month to month, as far as the ends.
        for letter in "classic" { screen.press(String(letter)) }
        #expect(screen.lines.contains { $0.contains("▌") && $0.contains("Tirol") }, "\(screen.text)")
        screen.press("up")
        #expect(screen.lines.contains { $0.contains("▌") && $0.contains("Ronde") })
        screen.press("up")
        #expect(screen.lines.contains { $0.contains("▌") && $0.contains("Ronde") })
        screen.press("down", "down")
        #expect(screen.lines.contains { $0.contains("▌") && $0.contains("Tirol") })
        screen.press("enter")
        #expect(await screen.wait(for: "404"), "\(screen.text)")
        // Errors of a directory appear above.
        directory.error = "server error (500)"
        try await dashboard.library.changes.perform(UpdateDirectory(nil, directory))
        #expect(await screen.wait(for: "Season · ! All: server error (500)"), "\(screen.text)")
        screen.press("esc")
        #expect(!screen.text.contains("Season ·"))
    }

    @Test func saysWhenNoRaceHasTheName() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        dashboard.screen.press("C")
        for letter in "zzz" { dashboard.screen.press(String(letter)) }
        #expect(dashboard.screen.text.contains("No races found. T"), "\(dashboard.screen.text)")
        dashboard.screen.press("enter")
        #expect(dashboard.screen.text.contains("No races found."))
    }
}
