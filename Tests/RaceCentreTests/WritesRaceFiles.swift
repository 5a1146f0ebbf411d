import CommonTesting
import Foundation
import ModelCore
import RaceCentre
import Testing

@testable import Races

/// The reader of race files accepts what is assembled.
@Suite struct WritesRaceFiles {
    @Test func theReaderOfRaceFilesTakesAnAssembledEdition() throws {
        var parts = EditionParts(edition: Invented.edition)
        for (endpoint, body) in SurvivesHostileResponses.bodies { parts.take(body, of: endpoint, at: 1) }
        let race = try RaceFile.read(Data(try #require(EditionAssembler.race(parts))))
        #expect(race.id == "volta-a-invenção-2026" && race.stages.count == 2 && race.riders?.count == 2)
        #expect(
            race.stages[0].climbs?.count == 1 && race.stages[0].general?.count == 2 && race.stages[0].ticker?.count == 1
        )
        #expect(race.stages[0].winner == "Ana Rio 1")
        // The race as it is stored can be kept too.
        let stored = try RaceFile.write(race)
        let kept = try #require(EditionAssembler.race(EditionParts(edition: Invented.edition), keeping: Array(stored)))
        #expect(try RaceFile.read(Data(kept)).stages == race.stages)
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
            guard let race = EditionAssembler.race(parts) else { continue }
            count += 1
            do { _ = try RaceFile.read(Data(race)) } catch { Issue.record("round \(round): \(error)") }
        }
        #expect(count > 200)
    }
}
