import CommonTesting
@testable import RaceCentre
import RaceModel
import Testing

/// The reader of race files accepts what is assembled.
@Suite struct WritesRaceFiles: EditionReading {
    @Test func theReaderOfRaceFilesTakesAnAssembledEdition() throws {
        var parts = EditionParts(edition: Invented.edition)
        for (endpoint, body) in SurvivesHostileResponses.bodies { parts.take(body, of: endpoint, at: 1) }
        let race = try read(EditionAssembler.race(parts))
        #expect(race.id == "volta-a-invenção-2026" && race.stages.count == 2 && race.riders?.count == 2)
        #expect(
            race.stages[0].climbs?.count == 1 && race.stages[0].general?.count == 2 && race.stages[0].ticker?.count == 1
        )
        #expect(race.stages[0].winner == "Ana Rio 1")
        let kept = try EditionAssembler.race(EditionParts(edition: Invented.edition), keeping: race)
        #expect(try read(kept).stages == race.stages)
    }

    /// Replaces values at random by others of any type. The file must stay one that is accepted.
    @Test func theReaderTakesWhateverCame() throws {
        var random = SeededGenerator(seed: 3)
        var count = 0
        for round in 0..<300 {
            var parts = EditionParts(edition: Invented.edition)
            for (endpoint, body) in SurvivesHostileResponses.bodies {
                let changes = Int.random(in: 0..<5, using: &random)
                parts.take(Invented.changed(body, values: changes, using: &random), of: endpoint, at: 1)
            }
            do {
                guard let race = try EditionAssembler.race(parts) else { continue }
                count += 1
                #expect(try read(race) == race, "round \(round)")
            } catch { Issue.record("round \(round): \(error)") }
        }
        #expect(count > 200)
    }

    /// A race is checked however it came about.
    @Test func rejectsContradictions() throws {
        var race = try #require(try EditionAssembler.race(parts()))
        race.stages[0].ticker = [TickerLine(time: "2026-07-04T06:59:59+02:00", text: "early")]
        let sentence = "stage 1, ticker, item 1: the time is before the start"
        #expect(throws: RaceFileError(problems: [sentence])) { try EditionAssembler.race(parts(), keeping: race) }
        race.stages[0].ticker = nil
        race.stages[1].splits = [
            Split(km: 9, placings: [Placing(place: 1, rider: "1"), Placing(place: 2, rider: "1")])
        ]
        #expect(throws: RaceFileError(problems: ["stage 2, splits, item 1, item 2: duplicate '1'"])) {
            try EditionAssembler.race(parts(), keeping: race)
        }
    }
}
