import FeedParsing
import Foundation
import LibraryTesting
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

/// Which stage is selected at the start, and which of its pages opens.
@MainActor
@Suite struct OpensStages {
    private static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    /// Only a stage today takes precedence over the nearest race, and a race without stages is never selected.
    @Test func choosesTheStageOfTheDay() throws {
        func races(_ counts: [Int]) -> [RaceRow] {
            counts.enumerated().map { RaceRow(id: "r\($0)", name: "R", year: 2026, stageCount: $1) }
        }
        let next = RowPath(section: 1, row: 4)
        for offset: Int64 in -1...1 {
            let choice = StageChoice.first(next: (next, offset), nearest: "r2", races: races([3, 5, 7]))
            #expect(choice == (offset == 0 ? next : RowPath(section: 2, row: 0)), "\(offset)")
            // A rest day.
            #expect(StageChoice.first(next: (next, offset), nearest: "r1", races: races([3, 5, 7])) == next)
        }
        let table: [(counts: [Int], nearest: String?, section: Int?)] = [
            ([3, 5, 7], nil, 0), ([3, 5, 7], "r0", 0), ([3, 5, 7], "r1", 1), ([3, 5, 7], "gone", 0),
            ([0, 5, 7], nil, 1), ([0, 0, 7], nil, 2), ([3, 0, 7], "r1", 0), ([0, 5, 0], "r2", 1), ([0], "r0", nil),
            ([], nil, nil), ([0, 0], nil, nil),
        ]
        for (counts, nearest, section) in table {
            let choice = StageChoice.first(next: nil, nearest: nearest, races: races(counts))
            #expect(choice == section.map { RowPath(section: $0, row: 0) }, "\(counts) \(nearest ?? "-")")
        }
    }

    /// The stage of an earlier run is selected again, unless there is a stage today.
    @Test func restoresTheStageOfTheSameDay() throws {
        let today = try OpensStages.day("2026-11-20")
        for chosen: Int64? in [nil, today.number - 1, today.number, today.number + 1] {
            for next: Int64? in [nil, today.number, today.number + 1] {
                let restores = StageChoice.restores(chosenOn: chosen, today: today, hasStageToday: next == today.number)
                let isOfAnotherDay = chosen != nil && chosen != today.number
                #expect(restores == !(isOfAnotherDay && next == today.number), "\(chosen ?? 0) \(next ?? 0)")
            }
        }
    }

    @Test func opensTheLivePageOnTheDay() throws {
        let today = try OpensStages.day("2026-11-20")
        let days: [(day: String?, page: StageDetailViewController.Page)] = [
            ("2026-11-19", .facts), ("2026-11-20", .live), ("2026-11-21", .facts), (nil, .facts),
        ]
        for (day, page) in days {
            let stage = Stage(number: 1, date: day, start: "A", finish: "B")
            let isToday = stage.isToday(at: today.midnight, local: today)
            #expect(StageDetailViewController.Page.first(isToday: isToday) == page, "\(day ?? "-")")
            for hasTicker in [false, true] {
                #expect(
                    StageLiveText.hasPage(stage, today: today, now: today.midnight, hasTicker: hasTicker)
                        == (page == .live || hasTicker))
            }
        }
    }

    /// Each page appears under its own condition, always in the same order.
    @Test func hasOnlyPagesWithContent() {
        typealias Page = StageDetailViewController.Page
        let order: [Page] = [.live, .facts, .picture, .map, .profile, .standings, .related]
        for bits in 0..<128 {
            func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
            let contents = Page.Contents(
                isDay: has(0), hasPicture: has(1), hasMap: has(2), hasProfile: has(6), hasStandings: has(3),
                hasNews: has(4), isLinear: has(5))
            var expected: Set<Page> = [.facts]
            if has(0) { expected.insert(.live) }
            if has(1), !has(5) { expected.insert(.picture) }
            if has(2), !has(5) { expected.insert(.map) }
            if has(6), !has(5) { expected.insert(.profile) }
            if has(3) { expected.insert(.standings) }
            if has(4) { expected.insert(.related) }
            #expect(Page.pages(contents) == order.filter(expected.contains), "\(contents)")
        }
    }

    @Test func wrapsAroundThePages() {
        typealias Page = StageDetailViewController.Page
        let pages: [Page] = [.facts, .map, .profile]
        let turns = pages.map { page in [-1, 1].map { page.turned($0, in: pages) } }
        #expect(turns == [[.profile, .map], [.facts, .profile], [.map, .facts]])
        #expect(Page.live.turned(1, in: pages) == nil)
        #expect(Page.facts.turned(1, in: [.facts]) == .facts && Page.facts.turned(-1, in: [.facts]) == .facts)
    }

    @Test func hasStandingsOnceAWinnerOrALeaderIsKnown() {
        func race(_ winner: String?, _ leader: String?) -> Race {
            let stages = [
                Stage(number: 1, start: "A", finish: "B"),
                Stage(number: 2, start: "B", finish: "C", winner: winner, leaderAfter: leader),
            ]
            return Race(race: "V", year: 2026, stages: stages)
        }
        #expect(!race(nil, nil).hasStandings)
        #expect(race("W", nil).hasStandings && race(nil, "L").hasStandings && race("W", "L").hasStandings)
    }

    // MARK: On the screen

    private static func race(_ days: [String?], name: String = "Volta", more: [String] = []) -> String {
        let stages = days.enumerated().map { index, day in
            let date = day.map { #""date": "\#($0)", "# } ?? ""
            let more = more.indices.contains(index) ? more[index] : ""
            return #"{"number": \#(index + 1), \#(date)"start": "Town \#(index + 1)", "finish": "Sea"\#(more)}"#
        }
        return #"{"race": "\#(name)", "year": 2026, "stages": [\#(stages.joined(separator: ","))]}"#
    }

    /// The day follows the user's time zone, from midnight to midnight.
    @Test(arguments: [
        ("AAA0", 0, "Town 2"), ("AAA0", -43_201, "Town 1"), ("AAA0", -43_200, "Town 2"), ("AAA0", 43_199, "Town 2"),
        ("AAA0", 43_200, "Town 3"), ("AAA12", 0, "Town 2"), ("AAA12", -1, "Town 1"), ("AAA-12", -1, "Town 2"),
        ("AAA-12", 0, "Town 3"),
    ])
    func choosesTodaysStageInTheZoneOfTheUser(zone: String, seconds: Int64, town: String) async throws {
        let race = OpensStages.race(["2026-11-19", "2026-11-20", "2026-11-21"])
        // Sets the zone before the segment is created; nothing else runs until it is UTC again.
        let dashboard = try await DashboardScreen(
            120, 24, segment: "feeds", race: race, adjust: { $0.time.clock = { DashboardScreen.now + seconds } })
        useTimeZone(zone)
        defer { useTimeZone() }
        dashboard.screen.press(DashboardSegment.key(of: "stages"))
        #expect(dashboard.screen.text.contains("Volta: \(town) → Sea"), "\(dashboard.screen.text)")
        #expect(dashboard.screen.text.contains("▐Live▌"))
    }

    @Test func opensEachStageOnAPageThatItHas() async throws {
        let race = OpensStages.race(
            ["2026-11-19", "2026-11-20", "2026-11-21"],
            more: [#", "winner": "Ana Sousa""#, #", "start_lat_lon": [41, -8], "finish_lat_lon": [40, -8]"#])
        let dashboard = try await DashboardScreen(120, 24, segment: "stages", race: race)
        let screen = dashboard.screen
        #expect(screen.text.contains("▐Live▌ Facts  Map  Standings"), "\(screen.text)")
        // The day before has no live page; the common page stays.
        screen.press("K")
        #expect(screen.text.contains("▐Facts▌ Standings") && screen.text.contains("Volta: Town 1"))
        // A stage shown before returns unchanged; a new one opens the page of the stage before it.
        screen.press("J", "]", "]", "]", "J")
        #expect(screen.text.contains("Facts ▐Standings▌") && screen.text.contains("Volta: Town 3"), "\(screen.text)")
        screen.press("K")
        #expect(
            screen.text.contains("Live  Facts  Map ▐Standings▌") && screen.text.contains("Volta: Town 2"),
            "\(screen.text)")
        // From its first page back to the last one, and around to the first.
        #expect(screen.press("J", "[", "[", shows: "Facts ▐Standings▌"), "\(screen.text)")
        #expect(screen.press("]", shows: "▐Facts▌"))
        // There is no stage after the last, nor before the first.
        #expect(screen.press("J", shows: "Volta: Town 3"))
        #expect(screen.press("K", "K", "K", "K", shows: "Volta: Town 1"))
        // A click on the name of a page shows it.
        screen.click(on: "Standings")
        #expect(screen.text.contains("▐Standings▌"))
    }

    @Test func opensLinearModeWithoutDrawings() async throws {
        let race = OpensStages.race(
            ["2026-11-19", "2026-11-20"],
            more: ["", #", "start_lat_lon": [41, -8], "finish_lat_lon": [40, -8], "winner": "W""#])
        let dashboard = try await DashboardScreen(120, 24, segment: "stages", race: race)
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        dashboard.screen.press("enter")
        let text = dashboard.screen.text
        #expect(text.contains("Town 2 to Sea") && !text.contains("Profile") && !text.contains("Map"), "\(text)")
        #expect(text.contains("Standings"))
    }

    /// The state of the Stages segment is restored at the next start; on the next day, a stage of that day comes first.
    @Test func restoresTheStageAtTheNextStart() async throws {
        let race = OpensStages.race(["2026-11-19", "2026-11-20", "2026-11-21"])
        let dashboard = try await DashboardScreen(120, 24, segment: "stages", race: race)
        dashboard.screen.press("J", "l")
        let state = try #require(dashboard.savedState())
        let again = try await DashboardScreen(120, 24, segment: nil, state: state, race: race)
        #expect(again.screen.text.contains("Volta: Town 3 → Sea"))
        func fields(_ state: DashboardState?) throws -> NSDictionary? {
            try JSONSerialization.jsonObject(with: Data((state?.roots["stages"] ?? "").utf8)) as? NSDictionary
        }
        #expect(try fields(again.savedState()) == fields(state))
        #expect(try fields(state)?["number"] as? Int == 3 && fields(state)?["isDetailFocused"] as? Bool == true)
        // Another program deleted the stage meanwhile.
        let without = try await DashboardScreen(
            120, 24, segment: nil, state: state, race: OpensStages.race(["2026-11-19", "2026-11-20"]))
        #expect(without.screen.text.contains("Volta: Town 2 → Sea"))
    }

    /// A visible stage that changes keeps its page; one that is deleted is replaced by today's.
    @Test func keepsThePageWhenTheRaceChanges() async throws {
        let days = ["2026-11-19", "2026-11-20", "2026-11-21"]
        let dashboard = try await DashboardScreen(
            120, 24, segment: "stages", race: OpensStages.race(days, more: [#", "winner": "Ana Sousa""#]))
        let screen = dashboard.screen
        screen.press("J", "]")
        #expect(screen.text.contains("▐Standings▌") && !screen.text.contains("Bea Costa"))
        func store(_ text: String) async throws { try await dashboard.library.store(RaceFile.read(Data(text.utf8))) }
        try await store(OpensStages.race(days, more: ["", "", #", "winner": "Bea Costa""#]))
        #expect(await screen.wait { screen.text.contains("Bea Costa") && screen.text.contains("▐Standings▌") })
        #expect(screen.text.contains("Volta: Town 3 → Sea"))
        try await store(OpensStages.race(["2026-11-19", "2026-11-20"]))
        #expect(await screen.wait(for: "Volta: Town 2 → Sea"))
        try await dashboard.library.changes.perform(.removeRace("volta-2026"))
        #expect(await screen.wait(for: "No races."))
        #expect(!screen.text.contains("Volta:"))
    }
}
