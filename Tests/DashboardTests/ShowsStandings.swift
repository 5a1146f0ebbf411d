import Foundation
import LibraryTesting
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// The standings after a stage on the screen, and the page of a rider.
@MainActor
@Suite struct ShowsStandings {
    private static let race = """
        {"schema": 2, "race": "Volta", "year": 2026, "leader_jersey": "maglia rosa",
         "jerseys": [{"classification": "general", "name": "yellow jersey"}, {"classification": "points", "name": "green jersey"}],
         "teams": [{"id": "t", "name": "Team T"}, {"id": "u", "name": "Team U"}],
         "riders": [{"id": "1", "name": "Ana Sousa", "number": 11, "country": "PT", "team": "t"},
                    {"id": "2", "name": "Bea Costa", "team": "u"}, {"id": "3", "name": "Carla Dias", "team": "t"}],
         "withdrawals": [{"rider": "3", "stage": 2, "reason": "DNF"}],
         "stages": [
          {"number": 1, "date": "2026-11-18", "start": "Porto", "finish": "Lisbon",
           "results": [{"rider": "2", "time": "4:00:00"}, {"rider": "1", "gap": 4}, {"rider": "3", "gap": 4}],
           "general": [{"rider": "2"}, {"rider": "1", "gap": 4}, {"rider": "3", "gap": 4}]},
          {"number": 2, "date": "2026-11-19", "start": "Lisbon", "finish": "Faro",
           "results": [{"rider": "1", "time": "3:30:00"}, {"rider": "2", "gap": 70}],
           "general": [{"rider": "1"}, {"rider": "2", "gap": 66}],
           "points": [{"rider": "2", "points": 45.5}, {"rider": "1", "points": 40}],
           "teams": [{"team": "t"}, {"team": "u", "gap": 100}]},
          {"number": 3, "date": "2026-11-21", "start": "Faro", "finish": "Sagres"}]}
        """

    /// The rows of the table, from the first rank to the last.
    private func rows(_ screen: TestScreen) -> [String] {
        screen.lines.compactMap { line in
            guard let bar = line.firstIndex(of: "│") else { return nil }
            let text = line[line.index(after: bar)...].split(separator: " ").joined(separator: " ")
            return text.contains(/^(▌ ?)?[0-9]+ (▲|▼|=|new|[A-Z])/)
                ? text.replacing("▌", with: "").trimmingCharacters(in: .whitespaces) : nil
        }
    }

    private func standings(_ width: Int = 160) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(width, 30, segment: "stages", race: ShowsStandings.race)
        dashboard.screen.press("K", "l", "[")
        return dashboard
    }

    /// A low pane has the table alone, and a narrow one the places of a rider before the ways.
    @Test func leavesOutWhatHasNoSpace() async throws {
        #expect([4, 5, 6, 9].map { StandingText.rowsBelowChart(10, in: $0) } == [4, 2, 3, 4])
        #expect(RiderViewController.shown(in: 54).count == 6 && RiderViewController.shown(in: 53) == [0, 2, 3, 4, 5])
        let dashboard = try await DashboardScreen(20, 6, segment: "stages", race: ShowsStandings.race)
        let screen = dashboard.screen
        screen.press("k", "enter", "[")
        #expect(screen.lines.contains { $0.contains(/1 Sousa/) }, "\(screen.text)")
        #expect(screen.lines.contains { $0.contains(/2 Costa +\+1:06/) }, "\(screen.text)")
        for _ in 0..<9 where !screen.text.contains("Gaps") { screen.press("c") }
        #expect(screen.lines.contains { $0.contains(/2 Costa +\+1:06/) }, "\(screen.text)")
        screen.resize(39, 11)
        screen.press("enter")
        #expect(screen.lines.contains { $0.contains(/Stage +Place +Gap +Overall/) }, "\(screen.text)")
        #expect(screen.lines.contains { $0.contains(/1 +2 +\+0:04 +2/) }, "\(screen.text)")
        screen.resize(100, 30)
        #expect(screen.text.contains("Behind"), "\(screen.text)")
    }

    @Test func switchesTheListsOfAStage() async throws {
        let dashboard = try await standings()
        let screen = dashboard.screen
        #expect(screen.text.contains("General classification after stage 2"), "\(screen.text)")
        #expect(rows(screen) == ["1 ▲1 Ana Sousa (PT) Team T", "2 ▼1 Bea Costa Team U +1:06"], "\(screen.text)")
        #expect(screen.text.contains("yellow jersey Ana Sousa") && screen.text.contains("green jersey Bea Costa"))
        #expect(screen.lines.contains { $0.contains(" Costa") && !$0.contains("Bea") })
        #expect(screen.text.contains("maglia rosa"))
        let lists: [(heading: String, rows: [String])] = [
            ("Result after stage 2", ["1 Ana Sousa (PT) Team T 3:30:00", "2 Bea Costa Team U +1:10"]),
            ("Points after stage 2", ["1 new Bea Costa Team U 45.5", "2 new Ana Sousa (PT) Team T 40"]),
            ("Teams after stage 2", ["1 new Team T", "2 new Team U +1:40"]),
            ("Gaps from stage to stage after stage 2", ["1 ▲1 Ana Sousa (PT) Team T", "2 ▼1 Bea Costa Team U +1:06"]),
        ]
        for (heading, expected) in lists {
            #expect(screen.press("c", shows: heading), "\(screen.text)")
            let found = rows(screen)
            #expect(
                found == expected || found == expected.map { $0.replacing("new ", with: "") }, "\(heading): \(found)")
        }
        screen.press("c")
        #expect(screen.text.contains("1 Bea Costa") && screen.text.contains("▸ 2 Ana Sousa"))
        // Around to the first.
        #expect(screen.press("c", shows: "General classification after stage 2"))
    }

    /// The chosen list and its order stay when the race changes.
    @Test func keepsTheListAndItsOrder() async throws {
        let dashboard = try await standings()
        let screen = dashboard.screen
        screen.press("c")
        #expect(rows(screen).map { $0.prefix(1) } == ["1", "2"])
        // Sorted by the rider's name, then in reverse.
        screen.press("alt-2", "alt-2")
        #expect(rows(screen).map { $0.prefix(1) } == ["2", "1"], "\(screen.text)")
        let more = ShowsStandings.race.replacing(#""gap": 70}"#, with: #""gap": 75}"#)
        try await dashboard.library.store(RaceFile.read(Data(more.utf8)))
        #expect(await screen.wait(for: "+1:15"))
        #expect(screen.text.contains("Result after stage 2"))
        #expect(rows(screen).map { $0.prefix(1) } == ["2", "1"], "\(screen.text)")
    }

    @Test func opensRidersAndStagesFromTheTable() async throws {
        let dashboard = try await standings()
        let screen = dashboard.screen
        screen.press("j", "enter")
        #expect(screen.text.contains("‹ Stage 2") && screen.text.contains("Bea Costa"), "\(screen.text)")
        #expect(screen.text.contains("Team") && screen.text.contains("Team U"))
        #expect(await screen.press("h", until: "General classification after stage 2"))
        // A team has no page.
        #expect(screen.press("c", "c", "c", "enter", shows: "Teams after stage 2"))
        #expect(await screen.press("c", "c", "g", "g", "enter", until: "Volta: Porto → Lisbon"), "\(screen.text)")
    }

    @Test func saysWhyThereIsNoClassification() async throws {
        let dashboard = try await standings()
        let screen = dashboard.screen
        // Before a stage has its own standings, those after the last one are shown.
        #expect(screen.press("J", "[", shows: "General classification after stage 2"), "\(screen.text)")
        #expect(await screen.press("K", "h", "I") { !screen.text.contains("Ana Sousa") })
        #expect(!screen.text.contains("Standings"), "\(screen.text)")
        // With one stage revealed, the others are labelled as hidden, and a future one shows nothing.
        #expect(await screen.press("K", "i", until: "Standings"))
        #expect(await screen.press("J", until: "hidden"))
        #expect(screen.press("[", shows: "General classification after stage 1"), "\(screen.text)")
        screen.press("c")
        for _ in 0..<9 where !screen.text.contains("Winners and leaders after") { screen.press("c") }
        let hidden = screen.lines.filter { $0.contains(" hidden ") && !$0.contains("until") }
        #expect(hidden.count == 1 && hidden[0].contains("▸ 2 hidden"), "\(screen.text)")
    }

    @Test func leavesOutTeamsInNarrowPanes() async throws {
        let dashboard = try await standings(84)
        #expect(rows(dashboard.screen).first?.hasPrefix("1 ▲1 Ana Sousa (PT)") == true, "\(dashboard.screen.text)")
        // The leading team is still above them.
        #expect(!rows(dashboard.screen).contains { $0.contains("Team T") }, "\(dashboard.screen.text)")
        dashboard.screen.resize(160, 30)
        #expect(rows(dashboard.screen).allSatisfy { $0.contains("Team ") }, "\(dashboard.screen.text)")
        // The strip is dropped in a low pane.
        dashboard.screen.resize(160, 12)
        #expect(!dashboard.screen.text.contains("maglia rosa") && dashboard.screen.text.contains("Ana Sousa"))
    }

    @Test func readsTheStandingsLineByLine() async throws {
        let dashboard = try await DashboardScreen(100, 30, segment: "stages", race: ShowsStandings.race)
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        dashboard.screen.press("k", "enter", "[")
        let text = dashboard.screen.text
        #expect(text.contains("up 1") && text.contains("down 1") && text.contains("Team T"), "\(text)")
        #expect(text.contains("yellow jersey Ana Sousa") && !text.contains("▀"))
        #expect(dashboard.screen.press("c", "c", "c", "c", shows: "2 (shown)"))
    }

    @Test func showsARider() async throws {
        let dashboard = try await standings()
        let screen = dashboard.screen
        screen.press("enter")
        func fact(_ name: String) -> String? {
            screen.lines.first { $0.contains(name + " ") }?.split(separator: "│").last.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        #expect(fact("Team")?.hasSuffix("Team T") == true && fact("Country")?.hasSuffix("PT") == true, "\(screen.text)")
        #expect(fact("Number")?.hasSuffix("11") == true)
        #expect(fact("Days in jerseys")?.hasSuffix("yellow jersey 1") == true)
        #expect(screen.text.contains("Volta 2026") && !screen.text.contains("Withdrew"))
        let table = screen.lines.compactMap { line in
            line.split(separator: "│").last.map { $0.split(separator: " ").joined(separator: " ") }
        }
        #expect(table.contains { $0.hasSuffix("1 Porto → Lisbon 2 +0:04 2 +0:04") }, "\(table)")
        #expect(table.contains { $0.hasSuffix("2 Lisbon → Faro 1 1") }, "\(table)")
        // A stage opens from its row.
        #expect(await screen.press("enter", until: "Volta: Porto → Lisbon"))
        #expect(await screen.press("c", "j", "j", "enter", until: "Withdrew"), "\(screen.text)")
        #expect(fact("Withdrew")?.hasSuffix("stage 2, did not finish") == true)
        try await dashboard.library.changes.perform(.removeRace("volta-2026"))
        #expect(await screen.wait { !screen.text.contains("Carla Dias") })
    }

    private static let trial = #"""
        {"schema": 3, "race": "Volta", "year": 2026,
         "riders": [{"id": "1", "name": "Ana Rio"}, {"id": "2", "name": "Bea Sol"}],
         "stages": [
          {"number": 1, "date": "2026-11-18", "start": "A", "finish": "B", "general": [{"rider": "2"}, {"rider": "1", "gap": 20}]},
          {"number": 2, "date": "2026-11-19", "start": "B", "finish": "C", "type": "individual time trial", "provisional": true,
           "time_limit": 300, "results": [{"rider": "1", "time": 1500, "bonus": 10}, {"rider": "2", "gap": 30, "bonus": 6}],
           "general": [{"rider": "1"}, {"rider": "2", "gap": 14}], "stage_points": [{"rider": "2", "points": 20}],
           "splits": [{"name": "Half", "km": 9, "placings": [{"rider": "2", "time": 700}, {"rider": "1", "gap": 2}]}]}]}
        """#

    @Test func showsEachListOfAStage() async throws {
        let dashboard = try await DashboardScreen(100, 26, segment: "stages", race: ShowsStandings.trial)
        let screen = dashboard.screen
        screen.press("G", "l")
        screen.turn(to: "Standings")
        #expect(screen.text.contains("General classification after stage 2 · provisional"), "\(screen.text)")
        #expect(screen.press("c", shows: "Result after stage 2 · provisional · time limit +5:00"), "\(screen.text)")
        #expect(screen.text.contains("Bonus") && screen.text.contains("25:00  10 s"), "\(screen.text)")
        screen.press("c")
        #expect(screen.text.contains("Points of the stage") && screen.text.contains("Bea Sol"), "\(screen.text)")
        screen.press("c")
        #expect(screen.text.contains("Split times") && screen.text.contains("+0:02 (2)"), "\(screen.text)")
        screen.press("c")
        // The lines of two riders cross, and their names are at the ends.
        #expect(screen.text.contains("Gaps from stage to stage") && screen.text.contains("+0:20"), "\(screen.text)")
        #expect(screen.text.contains(/[⠁-⣿]/) && screen.text.contains("stage 2"), "\(screen.text)")
        #expect(screen.press("c", shows: "Winners and leaders"))
        // A rider's page says where the rider is, and what was won.
        screen.press("c", "c", "enter")
        #expect(screen.text.contains("Won stage") && screen.text.contains("1 after stage 2"), "\(screen.text)")
    }
}
