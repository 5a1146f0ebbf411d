import RaceModel
import Testing

@testable import RaceCentre

/// Stages under way: time trials whose order changes until the end, and what is known in the middle of a road stage.
@Suite struct AssemblesTimeTrials: EditionReading {
    /// Returns the parts of a time trial from 13:00 to 17:00 with rankings that came at a time.
    private func trial(_ lists: [String], at time: String, type: String = "PAS") -> EditionParts {
        var parts = EditionParts(edition: Invented.edition)
        parts.take(Invented.body(Invented.stage(1, type: type), Invented.stage(2)), of: .stages, at: 1)
        parts.take(Invented.body((1...12).map { Invented.rider($0) } + [Invented.team()]), of: .competitors, at: 1)
        parts.take(Invented.body(lists), of: .rankings(stage: 1), at: Invented.instant(time))
        return parts
    }

    private func list(_ type: String, _ bibs: [Int], status: String) -> String {
        let rows = bibs.enumerated().map { place, bib in
            Invented.row(place + 1, bib, absolute: 1_800_000 + place * 1000, relative: place * 1000)
        }
        return Invented.ranking(type, rows, status: status)
    }

    @Test(arguments: [
        ("2", "14:00:00", false), ("2", "17:30:00", false), ("1", "14:00:00", false), ("1", "17:00:00", true),
        ("0", "14:00:00", true),
    ])
    func aTrialHasNoWinnerWhileItsListIsRunning(status: String, time: String, isOver: Bool) throws {
        let race = try #require(
            try EditionAssembler.race(
                trial([list("ite", [3, 1], status: status), list("itg", [3, 1], status: status)], at: time)))
        let stage = race.stages[0]
        #expect(stage.winner == (isOver ? "Ana Rio 3" : nil) && stage.leaderAfter == (isOver ? "Ana Rio 3" : nil))
        #expect(stage.isRunning == (isOver ? nil : true) && stage.hasResult == isOver)
        #expect(stage.results?.map(\.rider) == ["3", "1"])
        #expect(try read(race).stages[0].isRunning == stage.isRunning)
    }

    @Test func theOrderOfATrialChangesUntilTheEnd() throws {
        var race: Race?
        for (bibs, status) in [([3], "2"), ([1, 3], "2"), ([2, 1, 3], "2"), ([1, 3], "2"), ([4, 1, 3], "1")] {
            let parts = trial([list("ite", bibs, status: status)], at: status == "2" ? "15:00:00" : "17:10:00")
            race = try EditionAssembler.race(parts, keeping: race)
            #expect(race?.stages[0].results?.map(\.rider) == bibs.map { String($0) })
            #expect(race?.stages[0].winner == (status == "2" ? nil : "Ana Rio 4"))
        }
        // Officials may correct the result.
        let official = trial([list("ite", [1, 4, 3], status: "0")], at: "18:00:00")
        #expect(try EditionAssembler.race(official, keeping: race)?.stages[0].winner == "Ana Rio 1")
        // A restart without rankings keeps the state.
        let running = try EditionAssembler.race(trial([list("ite", [3], status: "2")], at: "15:00:00"))
        let restarted = try assemble(keeping: running)
        #expect(restarted?.stages[0].isRunning == true && restarted?.stages[0].winner == nil)
    }

    /// A provisional list after the planned end, while riders have passed a place on the way and not the finish.
    @Test func aLateTrialHasNoWinnerWhileRidersAreOnTheRoad() throws {
        func winner(_ passed: [Int], _ finished: [Int], out: [Int] = [], at time: String = "17:30:00") throws -> String?
        {
            let split = Invented.ranking(
                "itt", passed.enumerated().map { Invented.row($0 + 1, $1, absolute: 900_000 + $0 * 1000) }, status: "1",
                checkpoint: 5, types: "\"C\"", km: "75")
            let rows = finished.enumerated().map { Invented.row($0 + 1, $1, absolute: 1_800_000 + $0 * 1000) }
            let finish = Invented.ranking("ite", rows + out.map { Invented.row(-1, $0) }, status: "1")
            return try EditionAssembler.race(trial([split, finish], at: time))?.stages[0].winner
        }
        #expect(try winner([1, 2, 3], [2, 1]) == nil)
        #expect(try winner([1, 2, 3], [3, 2, 1]) == "Ana Rio 3")
        #expect(try winner([1, 2, 3], [2, 1], out: [3]) == "Ana Rio 2")
        // The first ten alone say nothing about the others, and a rider who gave up may be listed nowhere.
        #expect(try winner(Array(1...12), Array(1...10)) == "Ana Rio 1")
        #expect(try winner([1, 2, 3], [2, 1], at: "19:00:00") == "Ana Rio 2")
    }

    /// The team wins a team time trial, also if riders have times of their own or no times yet.
    @Test(arguments: [true, false]) func aTeamWinsATeamTimeTrial(hasRiders: Bool) throws {
        func race(_ status: String, at time: String) throws -> Race? {
            let teams = [
                Invented.row(1, 1, absolute: 1_200_000), Invented.row(2, 7, absolute: 1_210_000, relative: 10_000),
            ]
            let lists =
                [Invented.ranking("ttt", teams, status: status)]
                + (hasRiders ? [list("ite", [7, 1], status: status)] : [])
            var parts = EditionParts(edition: Invented.edition)
            parts.take(Invented.body(Invented.stage(1, type: "EQU")), of: .stages, at: 1)
            let riders = (1...6).map { Invented.rider($0) } + (7...12).map { Invented.rider($0, team: "t2") }
            parts.take(
                Invented.body(riders + [Invented.team(), Invented.team("t2", "VERDE")]), of: .competitors, at: 1)
            parts.take(Invented.body(lists), of: .rankings(stage: 1), at: Invented.instant(time))
            return try EditionAssembler.race(parts)
        }
        for (status, time, isOver) in [
            ("2", "17:30:00", false), ("1", "16:00:00", false), ("1", "17:30:00", true), ("0", "17:30:00", true),
        ] {
            let found = try race(status, at: time)
            let stage = try #require(found?.stages[0])
            #expect(stage.stageTeams?.count == 2 && stage.timeTrial == .ofTeams)
            #expect(stage.winner == (isOver ? found?.teams?[0].name : nil), "\(status) \(time)")
        }
    }

    @Test func knowsWithdrawalsPointsAndTheRealStartInMidStage() throws {
        let start = ",\"firstCompetitorTime\":\(Invented.instant("13:07:00").seconds)"
        let lists = [
            Invented.ranking("ite", [Invented.row(-4, 12), Invented.row(-1, 11)], status: "2", more: start),
            Invented.ranking(
                "ipe", [Invented.row(1, 5, absolute: 20)], status: "2", checkpoint: 4, types: "\"N\"", km: "60"),
            Invented.ranking("ipg", [Invented.row(1, 5, absolute: 60)], status: "2"),
        ]
        let race = try #require(try EditionAssembler.race(trial(lists, at: "14:30:00", type: "PLN")))
        #expect(race.withdrawals?.map(\.rider) == ["11", "12"])
        let stage = race.stages[0]
        #expect(stage.points?.first?.points == 60 && stage.stagePoints?.first?.rider == "5")
        #expect(stage.startTime == "2026-07-04T13:07:00+02:00" && stage.winner == nil && stage.isRunning == true)
        // The real start stays when the list no longer has it.
        let arrival = ",\"firstCompetitorTime\":\(Invented.instant("16:48:00").seconds)"
        let finished = trial(
            [Invented.ranking("ite", Invented.times(12), status: "1", more: arrival)], at: "16:50:00", type: "PLN")
        let after = try #require(try EditionAssembler.race(finished, keeping: race)?.stages[0])
        #expect(after.startTime == "2026-07-04T13:07:00+02:00" && after.finishTime == "2026-07-04T16:48:00+02:00")
        #expect(after.winner == "Ana Rio 1" && after.isRunning == nil)
        // A rider who has a place after all did not withdraw.
        #expect(try EditionAssembler.race(finished, keeping: race)?.withdrawals == nil)
    }

    /// A shortened stage has other kilometres than its road book, but the same checkpoints.
    @Test func findsTheFirstOfClimbsOfAShortenedStage() throws {
        var parts = trial(
            [
                Invented.ranking(
                    "ime", [Invented.row(1, 3, absolute: 5)], status: "2", checkpoint: 3, types: "", km: "40"),
                Invented.ranking(
                    "ipe", [Invented.row(1, 4, absolute: 20)], status: "2", checkpoint: 4, types: "\"N\"", km: "59.8"),
            ], at: "15:00:00", type: "PLN")
        parts.take(
            Invented.body(
                Invented.checkpoint(0, km: "0", types: ["F"]), Invented.checkpoint(1, km: "0", types: ["R"]),
                Invented.checkpoint(3, km: "60", more: Invented.climb(name: "Alta")),
                Invented.checkpoint(4, km: "80", types: ["N"]), Invented.checkpoint(9, km: "171", types: ["N", "A"])),
            of: .checkpoints(stage: 1), at: 1)
        let stage = try #require(try EditionAssembler.race(parts)?.stages[0])
        #expect(stage.climbs?.map(\.winner) == ["Ana Rio 3"] && stage.sprints?.map(\.winner) == ["Ana Rio 4"])
    }

    @Test func knowsWhenTheRidersSetOffForTheRealStart() throws {
        let neutral = Invented.checkpoint(0, km: "0", types: ["F"]).replacing("13:51:00", with: "12:45:00")
        let book = Invented.body(
            neutral, Invented.checkpoint(1, km: "0", types: ["R"]), Invented.checkpoint(9, km: "150.5", types: ["A"]))
        let race = try assemble((.checkpoints(stage: 1), book))
        #expect(try read(race).stages[0].neutralStartTime == "2026-07-04T12:45:00+02:00")
        #expect(try assemble(keeping: race)?.stages[0].neutralStartTime != nil)
    }

    /// After a climb the largest group may be far behind.
    @Test(arguments: [(true, 40), (false, 1282)]) func thePelotonIsTheGroupOfTheLeader(hasLeader: Bool, gap: Int) throws
    {
        let groups = Invented.groups(
            at: "14:55:00",
            [
                Invented.group(0, "Tête de la course", size: 1, bibs: [1]),
                Invented.group(1, "R. Carapaz", gap: 40, togo: 51_000, size: 3, bibs: [2, 3]),
                Invented.group(2, "Groupe", gap: 1282, togo: 60_000, size: 999, bibs: [4, 5, 6, 7]),
            ])
        var parts = parts((.groups(stage: 1), Invented.body(groups)))
        if hasLeader {
            let worn = Invented.ranking("pmt", [Invented.row(1, 3)], bind: "rankingTypeJerseys")
            parts.take(Invented.body(worn), of: .jerseys(stage: 1), at: 1)
        }
        let race = try read(try EditionAssembler.race(parts))
        #expect(race.stages[0].live?.pelotonGap == gap && race.stages[0].live?.windDirection == nil)
        // A group that was dropped never counts.
        let dropped = Invented.body(groups.replacing("\"Groupe\"", with: "\"Gruppetto\""))
        parts.take(dropped, of: .groups(stage: 1), at: 2)
        #expect(try EditionAssembler.race(parts)?.stages[0].live?.pelotonGap != 1282)
    }
}
