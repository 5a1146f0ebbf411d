import Foundation
import RaceCentre
import RaceModel

/// Passes answers to the readers of Wikidata, one target for each query.
enum WikidataAnswers {
    /// Reads an answer for a target, and checks that what comes out is bounded, and that a race is valid.
    ///
    /// - Returns: Whether there is such a target.
    static func read(_ bytes: [UInt8], target: String) throws -> Bool {
        switch target {
        case "wikidata-season":
            let races = (try? CalendarRace.read(bytes, season: 2026)) ?? []
            try check(races.allSatisfy { $0.firstDay.year == 2026 && $0.name.utf8.count <= 200 }, "another season")
        case "wikidata-winners":
            let winners = (try? PastWinner.read(bytes)) ?? []
            try check(winners.allSatisfy { (1...9999).contains($0.year) && !$0.name.isEmpty }, "an impossible winner")
        case "wikidata-edition":
            guard let item = WikidataItem("Q501"), let edition = try? WikidataEdition.read(bytes, item: item) else {
                return true
            }
            do {
                let race = try edition.race()
                try check(RaceFile.read(RaceFile.write(race)) == race, "writing the race changes it")
            } catch let error as RaceFileError {
                throw FuzzFailure("the race of the edition is rejected: \(error)")
            }
        default: return false
        }
        return true
    }
}
