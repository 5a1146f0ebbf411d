import CommonTesting
import RaceModel
import Testing

@testable import RaceCentre

/// The reader of race files accepts what is assembled.
@Suite struct WritesRaceFiles: EditionReading {
    @Test func theReaderOfRaceFilesTakesAnAssembledEdition() throws {
        var parts = EditionParts(edition: Invented.edition)
        for (endpoint, body) in SurvivesHostileResponses.bodies { parts.take(body, of: endpoint, at: 1) }
        let race = try read(EditionAssembler.race(parts))
        #expect(race.id == "volta-a-invencao-2026" && race.stages.count == 2 && race.riders?.count == 2)
        #expect(race.stages[0].climbs?.count == 1 && race.stages[0].general?.count == 2)
        #expect(race.stages[0].ticker?.count == 1)
        #expect(race.stages[0].winner == "Ana Rio 1")
        let kept = try EditionAssembler.race(EditionParts(edition: Invented.edition), keeping: race)
        #expect(try read(kept).stages == race.stages)
    }

    /// Replaces values at random by others of any type, with and without a previous version of the race.
    @Test func theReaderTakesWhateverCame() throws {
        var random = SeededGenerator(seed: 3)
        var count = 0
        var previous: Race?
        for round in 0..<300 {
            var parts = EditionParts(edition: Invented.edition)
            for (endpoint, body) in SurvivesHostileResponses.bodies {
                let changes = Int.random(in: 0..<5, using: &random)
                parts.take(Invented.changed(body, values: changes, using: &random), of: endpoint, at: 1)
            }
            do {
                guard let race = try EditionAssembler.race(parts, keeping: previous) else { continue }
                count += 1
                previous = round % 10 == 9 ? nil : race
                #expect(try read(race) == race, "round \(round)")
            } catch { Issue.record("round \(round): \(error)") }
        }
        #expect(count > 200)
    }

    /// A start that is put back and a stage that becomes shorter don't contradict what is kept.
    @Test func keepsWhatFitsAnAlteredStage() throws {
        var race = try #require(try EditionAssembler.race(parts()))
        race.stages[0].ticker = [
            TickerLine(time: "2026-07-04T07:30:00+02:00", text: "early"),
            TickerLine(time: "2026-07-04T12:00:00+02:00", text: "late"),
        ]
        race.stages[0].climbs = [Climb(km: 60), Climb(km: 140)]
        race.stages[0].sprints = [Sprint(km: 141), Sprint(km: 61)]
        race.stages[0].splits = [Split(km: 62), Split(km: 142)]
        var parts = EditionParts(edition: Invented.edition)
        let altered = Invented.stage(1, length: "80").replacing("13:00:00", with: "14:00:00")
        parts.take(Invented.body(altered), of: .stages, at: 1)
        let stage = try #require(try EditionAssembler.race(parts, keeping: race)).stages[0]
        #expect(stage.startTime == "2026-07-04T14:00:00+02:00" && stage.ticker?.map(\.text) == ["late"])
        #expect(stage.climbs?.map(\.km) == [60] && stage.sprints?.map(\.km) == [61] && stage.splits?.map(\.km) == [62])
    }

    /// The real start is later than the announced one, and the numbers of one list are impossible.
    @Test func dropsWhatContradictsTheStage() throws {
        let lists = Invented.body(
            Invented.ranking(
                "ite", Invented.times(1), status: "2",
                more: ",\"timeLimit\":999,\"firstCompetitorTime\":\(Invented.instant("13:30:00"))"),
            Invented.ranking("itt", Invented.times(1), checkpoint: 3, types: "\"C\"", km: "9000"))
        var parts = EditionParts(edition: Invented.edition)
        parts.take(Invented.body(Invented.stage(1, length: "null").replacing("151", with: "null")), of: .stages, at: 1)
        parts.take(lists, of: .rankings(stage: 1), at: 1)
        let news = Invented.body(
            Invented.news("a", at: "07:15:00", "Early"), Invented.news("b", at: "08:00:00", "Late"))
        parts.take(news, of: .ticker(language: "en", stage: 1), at: 1)
        let stage = try #require(try EditionAssembler.race(parts)).stages[0]
        #expect(stage.startTime == "2026-07-04T13:30:00+02:00" && stage.ticker?.map(\.text) == ["Late"])
        #expect(stage.distance == nil && stage.timeLimit == nil && stage.splits == nil && stage.results?.count == 1)
    }

    /// A race is checked however it came about.
    @Test func rejectsContradictions() throws {
        var race = try #require(try EditionAssembler.race(parts()))
        race.stages[0].timeLimit = 0
        #expect(throws: RaceFileError(problems: ["stage 1: 0 seconds is not a time limit"])) {
            try EditionAssembler.race(parts(), keeping: race)
        }
        race.stages[0].timeLimit = nil
        race.stages[1].splits = [
            Split(km: 9, placings: [Placing(place: 1, rider: "1"), Placing(place: 2, rider: "1")])
        ]
        #expect(throws: RaceFileError(problems: ["stage 2, splits, item 1, item 2: duplicate '1'"])) {
            try EditionAssembler.race(parts(), keeping: race)
        }
    }
}
