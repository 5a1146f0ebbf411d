import Foundation
import RaceCentre
import RaceModel

/// Passes responses to the readers of race centres, one target for each document.
enum RaceCentreResponses {
    /// The documents by the names of targets.
    private static let endpoints: [String: Endpoint] = [
        "centre-stages": .stages, "centre-teams": .teams, "centre-competitors": .competitors,
        "centre-checkpoints": .checkpoints(stage: 1), "centre-groups": .groups(stage: 1),
        "centre-insights": .insights(stage: 1), "centre-ticker": .ticker(language: "en", stage: 1),
        "centre-rankings": .rankings(stage: 1), "centre-jerseys": .jerseys(stage: 1),
    ]

    private static let edition: RaceEdition? = {
        let catalogue =
            #"{"races":[{"id":"volta","names":{"en":"Volta"},"host":"centre.example.org","start":"07-04"}]}"#
        return KnownRaces(bundled: Array(catalogue.utf8)).races.first.map { RaceEdition(race: $0, year: 2026) }
    }()

    /// Sound responses, so that there are stages and riders to which others refer.
    private static let stages = #"""
        [{"stage":1,"date":"2026-07-04T00:00:00+02:00","type":"PLN","length":150.5,"startTime":"13:00:00",
        "endTime":"17:00:00","timezone":"Europe/Paris","_id":"s1","_bind":"stage-2026"}]
        """#
    private static let riders = #"""
        [{"bib":1,"lastname":"RIO","$team":"team-2026:t","_id":"r1","_bind":"allCompetitors-2026"},
        {"bib":2,"lastname":"SERRA","_id":"r2","_bind":"allCompetitors-2026"},
        {"name":"CASA","_id":"t","_bind":"team-2026"}]
        """#

    /// Reads a response for a target, and checks that a race with it is valid and can be written.
    ///
    /// - Returns: Whether there is such a target.
    static func read(_ bytes: [UInt8], target: String) throws -> Bool {
        if target == "centre-catalogue" {
            try readCatalogue(bytes)
            return true
        }
        guard let endpoint = endpoints[target], let edition else { return false }
        var parts = EditionParts(edition: edition)
        parts.take(Array(stages.utf8), of: .stages, at: 1)
        parts.take(Array(riders.utf8), of: .competitors, at: 1)
        do {
            let previous = try EditionAssembler.race(parts)
            parts.take(bytes, of: endpoint, at: 2)
            guard let race = try EditionAssembler.race(parts, keeping: previous) else {
                throw FuzzFailure("the known stages are lost")
            }
            try check(EditionAssembler.race(parts, keeping: race) == race, "assembling the race again changes it")
            try check(RaceFile.read(RaceFile.write(race)) == race, "writing the race changes it")
        } catch let error as RaceFileError {
            throw FuzzFailure("the assembled race is rejected: \(error)")
        }
        try checkHead(parts)
        return true
    }

    private static func checkHead(_ parts: EditionParts) throws {
        guard let stage = parts.stages.value?.first,
            let head = parts.head(of: stage, at: parts.groups[stage.number]?.value?.at ?? 1_783_170_000)
        else { return }
        try check(head.kmToGo.isFinite && head.kmToGo >= 0, "the head of the race has an impossible position")
    }

    /// Reads a catalogue of the user's, and resolves and completes its own names.
    private static func readCatalogue(_ bytes: [UInt8]) throws {
        let known = KnownRaces(bundled: bytes)
        for race in known.races {
            let edition = RaceEdition(race: race, year: race.years.lowerBound)
            try check(Endpoint.stages.address(in: edition).hasPrefix(race.base), "an address of another host")
            _ = try? known.resolve(race.name, today: (year: 2026, day: MonthDay(month: 7, day: 1)))
        }
        _ = known.completions(for: "a")
    }
}
