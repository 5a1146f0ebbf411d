import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import RaceCentre
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

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
        useTimeZone()
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

    /// Returns a dashboard whose query service is on loopback.
    private func dashboard(_ server: LoopbackServer) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        let catalogue = Array(#"{"wikidata_service": "\#(server.url("/sparql"))"}"#.utf8)
        dashboard.library.attach(KnownRaceReader { KnownRaces(bundled: catalogue) })
        return dashboard
    }

    @Test func offersTheCalendarsOfTheYear() throws {
        func years(_ day: String) throws -> [Int] { CalendarRequest.years(on: try #require(CalendarDay(day))) }
        #expect(try years("2026-08-31") == [2026] && years("2026-09-01") == [2026, 2027])
        #expect(try years("2026-12-31") == [2026, 2027] && years("2027-01-01") == [2027])
    }

    /// The calendar is requested with a row of the season, and a race in it is followed with Enter.
    @Test func loadsTheCalendarAndFollowsARace() async throws {
        let server = try LoopbackServer { InventedWikidata.answer(toPath: $0.path).map { .init($0) } ?? .init(404) }
        let dashboard = try await dashboard(server)
        let screen = dashboard.screen
        func row(_ word: String) -> String { screen.lines.first { $0.contains(word) } ?? "" }
        screen.press("C")
        // Without a coming race, the calendar is selected. Nothing is requested before Enter.
        #expect(row("Load the races of 2026").contains("▌") && row("Load the races of 2027").contains("from Wikidata"))
        #expect(server.requests.isEmpty)
        #expect(await screen.press("enter", until: "Tour of Sagres Ladies 2026"), "\(screen.text)")
        #expect(await screen.wait(for: "Update the races of 2026 from Wikidata"), "\(screen.text)")
        #expect(await screen.wait { row("Sagres").contains("▌") }, "\(screen.text)")
        #expect(row("Sagres").contains("under way · women, 2.WWT · Portugal"))
        #expect(!row("● Volta 2026").isEmpty && row("Invenção").contains("July") == false)
        #expect(server.requests.count == 1)
        // Up and down move over months and requests, as far as the ends.
        for _ in 0..<9 { screen.press("down") }
        #expect(screen.lines.contains { $0.contains("▌") && $0.contains("Load the races of 2027") }, "\(screen.text)")
        // A filter leaves only races.
        for letter in "invencao" { screen.press(String(letter)) }
        #expect(!screen.text.contains("the races of 2026") && row("Invenção").contains("▌"), "\(screen.text)")
        #expect(await screen.press("enter", until: "● Volta a Invenção 2026"), "\(screen.text)")
        #expect(try dashboard.library.races.subscriptions().map(\.address) == ["wikidata:Q501"])
        // Once stored it is listed once, and opens its last stage.
        #expect(screen.lines.filter { $0.contains("● Volta a Invenção") }.count == 1, "\(screen.text)")
        #expect(await screen.press("enter", until: "Stage 3 of 3 · Volta a Invenção 2026"), "\(screen.text)")
        #expect(!screen.text.contains("Season"))
    }

    @Test func reportsACalendarThatCannotBeRead() async throws {
        let server = try LoopbackServer { _ in .init(403) }
        let dashboard = try await dashboard(server)
        dashboard.screen.press("C", "enter")
        #expect(
            await dashboard.screen.wait(for: "Season · ! Wikidata: access denied (403)"), "\(dashboard.screen.text)")
        #expect(dashboard.screen.text.contains("Load the races of 2026"))
    }

    /// Past winners are requested with a row of their sheet, and hidden as results are.
    @Test func showsPastWinners() async throws {
        let server = try LoopbackServer { InventedWikidata.answer(toPath: $0.path).map { .init($0) } ?? .init(404) }
        let dashboard = try await dashboard(server)
        let screen = dashboard.screen
        #expect(screen.press("W", shows: "Volta is not in the calendar. C loads it"), "\(screen.text)")
        let race = CalendarRace(
            item: try #require(WikidataItem("Q501")), name: "Volta", firstDay: CalendarDay(number: 20_640),
            lastDay: CalendarDay(number: 20_644), series: WikidataItem("Q9001"))
        try await dashboard.library.storeCalendar([race], year: 2026)
        screen.press("W")
        #expect(screen.text.contains("Past winners of Volta") && server.requests.isEmpty, "\(screen.text)")
        #expect(await screen.press("enter", until: "2026  Ana Rio"), "\(screen.text)")
        #expect(screen.text.contains("1931  Dora Serra") && screen.text.contains("Equipa Norte"))
        try await dashboard.press("esc", "H")
        screen.press("W")
        #expect(screen.text.contains("2025  result hidden") && !screen.text.contains("Cira Lago"), "\(screen.text)")
        screen.press("down", "i")
        #expect(
            screen.text.contains("2025  Cira Lago") && screen.text.contains("2026  result hidden"), "\(screen.text)")
        screen.press("i")
        #expect(!screen.text.contains("Cira Lago"))
    }

    @Test func saysWhenNoRaceHasTheName() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages")
        dashboard.screen.press("C")
        for letter in "zzz" { dashboard.screen.press(String(letter)) }
        #expect(dashboard.screen.text.contains("No races found. T"), "\(dashboard.screen.text)")
        #expect(dashboard.screen.press("enter", shows: "No races found."))
    }
}
