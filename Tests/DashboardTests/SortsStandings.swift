import FeedParsing
import RaceModel
import TerminalUI
import Testing

@testable import Dashboard
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// The standings after a stage as values: lists, columns, the format of times and ranks, and the order.
@MainActor
@Suite struct SortsStandings {
    @Test func showsTheGeneralClassificationFirst() {
        #expect(StandingText.lists([]) == [.stages])
        #expect(
            StandingText.lists([.general], hasSplits: true, hasGaps: true) == [
                .classification(.general), .splits, .gaps, .stages,
            ])
        #expect(StandingText.lists([.results]) == [.classification(.results), .stages])
        #expect(
            StandingText.lists(Classification.allCases) == [
                .classification(.general), .classification(.results), .classification(.points),
                .classification(.mountain), .classification(.youth), .classification(.teams),
                .classification(.stagePoints), .classification(.stageMountain), .classification(.stageYouth),
                .classification(.stageTeams), .stages,
            ])
        #expect(
            StandingText.lists([.results, .points]) == [.classification(.results), .classification(.points), .stages])
    }

    private static func standing(
        _ place: Int, _ name: String = "R", team: String? = nil, time: Int? = nil, gap: Int? = nil,
        points: Double? = nil, gained: Int? = nil
    ) -> Standing {
        Standing(place: place, key: name, name: name, team: team, time: time, gap: gap, points: points, gained: gained)
    }

    @Test func hidesEmptyColumns() {
        func fields(_ standings: [Standing], hasTeams: Bool = true) -> [StandingText.Field] {
            StandingText.fields(standings, hasTeams: hasTeams)
        }
        #expect(fields([]) == [.place, .name, .gap])
        #expect(
            fields([SortsStandings.standing(1), SortsStandings.standing(2, team: "T")]) == [.place, .name, .team, .gap])
        #expect(fields([SortsStandings.standing(1, team: "T")], hasTeams: false) == [.place, .name, .gap])
        #expect(fields([SortsStandings.standing(1, gained: 0)]) == [.place, .gained, .name, .gap])
        #expect(fields([SortsStandings.standing(1, points: 5)]) == [.place, .name, .points])
        #expect(fields([SortsStandings.standing(1, gap: 0, points: 5)]) == [.place, .name, .gap, .points])
        #expect(
            fields([SortsStandings.standing(1, team: "T", gap: 3, points: 5, gained: -2)])
                == [.place, .gained, .name, .team, .gap, .points])
    }

    @Test func saysHowFinalAListIs() {
        var stage = Stage(number: 1, start: "A", finish: "B")
        #expect(StandingText.state(.results, of: stage).isEmpty)
        (stage.isProvisional, stage.timeLimit) = (true, 2641)
        #expect(StandingText.state(.results, of: stage) == " · provisional · time limit +44:01")
        #expect(StandingText.state(.general, of: stage) == " · provisional")
        stage.isProvisional = false
        #expect(StandingText.state(.teams, of: stage) == " · official")
    }

    private static let splits = [
        SplitTimes(
            name: "Half", km: 9,
            standings: [standing(1, "A", time: 600), standing(2, "B", gap: 3), standing(3, "C", gap: 9)]),
        SplitTimes(km: 15.5, standings: [standing(1, "B", time: 1000), standing(2, "A", gap: 1)]),
    ]

    @Test func listsTimesOnTheWayByTheLastPlaceThatWasPassed() {
        func texts(_ table: StandingsTable) -> [[String]] { table.rows.map { $0.values.map(\.text.string) } }
        let under = StandingsTable(SortsStandings.splits, result: [])
        #expect(under.columns.map(\.title) == ["#", "Rider", "Half", "km 15.5"])
        #expect(
            texts(under) == [
                ["1", "B", "+0:03 (2)", "16:40"], ["2", "A", "10:00", "+0:01 (2)"], ["3", "C", "+0:09 (3)", ""],
            ])
        let over = StandingsTable(
            SortsStandings.splits,
            result: [SortsStandings.standing(1, "C", time: 1500), SortsStandings.standing(2, "A", gap: 2)])
        #expect(over.columns.last?.title == "Finish" && over.rows.map(\.key) == ["C", "A", "B"])
        #expect(over.rows.map(\.target) == [.rider("C"), .rider("A"), .rider("B")])
        #expect(texts(over).map { $0[0] } == ["1", "2", "1"])
        #expect(texts(over)[0] == ["1", "C", "+0:09 (3)", "", "25:00"])
        #expect(over.order(by: (0, false)) == [2, 1, 0] && over.order(by: (1, true)) == [1, 2, 0])
        #expect(StandingsTable([], result: []).rows.isEmpty)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 5], 6, [0, 1, 2, 5]), ([9, 9], 2, [0, 1]), ([0, 0, 0], 2, [0, 1, nil]),
            ([nil, 1], 3, [nil, 1]),
        ]
            as [([Int?], Int, [Int?])])
    func labelsTheEndsOfTheLines(wanted: [Int?], height: Int, rows: [Int?]) {
        #expect(GapChartView.rows(wanted, height: height) == rows)
    }

    @Test func sharesTheSpaceWithTheTableOfGaps() {
        let rows = [(10, 40), (10, 20), (2, 20), (10, 3), (10, 1)].map { StandingText.rowsBelowChart($0, in: $1) }
        #expect(rows == [11, 10, 3, 3, 1])
    }

    /// The leader has a time, others a gap; equal times are marked as such.
    @Test func writesTimesAndGaps() {
        let table: [(place: Int, time: Int?, gap: Int?, words: String)] = [
            (1, 14_410, nil, "4:00:10"), (1, 14_410, 0, "4:00:10"), (1, nil, 0, ""), (1, nil, nil, ""),
            (1, nil, 5, "+0:05"),
            (2, nil, 0, "+0:00"), (2, 14_410, 0, "4:00:10"), (2, nil, 4, "+0:04"), (2, 14_414, 4, "+0:04"),
            (3, nil, 3605, "+1:00:05"), (3, 14_500, nil, "4:01:40"), (3, nil, nil, ""),
        ]
        for (place, time, gap, words) in table {
            let found = StandingText.time(SortsStandings.standing(place, time: time, gap: gap)).string
            #expect(found == words, "\(place) \(time ?? -1) \(gap ?? -1)")
        }
    }

    @Test func writesPlacesWonAndLost() {
        func words(_ isLinear: Bool, _ hasUnicode: Bool) -> [String] {
            [3, 0, -2, nil].map { StandingText.gained($0, isLinear: isLinear, hasUnicode: hasUnicode).string }
        }
        #expect(words(false, true) == ["▲3", "=", "▼2", "new"])
        #expect(words(false, false) == ["+3", "=", "-2", "new"])
        #expect(words(true, true) == ["up 3", "as before", "down 2", "new"])
        #expect(words(true, false) == ["up 3", "as before", "down 2", "new"])
    }

    /// Each column in both directions; equal rows keep their order.
    @Test func sortsAClassificationByEachColumn() throws {
        let standings = [
            SortsStandings.standing(1, "Bea", team: "Y", gap: 0, points: 9, gained: 1),
            SortsStandings.standing(2, "Cora", team: "X", points: 20, gained: nil),
            SortsStandings.standing(3, "Ana", team: nil, points: nil, gained: -1),
            SortsStandings.standing(4, "Bea", team: "X", points: 9, gained: 1),
        ]
        let fields = StandingText.fields(standings, hasTeams: true)
        let table = StandingsTable(standings, of: .general, in: StandingsPane())
        #expect(table.order(by: nil) == [0, 1, 2, 3])
        let orders: [(field: StandingText.Field, up: [Int], down: [Int])] = [
            (.place, [0, 1, 2, 3], [3, 2, 1, 0]), (.gap, [0, 1, 2, 3], [3, 2, 1, 0]),
            (.name, [2, 0, 3, 1], [1, 3, 0, 2]), (.team, [2, 1, 3, 0], [0, 3, 1, 2]),
            (.points, [2, 0, 3, 1], [1, 3, 0, 2]), (.gained, [1, 2, 0, 3], [3, 0, 2, 1]),
        ]
        for (field, up, down) in orders {
            let column = try #require(fields.firstIndex(of: field))
            #expect(table.order(by: (column, true)) == up, "\(field)")
            #expect(table.order(by: (column, false)) == down, "\(field)")
        }
    }

    private static let stages = [("B", "Y"), (nil, nil), ("A", "X"), ("B", "X")].enumerated().map { index, names in
        Stage(number: index + 1, start: "S", finish: "F", winner: names.0, leaderAfter: names.1)
    }

    @Test func sortsStagesByWinnerAndLeader() {
        let orders: [(column: Int, up: [Int], down: [Int])] = [
            (0, [0, 1, 2, 3], [3, 2, 1, 0]), (1, [1, 2, 0, 3], [3, 0, 2, 1]), (2, [1, 2, 3, 0], [0, 3, 2, 1]),
        ]
        let table = StandingsTable(SortsStandings.stages, shown: 0, today: CalendarDay(number: 0), isLinear: false)
        for (column, up, down) in orders {
            #expect(table.order(by: (column, true)) == up, "\(column)")
            #expect(table.order(by: (column, false)) == down, "\(column)")
        }
    }

    /// The strip: leaders in order, and the stages that each one led.
    @Test func findsTheDaysOfEachLeader() {
        func stages(_ leaders: [String?]) -> [Stage] {
            leaders.enumerated().map { Stage(number: $0 + 1, start: "S", finish: "F", leaderAfter: $1) }
        }
        let race = stages(["A", "A", "B", nil, nil, "A", "C"])
        #expect(StandingText.leaders(race) == ["A", "B", "C"])
        let runs = StandingText.runs(race)
        #expect(runs.map(\.leader) == ["A", "B", nil, "A", "C"])
        #expect(runs.map(\.stages) == [0..<2, 2..<3, 3..<5, 5..<6, 6..<7])
        #expect(StandingText.runs([]).isEmpty && StandingText.leaders(stages([nil])).isEmpty)
    }

    /// Each leader's name is below the longest run, on the first line with space for it.
    @Test func placesNamesUnderTheirRuns() {
        func strip(_ leaders: [String?], room: Int) -> LeaderStrip {
            LeaderStrip(
                leaders.enumerated().map { index, leader in
                    Stage(number: index + 1, start: "A", finish: "B", leaderAfter: leader)
                }, room: room)
        }
        let five = strip(["Ann Alpha", "Bo Beta", "Bo Beta", "Ann Alpha", "Ann Alpha"], room: 40)
        #expect(five.width == 3 && five.columns(of: 1..<3) == 3..<8 && five.columns(of: 0..<1) == 0..<2)
        #expect(five.names == [.init(text: "Beta", column: 3, line: 0), .init(text: "Alpha", column: 9, line: 0)])
        // Neighbours that touch go to the next line, and names that fit nowhere are omitted.
        let four = ["A Alphabeta", "B Betagamma", "C Gammadelta", "D Deltaalpha"]
        let many = strip(four, room: 40)
        #expect(many.names.map(\.line) == [0, 1, 2] && many.names.map(\.column) == [0, 3, 6])
        #expect(strip(four, room: 4).names.isEmpty)
        // At the right edge a name moves to the left.
        #expect(strip([nil, nil, "Ann Alphabeta"], room: 12).names.first?.column == 3)
        // Of many stages not all have numbers, but the given one does.
        let narrow = strip(Array(repeating: "A", count: 21), room: 44)
        #expect(narrow.width == 2 && narrow.numbered(5) == [0, 2, 5, 8, 10, 12, 14, 16, 18, 20])
        let unknown = strip(Array(repeating: nil, count: 99), room: 44)
        #expect(unknown.numbered(50).contains(50))
    }

    /// Up to ten leaders have colours of their own, which differ from each other on any ground.
    @Test func coloursEachLeaderDifferently() {
        let stages = (1...10).map { Stage(number: $0, start: "A", finish: "B", leaderAfter: "Rider \($0)") }
        let strip = LeaderStrip(stages, room: 40)
        let colors = strip.leaders.map { strip.style(of: $0, in: .dark, .direct).foreground }
        #expect(Set(colors).count == 10)
        for color in LeaderStrip.hues {
            for ground in [RGB(0x1C, 0x1C, 0x1C), RGB(0xFA, 0xFA, 0xFA)] {
                #expect(color.contrast(with: ground) >= 3)
            }
        }
        #expect(strip.style(of: nil, in: .dark, .direct) == Theme.dark[.rule])
    }

    @Test func shortensLeadersToTheirLastNames() {
        let leaders = ["Ana Sousa", "Bea Costa", "Carla Sousa", "Dina"]
        #expect(
            leaders.map { StandingText.short($0, among: leaders).string } == ["A. Sousa", "Costa", "C. Sousa", "Dina"])
    }

    /// A result is hidden from the stage's day on; before that there is none.
    @Test func hidesResultsFromTheDayOfTheStage() throws {
        let today = try #require(CalendarDay("2026-11-20"))
        for (day, isHidden) in [("2026-11-19", true), ("2026-11-20", true), ("2026-11-21", false), (nil, true)]
            as [(String?, Bool)]
        {
            for isSpoiler in [false, true] {
                var stage = Stage(number: 1, date: day, start: "A", finish: "B")
                stage.isSpoiler = isSpoiler
                #expect(StandingText.hidesResult(of: stage, today: today) == (isHidden && isSpoiler))
            }
        }
    }

    /// All wearers of jerseys are named, in as many words as fit.
    @Test func namesWearersInTheirSpace() {
        func words(_ columns: Int, hasSigns: Bool = true, teamHasSign: Bool = true) -> [String] {
            let wearers = [
                StandingText.Wearer(jersey: "yellow jersey", name: "Mathis Le Berre", hasSign: hasSigns),
                StandingText.Wearer(jersey: "green jersey", name: "Isaac del Toro", hasSign: hasSigns),
                StandingText.Wearer(jersey: "teams", name: "CASA AZUL", hasSign: hasSigns && teamHasSign, isTeam: true),
            ]
            return StandingText.words(for: wearers, columns: columns).map(\.string)
        }
        let whole = ["yellow jersey Mathis Le Berre", "green jersey Isaac del Toro", "teams CASA AZUL"]
        let brief = ["yellow jersey Le Berre", "green jersey del Toro", "teams CASA AZUL"]
        let width = whole.joined().count + 2 * 2
        #expect(words(width + 9) == whole && words(width + 8) == brief)
        #expect(words(20) == ["Le Berre", "del Toro", "CASA AZUL"])
        // A list without a jersey keeps its name.
        #expect(words(20, teamHasSign: false) == ["Le Berre", "del Toro", "teams CASA AZUL"])
        #expect(words(width, hasSigns: false) == whole && words(20, hasSigns: false) == brief)
        #expect(StandingText.words(for: [], columns: 0).isEmpty)
        let names = ["Vincenzo Nibali", "Marco De La Cruz", "Van", "", "Ana van Rio"]
        #expect(
            names.map { StandingText.short($0, among: []).string } == ["Nibali", "De La Cruz", "Van", "", "van Rio"])
    }

    @Test func sortsTheDaysOfARider() {
        func day(_ stage: Int, _ route: String, _ place: Int?, _ gap: Int?, _ overall: Int?, _ behind: Int?)
            -> RiderRecord.Day
        {
            RiderRecord.Day(stage: stage, route: route, place: place, gap: gap, overall: overall, overallGap: behind)
        }
        let days = [
            day(1, "C", 5, 30, 5, 30), day(2, "A", 1, nil, 2, 10), day(3, "B", nil, nil, nil, nil),
            day(4, "A", 5, 12, 1, nil),
        ]
        let orders: [(column: Int, up: [Int], down: [Int])] = [
            (0, [0, 1, 2, 3], [3, 2, 1, 0]), (1, [1, 3, 2, 0], [0, 2, 3, 1]), (2, [1, 0, 3, 2], [2, 0, 3, 1]),
            (3, [1, 2, 3, 0], [0, 3, 1, 2]), (4, [3, 1, 0, 2], [2, 0, 1, 3]), (5, [2, 3, 1, 0], [0, 1, 2, 3]),
        ]
        for (column, up, down) in orders {
            #expect(RiderViewController.order(days, by: column, ascending: true) == up, "\(column)")
            #expect(RiderViewController.order(days, by: column, ascending: false) == down, "\(column)")
        }
    }
}
